"""What is counted, what is printed, and that a step whose feature is missing never holds."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest
import yaml
from rich.console import Console

from dw_cli.play.admin_fields import ADMIN_FIELDS
from dw_cli.play.api import Answer, Api, Missing, Route, Unmet
from dw_cli.play.checks import Checks
from dw_cli.play.names import Names
from dw_cli.play.parse import BadStory, parse_story
from dw_cli.play.report import Report
from dw_cli.play.run import PLAYS
from dw_cli.play.stage import Stage, Watch
from dw_cli.play.steps import STEP_TYPES
from dw_cli.play.steps_admin import DOES
from dw_cli.play.steps_decide import ACTIONS, DOORS
from dw_cli.play.texts import Texts
from dw_cli.play.world import OrgWorld, World

HEAD: dict[str, Any] = {
    "id": "1",
    "title": "t",
    "setup": {
        "orgs": {
            "acme": {
                "agents": {"it_agent": {}},
                "users": {"ingrid": {"role": "owner"}},
                "identities": {"minh": {"platform": "slack", "external_id": "U1"}},
                "channels": {"helpdesk": {"platform": "slack", "agents": ["it_agent"]}},
            }
        }
    },
}
REFUSED: list[dict[str, Any]] = [
    {"decide": {"who": "ingrid", "agent": "it_agent", "action": "override", "matching": "x", "expect": "any"}},
    {"decide": {"who": "ingrid", "agent": "it_agent", "action": "reject", "matching": "x", "never_again": True, "expect": "refused"}},
    {"feedback": {"who": "ingrid", "agent": "it_agent", "matching": "x", "action": "confirm", "expect": "refused"}},
    {"admin": {"who": "ingrid", "do": "promote", "agent": "it_agent", "matching": "x", "expect": "refused"}},
    {"admin": {"who": "ingrid", "do": "propose_soul", "soul": "x", "expect": "refused"}},
    {"put_memory": {"agent": "it_agent", "token_of": "it_agent", "expect": "refused"}},
    {"say": {"channel": "helpdesk", "sender": "minh", "text": "x", "model": {"kind": "memory_fact"}}},
]  # fmt: skip


_ITEMS = "/v1/orgs/{org}/items"
_EARLY = {
    "/v1/orgs",
    "/v1/orgs/{org}/file",
    _ITEMS,
    _ITEMS + "/{item}/decision",
    "/v1/orgs/{org}/memories",
    "/v1/orgs/{org}/audit",
}


@dataclass
class Bare:
    """A product that can approve and reject, and no more. It refuses whatever is asked of it."""

    asked: list[str] = field(default_factory=list)

    async def has(self, route: Route) -> bool:
        return route.service == "panel" and route.path in _EARLY

    async def need(self, route: Route) -> None:
        if not await self.has(route):
            raise Missing(route.feature)

    async def call(self, route: Route, token: str, **_: Any) -> Answer:
        self.asked.append(route.path)
        return Answer(404, {"detail": "not found"})


def world(story: dict[str, Any]) -> World:
    parsed = parse_story("s.yaml", story)
    setup = parsed.setup.orgs["acme"]
    org = OrgWorld("acme", "acme-1", UUID(int=1), setup, {"it_agent": UUID(int=2)}, {"helpdesk": UUID(int=3)}, {}, {}, {"slack": "k"}, "r", "o", {})  # fmt: skip
    texts = Texts("s.yaml")
    nothing = cast(Any, None)
    return World(
        parsed, Names(parsed.setup), texts, Checks(texts), cast(Api, Bare()), cast(Watch, nothing), cast(Stage, SimpleNamespace(model=None)), {"acme": org}
    )  # fmt: skip


@pytest.mark.parametrize(
    "step",
    REFUSED,
    ids=lambda step: (
        "-".join(next(iter(step.values())).get(k, "") for k in ("do", "action")) or next(iter(step))
    ),
)
async def test_a_step_whose_feature_is_missing_fails_whatever_it_expects(step: dict[str, Any]) -> None:
    there = world(HEAD | {"steps": [step]})
    (only,) = there.story.steps
    with pytest.raises(Missing, match="the product cannot do this yet: "):
        await PLAYS[only.type](there, only.step)
    assert cast(Any, there.api).asked == []


async def test_what_the_product_refuses_is_a_refusal_where_the_feature_is_there() -> None:
    step = {
        "decide": {
            "who": "ingrid",
            "agent": "it_agent",
            "action": "reject",
            "matching": "x",
            "expect": "refused:not_found",
        }
    }
    there = world(HEAD | {"steps": [step]})
    assert await PLAYS["decide"](there, there.story.steps[0].step) == "refused:not_found"
    done = {"decide": step["decide"] | {"expect": "done"}}
    there = world(HEAD | {"steps": [done]})
    with pytest.raises(Unmet, match="expected done, got refused:not_found"):
        await PLAYS["decide"](there, there.story.steps[0].step)


def test_every_step_every_action_and_every_do_has_its_function_or_its_words() -> None:
    assert set(PLAYS) == set(STEP_TYPES)
    assert set(ACTIONS) == set(DOORS)
    assert set(DOES) == set(ADMIN_FIELDS)


def test_the_sums_and_the_exit_status() -> None:
    seen = io.StringIO()
    report = Report(Console(file=seen, width=200))
    story = parse_story(
        "s.yaml", HEAD | {"steps": [{"wait": "settled", "why": "R1"}, {"wait": 1}, {"wait": 2}]}
    )
    report.begins(story)
    report.holds(story, story.steps[1], "1 s")
    report.fails(story, story.steps[0], "not settled")
    report.skips(story, story.steps[2], "needs gate")
    with pytest.raises(BadStory) as bad:
        parse_story("t.yaml", HEAD | {"steps": [{"wait": "soon"}, {"wait": 1}]})
    report.unreadable("t.yaml", bad.value)
    report.ends()
    sums = json.loads(report.as_json())
    failures = sums.pop("failures")
    assert sums == {"files": 2, "steps": 5, "held": 1, "failed": 3, "skipped": 1}
    assert failures[0] == {"file": "s.yaml", "step": 1, "type": "wait", "words": "not settled", "why": "R1"}
    assert (failures[1]["file"], failures[1]["step"]) == ("t.yaml", 1)
    assert report.status == 3
    report.failed = 500
    assert report.status == 100
    assert "✗  1 wait" in seen.getvalue()


def test_the_examples_of_this_repository_can_be_read() -> None:
    for path in (Path(__file__).parents[4] / "stories").glob("*.yaml"):
        assert parse_story(path.name, yaml.safe_load(path.read_text("utf-8"))).steps

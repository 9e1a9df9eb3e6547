"""Our stories, on one stack: every step of every file in stories/ holds, or this test says which one did not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from dw_cli.play.parse import read_story
from dw_cli.play.report import Report
from dw_cli.play.run import Player, readable
from dw_cli.play.stage import Stage
from dw_cli.play.step import Step
from dw_cli.play.steps import Admin
from dw_devstack.stack import Stack

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
STORIES = sorted((Path(__file__).parents[2] / "stories").glob("*.yaml"))
FEATURES = ("core", "inbox", "history", "memory_api", "skills", "souls")
"""What the product has in whole. A story that needs more waits until it stands here."""
RED_TEAM = ("borrowed-yes", "foreign-words", "machines", "rules-and-feedback", "strangers")


async def test_every_story_of_ours_holds(stack: Stack) -> None:
    seen = io.StringIO()
    report = Report(Console(file=seen, width=200))
    stage = Stage.of(stack.home, stack.addresses)
    await Player(stage, report, FEATURES, ()).play(readable(STORIES, report))
    assert report.failures == [], seen.getvalue()
    waiting = [path for path in STORIES if set(read_story(path).needs) - set(FEATURES)]
    assert report.held == sum(len(read_story(path).steps) for path in STORIES if path not in waiting)


def test_each_disguise_has_its_control_beside_it() -> None:
    """A wall that lets nothing through proves nothing: the same sentence from a verified sender is saved at the end."""
    names = {path.stem for path in STORIES}
    assert {f"red-team-{name}" for name in RED_TEAM} <= names
    for path in STORIES:
        if path.stem.startswith("red-team-"):
            steps = [step.step for step in read_story(path).steps]
            plain = [s for s in steps if getattr(s, "text", "") == "The Lisbon office closes at 18:00."]
            assert len(plain) >= 2, path.name
            assert any("Lisbon.*18:00" in getattr(s, "contains", ()) for s in steps[-3:]), path.name
            assert any("evil" in getattr(s, "lacks", ()) for s in steps), path.name


def test_there_are_stories_of_search_notes_skills_and_souls() -> None:
    """Each is a situation that users know, and together they use every kind of step."""
    kinds = {path: {_kind(step.step) for step in read_story(path).steps} for path in STORIES}
    assert len(STORIES) >= 25
    assert sum(1 for used in kinds.values() if used & {"search", "put_memory", "skill", "soul"}) >= 12
    for kind in ("search", "put_memory", "skill", "soul"):
        assert sum(1 for used in kinds.values() if kind in used) >= 2, kind


def _kind(step: Step) -> str:
    if isinstance(step, Admin):
        return step.do.rpartition("_")[2]
    return step.type_name

"""The test bench over HTTP: the decision in words for those who may see the inbox, and nothing is stored."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from panel_world import AGENTS, World, bearer, org_file

pytestmark = pytest.mark.integration
FACT = "The Lisbon office closes at 18:00."


async def explain(world: World, who: str, **question: Any) -> httpx.Response:
    body = {"agent": "it_agent", "text": FACT, "sender": "minh"} | question
    return await world.http.post(f"{world.path}/policy/explain", json=body, headers=bearer(world.tokens[who]))


@pytest.mark.parametrize(
    ("question", "outcome", "verified", "words"),
    [
        ({}, "saved", True, "is saved by itself"),
        ({"sender": "U1001"}, "saved", True, "is saved by itself"),
        ({"sender": "slack:T1:U1001"}, "saved", True, "is saved by itself"),
        ({"sender": "slack:T2:U1001"}, "proposed", False, "not mapped to a verified person"),
        ({"sender": "U9999"}, "proposed", False, "not mapped to a verified person"),
        ({"flags": {"forwarded": True}}, "proposed", True, "not plainly the sender's own words"),
        ({"text": "thanks, see you tomorrow!"}, "skipped", True, "Triage lets it go"),
        ({"text": "The wifi password is Heron-Barrel-47!"}, "blocked", True, "holds a secret"),
        ({"channel": "people"}, "none", True, "does not listen in this channel"),
    ],
)
async def test_what_would_become_of_a_message(
    acme: World, question: dict[str, Any], outcome: str, verified: bool, words: str
) -> None:
    answer = await explain(acme, "farid", **question)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["outcome"], told["verified"], told["mode"]) == (outcome, verified, "verified")
    assert words in told["words"]
    assert "Heron" not in answer.text


async def test_it_rests_on_what_the_agent_knows_now(acme: World) -> None:
    before = (await explain(acme, "ingrid")).json()["items"][0]
    assert (before["text"], before["risk"], before["rule"]) == (FACT, "low", "save.low_risk")
    review = AGENTS | {"it_agent": AGENTS["it_agent"] | {"auto_memory_enabled": False}}
    assert (await acme.apply("ingrid", org_file("acme", agents=review))).status_code == 200
    after = (await explain(acme, "ingrid")).json()
    assert (after["mode"], after["items"][0]["rule"]) == ("review", "propose.review_mode")


async def test_nothing_is_stored(acme: World) -> None:
    tables = ("dw_agent_memories", "dw_learning_items", "dw_decisions", "dw_sources", "dw_outbox", "dw_learning_events", "dw_versions")  # fmt: skip

    def contents() -> list[Any]:
        return [acme.query(f"SELECT count(*), max(t::text) FROM {table} AS t") for table in tables]

    before = contents()
    for sender in ("minh", "U9999"):
        assert (await explain(acme, "ingrid", sender=sender)).status_code == 200
    assert contents() == before


@pytest.mark.parametrize(
    ("who", "question", "status"),
    [
        ("greta", {}, 404),
        ("greta", {"agent": "hr_agent"}, 200),
        ("ada", {"agent": "hr_agent"}, 200),
        ("ingrid", {"agent": "no_such_agent"}, 404),
        ("ingrid", {"channel": "nowhere"}, 422),
        ("ingrid", {"text": ""}, 422),
        ("ingrid", {"trusted": True}, 422),
    ],
)
async def test_who_may_ask_and_what_fits(
    acme: World, who: str, question: dict[str, Any], status: int
) -> None:
    answer = await explain(acme, who, **question)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.headers["content-type"] == "application/problem+json"


async def test_another_orgs_accounts_agents_and_tokens_mean_nothing_here(acme: World, globex: World) -> None:
    assert (await explain(acme, "ingrid", agent=str(globex.ids["it_agent"]))).status_code == 404
    assert (await explain(acme, "ingrid", channel=str(globex.ids["helpdesk"]))).status_code == 422
    body = {"agent": "it_agent", "text": FACT, "sender": "minh"}
    headers = bearer(globex.tokens["ingrid"])
    answer = await acme.http.post(f"{acme.path}/policy/explain", json=body, headers=headers)
    assert answer.status_code == 404


async def test_the_effective_policy_is_told_in_words_and_follows_the_rules(
    acme: World, globex: World
) -> None:
    """D38: what will happen if a verified user says X."""

    async def asked(who: str, world: World = acme, **query: str) -> httpx.Response:
        url = f"{acme.path}/policy/effective"
        return await acme.http.get(
            url, params={"agent": "it_agent"} | query, headers=bearer(world.tokens[who])
        )

    def line(told: Any, about: str, sender: str) -> Any:
        return next(one for one in told["lines"] if (one["about"], one["sender"]) == (about, sender))

    told = (await asked("farid")).json()
    assert told["mode"] == "verified"
    assert line(told, "fact", "verified")["words"] == (
        "If a verified member says a low-risk fact: it is saved by itself, if it is plainly their own words."
    )
    assert line(told, "fact", "unverified")["rule"] == "propose.unverified_sender"
    assert line(told, "secret", "verified")["outcome"] == "blocked"
    rule = {
        "category": "fact",
        "condition": {"confidence": {"gte": 0.8}},
        "action": "require_user_approval",
        "priority": 900,
    }
    assert (await acme.act("ada", "POST", "/rules", rule)).status_code == 200
    after = (await asked("ingrid")).json()
    assert line(after, "fact", "verified")["rule"] == "propose.policy_rule"
    assert after["rules"][0].startswith("Ask a person before saving what is of category “fact”")
    assert [(await asked(*who)).status_code for who in (("greta",), ("ingrid", globex))] == [404, 404]
    assert (await asked("ingrid", channel="nowhere")).status_code == 422
    assert (await acme.http.get(f"{acme.path}/policy/effective")).status_code in (401, 422)

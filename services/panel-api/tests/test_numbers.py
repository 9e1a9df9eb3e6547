"""Numbers for those who answer for the inbox (D45, D21), the policy in force in words (D38), and where a memory comes
from (D22)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from outcomes_of_policy import FACT, NOW, answer, said
from panel_world import World

from dw_learning.decision.facts import Caps
from dw_policy.decide_batch import Policy
from dw_store.database import Database

pytestmark = pytest.mark.integration


def ago(**time: float) -> datetime:
    return datetime.now(UTC) - timedelta(**time)


async def numbers(world: World, who: str = "ada", **filters: Any) -> dict[str, Any]:
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    got = await world.act(who, "GET", f"/numbers?{query}")
    assert got.status_code == 200, got.text
    found: dict[str, Any] = got.json()
    return found


async def test_what_waits_is_counted_by_age(acme: World) -> None:
    for hours in (1, 30, 31, 100, 200, 400):
        acme.item(created_at=ago(hours=hours), due_at=ago(hours=hours - 300))
    acme.item(published_at=None)
    acme.item(role_agent_id=acme.ids["hr_agent"], created_at=ago(hours=1))
    mine = (await numbers(acme, "farid"))["pending"]
    assert mine == {
        "total": 6,
        "by_age": {"under_1_day": 1, "under_3_days": 2, "under_7_days": 1, "under_14_days": 1, "older": 1},
        "overdue": 1,
        "escalated": 0,
        "unseen": 1,
    }
    assert (await numbers(acme))["pending"]["total"] == 7
    assert (await numbers(acme, agent=acme.ids["hr_agent"]))["pending"]["total"] == 1


async def test_decisions_are_counted_with_their_time_and_reasons(acme: World) -> None:
    for seconds in (60, 120, 600):
        item = acme.item(f"Room {seconds} is called R{seconds}.", created_at=ago(seconds=seconds))
        assert (await acme.decide("farid", item)).status_code == 200
    wrong = acme.item("No.")
    await acme.decide("farid", wrong, "reject", reason="wrong")
    back = acme.item("Back.")
    act = (await acme.decide("farid", back, "reject")).json()["act_id"]
    assert (await acme.act("farid", "POST", f"/acts/{act}/undo")).status_code == 200
    acme.item("Long ago.", status="approved", decided_by=acme.ids["ada"], decided_at=ago(days=40))
    acme.item("Late.", status="rejected", decision_kind="expired", decided_at=ago(days=1))
    found = (await numbers(acme))["decided"]
    median = found.pop("median_seconds")
    assert found == {
        "approved": 3,
        "rejected": 1,
        "expired": 1,
        "overridden": 0,
        "undone": 1,
        "approval_rate": 0.75,
        "rejected_by_reason": {"wrong": 1},
    }
    assert 60 <= median < 600
    assert (await numbers(acme, days=60))["decided"]["approved"] == 4


async def test_what_was_saved_by_itself_and_what_people_took_back(acme: World, dsn_of: Any) -> None:
    texts = [f"The bike room number {n} is called Velo {n}." for n in range(4)]
    async with (
        Database.connect(dsn_of("policy"), size=1, application_name="test") as database,
        database.transaction([acme.org_id]) as tx,
    ):
        rows = [answer(said(acme, text, message_ref=text), text, key=text) for text in texts]
        await Policy(Caps(), lambda: datetime.now(UTC)).run(tx, rows)
    [memory] = [row[0] for row in acme.query("SELECT id FROM dw_agent_memories WHERE content = %s", texts[0])]
    assert (await acme.act("farid", "POST", f"/memories/{memory}/delete", {})).status_code == 200
    found = await numbers(acme)
    assert found["saved"] == {"auto_saved": 4, "reverted": 1, "revert_rate": 0.25, "capped": 0}
    today = {agent["code"]: agent["auto_saved_today"] for agent in found["agents"]}
    assert today == {"it_agent": 4, "hr_agent": 0}


async def test_numbers_are_of_ones_own_inbox(acme: World, globex: World) -> None:
    acme.item()
    users = {"ingrid": {"role": "owner"}, "nora": {}}
    acme.tokens |= (await acme.apply("ingrid", {"org": "acme", "users": users})).json()["new_tokens"]
    assert (await acme.act("nora", "GET", "/numbers")).status_code == 403
    assert (await acme.act("greta", "GET", f"/numbers?agent={acme.ids['it_agent']}")).status_code == 404
    assert (await globex.act("ada", "GET", f"/numbers?agent={acme.ids['it_agent']}")).status_code == 404
    assert (await numbers(globex))["pending"]["total"] == 0


async def policy(world: World, who: str = "farid") -> dict[str, Any]:
    got = await world.act(who, "GET", f"/agents/{world.ids['it_agent']}/policy")
    assert got.status_code == 200, got.text
    found: dict[str, Any] = got.json()
    return found


def outcomes(found: dict[str, Any]) -> dict[tuple[str, str], str]:
    [channel] = found["channels"]
    return {(line["sender"], line["sample"]): line["outcome"] for line in channel["lines"]}


async def test_the_policy_in_force_is_told_as_it_is(acme: World) -> None:
    found = await policy(acme)
    assert (found["mode"], found["is_learning"], found["channels"][0]["channel"]) == (
        "verified",
        True,
        "helpdesk",
    )
    said_by = outcomes(found)
    assert said_by[("verified", "fact")] == "saved"
    assert said_by[("unverified", "fact")] == "proposed"
    for who in ("verified", "unverified"):
        assert {name: said_by[(who, name)] for name in ("high_impact", "sensitive", "procedure", "secret")} == {
            "high_impact": "proposed", "sensitive": "proposed", "procedure": "proposed", "secret": "blocked",
        }  # fmt: skip
    words = [line["words"] for line in found["channels"][0]["lines"]]
    assert "When a verified colleague says a plain fact, it is saved by itself." in words
    assert any("admins and owners" in text for text in words)
    assert any("at most 200 things a day" in text for text in found["caps"])
    assert len(found["rules"]) == 3


async def test_switches_rules_and_channels_change_what_is_told(acme: World) -> None:
    agent = f"/agents/{acme.ids['it_agent']}"
    open_mode = {"auto_memory_enabled": True, "auto_memory_require_verified": False}
    await acme.act("ada", "PUT", f"{agent}/mode", open_mode)
    assert outcomes(await policy(acme))[("unverified", "fact")] == "saved"
    rule = {"category": "fact", "condition": {}, "action": "require_user_approval", "priority": 900}
    await acme.act("ada", "POST", "/rules", rule)
    found = await policy(acme)
    assert outcomes(found)[("verified", "fact")] == "proposed"
    assert found["rules"][0].startswith("Ask a person before saving what is of category “fact”")
    await acme.act("ada", "POST", f"{agent}/pause")
    found = await policy(acme)
    assert (found["is_learning"], outcomes(found)[("verified", "fact")]) == (False, "none")
    await acme.act("ada", "POST", f"{agent}/resume")
    await acme.act("ada", "PUT", f"/channels/{acme.ids['helpdesk']}/learning", {"learning": "off"})
    assert outcomes(await policy(acme))[("verified", "fact")] == "none"


async def test_the_policy_is_told_to_those_who_see_the_inbox(acme: World, globex: World) -> None:
    path = f"/agents/{acme.ids['it_agent']}/policy"
    assert (await acme.act("greta", "GET", path)).status_code == 404
    assert (await globex.act("ada", "GET", path)).status_code == 404


async def test_a_memory_says_with_which_versions_it_was_made_and_how_sure_it_has_been(
    acme: World, dsn_of: Any
) -> None:
    async with (
        Database.connect(dsn_of("policy"), size=1, application_name="test") as database,
        database.transaction([acme.org_id]) as tx,
    ):
        await Policy(Caps(), lambda: NOW).run(tx, [answer(said(acme, FACT), FACT)])
    [(memory,)] = acme.query("SELECT id FROM dw_agent_memories WHERE content = %s", FACT)
    for who in ("greta", "ada"):
        await acme.act(who, "POST", f"/memories/{memory}/feedback", {"action": "confirm"})
    life = (await acme.act("farid", "GET", f"/memories/{memory}/revisions")).json()
    assert [(step["change"], step["confidence"]) for step in life["revisions"]] == [
        ("confirm", 1.0), ("confirm", 0.95), ("create", 0.85),
    ]  # fmt: skip
    assert set(life["versions"]) >= {"policy", "model", "triage"}
    assert life["versions"]["model"].startswith("offline")
    decision = acme.query("SELECT decision_id FROM dw_decisions WHERE made_id = %s", memory)
    approved = acme.memory(
        "The Porto office closes at 19:00.", learning_item_id=None,
        source_refs=json.dumps([{"event_id": str(decision[0][0])}]),
    )  # fmt: skip
    assert (await acme.act("farid", "GET", f"/memories/{approved}/revisions")).json()["versions"] == {}
    [manual] = await acme.learn("The car park is called Velo Sul.")
    assert (await acme.act("farid", "GET", f"/memories/{manual}/revisions")).json()["versions"] == {}

"""Deletion by an org's own rules, by the clock, on a real PostgreSQL (R112, R115, C59, C62, C75)."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

import pytest

from dw_policy.schedule import retain_all, rules_all
from dw_store import rule_deletes
from dw_store.database import Database
from dw_store.memory_acts import restore_memory
from dw_store.memory_rows import Actor, lock_memory
from dw_store.schedule import RETENTION_LOCK, take_turn
from dw_store.take_back import undo_act
from dw_testkit.orgs import SmallOrg, create_small_org
from services.policy.tests.test_schedule import BORN, DAY, Rows

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
NOW = BORN + 31 * DAY
BODY = """
SELECT e.event_type, e.actor_type, e.actor_id, b.reason, b.before, b.after
FROM dw_learning_events AS e JOIN dw_event_bodies AS b USING (org_id, event_id)
WHERE e.subject_id = %s ORDER BY e.id
"""


@pytest.fixture
def rows(dsn_of: DsnOf) -> Rows:
    return Rows(dsn_of("admin"))


@pytest.fixture
def org(rows: Rows) -> SmallOrg:
    return create_small_org(rows.dsn)


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Database]:
    async with Database.connect(dsn_of("policy"), size=4, application_name="test") as opened:
        yield opened


def weak(rows: Rows, org: SmallOrg, **values: Any) -> UUID:
    """A memory that the shipped rule fits."""
    return rows.memory(org, "permanent_until_revoked", **({"confidence": 0.29} | values))


def shipped(rows: Rows, org: SmallOrg) -> str:
    [(rule,)] = rows.query(
        "SELECT rule_id FROM dw_memory_policy_rules WHERE org_id = %s AND action = 'auto_delete'", org.org_id
    )
    return str(rule)


def add_rule(rows: Rows, org: SmallOrg, action: str, priority: int, **condition: Any) -> None:
    rows.query(
        "INSERT INTO dw_memory_policy_rules (rule_id, org_id, category, condition, action, priority, created_by)"
        " VALUES (%s, %s, '*', %s, %s, %s, 'test')",
        uuid.uuid4(), org.org_id, json.dumps(condition), action, priority,
    )  # fmt: skip


async def test_the_shipped_rule_deletes_what_is_weak_and_long_unconfirmed(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    gone = weak(rows, org)
    stays = [
        weak(rows, org, confidence=0.3),
        weak(rows, org, created_at=NOW - 30 * DAY),
        weak(rows, org, last_confirmed_at=NOW - DAY),
    ]
    assert await rules_all(database, BORN + 30 * DAY) == 0
    assert await rules_all(database, NOW) == 1
    assert await rules_all(database, NOW) == 0
    assert rows.status(gone) == ("deleted", "rule")
    assert [rows.status(memory) for memory in stays] == [("active", None)] * 3
    [event] = rows.query(BODY, gone)
    assert event == (
        "memory_expired", "system", "system:rules", "rule",
        {"status": "active", "content": f"Fact {gone.hex}.", "confidence": 0.29},
        {"status": "deleted", "rule": shipped(rows, org)},
    )  # fmt: skip
    assert rows.query("SELECT memory_id, change_kind, changed_by FROM dw_memory_revisions") == [
        (gone, "expire", "system:rules")
    ]
    assert rows.query("SELECT count(*) FROM dw_outbox") == [(1,)]
    assert rows.query("SELECT count(*) FROM dw_memory_tombstones") == [(0,)], "expiry writes none (C62)"
    [(version,)] = rows.query("SELECT version FROM dw_versions WHERE role_agent_id = %s", org.agent_id)
    assert version >= 1


async def test_what_a_person_stands_behind_becomes_one_item(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    memory = weak(rows, org, origin="approved")
    assert await rules_all(database, NOW) == 1
    assert await rules_all(database, NOW + DAY) == 0
    assert rows.status(memory) == ("active", None)
    assert rows.query(
        "SELECT kind, action, reason_code, target_memory_id, status, base_version FROM dw_learning_items"
    ) == [("review", "review", "policy_rule", memory, "pending", 1)]
    assert [(kind, reason) for kind, reason, _ in rows.events(org)] == [("learning_proposed", "policy_rule")]
    rows.query("UPDATE dw_learning_items SET status = 'approved', decided_at = %s", NOW + 2 * DAY)
    assert await rules_all(database, NOW + 31 * DAY) == 0, "it was decided a month ago at most"
    assert await rules_all(database, NOW + 33 * DAY) == 1


async def test_who_restores_it_is_not_overruled_by_the_clock_and_may_take_that_back(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    memory = weak(rows, org)
    await rules_all(database, NOW)
    actor = Actor(org.user_id, NOW)
    async with database.transaction([org.org_id]) as tx:
        known = await lock_memory(tx, org.org_id, memory)
        assert known is not None
        done = await restore_memory(tx, org.org_id, known, "it is right", actor)
    assert await rules_all(database, NOW + 29 * DAY) == 0
    assert rows.status(memory) == ("active", None)
    async with database.transaction([org.org_id]) as tx:
        act: Any = await tx.fetchrow(
            "SELECT * FROM dw_acts WHERE org_id = $1 AND id = $2", org.org_id, done.act_id
        )
        await undo_act(tx, org.org_id, act, actor)
    assert rows.status(memory) == ("deleted", "rule")


async def test_what_came_back_after_its_time_lives_as_long_again(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    week = rows.memory(org, "ttl_7d")
    doubted = rows.memory(org, "confidence_based", confidence=0.1, low_confidence_since=BORN)
    at = BORN + 30 * DAY
    assert await retain_all(database, at) == 2
    for memory in (week, doubted):
        async with database.transaction([org.org_id]) as tx:
            known = await lock_memory(tx, org.org_id, memory)
            assert known is not None
            await restore_memory(tx, org.org_id, known, "", Actor(org.user_id, at))
    assert await retain_all(database, at + 6 * DAY) == 0
    assert await retain_all(database, at + 7 * DAY) == 1
    assert await retain_all(database, at + 40 * DAY) == 1
    assert (rows.status(week), rows.status(doubted)) == (("deleted", "ttl_7d"), ("deleted", "low_confidence"))


async def test_a_rule_of_higher_priority_keeps_it_and_hides_no_later_one(
    database: Database, rows: Rows, org: SmallOrg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_deletes, "BATCH", 2)
    add_rule(rows, org, "auto_confirm", 900, confidence={"lt": 0.2})
    kept = [weak(rows, org, confidence=0.1) for _ in range(5)]
    gone = [weak(rows, org) for _ in range(3)]
    assert await rules_all(database, NOW) == 3
    assert {rows.status(memory)[0] for memory in kept} == {"active"}
    assert {rows.status(memory)[0] for memory in gone} == {"deleted"}


async def test_each_org_has_its_own_rules(database: Database, rows: Rows, org: SmallOrg) -> None:
    other = create_small_org(rows.dsn)
    rows.query("UPDATE dw_memory_policy_rules SET enabled = FALSE WHERE org_id = %s", other.org_id)
    mine, theirs = weak(rows, org), weak(rows, other)
    assert await rules_all(database, NOW) == 1
    assert (rows.status(mine)[0], rows.status(theirs)[0]) == ("deleted", "active")


async def test_of_several_replicas_one_does_it(database: Database, rows: Rows, org: SmallOrg) -> None:
    memory = weak(rows, org)
    async with database.system() as tx:
        assert await take_turn(tx, RETENTION_LOCK)
        assert await rules_all(database, NOW) == 0
    assert rows.status(memory) == ("active", None)
    assert sum(await asyncio.gather(*(rules_all(database, NOW) for _ in range(3)))) == 1
    assert len(rows.events(org)) == 1

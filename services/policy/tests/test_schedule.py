"""What runs by the clock, on a real PostgreSQL: the chain, the four policies, what is pruned (R123 to R126, C72, C75)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from dw_policy.schedule import prune_all, retain_all, scheduled, seal_all
from dw_policy.settings import Settings
from dw_runtime import Handle
from dw_store import retention
from dw_store.audit_chain import verify_chain
from dw_store.database import Database
from dw_store.prune import Ages
from dw_store.schedule import RETENTION_LOCK, take_turn
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
BORN = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


class Rows:
    """What the superuser sees."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.dsn) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    def memory(self, org: SmallOrg, policy: str, **values: Any) -> UUID:
        made = uuid.uuid4()
        row = {
            "id": made, "org_id": org.org_id, "role_agent_id": org.agent_id, "scope": "role_agent", "memory_type": "fact",
            "category": "fact", "key": made.hex, "content": f"Fact {made.hex}.", "content_hash": made.bytes, "risk": "low",
            "confidence": 0.85, "source_kind": "agent_extracted", "source_refs": '[{"type": "manual"}]',
            "origin": "auto_saved", "created_by": "test", "retention_policy": policy, "created_at": BORN,
        } | values  # fmt: skip
        names, places = ", ".join(row), ", ".join(["%s"] * len(row))
        self.query(f"INSERT INTO dw_agent_memories ({names}) VALUES ({places})", *row.values())
        return made

    def status(self, memory: UUID) -> tuple[str, str | None]:
        ((status, reason),) = self.query(
            "SELECT status, delete_reason FROM dw_agent_memories WHERE id = %s", memory
        )
        return status, reason

    def events(self, org: SmallOrg) -> list[tuple[str, str, Any]]:
        return [
            (kind, reason, subject)
            for kind, reason, subject in self.query(
                "SELECT e.event_type, b.reason, e.subject_id FROM dw_learning_events AS e"
                " JOIN dw_event_bodies AS b USING (org_id, event_id) WHERE e.org_id = %s ORDER BY e.id",
                org.org_id,
            )
        ]


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


async def test_a_ttl_ends_at_its_end_with_a_revision_an_event_and_a_version(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    week, month = rows.memory(org, "ttl_7d"), rows.memory(org, "ttl_30d")
    forever = rows.memory(org, "permanent_until_revoked")
    assert await retain_all(database, BORN + 7 * DAY - timedelta(hours=1)) == 0
    assert rows.status(week) == ("active", None)
    assert await retain_all(database, BORN + 7 * DAY) == 1
    assert rows.status(week) == ("deleted", "ttl_7d")
    assert await retain_all(database, BORN + 30 * DAY) == 1
    assert await retain_all(database, BORN + 3653 * DAY) == 0
    assert (rows.status(month), rows.status(forever)) == (("deleted", "ttl_30d"), ("active", None))
    assert rows.events(org) == [
        ("memory_expired", "ttl_7d", week),
        ("memory_expired", "ttl_30d", month),
    ]
    assert rows.query("SELECT memory_id, change_kind, changed_by FROM dw_memory_revisions ORDER BY at") == [
        (week, "expire", "system:retention"),
        (month, "expire", "system:retention"),
    ]
    [(version,)] = rows.query("SELECT version FROM dw_versions WHERE role_agent_id = %s", org.agent_id)
    assert version >= 2, "each of the two raised it"
    assert rows.query("SELECT count(*) FROM dw_outbox") == [(2,)]
    assert rows.query("SELECT content LIKE 'Fact%%' FROM dw_agent_memories WHERE id = %s", week) == [(True,)]


async def test_low_confidence_goes_after_thirty_days_and_a_recovery_begins_anew(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    memory = rows.memory(org, "confidence_based", confidence=0.2)
    await retain_all(database, BORN)
    rows.query("UPDATE dw_agent_memories SET confidence = 0.6")
    assert await retain_all(database, BORN + 20 * DAY) == 0
    rows.query("UPDATE dw_agent_memories SET confidence = 0.29")
    await retain_all(database, BORN + 21 * DAY)
    assert await retain_all(database, BORN + 50 * DAY) == 0
    assert await retain_all(database, BORN + 51 * DAY) == 1
    assert rows.status(memory) == ("deleted", "low_confidence")


async def test_what_somebody_approved_is_asked_about_once(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    memory = rows.memory(
        org, "confidence_based", confidence=0.1, origin="approved", low_confidence_since=BORN
    )
    assert await retain_all(database, BORN + 30 * DAY) == 1
    assert await retain_all(database, BORN + 31 * DAY) == 0
    assert rows.status(memory) == ("active", None)
    assert rows.query(
        "SELECT kind, action, reason_code, target_memory_id, status FROM dw_learning_items"
    ) == [("review", "review", "low_confidence", memory, "pending")]
    assert [kind for kind, _, _ in rows.events(org)] == ["learning_proposed"]


async def test_all_orgs_are_gone_through_and_full_batches_are_followed_by_the_next(
    database: Database, rows: Rows, org: SmallOrg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dw_policy.schedule.ORGS", 1)
    monkeypatch.setattr("dw_policy.schedule.AGED_BATCH", 2)
    monkeypatch.setattr(retention, "BATCH", 2)
    other = create_small_org(rows.dsn)
    for where in (org, other):
        for _ in range(5):
            rows.memory(where, "ttl_7d")
    assert await retain_all(database, BORN + 8 * DAY) == 10
    assert len(rows.events(org)) == len(rows.events(other)) == 5


async def test_while_another_replica_is_at_it_nothing_is_done(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    memory = rows.memory(org, "ttl_7d")
    async with database.system() as tx:
        assert await take_turn(tx, RETENTION_LOCK)
        assert await retain_all(database, BORN + 8 * DAY) == 0
    assert rows.status(memory) == ("active", None)
    assert sum(await asyncio.gather(*(retain_all(database, BORN + 8 * DAY) for _ in range(3)))) == 1
    assert len(rows.events(org)) == 1


async def test_what_was_handled_is_forgotten_only_when_no_replay_can_bring_it_again(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    now = BORN + 100 * DAY
    for days in (37, 39, 46):
        rows.query(
            "INSERT INTO dw_consumed_messages (consumer, org_id, decision_id, processed_at) VALUES ('policy', %s, %s, %s)",
            org.org_id, uuid.uuid4(), now - days * DAY,
        )  # fmt: skip
    await prune_all(database, Ages(), now)
    assert rows.query("SELECT count(*) FROM dw_consumed_messages") == [(2,)]
    await prune_all(database, Ages(handled=DAY), now)
    assert rows.query("SELECT processed_at FROM dw_consumed_messages") == [(now - 37 * DAY,)]


async def test_old_packs_and_sources_on_which_nothing_rests_go(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    now = BORN + 100 * DAY
    for days in (29, 31):
        rows.query(
            "INSERT INTO dw_context_packs (id, org_id, role_agent_id, built_at) VALUES (gen_random_uuid(), %s, %s, %s)",
            org.org_id, org.agent_id, now - days * DAY,
        )  # fmt: skip
    for ref, days in (("young", 1), ("dead", 60), ("learned from", 60)):
        rows.query(
            "INSERT INTO dw_sources (org_id, role_agent_id, channel_id, message_ref, updated_at) VALUES (%s, %s, %s, %s, %s)",
            org.org_id, org.agent_id, org.channel_id, ref, now - days * DAY,
        )  # fmt: skip
    refs = f'[{{"channel_id": "{org.channel_id}", "message_ref": "learned from", "type": "message_in"}}]'
    rows.memory(org, "permanent_until_revoked", source_refs=refs, status="deleted")
    await prune_all(database, Ages(), now)
    assert rows.query("SELECT built_at FROM dw_context_packs") == [(now - 29 * DAY,)]
    assert rows.query("SELECT message_ref FROM dw_sources ORDER BY 1") == [("learned from",), ("young",)]


async def test_the_loops_of_the_process_seal_and_retain_by_their_clock(
    database: Database, rows: Rows, org: SmallOrg
) -> None:
    memory = rows.memory(org, "ttl_7d")
    handle: Handle[Database] = Handle("database")
    handle.set(database)
    settings = Settings.model_validate({"retention_seconds": 0.05, "prune_seconds": 0.05})
    loops = dict(scheduled(handle, settings, lambda: BORN + 7 * DAY))
    assert list(loops) == ["audit-sealer", "retention", "policy-rules", "prune"]
    tasks = [asyncio.ensure_future(run()) for run in loops.values()]
    while rows.query("SELECT count(*) FROM dw_audit_chain") == [(0,)]:  # noqa: ASYNC110  # the database tells nobody
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert rows.status(memory) == ("deleted", "ttl_7d")


async def test_the_chain_holds_over_what_the_clock_did(database: Database, rows: Rows, org: SmallOrg) -> None:
    rows.memory(org, "ttl_7d")
    await retain_all(database, BORN + 7 * DAY)
    assert await seal_all(database, BORN + 7 * DAY) == 1
    assert (await verify_chain(database, org.org_id, BORN + 8 * DAY)).holds

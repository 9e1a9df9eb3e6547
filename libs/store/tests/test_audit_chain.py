"""The chain: what was changed, taken out or moved is found; what was erased by right is not held against it (C72)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from dw_learning.audit_chain import Report
from dw_store import audit_chain
from dw_store.audit import NewEvent, write_events
from dw_store.audit_chain import seal_events, verify_chain
from dw_store.database import Database
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def event(org: SmallOrg, text: str = "The Lisbon office closes at 18:00.", **fields: Any) -> NewEvent:
    values: dict[str, Any] = {
        "event_type": "memory_auto_saved",
        "actor_type": "worker",
        "actor_id": f"dw_worker:{org.agent_id}",
        "subject_type": "memory",
        "role_agent_id": org.agent_id,
        "reason": "save.low_risk",
        "after": {"content": text, "confidence": 0.85, "n": [1, None, True], "ünï": "ö"},
    }
    return NewEvent(org_id=org.org_id, **(values | fields))


async def write(database: Database, *events: NewEvent) -> None:
    async with database.transaction(sorted({e.org_id for e in events})) as tx:
        await write_events(tx, events, {}, NOW)


async def sealed(database: Database, org: SmallOrg, count: int = 6) -> None:
    await write(database, *(event(org, f"Fact number {n}.") for n in range(count)))
    assert await seal_events(database, NOW) == count


def tamper(admin: Admin, *statements: str) -> None:
    """As somebody who owns the database and switches its triggers off."""
    with psycopg.connect(admin.dsn) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in statements:
            assert connection.execute(statement.encode()).rowcount > 0, statement


async def verify(database: Database, org: SmallOrg, noted: tuple[int, str] | None = None) -> Report:
    return await verify_chain(database, org.org_id, LATER, noted)


def faults(report: Report) -> list[tuple[int, str]]:
    return [(found.position, found.fault) for found in report.findings]


async def test_a_chain_that_nobody_touched_holds(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    await write(database, event(ours, "one"), event(theirs, "two"), event(ours, "three"))
    assert await seal_events(database, NOW) == 3
    await write(database, event(ours, "four"))
    assert await seal_events(database, NOW) == 1
    assert await seal_events(database, NOW) == 0
    mine, other = await verify(database, ours), await verify(database, theirs)
    assert (mine.sealed, mine.holds, mine.waiting, mine.head[0]) == (3, True, 0, 3)
    assert (other.sealed, other.holds) == (1, True)
    assert mine.head[1] != other.head[1]


async def test_it_is_verified_in_pages(
    database: Database, ours: SmallOrg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_chain, "VERIFY_ENTRIES", 2)
    await sealed(database, ours)
    report = await verify(database, ours)
    assert (report.sealed, report.holds) == (6, True)


@pytest.mark.parametrize(
    "column",
    [
        "event_type = 'approved'",
        "actor_id = 'somebody'",
        "at = at + interval '1 second'",
        "on_behalf_of = gen_random_uuid()",
        "subject_id = gen_random_uuid()",
        "digest = '\\x00'",
        "trace_id = 'x'",
        "role_agent_id = NULL",
    ],
)
async def test_a_changed_row_is_found(database: Database, admin: Admin, ours: SmallOrg, column: str) -> None:
    await sealed(database, ours)
    chosen = "event_id = (SELECT c.event_id FROM dw_audit_chain AS c WHERE c.position = 3)"
    tamper(admin, f"UPDATE dw_learning_events SET {column} WHERE {chosen}")
    assert faults(await verify(database, ours)) == [(3, "changed")]


async def test_changed_texts_are_found(database: Database, admin: Admin, ours: SmallOrg) -> None:
    await sealed(database, ours)
    where = "WHERE event_id = (SELECT c.event_id FROM dw_audit_chain AS c WHERE c.position = {})"
    tamper(
        admin,
        'UPDATE dw_event_bodies SET after = \'{"content": "no"}\' ' + where.format(2),
        "DELETE FROM dw_event_bodies " + where.format(4),
        "UPDATE dw_event_bodies SET erased_at = now() " + where.format(5),
    )
    assert faults(await verify(database, ours)) == [
        (0, "erased_without_record"),
        (2, "text_changed"),
        (4, "text_removed"),
        (5, "text_changed"),
    ]


async def test_a_removed_row_is_found(database: Database, admin: Admin, ours: SmallOrg) -> None:
    await sealed(database, ours)
    gone = "event_id = (SELECT c.event_id FROM dw_audit_chain AS c WHERE c.position = 3)"
    tamper(admin, f"DELETE FROM dw_learning_events WHERE {gone}")
    assert faults(await verify(database, ours)) == [(3, "removed")]
    tamper(admin, "DELETE FROM dw_audit_chain WHERE position = 3")
    assert faults(await verify(database, ours)) == [(3, "gap")]
    tamper(admin, "UPDATE dw_audit_chain SET position = position - 1 WHERE position > 3")
    assert faults(await verify(database, ours)) == [(3, "unlinked")]


async def test_a_row_that_lost_its_place_alone_is_found(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    await sealed(database, ours)
    tamper(admin, "DELETE FROM dw_audit_chain WHERE position = 6")
    report = await verify(database, ours)
    assert faults(report) == [(0, "unsealed")]


async def test_reordered_rows_are_found(database: Database, admin: Admin, ours: SmallOrg) -> None:
    await sealed(database, ours)
    first, second = (
        row[0] for row in admin.query("SELECT event_id FROM dw_audit_chain WHERE position IN (2, 5)")
    )
    tamper(
        admin,
        f"UPDATE dw_audit_chain SET event_id = gen_random_uuid() WHERE event_id = '{first}'",
        f"UPDATE dw_audit_chain SET event_id = '{first}' WHERE event_id = '{second}'",
        f"UPDATE dw_audit_chain SET event_id = '{second}' WHERE position IN (2, 5) AND event_id <> '{first}'",
    )
    assert faults(await verify(database, ours)) == [(2, "reordered"), (5, "reordered")]


async def test_a_chain_that_was_cut_off_shows_against_a_head_that_was_noted(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    await sealed(database, ours)
    head = (await verify(database, ours)).head
    assert (await verify(database, ours, head)).holds
    tamper(
        admin,
        "DELETE FROM dw_learning_events WHERE event_id IN"
        " (SELECT c.event_id FROM dw_audit_chain AS c WHERE c.position > 4)",
        "DELETE FROM dw_audit_chain WHERE position > 4",
    )
    assert (await verify(database, ours)).holds
    assert faults(await verify(database, ours, head)) == [(6, "head_unknown")]


async def test_an_event_that_commits_late_with_a_small_number_gets_its_place(
    database: Database, ours: SmallOrg
) -> None:
    async with database.transaction([ours.org_id]) as slow:
        await write_events(slow, [event(ours, "early number")], {}, NOW)
        await write(database, event(ours, "late number"))
        assert await seal_events(database, NOW) == 1
    assert await seal_events(database, NOW) == 1
    report = await verify(database, ours)
    assert (report.sealed, report.holds) == (2, True)


async def test_events_that_wait_are_counted_and_overdue_ones_reported(
    database: Database, ours: SmallOrg
) -> None:
    await write(database, event(ours))
    fresh = await verify_chain(database, ours.org_id, NOW + timedelta(seconds=10))
    assert (fresh.waiting, fresh.holds) == (1, True)
    assert faults(await verify(database, ours)) == [(0, "unsealed")]


async def test_several_sealers_and_writers_at_once_make_one_chain(
    dsn_of: DsnOf, ours: SmallOrg, theirs: SmallOrg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_chain, "SEAL_EVENTS", 7)
    async with Database.connect(dsn_of("policy"), size=8, application_name="test") as database:

        async def writer(org: SmallOrg) -> None:
            for n in range(15):
                await write(database, event(org, f"{n}"), event(org, f"{n} again"))

        async def sealer() -> None:
            while True:
                await seal_events(database, NOW)
                await asyncio.sleep(0)

        sealers = [asyncio.create_task(sealer()) for _ in range(3)]
        await asyncio.gather(writer(ours), writer(theirs), writer(ours))
        await asyncio.sleep(0)
        for task in sealers:
            task.cancel()
        await asyncio.gather(*sealers, return_exceptions=True)
        while await seal_events(database, NOW):
            pass
        mine, other = await verify(database, ours), await verify(database, theirs)
    assert (mine.sealed, mine.findings, mine.waiting) == (60, (), 0)
    assert (other.sealed, other.findings) == (30, ())


def test_the_chain_cannot_be_changed_by_a_service(admin: Admin, dsn_of: DsnOf, ours: SmallOrg) -> None:
    for table in ("dw_learning_events", "dw_audit_chain", "dw_event_bodies"):
        for verb in (f"UPDATE {table} SET org_id = org_id", f"DELETE FROM {table}", f"TRUNCATE {table}"):
            with psycopg.connect(dsn_of("panel")) as connection:
                connection.execute(f"SET app.org_ids = '{{{ours.org_id}}}'".encode())
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(verb.encode())

"""Items that wait too long, by a clock of the test's own: due, expired, and shown when there is room (D29, C75, C97)."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from dw_learning.decision.facts import Caps
from dw_policy.age import AgeItems
from dw_runtime import Handle
from dw_store.age_items import Aged
from dw_store.database import Database
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DsnOf = Callable[[str], str]


class World:
    """One org with items, and a clock that the test turns."""

    def __init__(self, admin: str, org: SmallOrg) -> None:
        self.admin, self.org, self.now = admin, org, NOW

    def item(self, **fields: Any) -> UUID:
        made = uuid.uuid4()
        values = {
            "id": made,
            "org_id": self.org.org_id,
            "role_agent_id": self.org.agent_id,
            "kind": "memory_proposal",
            "risk": "low",
            "reason_code": "unverified_sender",
            "proposed_payload": json.dumps({"content": "x"}),
            "source_refs": json.dumps([{"event_id": "x"}]),
            "proposed_by": "dw_worker:x",
            "published_at": NOW,
            "due_at": NOW + timedelta(days=14),
            "expires_at": NOW + timedelta(days=28),
            "created_at": NOW,
        } | fields
        names = ", ".join(values)
        places = ", ".join(["%s"] * len(values))
        with psycopg.connect(self.admin) as connection:
            connection.execute(
                f"INSERT INTO dw_learning_items ({names}) VALUES ({places})".encode(), list(values.values())
            )
        return made

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin) as connection:
            return connection.execute(statement.encode(), args).fetchall()

    def events(self) -> list[tuple[str, UUID]]:
        return [
            (t, i) for t, i in self.query("SELECT event_type, subject_id FROM dw_learning_events ORDER BY id")
        ]


@pytest.fixture
def world(dsn_of: DsnOf) -> World:
    return World(dsn_of("admin"), create_small_org(dsn_of("admin")))


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Database]:
    async with Database.connect(dsn_of("policy"), size=4, application_name="test") as opened:
        yield opened


def job(database: Database, world: World, caps: Caps | None = None) -> AgeItems:
    handle: Handle[Database] = Handle("database")
    handle.set(database)
    return AgeItems(handle, caps or Caps(), lambda: world.now)


async def test_an_item_is_escalated_once_when_due_and_rejected_when_expired(
    database: Database, world: World
) -> None:
    item, work = world.item(), job(database, world)
    world.now = NOW + timedelta(days=14) - timedelta(seconds=1)
    assert await work.once() == Aged()
    world.now = NOW + timedelta(days=14)
    assert (await work.once()).escalated == 1
    assert await work.once() == Aged()
    world.now = NOW + timedelta(days=28)
    assert (await work.once()).expired == 1
    assert await work.once() == Aged()
    assert world.query("SELECT status, decision_kind, decided_by, escalated_at FROM dw_learning_items") == [
        ("rejected", "expired", None, NOW + timedelta(days=14))
    ]
    assert world.events() == [("item_escalated", item), ("item_expired", item)]
    assert world.query("SELECT count(*) FROM dw_memory_tombstones") == [(0,)]


async def test_decided_items_do_not_age(database: Database, world: World) -> None:
    world.item(status="approved", decided_at=NOW)
    world.now = NOW + timedelta(days=99)
    assert await job(database, world).once() == Aged()


async def test_what_waits_unseen_is_shown_when_there_is_room(database: Database, world: World) -> None:
    for number in range(3):
        world.item(sender_verified=True, created_at=NOW + timedelta(minutes=number))
    unseen = [
        world.item(published_at=None, sender_ref=f"slack::{n % 2}", created_at=NOW + timedelta(minutes=9 + n))
        for n in range(6)
    ]
    work = job(database, world, Caps(open_items=6, open_items_per_unverified=2))
    assert (await work.once()).published == 3
    shown = {row[0] for row in world.query("SELECT id FROM dw_learning_items WHERE published_at IS NOT NULL")}
    assert [i in shown for i in unseen] == [True, True, True, False, False, False]
    roomy = job(database, world, Caps(open_items=None, open_items_per_unverified=2))
    assert (await roomy.once()).published == 1
    everything = job(database, world, Caps(open_items=None, open_items_per_unverified=None))
    assert (await everything.once()).published == 2


async def test_two_processes_do_it_once(database: Database, world: World) -> None:
    for _ in range(20):
        world.item()
    world.now = NOW + timedelta(days=28)
    await asyncio.gather(*(job(database, world).once() for _ in range(4)))
    assert len([event for event, _ in world.events() if event == "item_expired"]) == 20

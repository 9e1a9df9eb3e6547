"""2,000 events, each consumer killed while it has lag, the broker killed once: nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from dw_contracts.events.chat import Platform, Sender
from dw_contracts.http.org_file import OrgFile
from dw_contracts.topics import CANDIDATES, CHAT_EVENTS, DETECTIONS
from dw_devstack.demo.stage import Doors, Org, create
from dw_devstack.paths import Home
from dw_devstack.stack import Stack, StackOptions
from dw_devstack.topic_reader import open_writer
from dw_testkit.events import chat_event
from dw_testkit.hostile import Hostile
from dw_testkit.stacks import doors_of, started
from e2e.accounting import Book, lag_of, no_lag, settled
from e2e.hostile import hostile_events

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
EVENTS = 2_000
CORRECTIONS = 100
"""Of one key in turn, in each org."""
CHUNK = 200
CAPS_OFF = {
    "DW_POLICY_AUTO_SAVES_PER_DAY": "0",
    "DW_POLICY_UNVERIFIED_SAVES_PER_DAY": "0",
    "DW_POLICY_OPEN_ITEMS": "0",
    "DW_POLICY_OPEN_ITEMS_PER_UNVERIFIED": "0",
}
# Who is killed after which chunk, and the topic on which it has lag then.
KILLS = {
    1: ("triage", CHAT_EVENTS),
    3: ("detector", CANDIDATES),
    5: ("policy", DETECTIONS),
    7: ("context", CHAT_EVENTS),
}
BROKER_CHUNK = 8


@pytest.fixture
def own_stack(tmp_path: Path) -> Iterator[Stack]:
    """A stack of its own: caps are off, and parts of it are killed."""
    with started(
        Home(tmp_path / ".dw"), StackOptions(any_ports=True, fast=True, overrides=CAPS_OFF)
    ) as stack:
        yield stack


def org_file(code: str) -> OrgFile:
    return OrgFile.model_validate(
        {
            "org": code,
            "users": {"olga": {"role": "owner"}, "minh": {}},
            "agents": {"it_agent": {}},
            "identities": {
                "minh": {"platform": "slack", "external_user_id": "U1", "user": "minh", "status": "verified"}
            },
            "channels": {"desk": {"platform": "slack", "agents": ["it_agent"]}},
            "keys": {
                "slack-gateway": {"kind": "gateway", "channels": ["desk"]},
                "runtime": {"kind": "runtime", "agents": ["it_agent"]},
            },
        }
    )


def word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprstv") + rng.choice("aeiou") for _ in range(4)).capitalize()


def rows_of(channel: str, rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Distinct facts of a verified colleague."""
    sender = {"platform": "slack", "external_user_id": "U1"}
    return [
        {
            "channel": channel,
            "message_ref": f"m{number}",
            "sender": sender,
            "text": f"For everybody: the {word(rng)} room is called {word(rng)}{number}.",
        }
        for number in range(count)
    ]


def correction(channel: str, number: int) -> dict[str, Any]:
    """One of a hundred corrections of one key, in turn."""
    return {
        "channel": channel,
        "message_ref": f"c{number}",
        "kind": "correction",
        "sender": {"platform": "slack", "external_user_id": "U1"},
        "correction": {
            "wrong": "The Lisbon office closes at 05:00.",
            "right": f"The Lisbon office closes at {7 + number // 60:02}:{number % 60:02}.",
        },
    }


async def publish(org: Org, rows: list[dict[str, Any]]) -> set[UUID]:
    result = await org.gateway.publish_batch(rows)
    assert result.refused == 0, [row.problem for row in result.results if row.problem][:3]
    return {event.event_id for row in result.results for event in row.events}


async def pour_hostile(stack: Stack, orgs: list[Org], round_number: int) -> list[Hostile]:
    """Two hostile records between the good ones, as ingest's own user would write them."""
    org = orgs[round_number % len(orgs)]
    event = chat_event(
        org.applied.org_id,
        org.applied.agents["it_agent"],
        org.applied.channels["desk"],
        "hostile",
        sender=Sender(platform=Platform.SLACK, external_user_id="U1"),
    )
    records = hostile_events(event)
    chosen = [records[(2 * round_number + n) % len(records)] for n in range(2)]
    async with open_writer(stack.kafka.login("ingest")) as producer:
        for one in chosen:
            await producer.send_and_wait(CHAT_EVENTS.name, value=one.value, key=one.key, headers=one.headers)
    return chosen


async def kill_with_lag(stack: Stack, service: str, topic: str, work: Any) -> int:
    """Hold the process still, let work pile up, and kill it."""
    pid = stack_pid(stack, service)
    os.kill(pid, signal.SIGSTOP)
    try:
        await work()
        lag = 0
        for _ in range(60):
            lag = await lag_of(stack.kafka.login(), service, topic)
            if lag:
                break
            await asyncio.sleep(0.25)
    finally:
        stack.kill9(service)
    return lag


def stack_pid(stack: Stack, service: str) -> int:
    return next(status.pid for status in stack.status() if status.name == service and status.pid)


async def test_nothing_is_lost_and_nothing_is_done_twice(own_stack: Stack) -> None:
    doors: Doors = doors_of(own_stack)
    rng = random.Random(7)
    orgs = [await create(doors, org_file(code), "olga") for code in ("acme", "globex")]
    for org in orgs:
        org.gateway._tries = 60  # the broker is away for a while
    half = EVENTS // 2 - CORRECTIONS
    streams = [rows_of(str(org.applied.channels["desk"]), rng, half) for org in orgs]
    corrections = [
        [correction(str(org.applied.channels["desk"]), number) for number in range(CORRECTIONS)]
        for org in orgs
    ]
    chunks = -(-EVENTS // CHUNK)
    accepted: set[UUID] = set()
    poured: list[Hostile] = []
    lags = {}
    for number in range(chunks):
        rows = [stream[number * half // chunks : (number + 1) * half // chunks] for stream in streams]
        some = [
            part[number * CORRECTIONS // chunks : (number + 1) * CORRECTIONS // chunks]
            for part in corrections
        ]
        twice = [rng.sample(part, max(1, len(part) // 20)) for part in rows]

        async def work(rows: Any = rows, some: Any = some, twice: Any = twice, number: int = number) -> None:
            for org, part, corrected, again in zip(orgs, rows, some, twice, strict=True):
                accepted.update(await publish(org, part + corrected))
                accepted.update(await publish(org, again))
            poured.extend(await pour_hostile(own_stack, orgs, number))

        if number in KILLS:
            service, topic = KILLS[number]
            lags[service] = await kill_with_lag(own_stack, service, topic.name, work)
        elif number == BROKER_CHUNK:
            publishing = asyncio.create_task(work())
            await asyncio.sleep(0.05)
            own_stack.kill9("kafka")
            await publishing
        else:
            await work()
    print(f"killed with lag: {lags}")
    assert len(accepted) == EVENTS
    assert all(lag > 0 for lag in lags.values()), lags

    book = await settled(doors, accepted, len(poured))
    assert {event_id: book.outcomes(event_id) for event_id in accepted if book.outcomes(event_id) != 1} == {}
    assert set(book.decisions) | set(book.skips) | set(book.dead) == {str(event_id) for event_id in accepted}
    assert set(book.drafts) == book.asked, "each draft that was asked for is decided once"
    check_hostile(book, poured)
    check_effects(doors)
    for org in orgs:
        check_order(doors, org)
    assert set((await no_lag(own_stack.kafka.login())).values()) == {0}


def check_hostile(book: Book, poured: list[Hostile]) -> None:
    """Each that was poured in is dead once at its place, for the reason that its kind has."""
    assert Counter(kind for kind, _ in book.hostile.values()) == Counter(one.kind for one in poured)
    expected = {one.kind: one.reason for one in poured}
    wrong = [(kind, reason) for kind, reason in book.hostile.values() if expected[kind] not in reason]
    assert wrong == []


def check_effects(doors: Doors) -> None:
    """One memory or item a saving or proposing decision, one audit event and one outbox row an event."""
    with psycopg.connect(doors.admin_dsn) as connection:

        def count(query: str) -> int:
            row = connection.execute(query).fetchone()
            assert row is not None
            return int(row[0])

        saved = count("SELECT count(*) FROM dw_decisions WHERE outcome = 'saved'")
        assert saved > EVENTS // 2, "the facts of this test are meant to be saved"
        assert saved == count("SELECT count(*) FROM dw_agent_memories WHERE origin = 'auto_saved'")
        assert saved == count(
            "SELECT count(*) FROM dw_learning_events WHERE event_type = 'memory_auto_saved'"
        )
        proposed = count("SELECT count(*) FROM dw_decisions WHERE outcome = 'proposed'")
        assert proposed == count("SELECT count(*) FROM dw_learning_items")
        decided = count("SELECT count(DISTINCT decision_id) FROM dw_decisions")
        assert decided == count("SELECT count(*) FROM dw_consumed_messages WHERE consumer = 'policy'")


def check_order(doors: Doors, org: Org) -> None:
    """A hundred corrections of one key: the last one holds, and they superseded each other in turn."""
    with psycopg.connect(doors.admin_dsn) as connection:
        rows = connection.execute(
            "SELECT m.id, m.content, m.status, m.superseded_by FROM dw_agent_memories AS m"
            " WHERE m.org_id = %s AND m.content LIKE 'The Lisbon office closes at %%' ORDER BY m.content",
            (org.applied.org_id,),
        ).fetchall()
    texts = [f"The Lisbon office closes at {7 + n // 60:02}:{n % 60:02}." for n in range(CORRECTIONS)]
    assert [content for _, content, _, _ in rows] == texts
    assert [status for _, _, status, _ in rows] == ["superseded"] * (CORRECTIONS - 1) + ["active"]
    assert [later for _, _, _, later in rows[:-1]] == [id_ for id_, _, _, _ in rows[1:]]

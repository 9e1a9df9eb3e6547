"""The outbox: nothing lost, order kept, repeated rather than skipped (C70)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from dw_store import outbox
from dw_store.database import Database
from dw_store.errors import StoreUnavailable
from dw_store.outbox import NewOutboxRow, OutboxRelaySource, OutboxRow, enqueue
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
TOPIC = "learning.changes.v1"


def new_row(key: str, value: str) -> NewOutboxRow:
    return NewOutboxRow(uuid.uuid4(), TOPIC, key.encode(), value.encode(), {"ce_id": value})


async def write(database: Database, *rows: NewOutboxRow) -> None:
    async with database.system() as tx:
        await enqueue(tx, rows)


@asynccontextmanager
async def relay(dsn: str) -> AsyncIterator[tuple[OutboxRelaySource, Any]]:
    """A relay and its batches; closed as a process closes it."""
    source = OutboxRelaySource(dsn)
    batches: Any = source.batches()
    async with aclosing(batches):
        yield source, batches


async def next_of(batches: AsyncIterator[Sequence[OutboxRow]]) -> Sequence[OutboxRow]:
    return await asyncio.wait_for(anext(batches), timeout=10)


def unsent(admin: Admin) -> int:
    return int(admin.query("SELECT count(*) FROM dw_outbox WHERE published_at IS NULL")[0][0])


async def test_rows_come_as_they_were_written(database: Database, dsn_of: DsnOf, admin: Admin) -> None:
    await write(database, new_row("k", "1"), new_row("k", "2"))
    async with relay(dsn_of("policy")) as (source, batches):
        rows = await next_of(batches)
        assert [(r.topic, r.key, r.value, r.headers) for r in rows] == [
            (TOPIC, b"k", b"1", (("ce_id", b"1"),)),
            (TOPIC, b"k", b"2", (("ce_id", b"2"),)),
        ]
        await source.mark_sent(rows)
    assert unsent(admin) == 0


async def test_what_is_rolled_back_is_never_sent(database: Database, dsn_of: DsnOf) -> None:
    async def fails() -> None:
        async with database.system() as tx:
            await enqueue(tx, [new_row("k", "lost")])
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    await write(database)
    await write(database, new_row("k", "kept"))
    async with relay(dsn_of("policy")) as (_, batches):
        assert [row.value for row in await next_of(batches)] == [b"kept"]


async def test_a_relay_that_waits_is_woken_by_the_commit(
    database: Database, dsn_of: DsnOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "POLL_SECONDS", 3600.0)
    async with relay(dsn_of("policy")) as (source, batches):
        waiting = asyncio.create_task(next_of(batches))
        for number in range(3):
            await asyncio.sleep(0.05)
            await write(database, new_row("k", str(number)))
            rows = await waiting
            assert [row.value for row in rows] == [str(number).encode()]
            await source.mark_sent(rows)
            waiting = asyncio.create_task(next_of(batches))
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_polling_finds_what_no_notice_told_of(
    admin: Admin, dsn_of: DsnOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "POLL_SECONDS", 0.05)
    async with relay(dsn_of("policy")) as (_, batches):
        waiting = asyncio.create_task(next_of(batches))
        await asyncio.sleep(0.1)
        admin.insert("dw_outbox", id=uuid.uuid4(), topic=TOPIC, partition_key=b"k", payload=b"quiet")
        assert [row.value for row in await waiting] == [b"quiet"]


async def test_a_relay_that_dies_between_send_and_mark_sends_again(
    database: Database, dsn_of: DsnOf, admin: Admin
) -> None:
    await write(database, *(new_row("k", str(n)) for n in range(5)))
    async with relay(dsn_of("policy")) as (_, batches):
        first = await next_of(batches)
    async with relay(dsn_of("policy")) as (source, batches):
        again = await next_of(batches)
        assert again == first
        await source.mark_sent(again)
    assert unsent(admin) == 0


async def test_a_row_says_how_often_it_was_tried_and_what_went_wrong_last(
    database: Database, dsn_of: DsnOf, admin: Admin
) -> None:
    await write(database, new_row("k", "1"), new_row("k", "2"))
    async with relay(dsn_of("policy")) as (source, batches):
        rows = await next_of(batches)
        await source.mark_failed(rows, "Kafka did not take the records: " + "x" * 500)
        assert unsent(admin) == 2
        again = await next_of(batches)
        assert again == rows
        await source.mark_failed(again[:1], "gone")
        await source.mark_sent(again)
        assert tries(admin) == [(3, "gone"), (2, ("Kafka did not take the records: " + "x" * 500)[:200])]
        await source.mark_failed(again, "too late: it was sent")
        assert tries(admin)[0] == (3, "gone")
    with pytest.raises(StoreUnavailable):
        await source.mark_failed(rows, "this process leads no more")


def tries(admin: Admin) -> list[tuple[int, str]]:
    return [(n, error) for n, error in admin.query("SELECT attempts, last_error FROM dw_outbox ORDER BY seq")]


async def test_a_small_number_that_commits_late_is_not_skipped(
    database: Database, dsn_of: DsnOf, admin: Admin
) -> None:
    async with relay(dsn_of("policy")) as (source, batches):
        async with database.system() as slow:
            await enqueue(slow, [new_row("slow", "early number")])
            await write(database, new_row("fast", "late number"))
            rows = await next_of(batches)
            assert [row.value for row in rows] == [b"late number"]
            await source.mark_sent(rows)
        late = await next_of(batches)
        assert [row.value for row in late] == [b"early number"]
        assert late[0].seq < rows[0].seq
        await source.mark_sent(late)
    assert unsent(admin) == 0


async def test_a_standby_waits_and_takes_over_when_the_leader_is_gone(
    database: Database, dsn_of: DsnOf, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "STANDBY_SECONDS", 0.05)
    await write(database, new_row("k", "1"))
    async with relay(dsn_of("policy")) as (leader, led):
        rows = await next_of(led)
        async with relay(dsn_of("policy")) as (standby, stood_by):
            waiting = asyncio.create_task(next_of(stood_by))
            done, _ = await asyncio.wait([waiting], timeout=0.3)
            assert not done
            with pytest.raises(StoreUnavailable):
                await standby.mark_sent(rows)
            admin.query(
                "SELECT pg_terminate_backend(l.pid) FROM pg_locks AS l WHERE l.locktype = 'advisory' AND l.granted"
            )
            assert await waiting == rows
            with pytest.raises(StoreUnavailable):
                await leader.mark_sent(rows)
            await standby.mark_sent(rows)
    assert unsent(admin) == 0


async def test_rows_sent_long_ago_are_forgotten_and_others_are_not(
    database: Database, dsn_of: DsnOf, admin: Admin
) -> None:
    await write(database, new_row("k", "old"), new_row("k", "new"), new_row("k", "open"))
    admin.query("UPDATE dw_outbox SET published_at = now() - interval '2 hours' WHERE payload = %s", b"old")
    admin.query("UPDATE dw_outbox SET published_at = now() WHERE payload = %s", b"new")
    async with relay(dsn_of("policy")) as (source, batches):
        await source.mark_sent(await next_of(batches))
        waiting = asyncio.create_task(next_of(batches))
        while admin.query("SELECT count(*) FROM dw_outbox") != [(2,)]:  # noqa: ASYNC110  # the database tells nobody
            await asyncio.sleep(0.02)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_fifteen_writers_and_a_relay_that_keeps_dying_lose_nothing_and_keep_the_order_of_each_key(
    dsn_of: DsnOf, admin: Admin
) -> None:
    writers, transactions = 15, 20
    sent: list[OutboxRow] = []

    async def writer(database: Database, name: int) -> None:
        for number in range(transactions):
            rows = [new_row(f"w{name}", f"{number:02}.{part}") for part in range(3)]
            async with database.system() as tx:
                await enqueue(tx, rows)
                if number % 7 == 3:
                    await asyncio.sleep(0.01)

    async def relays() -> None:
        turn = 0
        while True:
            async with relay(dsn_of("policy")) as (source, batches):
                async for rows in batches:
                    sent.extend(rows)
                    turn += 1
                    if turn % 5 == 0:
                        break  # dies between send and mark
                    await source.mark_sent(rows)

    async with Database.connect(dsn_of("policy"), size=15, application_name="test") as database:
        relaying = asyncio.create_task(relays())
        await asyncio.gather(*(writer(database, name) for name in range(writers)))
        while unsent(admin):  # noqa: ASYNC110  # the database tells nobody
            await asyncio.sleep(0.02)
        relaying.cancel()
        await asyncio.gather(relaying, return_exceptions=True)
    for name in range(writers):
        values = list(dict.fromkeys(row.value.decode() for row in sent if row.key == f"w{name}".encode()))
        assert values == [f"{number:02}.{part}" for number in range(transactions) for part in range(3)]
    assert len(sent) > len({row.seq for row in sent}), "the relay died at least once"

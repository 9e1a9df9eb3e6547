"""Following without a group, and relaying an outbox, on Kafka."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from dw_runtime import Chassis, OutboxRelay, Record, Transient
from dw_runtime.publisher import Publisher
from libs.runtime.tests.harness import Bench, eventually, key_of, note, parse_note, running

pytestmark = pytest.mark.integration


async def test_a_follower_begins_at_the_end_says_that_it_may_have_missed_some_and_sees_the_rest(
    bench: Bench,
) -> None:
    await bench.send_notes(range(5))
    seen: list[int] = []
    gaps: list[str] = []

    async def apply(records: Sequence[Record]) -> None:
        seen.extend(parse_note(record).number for record in records)

    chassis = Chassis(bench.settings())
    follower = chassis.follow(bench.topic, apply, lambda: gaps.append("gap"))
    async with running(chassis):
        await eventually(lambda: follower.connected)
        await bench.send_notes(range(5, 9))
        await eventually(lambda: len(seen) == 4)
    assert (seen, gaps) == ([5, 6, 7, 8], ["gap"])


async def test_a_follower_whose_apply_breaks_begins_anew_and_says_so(bench: Bench) -> None:
    gaps: list[str] = []
    seen: list[int] = []

    async def apply(records: Sequence[Record]) -> None:
        if not seen:
            seen.append(-1)
            raise KeyError("broken once")
        seen.extend(parse_note(record).number for record in records)

    chassis = Chassis(bench.settings())
    follower = chassis.follow(bench.topic, apply, lambda: gaps.append("gap"))
    async with running(chassis):
        await eventually(lambda: follower.connected)
        await bench.send_notes([1])
        await eventually(lambda: len(gaps) == 2 and follower.connected)
        await bench.send_notes([2])
        await eventually(lambda: 2 in seen)


@dataclass(frozen=True)
class Row:
    """An outbox row."""

    seq: int
    topic: str
    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass
class Source:
    """Gives what is not marked, as the store does; loses its connection once, before a mark."""

    rows: list[Row]
    marked: set[int] = field(default_factory=set)
    failed: list[tuple[list[int], str]] = field(default_factory=list)
    breaks: int = 1

    async def batches(self) -> AsyncIterator[Sequence[Row]]:
        while True:
            unsent = [row for row in self.rows if row.seq not in self.marked][:10]
            if unsent:
                yield unsent
            else:
                await asyncio.sleep(0.01)

    async def mark_sent(self, rows: Sequence[Row]) -> None:
        if self.breaks:
            self.breaks -= 1
            raise ConnectionError("gone")
        self.marked.update(row.seq for row in rows)

    async def mark_failed(self, rows: Sequence[Row], error: str) -> None:
        self.failed.append(([row.seq for row in rows], error))


async def test_the_relay_publishes_in_order_and_repeats_what_it_could_not_mark(bench: Bench) -> None:
    source = Source([Row(seq, bench.out.name, key_of(), note(seq)) for seq in range(25)])
    chassis = Chassis(bench.settings())
    chassis.background("outbox-relay", OutboxRelay(chassis.publisher(), source).run)
    async with running(chassis):
        await eventually(lambda: len(source.marked) == 25)
        records = await bench.read(bench.out.name, 35)
    numbers = [parse_note(record).number for record in records]
    assert numbers == [*range(10), *range(25)]


class Refuses:
    """A publisher whose Kafka takes nothing."""

    async def send(self, records: Sequence[object]) -> None:
        raise Transient("Kafka did not take the records: KafkaConnectionError")


async def test_a_relay_whose_rows_are_not_taken_says_so_on_the_rows_and_marks_none_sent() -> None:
    source = Source([Row(1, "t", b"k", b"v"), Row(2, "t", b"k", b"v")])
    relay = OutboxRelay(cast(Publisher, Refuses()), source)
    with pytest.raises(Transient):
        await relay.run()
    assert source.marked == set()
    assert source.failed == [([1, 2], "Kafka did not take the records: KafkaConnectionError")]

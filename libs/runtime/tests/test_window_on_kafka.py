"""A window of records under way at once, on the broker: order per key, nothing lost, nothing held up (C77)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from typing import Any

import orjson
import pytest
from aiokafka.partitioner import DefaultPartitioner

from dw_runtime import Chassis, Handled, Outgoing, Permanent, Received, Transient
from dw_runtime.in_flight import Entry, InFlight
from dw_runtime.window import MOST_UNCOMMITTED
from libs.runtime.tests.harness import ORG, Bench, Note, eventually, key_of, parse_note, running

AGENTS = [uuid.UUID(int=number) for number in range(1, 5)]


class Slow:
    """Steps whose asking ends when a test says so; what they publish is the record itself."""

    def __init__(self, bench: Bench, held: set[int] | None = None) -> None:
        self.out = bench.out
        self.held = held or set()
        self.asked: list[int] = []
        self.finished: list[int] = []
        self.open = asyncio.Event()
        self.calmed = 0
        self.trouble: dict[int, list[BaseException]] = {}

    async def load(self, batch: Sequence[Received[Note]]) -> dict[int, int]:
        return {received.message.number: received.message.number * 10 for received in batch}

    async def ask(self, received: Received[Note], loaded: dict[int, int]) -> int:
        number = received.message.number
        self.asked.append(number)
        if trouble := self.trouble.get(number):
            raise trouble.pop(0)
        if number in self.held:
            await self.open.wait()
        return loaded[number]

    async def finish(self, done: Sequence[tuple[Received[Note], int]]) -> Handled:
        for received, result in done:
            assert result == received.message.number * 10
        self.finished += [received.message.number for received, _ in done]
        return Handled(outgoing=[self._outgoing(received) for received, _ in done])

    async def calm(self, seconds: float) -> None:
        self.calmed += 1

    def go_on(self) -> None:
        return None

    def _outgoing(self, received: Received[Note]) -> Outgoing:
        record = received.record
        return Outgoing(
            self.out, record.key or b"", record.value or b"", "test", str(received.message.number)
        )


def of(agent: uuid.UUID, number: int) -> tuple[bytes, bytes, list[Any]]:
    value = Note(schema_version=1, org_id=ORG, role_agent_id=agent, number=number).to_bytes()
    return key_of(ORG, agent), value, []


def chassis_of(bench: Bench, steps: Slow, **settings: Any) -> Chassis:
    chassis = Chassis(bench.settings(**settings))
    chassis.window(bench.topic, parse_note, steps)
    return chassis


@pytest.mark.integration
async def test_slow_ones_hold_up_their_key_alone_and_order_is_kept(bench: Bench) -> None:
    steps = Slow(bench, held={0})
    await bench.send(*[of(AGENTS[number % 4], number) for number in range(40)])
    async with running(chassis_of(bench, steps)):
        await eventually(lambda: len(steps.finished) == 30)
        assert sorted(steps.asked) == list(range(40)), "those behind were asked meanwhile"
        assert not {number for number in steps.finished if number % 4 == 0}
        steps.open.set()
        await eventually(lambda: len(steps.finished) == 40)
        published = await bench.read(bench.out.name, 40)
        for agent in range(4):
            key = key_of(ORG, AGENTS[agent])
            numbers = [orjson.loads(r.value or b"")["number"] for r in published if r.key == key]
            assert numbers == [number for number in range(40) if number % 4 == agent]
    assert await bench.committed() == 40


@pytest.mark.integration
async def test_only_the_lowest_finished_offset_is_committed_and_the_rest_comes_again(bench: Bench) -> None:
    agent = AGENTS[0]
    other = next(a for a in (uuid.uuid4() for _ in range(1000)) if _same_partition(a, agent))
    first = Slow(bench, held={1})
    await bench.send(of(agent, 0), of(agent, 1), of(other, 2), of(other, 3))
    async with running(chassis_of(bench, first)):
        await eventually(lambda: sorted(first.finished) == [0, 2, 3])
        await asyncio.sleep(0.3)
        assert await bench.committed() == 1
    again = Slow(bench)
    async with running(chassis_of(bench, again)):
        await eventually(lambda: sorted(again.finished) == [1, 2, 3])


def _same_partition(one: uuid.UUID, other: uuid.UUID) -> bool:
    choose = DefaultPartitioner()
    return bool(
        choose(key_of(ORG, one), [0, 1, 2], [0, 1, 2]) == choose(key_of(ORG, other), [0, 1, 2], [0, 1, 2])
    )


@pytest.mark.integration
async def test_trouble_of_one_record_is_its_own(bench: Bench) -> None:
    steps = Slow(bench)
    steps.trouble = {
        1: [Transient("away"), Transient("away")],
        2: [Permanent("never")],
        3: [ValueError("a bug"), ValueError("a bug")],
        4: [ValueError("a bug")],
    }
    await bench.send(*[of(AGENTS[number % 4], number) for number in range(6)], (key_of(), b"{", []))
    async with running(chassis_of(bench, steps)):
        await eventually(lambda: sorted(steps.finished) == [0, 1, 4, 5])
        dead = await bench.read(bench.topic.dead_letters, 3)
        assert len(dead) == 3


@pytest.mark.integration
async def test_a_full_window_is_paused_and_read_on_when_there_is_room(bench: Bench) -> None:
    total = 1_300
    steps = Slow(bench, held=set(range(total)))
    await bench.send(*[of(AGENTS[0], number) for number in range(total)])
    async with running(chassis_of(bench, steps, batch_records=100)):
        await eventually(lambda: len(steps.asked) >= MOST_UNCOMMITTED - 100)
        await asyncio.sleep(1.0)
        assert len(steps.asked) <= MOST_UNCOMMITTED
        steps.open.set()
        await eventually(lambda: len(steps.finished) == total)
        assert steps.finished == list(range(total))
    assert steps.calmed >= 1


def test_the_window_gives_back_in_order_what_ends_in_any_order() -> None:
    class Fake:
        topic, value, headers, timestamp = "t", b"", (), 0

        def __init__(self, offset: int, key: bytes) -> None:
            self.partition, self.offset, self.key = 0, offset, key

    window: InFlight[None] = InFlight()
    entries: list[Entry[None]] = [
        Entry(Fake(at, b"ab"[at % 2 : at % 2 + 1]), None, float(at)) for at in range(6)
    ]
    for entry in entries:
        window.add(entry)
    for at in (2, 3, 1):
        window.answered(entries[at])
    taken = window.take_ready()
    assert [entry.record.offset for entry in taken] == [1, 3]
    for entry in taken:
        entry.done = True
    assert window.take_committable() == []
    window.answered(entries[0])
    for entry in window.take_ready():
        entry.done = True
    assert [record.offset for record in window.take_committable()] == [0, 1, 2, 3]
    assert (len(window), window.size(0), window.oldest()) == (2, 2, 4.0)
    assert [entry.record.offset for entry in window.clear()] == [4, 5]

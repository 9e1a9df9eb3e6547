"""Reading on while a batch has its effect: earlier work, and the same delivery (rule 41)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from dw_runtime import Chassis, Handled, Received, Record, Transient
from dw_runtime.batch import BatchWork
from dw_runtime.dead_letter import Letter
from dw_runtime.look_ahead import LookAheadConsumer
from libs.runtime.tests.harness import (
    ORG,
    OTHER_ORG,
    Bench,
    Note,
    Seen,
    eventually,
    key_of,
    note,
    parse_note,
    running,
)

pytestmark = pytest.mark.integration


class Ready:
    """What was prepared so far."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def __call__(self, message: Note) -> None:
        self.numbers.append(message.number)


def _many(count: int) -> list[tuple[bytes, bytes, list[tuple[str, bytes | None]]]]:
    """Records of as many role-agents, over all partitions."""
    agents = [uuid.UUID(int=n) for n in range(count)]
    return [
        (
            key_of(ORG, agent),
            Note(schema_version=1, org_id=ORG, role_agent_id=agent, number=n).to_bytes(),
            [],
        )
        for n, agent in enumerate(agents)
    ]


async def test_the_next_batch_is_prepared_while_one_has_its_effect_and_begun_after_it(bench: Bench) -> None:
    await bench.send_notes(range(12))
    ready = Ready()
    under_way = 0
    prepared_before: list[set[int]] = []

    async def look(batch: Sequence[Received[Note]]) -> None:
        nonlocal under_way
        under_way += 1
        assert under_way == 1
        following = {received.message.number + 5 for received in batch} & set(range(12))
        await eventually(lambda: following <= set(ready.numbers))
        prepared_before.append({received.message.number for received in batch} & set(ready.numbers))
        under_way -= 1

    seen = Seen(look)
    chassis = Chassis(bench.settings(batch_records=5))
    chassis.consume(bench.topic, parse_note, seen, ready)
    async with running(chassis):
        await seen.wait_for(12)
    assert seen.numbers == list(range(12))
    assert prepared_before[1:] == [set(range(5, 10)), {10, 11}]
    assert len(ready.numbers) == len(set(ready.numbers))
    assert await bench.committed() == 12


async def test_a_message_that_cannot_be_prepared_or_read_meets_its_end_all_the_same(bench: Bench) -> None:
    def unable(message: Note) -> None:
        raise ValueError(str(message.number))

    hold = asyncio.Event()
    seen = Seen(lambda _: _waited(hold))
    await bench.send(
        (key_of(), note(0), []), (key_of(), b"no JSON", []), (key_of(), note(2), []), (key_of(), note(3), [])
    )
    chassis = Chassis(bench.settings(batch_records=1))
    consumer = chassis.consume(bench.topic, parse_note, seen, unable)
    async with running(chassis):
        await eventually(lambda: consumer.busy)
        hold.set()
        await seen.wait_for(3)
        (letter,) = await bench.read(bench.topic.dead_letters, 1)
    assert seen.numbers == [0, 2, 3]
    assert letter.value == b"no JSON"
    assert await bench.committed() == 4


async def test_what_was_read_on_comes_again_after_a_stop(bench: Bench) -> None:
    """The batch in flight ends; nothing behind it is begun, and nothing is skipped."""
    await bench.send_notes(range(30))
    ready, hold = Ready(), asyncio.Event()
    seen = Seen(lambda _: _waited(hold))
    first = Chassis(bench.settings(batch_records=3))
    consumer = first.consume(bench.topic, parse_note, seen, ready)
    async with running(first):
        await eventually(lambda: ready.numbers == [3, 4, 5])
        consumer.stop()
        hold.set()
        await eventually(lambda: len(seen.numbers) >= 3)
    count = len(seen.numbers)
    assert seen.numbers == list(range(count))
    assert await bench.committed() == count
    second = Chassis(bench.settings(batch_records=3))
    second.consume(bench.topic, parse_note, seen, ready)
    async with running(second):
        await seen.wait_for(30)
    assert seen.numbers == list(range(30))
    assert await bench.committed() == 30


async def test_an_abandoned_batch_is_not_passed_by_what_was_read_on(bench: Bench) -> None:
    await bench.send_notes(range(9))
    ready = Ready()
    away = True

    async def failing(batch: Sequence[Received[Note]]) -> None:
        if away:
            raise Transient("the database is away")

    seen = Seen(failing)
    first = Chassis(bench.settings(batch_records=3))
    consumer = first.consume(bench.topic, parse_note, seen, ready)
    async with running(first):
        await eventually(lambda: ready.numbers == [3, 4, 5])
        consumer.stop()
        await eventually(lambda: not consumer.busy)
        away = False  # it is back before the process is gone
        await seen.wait_for(3)
    assert seen.numbers == list(range(len(seen.numbers)))
    assert await bench.committed() == len(seen.numbers)
    second = Chassis(bench.settings(batch_records=3))
    second.consume(bench.topic, parse_note, seen, ready)
    async with running(second):
        await seen.wait_for(9)
    assert seen.numbers == list(range(9))


async def test_a_bug_of_the_chassis_reads_both_batches_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dw_runtime.consumer.LONGEST_WAIT", 0.05)
    await bench.send_notes(range(9))
    ready, broken = Ready(), 0
    chassis = Chassis(bench.settings(batch_records=3))

    async def look(batch: Sequence[Received[Note]]) -> None:
        await eventually(lambda: {3, 4, 5} <= set(ready.numbers))

    seen = Seen(look)
    consumer = chassis.consume(bench.topic, parse_note, seen, ready)
    commit = LookAheadConsumer._commit

    async def breaks_once(self: LookAheadConsumer[Note], records: Sequence[object]) -> None:
        nonlocal broken
        broken += 1
        if broken == 1:
            raise ValueError("a bug")
        await commit(self, records)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(LookAheadConsumer, "_commit", breaks_once)
    async with running(chassis):
        await seen.wait_for(12)
        await eventually(lambda: not consumer.busy)
    assert seen.numbers == [0, 1, 2, *range(9)]
    assert await bench.committed() == 9


async def test_a_record_at_which_reading_on_breaks_is_read_on_its_turn(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What breaks beside a record's own reading (its span) is no reason to pass it by."""
    await bench.send_notes(range(9))
    ready, broken, read = Ready(), asyncio.Event(), BatchWork.read

    def breaks_once(
        self: BatchWork[Note], records: Sequence[Record]
    ) -> tuple[list[Received[Note]], list[Letter]]:
        if not broken.is_set() and records[0].value == note(4):
            broken.set()
            raise ValueError("a bug")
        return read(self, records)

    async def look(batch: Sequence[Received[Note]]) -> None:
        await broken.wait()

    monkeypatch.setattr(BatchWork, "read", breaks_once)
    seen = Seen(look)
    chassis = Chassis(bench.settings(batch_records=3))
    consumer = chassis.consume(bench.topic, parse_note, seen, ready)
    with capture_logs() as said:
        async with running(chassis):
            await eventually(lambda: len(seen.numbers) >= 8 and not consumer.busy)
    assert seen.numbers == list(range(9))
    assert await bench.committed() == 9
    assert [line["log_level"] for line in said if line["event"] == "batch.chassis_bug"] == ["error"]


async def test_the_limit_stops_before_what_was_read_on(bench: Bench) -> None:
    """Six bugs of two orgs in a row: nothing behind them is handled until a person says so, and then all of it is."""
    orgs = (ORG, OTHER_ORG)
    await bench.send(*[(key_of(orgs[n % 2]), note(n, orgs[n % 2]), []) for n in range(40)])
    broken = True

    async def failing(batch: Sequence[Received[Note]]) -> None:
        if broken:
            raise ValueError("every record")

    seen, ready = Seen(failing), Ready()
    chassis = Chassis(bench.settings(dead_letter_run=6, batch_records=4, attempts=1))
    consumer = chassis.consume(bench.topic, parse_note, seen, ready)
    async with running(chassis):
        await eventually(lambda: consumer.tripped)
        poured = await bench.committed()
        broken = False
        assert (poured < 20, seen.numbers) == (True, [])
        consumer.resume()
        await seen.wait_for(40 - poured)
    assert len(seen.numbers) == len(set(seen.numbers)) == 40 - poured
    assert await bench.committed() == 40


async def test_partitions_that_move_take_with_them_what_was_read_on(bench: Bench) -> None:
    await bench.send(*_many(60))
    seen: list[int] = []

    async def slowly(batch: Sequence[Received[Note]]) -> Handled:
        await asyncio.sleep(0.2)
        seen.extend(received.message.number for received in batch)
        return Handled()

    first = Chassis(bench.settings(batch_records=2, replica="a"))
    second = Chassis(bench.settings(batch_records=2, replica="b"))
    first.consume(bench.topic, parse_note, slowly, Ready())
    second.consume(bench.topic, parse_note, slowly, Ready())
    async with running(first):
        await eventually(lambda: len(seen) >= 4)
        async with running(second):
            await eventually(lambda: len(set(seen)) == 60, 40)
    assert sorted(seen) == list(range(60))
    assert await bench.committed() == 60


async def _waited(hold: asyncio.Event) -> None:
    await hold.wait()

"""Delivery, on the broker (rule 41): nothing lost, order kept, no record kills, stalls or skips."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace

import pytest

from dw_runtime import Chassis, Handled, Outgoing, Received, Transient
from libs.runtime.tests.harness import (
    ORG,
    OTHER_ORG,
    Bench,
    Note,
    Seen,
    eventually,
    headers_of,
    key_of,
    note,
    parse_note,
    running,
)

pytestmark = pytest.mark.integration

HOSTILE: dict[str, tuple[bytes | None, bytes | None, str]] = {
    "not JSON": (key_of(), b"hello", "not JSON"),
    "not UTF-8": (key_of(), b'{"a":"\xff"}', "not UTF-8"),
    "lone surrogate": (key_of(), b'{"a":"\\ud800"}', "surrogate"),
    "NUL": (key_of(), b'{"a":"\\u0000"}', "NUL"),
    "NaN": (key_of(), b'{"a":NaN}', "NaN"),
    "100k deep": (key_of(), b"[" * 100_000 + b"]" * 100_000, "deep"),
    "1 MiB": (key_of(), b'{"a":"' + b"x" * (1_048_576 - 400) + b'"}', "schema_version"),
    "duplicate key": (key_of(), note(1)[:-1] + b',"number":2}', "duplicate"),
    "unknown version": (
        key_of(),
        note(1).replace(b'"schema_version":1', b'"schema_version":9'),
        "schema_version",
    ),
    "other org": (key_of(OTHER_ORG), note(1), "key"),
    "other agent": (key_of(ORG, uuid.uuid4()), note(1), "key"),
    "wrong field": (key_of(), note(1).replace(b'"number":1', b'"number":"secret words"'), "number"),
    "tombstone": (key_of(), None, "no value"),
    "no key": (None, note(1), "key"),
    "top level list": (key_of(), b"[1]", "object"),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_record_becomes_a_dead_letter_and_the_next_one_is_handled(
    bench: Bench, name: str
) -> None:
    key, value, reason = HOSTILE[name]
    header: list[tuple[str, bytes | None]] = [
        ("x", b"\xff\xfe"),
        ("traceparent", None),
        ("reply_to", bench.out.name.encode()),
        ("dlq_reason", b"forged"),
    ]
    await bench.send((key, value, header), (key_of(), note(7), header))
    seen = Seen()
    chassis = Chassis(bench.settings())
    chassis.consume(bench.topic, parse_note, seen)
    async with running(chassis):
        await seen.wait_for(1)
        (letter,) = await bench.read(bench.topic.dead_letters, 1)
    assert seen.numbers == [7]
    assert (letter.key, letter.value) == (key, value)
    assert list(letter.headers[:3]) == header[:3]
    found = headers_of(letter)
    assert reason.lower() in found["dlq_reason"].lower()
    assert "secret words" not in found["dlq_reason"]
    assert (found["dlq_topic"], found["dlq_step"]) == (bench.topic.name, bench.service)
    assert found["dlq_kind"] == ("unknown_version" if name == "unknown version" else "permanent")
    assert await bench.committed() == 2


async def test_a_reply_to_header_publishes_nothing(bench: Bench) -> None:
    await bench.send((key_of(), note(1), [("reply_to", bench.out.name.encode()), ("correlation_id", b"1")]))
    seen = Seen()
    chassis = Chassis(bench.settings())
    chassis.consume(bench.topic, parse_note, seen)
    async with running(chassis):
        await seen.wait_for(1)
    assert await bench.read(bench.out.name, 1, seconds=1.0) == []


async def test_what_was_not_committed_comes_again(bench: Bench) -> None:
    await bench.send_notes(range(5))
    entered = asyncio.Event()

    async def hang(_: Sequence[Received[Note]]) -> None:
        entered.set()
        await asyncio.sleep(60)

    chassis = Chassis(bench.settings())
    chassis.consume(bench.topic, parse_note, Seen(hang))
    async with running(chassis):
        await entered.wait()
    assert await bench.committed() == 0
    seen = Seen()
    again = Chassis(bench.settings())
    again.consume(bench.topic, parse_note, seen)
    async with running(again):
        await seen.wait_for(5)
    assert seen.numbers == [0, 1, 2, 3, 4]
    assert await bench.committed() == 5


async def test_transient_failures_are_tried_again_in_order_and_never_become_dead_letters(
    bench: Bench,
) -> None:
    failures = iter(range(4))

    async def fail(_: Sequence[Received[Note]]) -> None:
        if next(failures, None) is not None:
            raise Transient("not yet")

    seen = Seen(fail)
    chassis = Chassis(bench.settings(batch_records=10))
    chassis.consume(bench.topic, parse_note, seen)
    await bench.send_notes(range(50))
    async with running(chassis):
        await seen.wait_for(50)
        assert await bench.read(bench.topic.dead_letters, 1, seconds=1.0) == []
    assert seen.numbers == list(range(50))
    assert await bench.committed() == 50


async def test_a_bug_costs_the_one_record_that_hits_it(bench: Bench) -> None:
    async def trip_over(batch: Sequence[Received[Note]]) -> None:
        for received in batch:
            if received.message.number == 13:
                raise KeyError("a text that must not be seen")

    seen = Seen(trip_over)
    chassis = Chassis(bench.settings())
    chassis.consume(bench.topic, parse_note, seen)
    await bench.send_notes(range(40))
    async with running(chassis):
        await seen.wait_for(39)
        (letter,) = await bench.read(bench.topic.dead_letters, 1)
    assert seen.numbers == [number for number in range(40) if number != 13]
    found = headers_of(letter)
    assert found["dlq_reason"].startswith("bug: KeyError at test_consumer_on_kafka.py:")
    assert (found["dlq_kind"], found["dlq_attempts"]) == ("bug", "2")
    assert await bench.committed() == 40


async def test_what_follows_is_published_in_order_before_the_commit(bench: Bench) -> None:
    async def pass_on(batch: Sequence[Received[Note]]) -> Handled:
        return Handled(
            outgoing=[
                Outgoing(bench.out, key_of(), r.record.value or b"", Note.ce_type, str(r.message.number))
                for r in batch
            ]
        )

    chassis = Chassis(bench.settings(batch_records=64))
    chassis.consume(bench.topic, parse_note, pass_on)
    await bench.send_notes(range(500))
    async with running(chassis):
        records = await bench.read(bench.out.name, 500)
    assert [int(headers_of(record)["ce_id"]) for record in records] == list(range(500))
    assert await bench.committed() == 500


async def test_the_broker_dies_and_comes_back_in_the_middle(bench: Bench) -> None:
    seen = Seen()
    chassis = Chassis(bench.settings(batch_records=20))
    chassis.consume(bench.topic, parse_note, seen)
    async with running(chassis), bench.producer() as producer:
        await bench.send_notes(range(50))
        await seen.wait_for(50)
        await asyncio.to_thread(bench.kafka.kill9)
        late = [
            asyncio.ensure_future(producer.send_and_wait(bench.topic.name, key=key_of(), value=note(number)))
            for number in range(50, 60)
        ]
        await asyncio.to_thread(bench.kafka.start)
        await asyncio.gather(*late)
        await eventually(lambda: set(range(60)) <= set(seen.numbers), 60)
    assert await bench.committed() >= 60


async def test_two_bugs_of_two_orgs_stop_the_consumer_until_it_is_resumed(bench: Bench) -> None:
    async def broken(_: Sequence[Received[Note]]) -> None:
        raise ValueError("every record")

    chassis = Chassis(bench.settings(dead_letter_run=6, batch_records=4, attempts=1))
    consumer = chassis.consume(bench.topic, parse_note, Seen(broken))
    orgs = (ORG, OTHER_ORG)
    await bench.send(*[(key_of(orgs[n % 2]), note(n, orgs[n % 2]), []) for n in range(40)])
    async with running(chassis):
        await eventually(lambda: consumer.tripped)
        assert any("dead letters" in reason for reason in await chassis.health.ready())
        poured = await bench.committed()
        assert poured < 20
        await asyncio.sleep(0.5)
        assert await bench.committed() == poured
        consumer.resume()
        await eventually(lambda: consumer.tripped)
        assert await bench.committed() > poured


async def test_one_orgs_bugs_stop_nobody_else(bench: Bench) -> None:
    async def broken(batch: Sequence[Received[Note]]) -> None:
        if any(received.message.org_id == OTHER_ORG for received in batch):
            raise ValueError("that org")

    seen = Seen(broken)
    chassis = Chassis(bench.settings(dead_letter_run=5, attempts=1))
    consumer = chassis.consume(bench.topic, parse_note, seen)
    await bench.send_notes(range(3))
    async with running(chassis):
        await seen.wait_for(
            3
        )  # the limit knows of both orgs from here on, in whatever order partitions are read
        await bench.send(*[(key_of(OTHER_ORG), note(n, OTHER_ORG), []) for n in range(30)])
        await bench.send_notes(range(3, 6))
        await seen.wait_for(6)
        assert len(await bench.read(bench.topic.dead_letters, 30)) == 30
        assert not consumer.tripped


async def test_readiness_names_a_topic_that_is_missing(bench: Bench) -> None:
    chassis = Chassis(bench.settings())
    chassis.consume(replace(bench.topic, name=f"{bench.service}.nowhere.v1"), parse_note, Seen())
    async with running(chassis):

        async def named() -> bool:
            return any(f"{bench.service}.nowhere.v1" in reason for reason in await chassis.health.ready())

        for _ in range(200):
            if await named():
                break
            await asyncio.sleep(0.05)
        assert await named()


async def test_a_handed_over_partition_is_not_worked_on_twice(bench: Bench) -> None:
    await bench.send(*[(key_of(ORG, uuid.UUID(int=n)), _note_of(uuid.UUID(int=n), n), []) for n in range(60)])
    seen: list[int] = []

    async def slowly(batch: Sequence[Received[Note]]) -> Handled:
        await asyncio.sleep(0.2)
        seen.extend(received.message.number for received in batch)
        return Handled()

    first = Chassis(bench.settings(batch_records=2, replica="a"))
    second = Chassis(bench.settings(batch_records=2, replica="b"))
    first.consume(bench.topic, parse_note, slowly)
    second.consume(bench.topic, parse_note, slowly)
    async with running(first):
        await eventually(lambda: len(seen) >= 4)
        async with running(second):
            await eventually(lambda: len(set(seen)) == 60, 40)
    assert sorted(seen) == list(range(60))


def _note_of(agent: uuid.UUID, number: int) -> bytes:
    return Note(schema_version=1, org_id=ORG, role_agent_id=agent, number=number).to_bytes()

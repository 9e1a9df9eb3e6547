"""A batch without a broker: who is tried again, who is put aside, in which order."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import orjson
import pytest

from dw_contracts.dead_letters import FailureKind, dead_letter_topic
from dw_contracts.topics import Topic
from dw_runtime import Failed, Handled, Outgoing, Permanent, Received, Record, Transient
from dw_runtime.batch import Abandoned, BatchWork
from dw_runtime.dead_letter import Letter, RawRecord, to_dead_letter
from dw_runtime.telemetry import Telemetry
from libs.runtime.tests.harness import Note

T = TypeVar("T")
TOPIC = Topic("t.v1", Note, "k", (), ())
NOW = datetime(2026, 1, 2, tzinfo=UTC)
SAMPLED = b"00-" + b"ab" * 16 + b"-" + b"cd" * 8 + b"-01"


@dataclass(frozen=True)
class Given:
    """A record."""

    offset: int
    key: bytes | None = b"o:a"
    value: bytes | None = b"v"
    headers: Sequence[tuple[str, bytes | None]] = ()
    topic: str = "t.v1"
    partition: int = 0
    timestamp: int = 0


@dataclass
class Sent:
    """Keeps what is published; fails as often as it is told to."""

    outgoing: list[bytes] = field(default_factory=list)
    letters: list[RawRecord] = field(default_factory=list)
    failures: int = 0

    async def publish(self, outgoing: Sequence[Outgoing]) -> None:
        self.outgoing += [record.value for record in outgoing]
        if self.failures:
            self.failures -= 1
            raise Transient("no acknowledgement")

    async def send(self, records: Sequence[RawRecord]) -> None:
        if self.failures:
            self.failures -= 1
            raise Transient("no acknowledgement")
        self.letters += records


@dataclass
class Patient:
    tries: int = 0
    most: int = 50

    async def again(self, error: BaseException) -> None:
        self.tries += 1
        if self.tries >= self.most:
            raise Abandoned

    async def within(self, work: Awaitable[T]) -> T:
        return await work


class Handler:
    """Handles what is not in `bad`."""

    def __init__(self, bad: dict[int, Exception] | None = None) -> None:
        self.done: list[int] = []
        self.bad = bad or {}

    async def __call__(self, batch: Sequence[Received[int]]) -> Handled:
        for received in batch:
            if received.message in self.bad:
                raise self.bad[received.message]
        self.done += [received.message for received in batch]
        return Handled(outgoing=[Outgoing(TOPIC, b"k", b"%d" % r.message, "t", "i") for r in batch])


def work_of(
    handler: Handler, sent: Sent, patient: Patient, telemetry: Telemetry | None = None
) -> BatchWork[int]:
    return BatchWork(
        TOPIC,
        lambda record: record.offset,
        handler,
        service="s",
        attempts=3,
        sender=sent,
        patience=patient,
        telemetry=telemetry or Telemetry("s"),
        clock=lambda: NOW,
    )


async def test_only_the_record_with_the_bug_is_put_aside_and_order_is_kept() -> None:
    handler, sent = Handler({5: KeyError("words of a person"), 11: ValueError("x")}), Sent()
    letters = await work_of(handler, sent, Patient()).run([Given(n) for n in range(16)])
    assert [(letter.record.offset, letter.kind, letter.attempts) for letter in letters] == [
        (5, FailureKind.BUG, 3),
        (11, FailureKind.BUG, 3),
    ]
    assert "words" not in letters[0].reason
    assert handler.done == [n for n in range(16) if n not in (5, 11)]
    assert sent.outgoing == [b"%d" % n for n in handler.done]
    assert [record.topic for record in sent.letters] == ["t.v1.dlq"] * 2


async def test_permanent_from_a_handler_finds_its_record() -> None:
    handler, sent = Handler({3: Permanent("no", FailureKind.UNKNOWN_VERSION)}), Sent()
    (letter,) = await work_of(handler, sent, Patient()).run([Given(n) for n in range(5)])
    assert (letter.record.offset, letter.reason, letter.kind) == (3, "no", FailureKind.UNKNOWN_VERSION)


async def test_an_acknowledgement_that_is_missing_repeats_effect_and_order() -> None:
    handler, sent, patient = Handler(), Sent(failures=2), Patient()
    assert await work_of(handler, sent, patient).run([Given(0), Given(1)]) == []
    assert sent.outgoing == [b"0", b"1"] * 3
    assert patient.tries == 2


async def test_a_dead_letter_that_cannot_be_published_is_tried_again() -> None:
    handler, patient = Handler({0: Permanent("no")}), Patient()
    sent = Sent(failures=4)
    await work_of(handler, sent, patient).run([Given(0)])
    assert (len(sent.letters), patient.tries) == (1, 4)


async def test_giving_up_is_neither_a_bug_nor_a_dead_letter() -> None:
    sent = Sent()
    with pytest.raises(Abandoned):
        await work_of(Handler({1: Transient("away")}), sent, Patient(most=3)).run([Given(0), Given(1)])
    assert sent.letters == []


async def test_what_follows_and_is_too_large_costs_its_own_record() -> None:
    class Refusing(Sent):
        async def publish(self, outgoing: Sequence[Outgoing]) -> None:
            if any(record.value == b"1" for record in outgoing):
                raise Permanent("too large")
            await super().publish(outgoing)

    sent = Refusing()
    letters = await work_of(Handler(), sent, Patient()).run([Given(0), Given(1), Given(2)])
    assert [letter.record.offset for letter in letters] == [1]
    assert sent.outgoing == [b"0", b"2"]


async def test_failed_records_of_a_batch_do_not_disturb_the_others() -> None:
    class Choosy(Handler):
        async def __call__(self, batch: Sequence[Received[int]]) -> Handled:
            return Handled(failed=[Failed(batch[1].record, "does not fit")])

    (letter,) = await work_of(Choosy(), Sent(), Patient()).run([Given(0), Given(1)])
    assert (letter.record.offset, letter.reason) == (1, "does not fit")


async def test_spans_are_made_for_sampled_records_alone(tmp_path: Path) -> None:
    seen: list[str | None] = []

    class Looking(Handler):
        async def __call__(self, batch: Sequence[Received[int]]) -> Handled:
            seen.extend(received.span_traceparent for received in batch)
            return await super().__call__(batch)

    telemetry = Telemetry("s", trace_dir=str(tmp_path))
    unsampled = SAMPLED[:-2] + b"00"
    records = [
        Given(0, headers=[("ce_id", b"e0"), ("traceparent", SAMPLED)]),
        Given(1, headers=[("traceparent", unsampled)]),
        Given(2, headers=[("traceparent", b"\xff" * 54 + b"1")]),
        Given(3, headers=[("traceparent", None), ("ce_id", None)]),
    ]
    await work_of(Looking(), Sent(), Patient(), telemetry).run(records)
    telemetry.shutdown()
    (line,) = [orjson.loads(line) for line in (tmp_path / "s.jsonl").read_bytes().splitlines()]
    assert seen == [f"00-{'ab' * 16}-{line['span_id']}-01", unsampled.decode(), None, None]
    assert (line["trace_id"], line["parent_id"], line["name"]) == ("ab" * 16, "cd" * 8, "s t.v1")
    assert line["attributes"] == {"dw.event_id": "e0", "dw.org_id": "o", "dw.role_agent_id": "a"}
    assert (line["service"], line["status"]) == ("s", "unset")
    assert line["start_ns"] <= line["end_ns"]


def test_a_dead_letter_keeps_the_original_and_says_why_where_and_when() -> None:
    record: Record = Given(7, headers=[("x", b"\xff"), ("dlq_reason", b"forged")], value=None)
    raw = to_dead_letter(Letter(record, "r" * 600, FailureKind.BUG, 3), step="s", now=NOW)
    assert (raw.topic, raw.key, raw.value) == (dead_letter_topic("t.v1"), b"o:a", None)
    assert raw.headers == [
        ("x", b"\xff"),
        ("dlq_reason", b"r" * 500),
        ("dlq_kind", b"bug"),
        ("dlq_step", b"s"),
        ("dlq_attempts", b"3"),
        ("dlq_at", b"2026-01-02T00:00:00+00:00"),
        ("dlq_topic", b"t.v1"),
        ("dlq_partition", b"0"),
        ("dlq_offset", b"7"),
    ]


def test_a_record_without_key_and_value_gets_an_empty_value_since_kafka_takes_no_other() -> None:
    raw = to_dead_letter(Letter(Given(1, key=None, value=None), "why"), step="s", now=NOW)
    assert (raw.key, raw.value) == (None, b"")

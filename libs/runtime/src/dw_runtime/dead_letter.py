"""A dead letter: original bytes, key and headers; then why, where and when (rule 22)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dw_contracts.dead_letters import FailureKind, Header, dead_letter_topic
from dw_runtime.records import Record

MAX_REASON_CHARS: Final = 500
_OURS: Final = frozenset(header.value for header in Header)


@dataclass(frozen=True, slots=True)
class RawRecord:
    """Bytes for a topic. Everything that is published ends up as one of these."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]]


@dataclass(frozen=True, slots=True)
class Letter:
    """A record that goes to its dead letter topic, and why."""

    record: Record
    reason: str
    kind: FailureKind = FailureKind.PERMANENT
    attempts: int = 1


def to_dead_letter(letter: Letter, *, step: str, now: datetime) -> RawRecord:
    """What goes to `<topic>.dlq`. Headers that claim to be a dead letter's own are dropped from the original.

    Kafka takes no record without both key and value, so that such a one gets an empty value.
    """
    record = letter.record
    headers = [(name, value) for name, value in record.headers if name not in _OURS]
    added = {
        Header.REASON: letter.reason[:MAX_REASON_CHARS],
        Header.KIND: letter.kind.value,
        Header.STEP: step,
        Header.ATTEMPTS: str(letter.attempts),
        Header.AT: now.isoformat(),
        Header.TOPIC: record.topic,
        Header.PARTITION: str(record.partition),
        Header.OFFSET: str(record.offset),
    }
    headers += [(name.value, value.encode("utf-8", "replace")) for name, value in added.items()]
    value = b"" if record.key is None and record.value is None else record.value
    return RawRecord(dead_letter_topic(record.topic), record.key, value, headers)

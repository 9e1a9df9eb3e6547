"""A dead letter: original bytes, key and headers; then why, where and when (rule 22)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dw_contracts.dead_letters import FailureKind, Header, dead_letter_topic
from dw_runtime.records import Record

MAX_REASON_CHARS = 500
_OURS = frozenset(header.value for header in Header)

Payload = tuple[str, bytes | None, bytes | None, list[tuple[str, bytes]]]


@dataclass(frozen=True, slots=True)
class Letter:
    """A record that goes to its dead letter topic."""

    record: Record
    kind: FailureKind
    payload: Payload


def letter(
    record: Record, reason: str, kind: FailureKind, *, service: str, attempts: int, now: datetime
) -> Letter:
    """What goes to `<topic>.dlq`. Headers that claim to be a dead letter's own are dropped from the original."""
    original = [(name, value) for name, value in record.headers if name not in _OURS]
    added = {
        Header.REASON: reason[:MAX_REASON_CHARS],
        Header.KIND: kind.value,
        Header.STEP: service,
        Header.ATTEMPTS: str(attempts),
        Header.AT: now.isoformat(),
        Header.TOPIC: record.topic,
        Header.PARTITION: str(record.partition),
        Header.OFFSET: str(record.offset),
    }
    headers = original + [(name.value, value.encode("utf-8", "replace")) for name, value in added.items()]
    return Letter(record, kind, (dead_letter_topic(record.topic), record.key, record.value, headers))

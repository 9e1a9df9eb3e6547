"""What handlers get and give. Small slotted classes: some are made for every record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from dw_contracts.dead_letters import FailureKind
from dw_contracts.topics import Topic

M = TypeVar("M")
TRACEPARENT = "traceparent"


class Record(Protocol):
    """A record as the client library gives it."""

    @property
    def topic(self) -> str: ...
    @property
    def partition(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def key(self) -> bytes | None: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> Sequence[tuple[str, bytes]]: ...
    @property
    def timestamp(self) -> int: ...


class Received(Generic[M]):
    """A record that could be read. `traceparent` is kept only where it is sampled; `span_traceparent` is what records
    made from this one carry: our own span where there is one."""

    __slots__ = ("message", "record", "span", "traceparent")

    def __init__(self, record: Record, message: M, traceparent: str | None = None) -> None:
        self.record = record
        self.message = message
        self.traceparent = traceparent
        self.span: Any = None

    @property
    def span_traceparent(self) -> str | None:
        """The traceparent for records that follow from this one."""
        return self.span.traceparent if self.span is not None else self.traceparent

    @property
    def trace_id(self) -> str:
        """The trace's id, or nothing where the record is not sampled."""
        return self.traceparent[3:35] if self.traceparent else ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A record to be published. Records with one key are published in the order in which they are given."""

    topic: Topic
    key: bytes
    value: bytes
    ce_type: str
    ce_id: str
    traceparent: str | None = None

    def headers(self) -> list[tuple[str, bytes]]:
        """Three at most (C78): six double the cost of a record."""
        headers = [("ce_id", self.ce_id.encode()), ("ce_type", self.ce_type.encode())]
        if self.traceparent is not None:
            headers.append((TRACEPARENT, self.traceparent.encode()))
        return headers


@dataclass(frozen=True, slots=True)
class Failed:
    """One record of a batch that becomes a dead letter; the others of the batch had their effect."""

    record: Record
    reason: str
    kind: FailureKind = FailureKind.PERMANENT


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of a batch. Offsets are committed after all of it is acknowledged."""

    outgoing: Sequence[Outgoing] = ()
    failed: Sequence[Failed] = ()


def sampled_traceparent(record: Record) -> str | None:
    """The record's traceparent if it is well-formed and sampled. Cheap for the many that are not."""
    for name, value in record.headers:
        if name == TRACEPARENT:
            if len(value) == 55 and value[53:] == b"01" and value[:3] == b"00-":
                return value.decode("ascii", "replace")
            return None
    return None

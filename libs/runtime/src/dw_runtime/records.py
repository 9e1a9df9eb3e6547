"""What handlers get and give. Small slotted classes: some are made for every record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from dw_contracts.dead_letters import FailureKind
from dw_contracts.topics import Topic
from dw_runtime.telemetry import ActiveSpan
from dw_runtime.traceparent import HEADER, is_well_formed

M = TypeVar("M")


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
    def headers(self) -> Sequence[tuple[str, bytes | None]]: ...
    @property
    def timestamp(self) -> int: ...


class Received(Generic[M]):
    """A record that could be read. Its span is there only where the record is sampled."""

    __slots__ = ("message", "record", "span")

    def __init__(self, record: Record, message: M, span: ActiveSpan | None = None) -> None:
        self.record = record
        self.message = message
        self.span = span

    @property
    def traceparent(self) -> str | None:
        """What the record came with, if it is well-formed."""
        return traceparent_of(self.record)

    @property
    def span_traceparent(self) -> str | None:
        """What records that follow from this one carry: our own span where there is one."""
        return self.span.traceparent if self.span is not None else traceparent_of(self.record)

    @property
    def trace_id(self) -> str:
        """The trace's id; empty where the record has none."""
        traceparent = traceparent_of(self.record)
        return traceparent[3:35] if traceparent else ""


def traceparent_of(record: Record) -> str | None:
    """The record's traceparent if it is well-formed, sampled or not."""
    for name, value in record.headers:
        if name == HEADER:
            return value.decode("ascii") if value is not None and is_well_formed(value) else None
    return None


def header_text(record: Record, wanted: str) -> str:
    """A header as text, whatever its bytes are; empty if there is none."""
    for name, value in record.headers:
        if name == wanted:
            return (value or b"").decode("utf-8", "replace")
    return ""


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
            headers.append((HEADER, self.traceparent.encode()))
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

"""What becomes of a batch: effect, records that follow, dead letters. Knows nothing of offsets and groups.

Order: a piece of a batch is handled and what follows from it is published before the next piece is begun.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from opentelemetry.trace import SpanKind

from dw_contracts.dead_letters import FailureKind
from dw_contracts.topics import Topic
from dw_runtime.current import current_trace
from dw_runtime.dead_letter import Letter, RawRecord, to_dead_letter
from dw_runtime.failures import AGAIN, Permanent, bug, frames_of
from dw_runtime.logs import log
from dw_runtime.records import Handled, Outgoing, Received, Record, header_text, traceparent_of
from dw_runtime.telemetry import ActiveSpan, Telemetry
from dw_runtime.traceparent import HEADER, is_sampled

M = TypeVar("M")
T = TypeVar("T")
Parse = Callable[[Record], M]
Handle = Callable[[Sequence[Received[M]]], Awaitable[Handled]]


class Sender(Protocol):
    """Publishes in turn; returns when all is acknowledged."""

    async def publish(self, outgoing: Sequence[Outgoing]) -> None: ...
    async def send(self, records: Sequence[RawRecord]) -> None: ...


class Patience(Protocol):
    """How long to go on. Both raise Abandoned when the process stops or the partitions are gone."""

    async def again(self, error: BaseException) -> None:
        """Wait before the next try of what failed with a transient error."""

    async def within(self, work: Awaitable[T]) -> T:
        """Await something that may take as long as a broker is away."""


class Abandoned(Exception):
    """The batch is left uncommitted: whoever has its partitions next gets it again."""


class BatchWork(Generic[M]):
    """The path of one topic's batches."""

    def __init__(
        self,
        topic: Topic,
        parse: Parse[M],
        handle: Handle[M],
        *,
        service: str,
        attempts: int,
        sender: Sender,
        patience: Patience,
        telemetry: Telemetry,
        clock: Callable[[], datetime],
    ) -> None:
        self._parse = parse
        self._handle = handle
        self._service = service
        self._attempts = attempts
        self._sender = sender
        self._patience = patience
        self._telemetry = telemetry
        self._clock = clock
        self._span_name = f"{service} {topic.name}"

    async def run(self, records: Sequence[Record]) -> list[Letter]:
        """Returns when the batch has had its effect and everything that follows from it is acknowledged, its dead
        letters included. Raises Abandoned, and nothing else but cancellation."""
        return await self.carry_out(*self.read(records))

    async def carry_out(self, good: Sequence[Received[M]], unread: Sequence[Letter]) -> list[Letter]:
        """The same for a batch that was read before."""
        letters = [*unread]
        try:
            if good:
                letters += await self.effect_of(good)
            if letters:
                await self.bury(letters)
        finally:
            if self._telemetry.enabled:
                end_spans(good, letters)
        return letters

    def read(self, records: Sequence[Record]) -> tuple[list[Received[M]], list[Letter]]:
        """What could be read, with spans begun, and dead letters of the rest."""
        good: list[Received[M]] = []
        letters: list[Letter] = []
        parse, traced, append = self._parse, self._telemetry.enabled, good.append
        for record in records:
            try:
                message = parse(record)
            except Permanent as error:
                letters.append(Letter(record, error.reason, error.kind))
                continue
            except Exception as error:  # noqa: BLE001  # no record may hold up its partition, whatever it hits
                letters.append(bug_letter(record, error, attempts=1))
                continue
            received = Received(record, message)
            if traced:
                for name, value in record.headers:
                    if name == HEADER and value is not None and is_sampled(value):
                        received.span = self._span(record)
            append(received)
        return good, letters

    async def effect_of(self, batch: Sequence[Received[M]]) -> list[Letter]:
        """Handle records at once; where that hits a bug, in halves, so that only the record with the bug is lost."""
        try:
            return await self._effect(batch)
        except Abandoned:
            raise
        except Permanent as error:
            if len(batch) == 1:
                return [Letter(batch[0].record, error.reason, error.kind)]
        except Exception as error:  # noqa: BLE001  # a bug: found by halving, then put aside
            log.warning("batch.bug", records=len(batch), error=bug(error), frames=frames_of(error))
            if len(batch) == 1:
                return await self._alone(batch[0], error)
        half = len(batch) // 2
        return [*await self.effect_of(batch[:half]), *await self.effect_of(batch[half:])]

    async def _alone(self, received: Received[M], error: Exception) -> list[Letter]:
        """The remaining tries of one record that hits a bug."""
        for attempt in range(2, self._attempts + 1):
            try:
                return await self._effect([received])
            except Abandoned:
                raise
            except Permanent as permanent:
                return [Letter(received.record, permanent.reason, permanent.kind, attempt)]
            except Exception as another:  # noqa: BLE001  # the same bug, most likely
                error = another
        return [bug_letter(received.record, error, self._attempts)]

    async def _effect(self, batch: Sequence[Received[M]]) -> list[Letter]:
        """Handle and publish, as often as it takes: what is transient never loses a record, nor its place."""
        while True:
            try:
                with current_trace(_only_span(batch)):
                    handled = await self._handle(batch)
                if handled.outgoing:
                    await self._patience.within(self._sender.publish(handled.outgoing))
                return [Letter(failed.record, failed.reason, failed.kind) for failed in handled.failed]
            except AGAIN as error:
                await self._patience.again(error)

    async def bury(self, letters: Sequence[Letter]) -> None:
        """Returns when the dead letters are acknowledged."""
        now = self._clock()
        raw = [to_dead_letter(letter, step=self._service, now=now) for letter in letters]
        while True:
            try:
                await self._patience.within(self._sender.send(raw))
                return
            except AGAIN as error:
                await self._patience.again(error)
            except Permanent:
                # Beside its headers the original leaves no room: where it lies is kept, what it says is not.
                raw = [replace(record, value=None, key=record.key or b"") for record in raw]

    def _span(self, record: Record) -> ActiveSpan | None:
        parent = traceparent_of(record)
        if parent is None:
            return None
        org_id, _, role_agent_id = (record.key or b"").decode("ascii", "replace").partition(":")
        attributes = {
            "dw.event_id": header_text(record, "ce_id"),
            "dw.org_id": org_id,
            "dw.role_agent_id": role_agent_id,
        }
        return self._telemetry.start(self._span_name, parent, attributes, SpanKind.CONSUMER)


def bug_letter(record: Record, error: Exception, attempts: int) -> Letter:
    """The dead letter of a record that hits a bug, which is logged here."""
    log.error(
        "record.bug",
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        error=bug(error),
        frames=frames_of(error),
    )
    return Letter(record, bug(error), FailureKind.BUG, attempts)


def _only_span(batch: Sequence[Received[M]]) -> ActiveSpan | None:
    """The current span of a handler, where there is no doubt which it is."""
    spans = [received.span for received in batch if received.span is not None]
    return spans[0] if len(spans) == 1 else None


def end_spans(good: Sequence[Received[M]], letters: Sequence[Letter]) -> None:
    """End the spans of records, failed for those that died."""
    dead = {(letter.record.partition, letter.record.offset) for letter in letters}
    for received in good:
        if received.span is not None:
            received.span.end((received.record.partition, received.record.offset) in dead)

"""A subscriber that no record can kill, stall or silently skip (KAFKA_PITFALLS A2 and B).

Bytes come in undecoded; every batch ends in exactly one of: effect, dead letters and commit; or trying again. Offsets
are explicit, and are committed after the effect and after Kafka has acknowledged everything that follows from it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from aiokafka import TopicPartition
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError
from faststream import AckPolicy
from faststream.kafka import KafkaBroker, KafkaMessage
from faststream.kafka.message import FAKE_CONSUMER

from dw_contracts.dead_letters import FailureKind
from dw_contracts.settings import ConsumerSettings
from dw_contracts.topics import Topic
from dw_runtime.dead_letter import Letter, letter
from dw_runtime.failures import Permanent, Transient
from dw_runtime.limit import DeadLetterLimit, org_of
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.publisher import Publisher
from dw_runtime.records import Failed, Handled, Received, Record, sampled_traceparent
from dw_runtime.telemetry import Telemetry
from dw_store.errors import StoreConflict, StoreUnavailable

M = TypeVar("M")
Parse = Callable[[Record], M]
Handle = Callable[[Sequence[Received[M]]], Awaitable[Handled]]

SESSION_MS = 6_000
HEARTBEAT_MS = 1_500
MAX_POLL_MS = 300_000
FIRST_WAIT = 0.1
LONGEST_WAIT = 5.0
NOT_READY_AFTER = 3  # tries of one batch
_AGAIN = (Transient, StoreUnavailable, StoreConflict, KafkaError, TimeoutError, ConnectionError)
_COUNTED = frozenset({FailureKind.BUG, FailureKind.UNKNOWN_VERSION})


class Consumer(Generic[M]):
    """One topic of one service. `parse` raises Permanent; `handle` gets every readable record of a batch at once,
    in offset order within each partition."""

    def __init__(
        self,
        topic: Topic,
        parse: Parse[M],
        handle: Handle[M],
        *,
        settings: ConsumerSettings,
        publisher: Publisher,
        metrics: Metrics,
        telemetry: Telemetry,
    ) -> None:
        self.topic = topic
        self.trying_since: float | None = None
        self.tripped = asyncio.Event()
        self.progress = time.monotonic()
        self._tries = 0
        self._exceeded = False
        self._parse = parse
        self._handle = handle
        self._settings = settings
        self._publisher = publisher
        self._metrics = metrics
        self._telemetry = telemetry
        self._limit = DeadLetterLimit(settings.dead_letter_run, settings.dead_letter_ratio)
        self._resume = asyncio.Event()
        self._subscriber: Any = None
        self._stopping = False
        self._label = (metrics.service, topic.name)

    def subscribe(self, broker: KafkaBroker) -> None:
        """Hang the subscriber on the broker; it starts with it."""
        service = self._settings.service
        self._subscriber = broker.subscriber(
            self.topic.name,
            group_id=service,
            group_instance_id=f"{service}-{self.topic.name}-{self._settings.replica}",
            batch=True,
            max_records=self._settings.batch_records,
            batch_timeout_ms=self._settings.batch_wait_ms,
            auto_offset_reset="earliest",
            ack_policy=AckPolicy.MANUAL,
            parser=_undecoded,
            decoder=_nothing,
            no_reply=True,
            session_timeout_ms=SESSION_MS,
            heartbeat_interval_ms=HEARTBEAT_MS,
            max_poll_interval_ms=MAX_POLL_MS,
        )
        self._subscriber(self._on_batch)

    @property
    def client(self) -> Any:
        """The aiokafka consumer while it runs."""
        return getattr(self._subscriber, "consumer", None)

    @property
    def struggling(self) -> bool:
        """A batch has failed several times in a row: the process is not ready."""
        return self._tries >= NOT_READY_AFTER

    def stop(self) -> None:
        """Take no more tries: what is not committed comes again to whoever takes over."""
        self._stopping = True
        self._resume.set()

    def resume(self) -> None:
        """Go on after the limit was hit (`dw dlq resume`)."""
        self._limit.reset()
        self.tripped.clear()
        self._metrics.tripped.labels(*self._label).set(0)
        self._resume.set()

    async def _on_batch(self, message: KafkaMessage) -> None:
        records: Sequence[Record] = message.raw_message  # type: ignore[assignment]  # a batch is a tuple
        started = time.monotonic()
        if await self._until_done(records):
            await self._commit(records)
            self.progress = time.monotonic()
            if self._exceeded:
                await self._trip()
            self._metrics.batch_seconds.labels(*self._label).observe(self.progress - started)

    async def _until_done(self, records: Sequence[Record]) -> bool:
        """Try until the batch has had its effect. False only when the process stops or the partitions are gone."""
        self._tries = 0
        while not self._stopping:
            try:
                await self._once(records)
                self._tries = 0
                return True
            except _AGAIN as error:
                self._tries += 1
                reason = type(error).__name__
                self._metrics.retries.labels(*self._label, reason).inc()
                if self._tries in (1, NOT_READY_AFTER) or self._tries % 20 == 0:
                    log.warning("batch.retry", topic=self.topic.name, tries=self._tries, reason=reason, why=str(error))
                await self._wait()
        return False

    async def _wait(self) -> None:
        """Backoff with jitter. Heartbeats go on meanwhile; fetching is told that we are alive."""
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(self._tries, 10)) * random.uniform(0.5, 1.0)
        await asyncio.sleep(wait)
        self._keep_place()

    def _keep_place(self) -> None:
        """Fetching stands still while one batch is tried: without this the client leaves its group after 300 s."""
        client = self.client
        if client is not None:
            client._subscription._last_fetch_ended = time.monotonic()

    async def _once(self, records: Sequence[Record]) -> None:
        good, letters = self._read(records)
        handled, more = await self._effect(good)
        letters += more
        await self._publisher.publish(handled.outgoing)
        await self._publisher.send([entry.payload for entry in letters])
        self._note(letters, len(good) - len(more))
        self._exceeded = self._limit.saw(_judged(records, letters))

    def _read(self, records: Sequence[Record]) -> tuple[list[Received[M]], list[Letter]]:
        good: list[Received[M]] = []
        letters: list[Letter] = []
        parse, trace = self._parse, self._telemetry.enabled
        for record in records:
            try:
                message = parse(record)
            except Permanent as error:
                letters.append(self._letter(record, error.reason, error.kind, 1))
            except Exception as error:  # a bug of ours must not hold up the partition
                log.exception("record.unreadable", topic=record.topic, partition=record.partition, offset=record.offset)
                letters.append(self._letter(record, f"bug: {type(error).__name__}", FailureKind.BUG, 1))
            else:
                good.append(Received(record, message, sampled_traceparent(record) if trace else None))
        return good, letters

    async def _effect(self, good: list[Received[M]]) -> tuple[Handled, list[Letter]]:
        """Handle the batch; where that is a bug, one by one, so that only the record with the bug is lost to it."""
        if not good:
            return Handled(), []
        try:
            handled = await self._traced(good)
        except _AGAIN:
            raise
        except Permanent as error:
            if len(good) == 1:
                return Handled(), [self._letter(good[0].record, error.reason, error.kind, 1)]
            return await self._one_by_one(good)
        except Exception as error:
            if self._stopping:
                raise Transient("stopping") from error
            log.exception("batch.bug", topic=self.topic.name, records=len(good))
            return await self._one_by_one(good)
        return handled, [self._failed(entry) for entry in handled.failed]

    async def _one_by_one(self, good: list[Received[M]]) -> tuple[Handled, list[Letter]]:
        outgoing: list[Any] = []
        letters: list[Letter] = []
        for received in good:
            for attempt in range(1, self._settings.attempts + 1):
                try:
                    handled = await self._traced([received])
                except _AGAIN:
                    raise
                except Permanent as error:
                    letters.append(self._letter(received.record, error.reason, error.kind, attempt))
                    break
                except Exception as error:
                    if attempt == self._settings.attempts:
                        log.exception("record.bug", topic=self.topic.name, offset=received.record.offset)
                        reason = f"bug: {type(error).__name__}"
                        letters.append(self._letter(received.record, reason, FailureKind.BUG, attempt))
                else:
                    outgoing += handled.outgoing
                    letters += [self._failed(entry) for entry in handled.failed]
                    break
        return Handled(outgoing=outgoing), letters

    async def _traced(self, good: list[Received[M]]) -> Handled:
        spans = [self._span(received) for received in good if received.traceparent is not None]
        failed = True
        try:
            handled = await self._handle(good)
            failed = False
            return handled
        finally:
            for span in spans:
                if span is not None:
                    span.end(failed)

    def _span(self, received: Received[M]) -> Any:
        record = received.record
        org, _, agent = (record.key or b"").decode("ascii", "replace").partition(":")
        event_id = next((value for name, value in record.headers if name == "ce_id"), b"").decode("ascii", "replace")
        attributes = {"dw.event_id": event_id, "dw.org_id": org, "dw.role_agent_id": agent}
        name = f"{self._metrics.service} {self.topic.name}"
        received.span = self._telemetry.start(name, received.traceparent, attributes)
        return received.span

    def _failed(self, entry: Failed) -> Letter:
        return self._letter(entry.record, entry.reason, entry.kind, 1)

    def _letter(self, record: Record, reason: str, kind: FailureKind, attempts: int) -> Letter:
        self._metrics.dead_letters.labels(*self._label, kind.value).inc()
        log.warning(
            "record.dead_letter",
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            kind=kind.value,
            reason=reason,
        )
        return letter(
            record, reason, kind, service=self._metrics.service, attempts=attempts, now=datetime.now(UTC)
        )

    def _note(self, letters: list[Letter], handled: int) -> None:
        self._metrics.records.labels(*self._label, "handled").inc(handled)
        if letters:
            self._metrics.records.labels(*self._label, "dead_letter").inc(len(letters))

    async def _trip(self) -> None:
        """Stop before the topic is poured away: what was judged is committed, nothing more is read."""
        self._resume.clear()
        self.tripped.set()
        self._metrics.tripped.labels(*self._label).set(1)
        log.error("consumer.stopped", topic=self.topic.name, why="too many dead letters by bugs or unknown versions")
        while self.tripped.is_set() and not self._stopping:
            try:
                await asyncio.wait_for(self._resume.wait(), timeout=LONGEST_WAIT)
            except TimeoutError:
                self._keep_place()

    async def _commit(self, records: Sequence[Record]) -> None:
        offsets: dict[TopicPartition, int] = {}
        for record in records:
            tp = TopicPartition(record.topic, record.partition)
            offsets[tp] = max(offsets.get(tp, 0), record.offset + 1)
        for attempt in range(1, 6):
            client = self.client
            if client is None:
                return
            try:
                await client.commit(offsets)
                return
            except (CommitFailedError, IllegalStateError) as error:
                # The partitions went to somebody else: he reads these records again, and their effect is one.
                log.info("commit.lost", topic=self.topic.name, reason=type(error).__name__)
                return
            except KafkaError as error:
                self._metrics.retries.labels(*self._label, "commit").inc()
                log.warning("commit.retry", topic=self.topic.name, reason=type(error).__name__)
                await asyncio.sleep(FIRST_WAIT * 2.0**attempt)


def _judged(records: Sequence[Record], letters: list[Letter]) -> list[tuple[bool, bytes]]:
    """Each record with whether it counts towards the limit of C76, and its org."""
    counted = {(entry.record.partition, entry.record.offset) for entry in letters if entry.kind in _COUNTED}
    return [((r.partition, r.offset) in counted, org_of(r.key)) for r in records]


async def _undecoded(records: tuple[Any, ...]) -> KafkaMessage:
    """Nothing is decoded before the handler, so that nothing can fail there."""
    return KafkaMessage(
        body=b"",
        headers={},
        batch_headers=[],
        reply_to="",
        content_type=None,
        message_id=str(records[0].offset),
        correlation_id="-",
        raw_message=records,
        path={},
        consumer=FAKE_CONSUMER,
    )


async def _nothing(message: Any) -> None:
    return None

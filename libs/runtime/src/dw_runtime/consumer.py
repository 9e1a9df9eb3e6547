"""A subscriber that no record can kill, stall or silently skip (KAFKA_PITFALLS A2 and B).

Bytes come in undecoded; every batch ends in exactly one of: effect, dead letters and commit; or trying again. Offsets
are explicit, and are committed after the effect and after Kafka has acknowledged everything that follows from it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any, Final, Generic, TypedDict, TypeVar, Unpack

from aiokafka import TopicPartition
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError
from faststream.kafka import KafkaBroker

from dw_contracts.settings import ConsumerSettings
from dw_contracts.topics import Topic
from dw_runtime.batch import Abandoned, BatchWork, Handle, Parse
from dw_runtime.batch_measures import BatchMeasures
from dw_runtime.dead_letter import Letter
from dw_runtime.ending import end_process
from dw_runtime.failures import bug, frames_of
from dw_runtime.limit import DeadLetterLimit, judge
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.publisher import Publisher
from dw_runtime.records import Record
from dw_runtime.subscription import subscribe
from dw_runtime.telemetry import Telemetry

M = TypeVar("M")
T = TypeVar("T")

HAND_OVER_SECONDS: Final = 5.0  # what a batch in flight gets to finish before its partitions move
COMMIT_SECONDS: Final = 20.0  # more than a broker needs to come back after a kill
FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
NOT_READY_AFTER: Final = 3  # tries of one batch
LOG_EVERY: Final = 20  # tries


class End(Enum):
    """How a batch ended."""

    DONE = auto()
    EXCEEDED = auto()  # done, and the limit of dead letters with it
    LEFT = auto()  # uncommitted: it comes again, to us or to somebody else


class Supplies(TypedDict):
    """What every consumer of a process gets from it."""

    settings: ConsumerSettings
    publisher: Publisher
    metrics: Metrics
    telemetry: Telemetry


class Consumer(Generic[M]):
    """One topic of one service. `parse` raises Permanent; `handle` gets every readable record of a batch at once,
    in offset order within each partition."""

    def __init__(
        self,
        topic: Topic,
        parse: Parse[M],
        handle: Handle[M],
        **supplies: Unpack[Supplies],
    ) -> None:
        settings, metrics = supplies["settings"], supplies["metrics"]
        self.topic = topic
        self.progress = time.monotonic()
        self.committed: dict[TopicPartition, int] = {}
        self.tripped = False
        self._settings = settings
        self._metrics = metrics
        self._label = (metrics.service, topic.name)
        self._measures = BatchMeasures(metrics, topic)
        self._limit = DeadLetterLimit(settings.dead_letter_run, settings.dead_letter_ratio)
        self._subscriber: Any = None
        self._tries = 0
        self._epoch = 0  # counts how often partitions began to move
        self._leaving = asyncio.Event()  # the process stops, or the partitions move
        self._stopping = False
        self._resumed = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._work = BatchWork(
            topic,
            parse,
            handle,
            service=metrics.service,
            attempts=settings.attempts,
            sender=supplies["publisher"],
            patience=self,
            telemetry=supplies["telemetry"],
            clock=lambda: datetime.now(UTC),
        )

    def subscribe(self, broker: KafkaBroker) -> None:
        """Hang the subscriber on the broker; it starts with it."""
        self._subscriber = subscribe(broker, self.topic, self._settings, self)
        self._subscriber(self._on_batch)

    @property
    def client(self) -> Any:
        """The aiokafka consumer while it runs."""
        return getattr(self._subscriber, "consumer", None)

    @property
    def struggling(self) -> bool:
        """A batch has failed several times in a row: the process is not ready."""
        return self._tries >= NOT_READY_AFTER

    @property
    def busy(self) -> bool:
        """A batch is in flight."""
        return not self._idle.is_set()

    def stop(self) -> None:
        """Begin no more tries: what is not committed comes again to whoever takes over."""
        self._stopping = True
        self._leaving.set()
        self._resumed.set()

    def resume(self) -> None:
        """Go on after the limit was hit (`dw dlq resume`)."""
        self._limit.reset()
        self._resumed.set()

    def keep_place(self) -> None:
        """No batch is fetched while one is in flight: without this the client would leave its group after
        MAX_POLL_MS, and take its partitions' order with it."""
        if self.client is not None:
            self.client._subscription._last_fetch_ended = time.monotonic()

    async def revoked(self) -> None:
        """Partitions are about to move: let the batch in flight finish, so that nobody does the same work beside."""
        self._leaving.set()
        self._epoch += 1
        try:
            async with asyncio.timeout(HAND_OVER_SECONDS):
                await self._idle.wait()
        except TimeoutError:
            log.info("batch.handed_over", topic=self.topic.name)

    def assigned(self) -> None:
        """Partitions are here: whatever was known about them is old."""
        self.committed.clear()
        self.progress = time.monotonic()
        if not self._stopping:
            self._leaving.clear()

    async def _on_batch(self, batch: Any) -> None:  # Any: FastStream builds a validator of what stands here
        records: Sequence[Record] = batch
        self._idle.clear()
        try:
            end = await self._carry_out(records, self._work.run(records))
        finally:
            self._idle.set()
        if end is End.EXCEEDED:
            await self._trip()

    async def _carry_out(self, records: Sequence[Record], work: Awaitable[list[Letter]]) -> End:
        """One batch, from its effect to its commit. Raises nothing but cancellation."""
        self.progress = started = time.monotonic()
        epoch = self._epoch
        try:
            letters = await work
            await self._commit(records)
            exceeded = judge(self._limit, records, letters)
            self._measures.count(records, letters, time.monotonic() - started)
            return End.EXCEEDED if exceeded else End.DONE
        except Abandoned:
            log.info("batch.abandoned", topic=self.topic.name, records=len(records))
            self._unread(records, epoch)
            return End.LEFT
        except Exception as error:  # noqa: BLE001  # FastStream would go on to the next batch and commit past this one
            log.error("batch.chassis_bug", topic=self.topic.name, error=bug(error), frames=frames_of(error))
            await self._go_back(records, epoch)
            return End.LEFT
        finally:
            self._tries = 0
            self.progress = time.monotonic()

    async def _go_back(self, records: Sequence[Record], epoch: int) -> None:
        """Read the batch of that epoch again, a moment later."""
        self._unread(records, epoch)
        await asyncio.sleep(LONGEST_WAIT)

    def _unread(self, records: Sequence[Record], epoch: int) -> None:
        """Whatever is read next begins with these again, unless partitions moved since: then what is read begins behind
        what is committed, and a place from before would be a wrong one."""
        if self.client is None or epoch != self._epoch:
            return
        first: dict[TopicPartition, int] = {}
        for record in records:
            first.setdefault(TopicPartition(record.topic, record.partition), record.offset)
        for partition, offset in first.items():
            if partition in self.client.assignment():
                self.client.seek(partition, offset)

    async def again(self, error: BaseException) -> None:
        """Backoff with jitter, bounded a try. Heartbeats go on meanwhile."""
        self._tries += 1
        self.progress = time.monotonic()  # waiting for somebody else is not being stuck
        reason = type(error).__name__
        self._metrics.retries.labels(*self._label, reason).inc()
        if self._tries in (1, NOT_READY_AFTER) or self._tries % LOG_EVERY == 0:
            log.warning(
                "batch.retry", topic=self.topic.name, tries=self._tries, reason=reason, why=str(error)
            )
        if self._leaving.is_set():
            raise Abandoned
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(self._tries, 10)) * random.uniform(0.5, 1.0)
        try:
            async with asyncio.timeout(wait):
                await self._leaving.wait()
        except TimeoutError:
            self.keep_place()
            return
        raise Abandoned

    async def within(self, work: Awaitable[T]) -> T:
        """Wait for an acknowledgement, which may take as long as the broker is away; but not past our own end."""
        task = asyncio.ensure_future(work)
        leaving = asyncio.ensure_future(self._leaving.wait())
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                await asyncio.wait({task}, timeout=HAND_OVER_SECONDS / 2)
            if not task.done():
                raise Abandoned
            return task.result()
        finally:
            leaving.cancel()
            task.cancel()

    async def _commit(self, records: Sequence[Record]) -> None:
        last = {record.partition: record.offset for record in records}  # in order within each partition
        offsets = {TopicPartition(records[0].topic, number): offset + 1 for number, offset in last.items()}
        while True:
            ours = self.client.assignment() if self.client is not None else set()
            held = {partition: offset for partition, offset in offsets.items() if partition in ours}
            try:
                if held:
                    async with asyncio.timeout(COMMIT_SECONDS):
                        await self.client.commit(held)
                self.committed.update(held)
                return
            except (CommitFailedError, IllegalStateError) as error:
                # The partitions went to somebody else: he reads these records again, and their effect is one.
                log.info("commit.lost", topic=self.topic.name, reason=type(error).__name__)
                return
            except TimeoutError:
                self._end_process()
                raise Abandoned from None
            except KafkaError as error:
                await self.again(error)

    def _end_process(self) -> None:
        """After a broker's restart the client's look-up of its coordinator was seen never to return. A new process
        reads the batch again, and its effect is one; this one would hold its partitions for ever, and was seen to hang
        once more while it was stopped."""
        log.error(
            "consumer.stuck",
            topic=self.topic.name,
            why=f"no commit within {COMMIT_SECONDS:.0f} s: restarting",
        )
        end_process()

    async def _trip(self) -> None:
        """Stop before the topic is poured away: what was judged is committed, nothing more is read."""
        self._resumed.clear()
        self.tripped = True
        self._metrics.tripped.labels(*self._label).set(1)
        log.error("consumer.tripped", topic=self.topic.name, why="too many bugs or unknown versions")
        while not self._resumed.is_set() and not self._stopping:
            self.progress = time.monotonic()
            self.keep_place()
            try:
                async with asyncio.timeout(LONGEST_WAIT):
                    await self._resumed.wait()
            except TimeoutError:
                continue
        self.tripped = False
        self._metrics.tripped.labels(*self._label).set(0)
        log.info("consumer.resumed", topic=self.topic.name)

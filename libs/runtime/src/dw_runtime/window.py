"""A subscriber for work that waits for somebody: many records at once, effects in order (C77).

Each record is asked about on its own, as soon as it is read; what comes of it is published in offset order per key;
the lowest finished offset of each partition is committed. A partition whose window is full is paused, never slept on.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol, TypeVar, Unpack

from aiokafka import TopicPartition

from dw_contracts.topics import Topic
from dw_runtime.batch import Abandoned, Parse, bug_letter, end_spans
from dw_runtime.consumer import FIRST_WAIT, HAND_OVER_SECONDS, LONGEST_WAIT, Consumer, Supplies
from dw_runtime.dead_letter import Letter
from dw_runtime.failures import AGAIN, Permanent
from dw_runtime.in_flight import Entry, InFlight
from dw_runtime.limit import judge
from dw_runtime.logs import log
from dw_runtime.records import Handled, Received, Record

M = TypeVar("M")
T = TypeVar("T")
L = TypeVar("L")
R = TypeVar("R")

MOST_UNCOMMITTED: Final = 500  # a partition (C77)
LOOK_SECONDS: Final = 1.0
LONGEST_SECONDS: Final = 240.0  # a record that takes longer counts as stuck
LOG_SECONDS: Final = 30.0


class Steps(Protocol[M, L, R]):
    """What a service does with such records. What it raises is treated as in any other handler."""

    async def load(self, batch: Sequence[Received[M]]) -> L:
        """What is needed for all of them, in one go."""

    async def ask(self, received: Received[M], loaded: L) -> R:
        """The part that takes long. Runs beside many others; keeps what it paid for before it returns."""

    async def finish(self, done: Sequence[tuple[Received[M], R]]) -> Handled:
        """What follows from them: in offset order per key, one call at a time."""

    async def calm(self, seconds: float) -> None:
        """Begin nothing new, and wait so long for what is under way."""

    def go_on(self) -> None:
        """Begin again."""


class WindowConsumer(Consumer[M]):
    """One topic of one service."""

    def __init__(
        self,
        topic: Topic,
        parse: Parse[M],
        steps: Steps[M, Any, Any],
        **supplies: Unpack[Supplies],
    ) -> None:
        super().__init__(topic, parse, self._finish, **supplies)
        self._steps = steps
        self._in_flight: InFlight[M] = InFlight()
        self._results: dict[tuple[int, int], Any] = {}
        self._wake = asyncio.Event()
        self._epoch = 0
        self._said = float("-inf")
        self._draining = asyncio.Lock()

    @property
    def busy(self) -> bool:
        """Records are on their way."""
        return len(self._in_flight) > 0 or not self._idle.is_set()

    async def revoked(self) -> None:
        """Let what is under way end and be published; the rest is read again by whoever is next."""
        self._leaving.set()
        await self._hand_over()

    def assigned(self) -> None:
        """Partitions are here."""
        super().assigned()
        if not self._stopping:
            self._steps.go_on()

    async def drain(self) -> None:
        """Beside the subscriber, for ever: publish what is ready, commit what is done."""
        try:
            while True:
                await self._woken()
                self._note_life()
                await self._drain_once()
        finally:
            await asyncio.shield(self._hand_over())

    async def _woken(self) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return

    def _note_life(self) -> None:
        oldest = self._in_flight.oldest()
        if oldest is not None and time.monotonic() - oldest < LONGEST_SECONDS:
            self.progress = time.monotonic()

    async def _hand_over(self) -> None:
        try:
            await self._steps.calm(HAND_OVER_SECONDS)
            async with asyncio.timeout(HAND_OVER_SECONDS):
                await self._drain_once()
        except TimeoutError:
            log.info("batch.handed_over", topic=self.topic.name)
        await self._drop()

    async def _drop(self) -> None:
        self._epoch += 1
        left = self._in_flight.clear()
        self._results.clear()
        tasks = [entry.task for entry in left if entry.task is not None and not entry.task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=HAND_OVER_SECONDS)
        if any(entry.received is not None and entry.received.span is not None for entry in left):
            end_spans([entry.received for entry in left if entry.received is not None and not entry.done], [])

    async def _on_batch(self, batch: Any) -> None:
        records: Sequence[Record] = batch
        self._idle.clear()
        epoch = self._epoch
        try:
            good, letters = self._work.read(records)
            loaded = await self._patiently(lambda: self._steps.load(good)) if good else None
        except Abandoned:
            return
        except Exception as error:  # noqa: BLE001  # a bug of `load`: the batch is read again
            log.error("batch.load_bug", topic=self.topic.name, error=type(error).__name__)
            await self._go_back(records, epoch)
            return
        finally:
            self._idle.set()
        if epoch == self._epoch and not self._leaving.is_set():
            self._begin(records, good, letters, loaded)

    async def _patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await work()
            except AGAIN as error:
                await self.again(error)

    def _begin(
        self, records: Sequence[Record], good: Sequence[Received[M]], letters: Sequence[Letter], loaded: Any
    ) -> None:
        now = time.monotonic()
        readable = {(r.record.partition, r.record.offset): r for r in good}
        dead = {(letter.record.partition, letter.record.offset): letter for letter in letters}
        for record in records:
            place = (record.partition, record.offset)
            entry: Entry[M] = Entry(record, readable.get(place), now, dead.get(place))
            entry.ready = entry.received is None
            self._in_flight.add(entry)
            if entry.received is not None:
                entry.task = asyncio.create_task(self._ask(entry, entry.received, loaded))
        self._wake.set()
        full = MOST_UNCOMMITTED - self._settings.batch_records
        self._pause([p for p in self._ours() if self._in_flight.size(p.partition) > max(0, full)])

    async def _ask(self, entry: Entry[M], received: Received[M], loaded: Any) -> None:
        tries = bugs = 0
        while True:
            try:
                entry.result = await self._steps.ask(received, loaded)
                self._tries = 0
                break
            except Permanent as error:
                entry.letter = Letter(entry.record, error.reason, error.kind)
                break
            except AGAIN as error:
                tries += 1
                await self._wait_again(error, tries)
            except Exception as error:  # noqa: BLE001  # a bug: this record alone is put aside
                bugs += 1
                if bugs >= self._settings.attempts:
                    entry.letter = bug_letter(entry.record, error, bugs)
                    break
        self.progress = time.monotonic()
        self._in_flight.answered(entry)
        self._wake.set()

    async def _wait_again(self, error: BaseException, tries: int) -> None:
        self._tries = max(self._tries, tries)
        self.progress = time.monotonic()  # waiting for somebody else is not being stuck
        reason = type(error).__name__
        self._metrics.retries.labels(*self._label, reason).inc()
        if time.monotonic() - self._said > LOG_SECONDS:
            self._said = time.monotonic()
            log.warning("record.retry", topic=self.topic.name, tries=tries, reason=reason, why=str(error))
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(tries, 10))
        await asyncio.sleep(wait * random.uniform(0.5, 1.0))

    async def _drain_once(self) -> None:
        async with self._draining:
            self._wake.clear()
            taken = self._in_flight.take_ready()
            epoch = self._epoch
            try:
                letters = await self._effects(taken)
            except Abandoned:
                return  # uncommitted: they come again
            finally:
                for entry in taken:
                    self._results.pop((entry.record.partition, entry.record.offset), None)
            if epoch != self._epoch:
                return
            for entry in taken:
                entry.done = True
            await self._commit_done(taken, letters)
        self._resume()

    async def _effects(self, taken: Sequence[Entry[M]]) -> list[Letter]:
        letters = [entry.letter for entry in taken if entry.letter is not None]
        good = [e.received for e in taken if e.received is not None and e.letter is None]
        readable = [e.received for e in taken if e.received is not None]
        self._results.update(
            {(e.record.partition, e.record.offset): e.result for e in taken if e.letter is None}
        )
        try:
            if good:
                letters += await self._work.effect_of(good)
            if letters:
                await self._work.bury(letters)
        finally:
            end_spans(readable, letters)
        return letters

    async def _finish(self, batch: Sequence[Received[M]]) -> Handled:
        return await self._steps.finish(
            [(r, self._results[(r.record.partition, r.record.offset)]) for r in batch]
        )

    async def _commit_done(self, taken: Sequence[Entry[M]], letters: Sequence[Letter]) -> None:
        if records := self._in_flight.take_committable():
            await self._commit(records)
            self.progress = time.monotonic()
        if taken:
            ordered = [entry.record for entry in taken]
            self._measures.count(ordered, letters, time.monotonic() - min(entry.began for entry in taken))
            if judge(self._limit, ordered, letters):
                await self._trip()

    def _ours(self) -> list[TopicPartition]:
        return list(self.client.assignment()) if self.client is not None else []

    def _pause(self, partitions: Sequence[TopicPartition]) -> None:
        if partitions:
            self.client.pause(*partitions)

    def _resume(self) -> None:
        if self.client is None:
            return
        paused = self.client.paused() & self.client.assignment()
        roomy = [p for p in paused if self._in_flight.size(p.partition) <= MOST_UNCOMMITTED // 2]
        if roomy and not self._leaving.is_set():
            self.client.resume(*roomy)

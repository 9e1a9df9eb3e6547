"""A subscriber that reads on while a batch has its effect: what rests on the records alone is done for the next batch
while PostgreSQL and Kafka are at work on this one.

Effects stay one after the other. What was read on is begun only after the batch before it is committed; in every other
case (the process stops, partitions move, a batch is left, the limit is hit) it is unread, so that nothing is skipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, Unpack

from aiokafka.errors import ConsumerStoppedError, KafkaError

from dw_contracts.topics import Topic
from dw_runtime.batch import Handle, Parse
from dw_runtime.consumer import Consumer, End, Supplies
from dw_runtime.dead_letter import Letter
from dw_runtime.failures import bug, frames_of
from dw_runtime.logs import log
from dw_runtime.records import Received, Record

M = TypeVar("M")
Prepare = Callable[[M], None]
"""Does of one message what can be done before its turn, and keeps it in the message. May fail: the handler does again
what is not done yet. Must not take long, for the event loop waits."""


@dataclass(slots=True)
class Batch(Generic[M]):
    """Records of one epoch, and how far they are read."""

    epoch: int
    records: list[Record] = field(default_factory=list)
    good: list[Received[M]] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    looked_at: int = 0

    def forget(self, epoch: int) -> None:
        """Begin anew, with the records of another epoch."""
        self.epoch, self.looked_at = epoch, 0
        self.records, self.good, self.letters = [], [], []


class LookAheadConsumer(Consumer[M]):
    """One topic of one service. A batch that is read on holds as many records as any other at most."""

    def __init__(
        self,
        topic: Topic,
        parse: Parse[M],
        handle: Handle[M],
        *,
        prepare: Prepare[M],
        **supplies: Unpack[Supplies],
    ) -> None:
        super().__init__(topic, parse, handle, **supplies)
        self._prepare = prepare

    async def _on_batch(self, batch: Any) -> None:
        first: Sequence[Record] = batch
        self._idle.clear()
        at_hand: Batch[M] | None = Batch(self._epoch, [*first])
        end = End.DONE
        try:
            while at_hand is not None:
                end, at_hand = await self._one_of_many(at_hand)
        finally:
            self._idle.set()
        if end is End.EXCEEDED:
            await self._trip()

    async def _one_of_many(self, batch: Batch[M]) -> tuple[End, Batch[M] | None]:
        """How a batch ended, and the next one where that may be begun."""
        ahead: Batch[M] = Batch(self._epoch)
        looking = asyncio.create_task(self._look(ahead))
        end = End.LEFT
        try:
            end = await self._carry_out(batch.records, self._rest_of(batch))
        finally:
            looking.cancel()
            await asyncio.wait([looking])
            goes_on = end is End.DONE and not self._leaving.is_set() and ahead.epoch == self._epoch
            if not goes_on:
                left = batch.records if end is End.LEFT and batch.epoch == ahead.epoch else []
                self._unread([*left, *ahead.records], ahead.epoch)  # together: the first place of each counts
        return end, ahead if goes_on and ahead.records else None

    async def _rest_of(self, batch: Batch[M]) -> list[Letter]:
        """Read what nobody had time for, then the effect of all."""
        await self._read(batch, prepare=False)
        return await self._work.carry_out(batch.good, batch.letters)

    async def _look(self, ahead: Batch[M]) -> None:
        """Until it is cancelled, or the batch is full."""
        try:
            while not self._leaving.is_set() and await self._fetch(ahead):
                await self._read(ahead, prepare=True)
        except (
            KafkaError,
            ConsumerStoppedError,
        ) as error:  # it comes again where the subscriber itself reads
            log.info(
                "batch.no_look_ahead", topic=self.topic.name, reason=type(error).__name__, why=str(error)
            )
        except Exception as error:  # noqa: BLE001  # if it stays, it comes again on the batch's turn, which is gone back for
            log.error("batch.chassis_bug", topic=self.topic.name, error=bug(error), frames=frames_of(error))

    async def _fetch(self, ahead: Batch[M]) -> bool:
        """Fetch what there is room for; False where there is none. Between the moment when the client counts records
        as read and the moment when they are noted nothing else runs."""
        room = self._settings.batch_records - len(ahead.records)
        if room < 1 or self.client is None:
            return False
        fetched = await self.client.getmany(timeout_ms=self._settings.batch_wait_ms, max_records=room)
        if ahead.epoch != self._epoch:
            ahead.forget(self._epoch)
        for records in fetched.values():
            ahead.records += records
        return True

    async def _read(self, batch: Batch[M], *, prepare: bool) -> None:
        """Record by record, giving way after each. One at which this breaks counts as unread, so that it has its turn."""
        while batch.looked_at < len(batch.records):
            record = batch.records[batch.looked_at]
            good, letters = self._work.read([record])
            batch.good += good
            batch.letters += letters
            batch.looked_at += 1
            if prepare:
                for received in good:
                    with suppress(Exception):
                        self._prepare(received.message)
            await asyncio.sleep(0)

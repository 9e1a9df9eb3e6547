"""Reading a topic without a group, by assignment from the end (C71): every replica sees every change."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from dw_contracts.topics import Topic
from dw_runtime.failures import bug, frames_of
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.records import Record

Apply = Callable[[Sequence[Record]], Awaitable[None]]
FETCH_MS: Final = 1_000
MAX_RECORDS: Final = 1_000
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 5.0


class Follower:
    """A background loop. `on_gap` is told whenever records may have been missed: at the start, after trouble, and
    where offsets jump. `apply` leaves out what it cannot read: without a group there is no place in the topic to
    hold, and what was missed shows elsewhere (C71)."""

    def __init__(
        self,
        topic: Topic,
        apply: Apply,
        connection: Mapping[str, Any],
        metrics: Metrics,
        on_gap: Callable[[], None] | None = None,
    ) -> None:
        self.topic = topic
        self.connected = False
        self._apply = apply
        self._connection = dict(connection)
        self._metrics = metrics
        self._on_gap = on_gap
        self._next: dict[TopicPartition, int] = {}

    async def run(self) -> None:
        """Follow for ever; connection trouble is waited out."""
        wait = FIRST_WAIT
        while True:
            try:
                await self._follow()
            except (KafkaError, ConnectionError, TimeoutError) as error:
                log.warning("follower.disconnected", topic=self.topic.name, reason=type(error).__name__)
            except Exception as error:  # noqa: BLE001  # it begins anew at the end, and says so
                log.error("follower.bug", topic=self.topic.name, error=bug(error), frames=frames_of(error))
            wait = FIRST_WAIT if self.connected else min(LONGEST_WAIT, wait * 2)
            self.connected = False
            await asyncio.sleep(wait)

    async def _follow(self) -> None:
        consumer = AIOKafkaConsumer(
            **self._connection, group_id=None, enable_auto_commit=False, auto_offset_reset="latest"
        )
        try:
            await consumer.start()
            consumer.assign(
                [TopicPartition(self.topic.name, number) for number in range(self.topic.partitions)]
            )
            await consumer.seek_to_end()
            self._next.clear()
            self.connected = True
            self._gap("start")
            while True:
                batches = await consumer.getmany(timeout_ms=FETCH_MS, max_records=MAX_RECORDS)
                for partition, records in batches.items():
                    await self._take(partition, records)
        finally:
            await consumer.stop()

    async def _take(self, partition: TopicPartition, records: Sequence[Record]) -> None:
        if self._next.get(partition, records[0].offset) != records[0].offset:
            self._gap("offsets")
        self._next[partition] = records[-1].offset + 1
        await self._apply(records)
        self._metrics.records.labels(self._metrics.service, self.topic.name, "followed").inc(len(records))

    def _gap(self, why: str) -> None:
        log.info("follower.gap", topic=self.topic.name, why=why)
        if self._on_gap is not None:
            self._on_gap()

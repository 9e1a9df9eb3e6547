"""Reading a topic without a group, by assignment from the end (C71): every replica sees every change."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from dw_contracts.topics import Topic
from dw_runtime.logs import log
from dw_runtime.records import Record

Apply = Callable[[Sequence[Record]], Awaitable[None]]
REFRESH_SECONDS = 30.0


class Follower:
    """A background loop. Whatever it missed while it was away, the reader must find out by other means (C71)."""

    def __init__(self, topic: Topic, apply: Apply, connection: dict[str, Any]) -> None:
        self.topic = topic
        self.connected = False
        self._apply = apply
        self._connection = connection

    async def run(self) -> None:
        """Follow for ever; connection trouble is waited out."""
        while True:
            try:
                await self._follow()
            except (KafkaError, ConnectionError, TimeoutError) as error:
                self.connected = False
                log.warning("follower.disconnected", topic=self.topic.name, reason=type(error).__name__)
                await asyncio.sleep(1.0)

    async def _follow(self) -> None:
        consumer = AIOKafkaConsumer(
            **self._connection, group_id=None, enable_auto_commit=False, auto_offset_reset="latest"
        )
        await consumer.start()
        try:
            consumer.assign([TopicPartition(self.topic.name, number) for number in range(self.topic.partitions)])
            await consumer.seek_to_end()
            self.connected = True
            while True:
                batches = await consumer.getmany(timeout_ms=1_000, max_records=1_000)
                records = [record for batch in batches.values() for record in batch]
                if records:
                    await self._apply(records)
        finally:
            self.connected = False
            await consumer.stop()

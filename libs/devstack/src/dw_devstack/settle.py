"""Waiting until the pipeline has done what it was given: for stories and tests, which must not guess with sleeps.

Each stage is asked in the order of the data: where a topic ends at this moment, and whether its readers have committed
as much. A reader commits after what it made is acknowledged, so the next topic holds it by then. Other traffic on the
same stack only adds records behind the ends that were noted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from dw_contracts.topics import CANDIDATES, CHAT_EVENTS, DETECTIONS, DRAFT_REQUESTS, Topic
from dw_devstack.errors import StackError
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.topic_reader import security

POLL: Final = 0.03
STAGES: Final = (CHAT_EVENTS, CANDIDATES, DETECTIONS)
DRAFTS: Final = (DRAFT_REQUESTS, DETECTIONS)


class NotSettled(StackError):
    """The pipeline was not through in time; says who is behind."""


class Pipeline:
    """Looks at Kafka as its admin, without a group. Use `async with Pipeline.open(login)`."""

    def __init__(self, consumer: AIOKafkaConsumer, admin: AIOKafkaAdminClient) -> None:
        self._consumer = consumer
        self._admin = admin

    @classmethod
    @asynccontextmanager
    async def open(cls, login: KafkaLogin) -> AsyncIterator[Self]:
        """Connected for as long as the context lasts."""
        consumer = AIOKafkaConsumer(**security(login), group_id=None, enable_auto_commit=False)
        admin = AIOKafkaAdminClient(**security(login))
        await consumer.start()
        try:
            await admin.start()
            try:
                yield cls(consumer, admin)
            finally:
                await admin.close()
        finally:
            await consumer.stop()

    async def through(self, stages: tuple[Topic, ...], seconds: float) -> None:
        """Return when every record that stands in the stages now, and what came of it, was handled."""
        behind = "nothing was seen yet"
        try:
            async with asyncio.timeout(seconds):
                for topic in stages:
                    ends = await self._ends(topic)
                    for group in topic.readers:
                        while number := await self._behind(topic, group, ends):
                            behind = f"{group} is {number} records behind on {topic.name}"
                            await asyncio.sleep(POLL)
        except TimeoutError as error:
            raise NotSettled(behind) from error

    async def _ends(self, topic: Topic) -> dict[TopicPartition, int]:
        parts = [TopicPartition(topic.name, number) for number in range(topic.partitions)]
        while True:
            try:
                ends: dict[TopicPartition, int] = await self._consumer.end_offsets(parts)
            except KafkaError:  # a leader is being chosen: ask again
                await asyncio.sleep(POLL)
            else:
                return {part: end for part, end in ends.items() if end > 0}

    async def _behind(self, topic: Topic, group: str, ends: dict[TopicPartition, int]) -> int:
        """Records before the noted ends that the group has not committed."""
        if not ends:
            return 0
        try:
            known: dict[TopicPartition, Any] = await self._admin.list_consumer_group_offsets(
                group, partitions=list(ends)
            )
        except KafkaError:  # the group's coordinator is moving: ask again
            return sum(ends.values())
        committed = {part: max(0, offset.offset) for part, offset in known.items()}
        return sum(end - min(committed.get(part, 0), end) for part, end in ends.items())

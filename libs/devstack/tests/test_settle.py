"""Settled means: what stands in the topics was committed by their readers, and nothing less."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition

from dw_contracts.topics import DRAFT_REQUESTS
from dw_devstack.kafka import KafkaServer
from dw_devstack.settle import NotSettled, Pipeline
from dw_devstack.topic_reader import open_writer, security

pytestmark = pytest.mark.integration
STAGE = (DRAFT_REQUESTS,)
READER = DRAFT_REQUESTS.readers[0]


async def _commit(server: KafkaServer, partition: int, offset: int) -> None:
    part = TopicPartition(DRAFT_REQUESTS.name, partition)
    consumer = AIOKafkaConsumer(**security(server.login()), group_id=READER, enable_auto_commit=False)
    await consumer.start()
    try:
        consumer.assign([part])
        await consumer.commit({part: offset})
    finally:
        await consumer.stop()


async def test_it_waits_for_the_commit_of_what_was_written(kafka_server: KafkaServer) -> None:
    async with Pipeline.open(kafka_server.login()) as pipeline:
        await pipeline.through(STAGE, 20.0)  # nothing stands there
        async with open_writer(kafka_server.login()) as producer:
            await producer.send_and_wait(DRAFT_REQUESTS.name, value=b"x", partition=3)
        with pytest.raises(NotSettled, match=f"{READER} is 1 records behind on {DRAFT_REQUESTS.name}"):
            await pipeline.through(STAGE, 2.0)
        waiting = asyncio.create_task(pipeline.through(STAGE, 30.0))
        await _commit(kafka_server, 3, 1)
        await waiting

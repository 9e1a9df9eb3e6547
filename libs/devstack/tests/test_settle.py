"""Settled means: what stands in the topics was committed by their readers, and nothing less."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from dw_contracts.topics import DRAFT_REQUESTS
from dw_devstack.kafka import KafkaServer
from dw_devstack.settle import NotSettled, Pipeline
from dw_devstack.topic_reader import open_writer, security

pytestmark = pytest.mark.integration
STAGE = (DRAFT_REQUESTS,)
READER = DRAFT_REQUESTS.readers[0]


async def _commit_all(server: KafkaServer) -> None:
    """Everything that stands there, also what other tests of this Kafka wrote."""
    parts = [TopicPartition(DRAFT_REQUESTS.name, number) for number in range(DRAFT_REQUESTS.partitions)]
    consumer = AIOKafkaConsumer(**security(server.login()), group_id=READER, enable_auto_commit=False)
    await consumer.start()
    try:
        consumer.assign(parts)
        async with asyncio.timeout(30):
            while True:
                try:
                    await consumer.commit(await consumer.end_offsets(parts))
                    return
                except KafkaError:  # a reader of another test is a member until its session is over
                    await asyncio.sleep(0.5)
    finally:
        await consumer.stop()


async def test_it_waits_for_the_commit_of_what_was_written(kafka_server: KafkaServer) -> None:
    await _commit_all(kafka_server)
    async with Pipeline.open(kafka_server.login()) as pipeline:
        await pipeline.through(STAGE, 20.0)  # nothing waits there
        async with open_writer(kafka_server.login()) as producer:
            await producer.send_and_wait(DRAFT_REQUESTS.name, value=b"x", partition=3)
        with pytest.raises(NotSettled, match=f"{READER} is 1 records behind on {DRAFT_REQUESTS.name}"):
            await pipeline.through(STAGE, 2.0)
        waiting = asyncio.create_task(pipeline.through(STAGE, 30.0))
        await _commit_all(kafka_server)
        await waiting

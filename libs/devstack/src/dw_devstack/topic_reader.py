"""Reading topics as the operator, without a group: for `dw trace`, `dw dlq`, `dw publish` and the demo."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from dw_devstack.kafka_login import KafkaLogin

RawRecord: TypeAlias = Any


def security(login: KafkaLogin) -> dict[str, str]:
    """How a client of ours signs in at the local stack."""
    return {
        "bootstrap_servers": login.bootstrap,
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": login.user,
        "sasl_plain_password": login.password,
    }


@asynccontextmanager
async def open_reader(login: KafkaLogin, topics: Iterable[str]) -> AsyncIterator[AIOKafkaConsumer]:
    """A consumer of all partitions of the topics, at their beginning."""
    consumer = AIOKafkaConsumer(
        **security(login), group_id=None, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    await consumer.start()
    try:
        partitions = [
            TopicPartition(topic, partition)
            for topic in topics
            for partition in sorted(
                consumer.partitions_for_topic(topic) or await _partitions(consumer, topic)
            )
        ]
        consumer.assign(partitions)
        yield consumer
    finally:
        await consumer.stop()


async def _partitions(consumer: AIOKafkaConsumer, topic: str) -> set[int]:
    await consumer._client.force_metadata_update()  # a topic that was made after the consumer started
    await consumer._client._wait_on_metadata(topic)
    return consumer.partitions_for_topic(topic) or set()


async def records_until_end(login: KafkaLogin, topics: Iterable[str]) -> AsyncIterator[RawRecord]:
    """Every record that stands in the topics at this moment; records that come later are not waited for."""
    async with open_reader(login, topics) as consumer:
        ends = await consumer.end_offsets(consumer.assignment())
        starts = await consumer.beginning_offsets(consumer.assignment())
        left = {tp for tp, end in ends.items() if end > starts[tp]}
        await consumer.seek_to_beginning(*consumer.assignment())
        while left:
            for tp, records in (await consumer.getmany(timeout_ms=500, max_records=2_000)).items():
                for record in records:
                    if record.offset < ends[tp]:
                        yield record
            left = {tp for tp in left if await consumer.position(tp) < ends[tp]}


@asynccontextmanager
async def open_writer(login: KafkaLogin) -> AsyncIterator[AIOKafkaProducer]:
    """An idempotent producer."""
    producer = AIOKafkaProducer(**security(login), enable_idempotence=True, max_request_size=2 * 1024 * 1024)
    await producer.start()
    try:
        yield producer
    finally:
        await producer.stop()

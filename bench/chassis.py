"""The chassis: the triage stage with a classifier that always says skip, against a bare loop on the same records.

Both read chat.events.v1 in batches of 1,000 (as triage ships) with three headers a record, parse each value and commit after each batch;
ours also validates, writes the skips and keeps logs, metrics and dead letters. One process each, in turn.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson
import uvloop
from _parts import client_options, result, started_producer
from aiokafka import AIOKafkaConsumer, TopicPartition
from pydantic import SecretStr

from dw_contracts.settings import TriageSettings
from dw_contracts.topics import CHAT_EVENTS
from dw_devstack.kafka import KafkaServer
from dw_learning.triage import Readable, TriageVerdict
from dw_runtime import Chassis, Handled
from dw_testkit.events import chat_event, sealed_bytes
from dw_testkit.servers import start_kafka
from dw_triage.handlers import Triage, parse_event
from dw_triage.measures import Measures

TARGET: Final = 0.5
RECORDS: Final = 60_000
BATCH: Final = 1_000
ROUNDS: Final = 3
AGENTS: Final = 50
TEXT: Final = "Could somebody please look at the printer on the third floor, it shows a paper jam again."


def run() -> dict[str, Any]:
    """Records a second of both; the median of three rounds."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as folder:
        kafka = start_kafka(Path(folder))
        try:
            return result("chassis", uvloop.run(_rounds(kafka)), TARGET)
        finally:
            kafka.stop()


async def _rounds(kafka: KafkaServer) -> list[tuple[float, float]]:
    pairs = []
    for number in range(ROUNDS):
        starts = await _produce(kafka)
        pairs.append((await _ours(kafka), await _bare(kafka, starts, number)))
    return pairs


async def _produce(kafka: KafkaServer) -> dict[TopicPartition, int]:
    """RECORDS sealed events of about 500 bytes; gives where each partition stood before."""
    consumer = AIOKafkaConsumer(**client_options(kafka, "triage"))
    await consumer.start()
    partitions = [TopicPartition(CHAT_EVENTS.name, number) for number in range(CHAT_EVENTS.partitions)]
    starts: dict[TopicPartition, int] = await consumer.end_offsets(partitions)
    await consumer.stop()
    producer = await started_producer(kafka, "ingest")
    org, channel = uuid.uuid4(), uuid.uuid4()
    agents = [uuid.uuid4() for _ in range(AGENTS)]
    futures = []
    for number in range(RECORDS):
        agent = agents[number % AGENTS]
        event = chat_event(org, agent, channel, TEXT, message_ref=f"m{number}")
        headers = [
            ("ce_id", str(event.event_id).encode()),
            ("ce_type", event.ce_type.encode()),
            ("traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"),
        ]
        key = f"{org}:{agent}".encode()
        futures.append(await producer.send(CHAT_EVENTS.name, sealed_bytes(event), key, headers=headers))
    await asyncio.gather(*futures)
    await producer.stop()
    return starts


def _always_skip(inputs: Sequence[Readable]) -> list[TriageVerdict]:
    return [TriageVerdict(False, "nothing_lasting", 0.0)] * len(inputs)


async def _ours(kafka: KafkaServer) -> float:
    settings = TriageSettings(
        kafka_bootstrap=kafka.bootstrap, kafka_password=SecretStr("triage"), batch_records=BATCH
    )
    chassis = Chassis(settings)
    triage = Triage(_always_skip, lambda: datetime.now(UTC), Measures(chassis.metrics.registry))
    seen, began, done = 0, 0.0, asyncio.Event()

    async def handle(batch: Any) -> Handled:
        nonlocal seen, began
        began = began or time.perf_counter()
        handled = await triage.handle(batch)
        seen += len(batch)
        if seen >= RECORDS:
            done.set()
        return handled

    chassis.consume(CHAT_EVENTS, parse_event, handle)
    app = chassis.app()
    async with app.router.lifespan_context(app):
        await asyncio.wait_for(done.wait(), timeout=120)
        took = time.perf_counter() - began
        await asyncio.sleep(1.0)  # the last batch is published and committed
    return RECORDS / took


async def _bare(kafka: KafkaServer, starts: dict[TopicPartition, int], number: int) -> float:
    consumer = AIOKafkaConsumer(
        **client_options(kafka, "triage"), group_id=f"triage-bare-{number}", enable_auto_commit=False
    )
    await consumer.start()
    consumer.assign(list(starts))
    for partition, offset in starts.items():
        consumer.seek(partition, offset)
    seen, began = 0, 0.0
    while seen < RECORDS:
        batches = await consumer.getmany(timeout_ms=200, max_records=BATCH)
        began = began or time.perf_counter()
        offsets = {}
        for partition, records in batches.items():
            for record in records:
                orjson.loads(record.value)
            seen += len(records)
            offsets[partition] = records[-1].offset + 1
        if offsets:
            await consumer.commit(offsets)
    took = time.perf_counter() - began
    await consumer.stop()
    return RECORDS / took

"""The detector with a slow model: one process, a second of latency a call, 64 in flight.

A stand-in server speaks chat/completions over HTTP and takes a second for each answer. The baseline is what 64 places
and a second a call allow at most: 64 a second; the target of C77 is 50. Every answer is reserved, booked and stored
in PostgreSQL before it is published.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Final

import orjson
import psycopg
import uvloop
from _parts import client_options, result, started_producer
from aiokafka import AIOKafkaConsumer, TopicPartition

from dw_contracts.events.candidates import Candidate
from dw_contracts.topics import CANDIDATES, DETECTIONS
from dw_devstack.kafka import KafkaServer
from dw_devstack.ports import any_port
from dw_testkit.databases import Databases
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg, create_small_org
from dw_testkit.servers import start_kafka, start_postgres

TARGET: Final = 50.0 / 64.0
IN_FLIGHT: Final = 64
LATENCY: Final = 1.0
WARM: Final = 128
RECORDS: Final = 1_400
ORGS: Final = 8
LONGEST: Final = 120.0


def run() -> dict[str, Any]:
    """Detections a second, from the first after a warm-up to the last, against the ceiling of the model."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as folder:
        (Path(folder) / "kafka").mkdir()
        (Path(folder) / "postgres").mkdir()
        kafka = start_kafka(Path(folder) / "kafka")
        postgres = start_postgres(Path(folder) / "postgres")
        try:
            databases = Databases(postgres)
            rate = uvloop.run(_measure(kafka, databases))
            return result("detector", [(rate, IN_FLIGHT / LATENCY)], TARGET)
        finally:
            postgres.stop()
            kafka.stop()


async def _measure(kafka: KafkaServer, databases: Databases) -> float:
    name = databases.create()
    orgs = [create_small_org(databases.dsn(name, "admin")) for _ in range(ORGS)]
    with psycopg.connect(databases.dsn(name, "admin")) as connection:
        connection.execute("UPDATE dw_role_agents SET budget_monthly_cents = NULL")
    await _produce(kafka, orgs)
    server = await asyncio.start_server(_model, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    environ = {k: v for k, v in os.environ.items() if not k.startswith("DW_")} | {
        "DW_KAFKA_BOOTSTRAP": kafka.bootstrap,
        "DW_DETECTOR_KAFKA_PASSWORD": "detector",
        "DW_DETECTOR_DATABASE_URL": databases.dsn(name, "detector"),
        "DW_DETECTOR_PORT": str(any_port()),
        "DW_DETECTOR_PROVIDER": "openai",
        "DW_DETECTOR_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "DW_DETECTOR_MODEL": "small",
        "DW_DETECTOR_PRICES": "small=0.1/0.4",
        "DW_DETECTOR_CONCURRENCY": str(IN_FLIGHT),
        "DW_LOG_LEVEL": "warning",
    }
    child = _started(environ)
    try:
        return await _rate(kafka)
    finally:
        child.terminate()
        await asyncio.to_thread(child.wait)
        server.close()


def _started(environ: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "dw_detector"], env=environ)


async def _produce(kafka: KafkaServer, orgs: list[SmallOrg]) -> None:
    producer = await started_producer(kafka, "triage")
    futures = []
    for number in range(RECORDS):
        org = orgs[number % len(orgs)]
        text = f"The meeting room {number} on the third floor is called {uuid.uuid4().hex[:6]}."
        event = chat_event(org.org_id, org.agent_id, org.channel_id, text)
        candidate = Candidate(
            schema_version=1,
            event=orjson.loads(event.to_bytes()),
            needs_model=True,
            reasons=("fact_shape",),
            triage_version="bench",
        )
        key = f"{org.org_id}:{org.agent_id}".encode()
        futures.append(await producer.send(CANDIDATES.name, candidate.to_bytes(), key))
    await asyncio.gather(*futures)
    await producer.stop()


async def _rate(kafka: KafkaServer) -> float:
    consumer = AIOKafkaConsumer(**client_options(kafka, "policy"), auto_offset_reset="earliest")
    await consumer.start()
    consumer.assign([TopicPartition(DETECTIONS.name, number) for number in range(DETECTIONS.partitions)])
    seen, began, last = 0, 0.0, 0.0
    until = time.monotonic() + LONGEST
    try:
        while seen < RECORDS and time.monotonic() < until:
            for records in (await consumer.getmany(timeout_ms=100)).values():
                seen += len(records)
                last = time.perf_counter()
            if seen >= WARM and not began:
                began, warm = last, seen
    finally:
        await consumer.stop()
    if seen < RECORDS:
        raise RuntimeError(f"{seen} of {RECORDS} detections within {LONGEST:.0f} s")
    return (seen - warm) / (last - began)


async def _model(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection of the stand-in: a second an answer."""
    item = {"kind": "memory_fact", "text": "A room has a name.", "span": [0, 10], "key": "room", "risk_hint": "low", "confidence": 0.8}  # fmt: skip
    content = orjson.dumps({"items": [item]}).decode()
    usage = {"prompt_tokens": 400, "completion_tokens": 60}
    body = orjson.dumps({"model": "small", "choices": [{"message": {"content": content}}], "usage": usage})
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h[:15] == b"content-length:"
            )
            await reader.readexactly(length)
            await asyncio.sleep(LATENCY)
            writer.write(answer + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()

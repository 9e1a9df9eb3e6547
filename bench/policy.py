"""The policy stage, auto-saves, against a bare asyncpg loop that writes the same rows, one transaction a record.

Ours reads detections from Kafka, verifies seals, decides under row-level security and writes in batches; PostgreSQL
with its default durability for both.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Final

import asyncpg
import orjson
import uvloop
from _parts import result, started_producer
from pydantic import SecretStr

from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.settings import PolicySettings
from dw_contracts.topics import DETECTIONS
from dw_devstack.kafka import KafkaServer
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_learning.normal import content_hash
from dw_policy.app import create_app
from dw_runtime.serve import spare_the_collector
from dw_testkit.databases import Databases
from dw_testkit.events import chat_event, sealed_bytes
from dw_testkit.orgs import SmallOrg, create_small_org
from dw_testkit.servers import start_kafka

TARGET: Final = 2.0
WARM: Final = 1_000
"""Written before the clock starts, then ANALYZE, as autovacuum does within a minute: young tables have the plans of
empty ones, which no running system is measured by."""
RECORDS: Final = 3_000
ROUNDS: Final = 3
KEY: Final = "test:" + "ab" * 32


def run() -> dict[str, Any]:
    """Decisions a second of both; the median of three rounds."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as name:
        folder = Path(name)
        postgres = PostgresServer(
            folder / "postgres", folder / "postgres.log", port=any_port(), password=uuid.uuid4().hex
        )
        postgres.start()
        (folder / "kafka").mkdir()
        kafka = start_kafka(folder / "kafka")
        try:
            return result("policy", uvloop.run(_rounds(kafka, Databases(postgres))), TARGET)
        finally:
            kafka.stop()
            postgres.stop()


async def _rounds(kafka: KafkaServer, databases: Databases) -> list[tuple[float, float]]:
    pairs = []
    for _ in range(ROUNDS):
        name = databases.create()
        admin, own = databases.dsn(name, "admin"), databases.dsn(name, "policy")
        org = await asyncio.to_thread(create_small_org, admin)
        await _produce(kafka, org)
        ours = await _ours(kafka, own, admin, org)
        bare_org = await asyncio.to_thread(create_small_org, admin)
        pairs.append((ours, await _bare(admin, bare_org)))
    return pairs


def _text(number: int) -> str:
    return f"The meeting room number {number} is called Fjord{number}."


async def _produce(kafka: KafkaServer, org: SmallOrg) -> None:
    producer = await started_producer(kafka, "detector")
    key = f"{org.org_id}:{org.agent_id}".encode()
    futures = []
    for number in range(RECORDS):
        text = _text(number)
        event = chat_event(org.org_id, org.agent_id, org.channel_id, text, message_ref=f"m{number}")
        item = DetectionItem(
            kind=ItemKind.MEMORY_FACT,
            text=text,
            span=(0, len(text)),
            key=f"room-{number}",
            risk_hint="low",
            confidence=0.85,
        )
        detection = Detection(
            schema_version=1,
            decision_id=event.event_id,
            event=orjson.loads(sealed_bytes(event)),
            org_id=org.org_id,
            role_agent_id=org.agent_id,
            items=(item,),
            provider="offline",
            triage_version="bench",
        )
        futures.append(await producer.send(DETECTIONS.name, detection.to_bytes(), key))
    await asyncio.gather(*futures)
    await producer.stop()


async def _ours(kafka: KafkaServer, dsn: str, admin: str, org: SmallOrg) -> float:
    settings = PolicySettings(
        kafka_bootstrap=kafka.bootstrap,
        kafka_password=SecretStr("policy"),
        database_url=SecretStr(dsn),
        seal_keys=SecretStr(KEY),
        pepper=SecretStr("00" * 32),
        auto_saves_per_day=0,
    )
    app = create_app(settings)
    spare_the_collector()  # as every process of ours does before it serves
    watcher = await asyncpg.connect(admin)
    count = "SELECT count(*) FROM dw_decisions WHERE org_id = $1 AND outcome = 'saved'"
    async with app.router.lifespan_context(app):
        while await watcher.fetchval(count, org.org_id) < WARM:  # noqa: ASYNC110  # another process's rows
            await asyncio.sleep(0.01)
        await watcher.execute("ANALYZE")
        already, began = await watcher.fetchval(count, org.org_id), time.perf_counter()
        while (saved := await watcher.fetchval(count, org.org_id)) < RECORDS:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        took = time.perf_counter() - began
        await asyncio.sleep(1.0)
    await watcher.close()
    return float(saved - already) / took


async def _bare(dsn: str, org: SmallOrg) -> float:
    """Inbox, memory, revision, audit and outbox, as plain inserts of the owner, in one transaction a record."""
    connection = await asyncpg.connect(dsn)
    began = 0.0
    for number in range(RECORDS):
        if number == WARM:
            await connection.execute("ANALYZE")
            began = time.perf_counter()
        text, decision, memory = _text(number), uuid.uuid4(), uuid.uuid4()
        async with connection.transaction():
            await connection.execute(
                "INSERT INTO dw_consumed_messages (consumer, org_id, decision_id) VALUES ('policy', $1, $2)",
                org.org_id, decision,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, layer, key, content,"
                " content_hash, risk, confidence, source_kind, source_refs, origin, created_by) VALUES ($1, $2, $3, 'role_agent',"
                " 'fact', 'fact', 'knowledge', $4, $5, $6, 'low', 0.85, 'agent_extracted', '[{\"event_id\": \"x\"}]', 'auto_saved', 'bare')",
                memory, org.org_id, org.agent_id, f"room-{number}", text, content_hash(text),
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, changed_by, change_kind)"
                " VALUES ($1, $2, 1, $3, 0.85, 'bare', 'create')",
                org.org_id, memory, text,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO dw_learning_events (event_id, org_id, role_agent_id, event_type, actor_type, actor_id, subject_type,"
                " subject_id, digest) VALUES ($1, $2, $3, 'memory_auto_saved', 'worker', 'bare', 'memory', $4, '\\x00')",
                decision, org.org_id, org.agent_id, memory,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO dw_outbox (id, topic, partition_key, payload) VALUES ($1, 'bare', $2, $3)",
                decision, b"key", text.encode(),
            )  # fmt: skip
    took = time.perf_counter() - began
    await connection.execute("UPDATE dw_outbox SET published_at = now() WHERE topic = 'bare'")
    await connection.close()
    return (RECORDS - WARM) / took

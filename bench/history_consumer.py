"""The history consumer's work against a bare COPY, as owner, of the same rows into an identical table.

Ours starts from the bytes of sealed events: parsed, seals verified, tokens made, written in batches under row-level
security with every message settled. The baseline copies rows that are ready; both tables have the same indexes, checks and
references.
"""

from __future__ import annotations

import asyncio
import io
import random
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg
import psycopg
import uvloop
from _parts import result
from search_history import sentence, vocabulary

from dw_context.handlers import HistoryHandler, parse_event
from dw_contracts.ids import partition_key
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_runtime import Handle, Received
from dw_runtime.serve import spare_the_collector
from dw_store.database import Database
from dw_testkit.databases import Databases
from dw_testkit.events import KEYS, chat_event, sealed_bytes
from dw_testkit.orgs import SmallOrg, create_small_org

TARGET: Final = 0.5
EVENTS: Final = 4_000
BATCH: Final = 500
ROUNDS: Final = 3

_FOREIGN_KEYS: Final = """
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'dw_chat_events'::regclass AND contype = 'f'
"""


@dataclass(frozen=True)
class BenchRecord:
    """A record as Kafka gives it."""

    value: bytes
    key: bytes
    offset: int
    topic: str = "chat.events.v1"
    partition: int = 0
    headers: tuple[tuple[str, bytes], ...] = ()
    timestamp: int = 0


def run() -> dict[str, Any]:
    """Rows a second of both; the median of three rounds, with the collector as every service has it."""
    spare_the_collector()
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as name:
        folder = Path(name)
        postgres = PostgresServer(
            folder / "postgres", folder / "log", port=any_port(), password=uuid.uuid4().hex
        )
        postgres.start()
        try:
            return result("history_consumer", uvloop.run(_rounds(Databases(postgres))), TARGET)
        finally:
            postgres.stop()


async def _rounds(databases: Databases) -> list[tuple[float, float]]:
    database = databases.create()
    admin = databases.dsn(database, "admin")
    org = create_small_org(admin)
    with psycopg.connect(admin) as connection:
        connection.execute("CREATE TABLE bench_copy (LIKE dw_chat_events INCLUDING ALL)")
        for (references,) in connection.execute(_FOREIGN_KEYS).fetchall():  # LIKE leaves them out
            connection.execute(f"ALTER TABLE bench_copy ADD {references}")
    pairs = []
    async with Database.connect(databases.dsn(database, "context"), size=2, application_name="bench") as pool:
        handle: Handle[Database] = Handle("database")
        handle.set(pool)
        owner = await asyncpg.connect(admin)
        for number in range(ROUNDS + 1):
            records = _records(org, number)
            before = await owner.fetchval("SELECT count(*) FROM dw_chat_events")
            ours = await _consume(HistoryHandler(handle, KEYS), records)
            if await owner.fetchval("SELECT count(*) FROM dw_chat_events") - before != EVENTS:
                raise RuntimeError("not every event became a row")
            theirs = await _copy(owner)
            if number:  # the first round warms up
                pairs.append((ours, theirs))
            else:  # as autovacuum does within its first minute: without statistics a look-up takes the wrong index
                await owner.execute("ANALYZE dw_chat_events")
            await asyncio.sleep(0)
        await owner.close()
    return pairs


def _records(org: SmallOrg, number: int) -> list[BenchRecord]:
    rng = random.Random(number)
    words = vocabulary(random.Random(11))
    key = partition_key(org.org_id, org.agent_id)
    return [
        BenchRecord(
            sealed_bytes(
                chat_event(org.org_id, org.agent_id, org.channel_id, sentence(rng, words, rng.randint(3, 18)))
            ),
            key,
            offset,
        )
        for offset in range(EVENTS)
    ]


async def _consume(handler: HistoryHandler, records: list[BenchRecord]) -> float:
    began = time.perf_counter()
    for at in range(0, len(records), BATCH):
        batch = [Received(record, parse_event(record)) for record in records[at : at + BATCH]]
        await handler.handle(batch)
    return len(records) / (time.perf_counter() - began)


async def _copy(owner: Any) -> float:
    """The rows that ours has just written, as COPY's own text, in the same batches."""
    file = io.BytesIO()
    newest = f"SELECT * FROM dw_chat_events ORDER BY created_at DESC LIMIT {EVENTS}"
    await owner.copy_from_query(newest, output=file)
    lines = file.getvalue().splitlines(keepends=True)
    began = time.perf_counter()
    for at in range(0, len(lines), BATCH):
        await owner.copy_to_table("bench_copy", source=io.BytesIO(b"".join(lines[at : at + BATCH])))
    return len(lines) / (time.perf_counter() - began)


if __name__ == "__main__":
    print(run())

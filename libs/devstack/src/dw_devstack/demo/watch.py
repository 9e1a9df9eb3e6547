"""Waiting for what must become true, and looking everywhere for what must not be there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeVar
from uuid import UUID

import orjson
from sqlalchemy import Connection, create_engine, text

from dw_contracts.topics import OUTCOMES, TOPICS
from dw_devstack.demo.stage import Doors, Org
from dw_devstack.topic_reader import records_until_end

T = TypeVar("T")
PATIENCE_SECONDS = 30.0
POLL_SECONDS = 0.05


class NotSeen(AssertionError):
    """What the demo promised did not happen in time."""


async def until(what: str, look: Callable[[], Awaitable[T | None]], patience: float = PATIENCE_SECONDS) -> T:
    """Look again and again until something is there; NotSeen after `patience` seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if (found := await look()) is not None:
            return found
        await asyncio.sleep(POLL_SECONDS)
    raise NotSeen(f"{what}: not within {patience:.0f} s")


async def outcomes_of(org: Org, event_id: UUID) -> tuple[str, ...]:
    """The outcomes of an event, once policy has decided."""

    async def look() -> tuple[str, ...] | None:
        status = await org.gateway.status(event_id)
        return status.outcomes if status.status == "decided" else None

    return await until(f"a decision about event {event_id}", look)


async def skip_reason(doors: Doors, event_id: UUID) -> str:
    """Why triage let the event go, from learning.outcomes.v1."""

    async def look() -> str | None:
        async for skip in skips(doors):
            if skip["event_id"] == str(event_id):
                return skip["reason"]
        return None

    return await until(f"a skip of event {event_id}", look)


async def skips(doors: Doors) -> AsyncIterator[dict[str, str]]:
    """Every skip that stands in the topic."""
    async for record in records_until_end(doors.operator, [OUTCOMES.name]):
        for skip in orjson.loads(record.value or b"{}").get("skips", []):
            yield skip


async def where_is(doors: Doors, needle: str) -> list[str]:
    """Every table, topic, log and span file in which the text stands: for a secret, none."""
    found = await asyncio.to_thread(_tables_with, doors.admin_dsn, needle)
    found += await asyncio.to_thread(_files_with, [doors.logs, doors.traces], needle)
    names = [name for topic in TOPICS for name in (topic.name, topic.dead_letters)]
    seen: set[str] = set()
    async for record in records_until_end(doors.operator, names):
        parts = [record.value or b"", record.key or b"", *(value or b"" for _, value in record.headers)]
        if any(needle.encode() in part for part in parts):
            seen.add(record.topic)
    return found + [f"topic {name}" for name in sorted(seen)]


def _tables_with(dsn: str, needle: str) -> list[str]:
    engine = create_engine(_sync(dsn))
    try:
        with engine.connect() as connection:
            tables = connection.execute(
                text("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
            ).scalars()
            return [f"table {table}" for table in tables if _has(connection, table, needle)]
    finally:
        engine.dispose()


def _has(connection: Connection, table: str, needle: str) -> bool:
    query = text(f'SELECT EXISTS (SELECT 1 FROM "{table}" AS t WHERE t::text LIKE :needle)')
    return bool(connection.execute(query, {"needle": f"%{needle}%"}).scalar())


def _sync(dsn: str) -> str:
    return dsn.replace("postgresql://", "postgresql+psycopg://", 1)


def _files_with(folders: list[Path], needle: str) -> list[str]:
    return [
        f"file {path.name}"
        for folder in folders
        if folder.exists()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and needle.encode() in path.read_bytes()
    ]

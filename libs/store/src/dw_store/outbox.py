"""The outbox (C70): written in the effect's transaction, relayed in seq order by one active relay a database.

The relay never pages by a remembered id: it takes what is not marked sent. A row that commits late with a small seq
is simply taken next.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from dw_store.database import _AWAY, Tx
from dw_store.errors import StoreUnavailable

CHANNEL = "dw_outbox"
LEADER_LOCK = 4_711_001
BATCH_ROWS = 500
POLL_SECONDS = 1.0
STANDBY_SECONDS = 1.0
KEEP_SENT = "1 hour"

ENQUEUE = """
-- all orgs: the outbox is a system table; the payload names the org
INSERT INTO dw_outbox (id, topic, partition_key, payload, headers)
SELECT r.id, r.topic, r.partition_key, r.payload, r.headers
FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bytea[], $5::jsonb[]) WITH ORDINALITY
    AS r (id, topic, partition_key, payload, headers, place)
ORDER BY r.place
"""
NOTIFY = "SELECT pg_notify('dw_outbox', '')"
UNSENT = """
-- all orgs: one relay serves all
SELECT o.seq, o.topic, o.partition_key, o.payload, o.headers
FROM dw_outbox AS o
WHERE o.published_at IS NULL
ORDER BY o.seq
LIMIT $1
"""
MARK = """
-- all orgs: one relay serves all
UPDATE dw_outbox SET published_at = now() WHERE seq = ANY ($1::bigint[])
"""
FORGET = f"""
-- all orgs: rows that were sent long ago
DELETE FROM dw_outbox WHERE published_at < now() - interval '{KEEP_SENT}'
"""


@dataclass(frozen=True, slots=True)
class NewOutboxRow:
    """A record to be published after the transaction has committed."""

    row_id: UUID
    topic: str
    key: bytes
    value: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A row to be published."""

    seq: int
    topic: str
    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...]


async def enqueue(tx: Tx, rows: Sequence[NewOutboxRow]) -> None:
    """Write the rows in their order, and wake the relay when the transaction commits."""
    if not rows:
        return
    await tx.execute(
        ENQUEUE,
        [row.row_id for row in rows],
        [row.topic for row in rows],
        [row.key for row in rows],
        [row.value for row in rows],
        [dict(row.headers) for row in rows],
    )
    await tx.execute(NOTIFY)


class OutboxRelaySource:
    """Rows for the relay of this process, while it leads. A second process stands by on the advisory lock and takes
    over when the leader's connection ends."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._connection: Any = None

    async def batches(self) -> AsyncIterator[Sequence[OutboxRow]]:
        """Batches in seq order, for ever. Raises StoreUnavailable when the connection is lost: start again."""
        wake = asyncio.Event()
        connection = await self._lead(wake)
        try:
            while True:
                wake.clear()
                rows = [_row(raw) for raw in await connection.fetch(UNSENT, BATCH_ROWS)]
                if rows:
                    yield rows
                    if len(rows) == BATCH_ROWS:
                        continue
                with suppress(TimeoutError):
                    await asyncio.wait_for(wake.wait(), timeout=POLL_SECONDS)
                    continue
                await connection.execute(FORGET)
        except _AWAY as error:
            raise StoreUnavailable(type(error).__name__) from error
        finally:
            self._connection = None
            with suppress(*_AWAY, asyncpg.PostgresError):
                await connection.close(timeout=2.0)

    async def mark_sent(self, rows: Sequence[OutboxRow]) -> None:
        """The rows are acknowledged. Raises StoreUnavailable if this process leads no more."""
        if self._connection is None:
            raise StoreUnavailable("not leading")
        try:
            await self._connection.execute(MARK, [row.seq for row in rows])
        except _AWAY as error:
            raise StoreUnavailable(type(error).__name__) from error

    async def _lead(self, wake: asyncio.Event) -> Any:
        """Wait until this process is the one active relay."""
        try:
            connection = await asyncpg.connect(
                self._dsn, timeout=5.0, server_settings={"application_name": "dw-relay"}
            )
            while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LEADER_LOCK):  # noqa: ASYNC110
                await asyncio.sleep(STANDBY_SECONDS)
            await connection.add_listener(CHANNEL, lambda *_: wake.set())
        except (*_AWAY, asyncpg.PostgresError) as error:
            raise StoreUnavailable(type(error).__name__) from error
        self._connection = connection
        return connection


def _row(raw: Any) -> OutboxRow:
    headers = orjson.loads(raw["headers"]) if isinstance(raw["headers"], str) else raw["headers"]
    return OutboxRow(
        seq=raw["seq"],
        topic=raw["topic"],
        key=bytes(raw["partition_key"]),
        value=bytes(raw["payload"]),
        headers=tuple((name, str(value).encode()) for name, value in headers.items()),
    )

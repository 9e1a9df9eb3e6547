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

from dw_store.array_text import uuid_array
from dw_store.database import Tx, mapped
from dw_store.errors import StoreConflict, StoreUnavailable

CHANNEL = "dw_outbox"
LEADER_LOCK = 4_711_001
BATCH_ROWS = 500
POLL_SECONDS = 1.0
STANDBY_SECONDS = 1.0
COMMAND_TIMEOUT = 30.0
FORGET_SECONDS = 60.0
MAX_ERROR_CHARS = 200

ENQUEUE = """
-- all orgs: the outbox is a system table; the payload names the org
WITH written AS (
    INSERT INTO dw_outbox (id, topic, partition_key, payload, headers)
    SELECT r.id, r.topic, r.partition_key, r.payload, r.headers
    FROM unnest($1::text::uuid[], $2::text[], $3::bytea[], $4::bytea[], $5::jsonb[]) WITH ORDINALITY
        AS r (id, topic, partition_key, payload, headers, place)
    ORDER BY r.place
)
SELECT pg_notify('dw_outbox', '')
"""
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
UPDATE dw_outbox SET published_at = now(), attempts = attempts + 1 WHERE seq = ANY ($1::bigint[])
"""
MARK_FAILED = """
-- all orgs: one relay serves all
UPDATE dw_outbox SET attempts = attempts + 1, last_error = $2 WHERE seq = ANY ($1::bigint[]) AND published_at IS NULL
"""
FORGET = """
-- all orgs: rows that were sent an hour ago or earlier
DELETE FROM dw_outbox
WHERE seq IN (
    SELECT o.seq FROM dw_outbox AS o WHERE o.published_at < now() - interval '1 hour' ORDER BY o.published_at LIMIT 10000
)
"""
LEAD = "SELECT pg_try_advisory_lock($1)"


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
        uuid_array([row.row_id for row in rows]),
        [row.topic for row in rows],
        [row.key for row in rows],
        [row.value for row in rows],
        [orjson.dumps(dict(row.headers)).decode() for row in rows],
    )


class OutboxRelaySource:
    """Rows for the relay of this process, while it leads. A second process stands by on the advisory lock and takes
    over when the leader's connection ends."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._connection: Any = None

    async def batches(self) -> AsyncIterator[Sequence[OutboxRow]]:
        """Batches in seq order, for ever. Mark each before the next is asked for: what is not marked comes again.
        Raises StoreUnavailable when the connection is lost: start anew."""
        wake = asyncio.Event()
        connection = await self._connect()
        try:
            await self._lead(connection, wake)
            forget_at = 0.0
            while True:
                wake.clear()
                with mapped():
                    rows = [_row(raw) for raw in await connection.fetch(UNSENT, BATCH_ROWS)]
                if rows:
                    yield rows
                    continue
                if (now := asyncio.get_running_loop().time()) >= forget_at:
                    forget_at = now + FORGET_SECONDS
                    with mapped():
                        await connection.execute(FORGET)
                with suppress(TimeoutError):
                    await asyncio.wait_for(wake.wait(), timeout=POLL_SECONDS)
        finally:
            self._connection = None
            await _close(connection)

    async def mark_sent(self, rows: Sequence[OutboxRow]) -> None:
        """The rows are acknowledged. Raises StoreUnavailable if this process leads no more."""
        if self._connection is None:
            raise StoreUnavailable("not leading")
        with mapped():
            await self._connection.execute(MARK, [row.seq for row in rows])

    async def mark_failed(self, rows: Sequence[OutboxRow], error: str) -> None:
        """The rows were tried and are not acknowledged: they come again. `error` says why, without any text of
        theirs; it stays when a later try succeeds. Raises StoreUnavailable if this process leads no more."""
        if self._connection is None:
            raise StoreUnavailable("not leading")
        with mapped():
            await self._connection.execute(MARK_FAILED, [row.seq for row in rows], error[:MAX_ERROR_CHARS])

    async def _connect(self) -> Any:
        with mapped():
            return await asyncpg.connect(
                self._dsn,
                timeout=5.0,
                command_timeout=COMMAND_TIMEOUT,
                server_settings={"application_name": "dw-relay"},
            )

    async def _lead(self, connection: Any, wake: asyncio.Event) -> None:
        """Wait until this process is the one active relay."""
        with mapped():
            # Asked again and again: a statement that waits for the lock would hold back vacuum all the while.
            while not await connection.fetchval(LEAD, LEADER_LOCK):  # noqa: ASYNC110
                await asyncio.sleep(STANDBY_SECONDS)
            await connection.add_listener(CHANNEL, lambda *_: wake.set())
        self._connection = connection


async def _close(connection: Any) -> None:
    """Gives the lock back at once, whatever state the connection is in."""
    try:
        with mapped():
            await connection.close(timeout=2.0)
    except (StoreUnavailable, StoreConflict, asyncpg.PostgresError):
        connection.terminate()


def _row(raw: Any) -> OutboxRow:
    headers = orjson.loads(raw["headers"]) if isinstance(raw["headers"], str) else raw["headers"]
    return OutboxRow(
        seq=raw["seq"],
        topic=raw["topic"],
        key=bytes(raw["partition_key"]),
        value=bytes(raw["payload"]),
        headers=tuple((name, str(value).encode()) for name, value in headers.items()),
    )

"""A pool, and transactions that see the orgs they name and no other (C68).

Only transaction-local state is ever set, so that connections go back to the pool without a RESET round trip; a lint
in the tests keeps it so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, LiteralString
from uuid import UUID

import asyncpg
import orjson

from dw_store.errors import StoreConflict, StoreUnavailable

CONNECT_TIMEOUT = 5.0
COMMAND_TIMEOUT = 30.0
_CONFLICTS = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
_AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,
    OSError,
    TimeoutError,
)
"""The server, or the way to it, is not there now. Careful: an argument that does not fit its type is an
InterfaceError too, and a ValueError; that one is a bug or hostile input, and comes again at every try."""


class SwallowedFailure(Exception):
    """COMMIT was answered with ROLLBACK: a bug of whoever caught the statement's error and went on."""


class Tx:
    """One open transaction. Rows read like mappings; JSON comes and goes as Python values (text is sent as it is)."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def fetch(self, query: LiteralString, *args: Any) -> list[Any]:
        """All rows."""
        with mapped():
            rows: list[Any] = await self._connection.fetch(query, *args)
            return rows

    async def fetchrow(self, query: LiteralString, *args: Any) -> Any | None:
        """The first row, or None."""
        with mapped():
            return await self._connection.fetchrow(query, *args)

    async def fetchval(self, query: LiteralString, *args: Any, seconds: float | None = None) -> Any:
        """The first column of the first row, or None. `seconds` bounds a statement that may take longer than most."""
        with mapped():
            return await self._connection.fetchval(query, *args, timeout=seconds)

    async def execute(self, query: LiteralString, *args: Any) -> str:
        """Run a statement; gives the command tag."""
        with mapped():
            tag: str = await self._connection.execute(query, *args)
            return tag

    async def executemany(self, query: LiteralString, args: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row of arguments, pipelined."""
        with mapped():
            await self._connection.executemany(query, args)


class Database:
    """The pool of one process."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    @classmethod
    @asynccontextmanager
    async def connect(
        cls, dsn: str, *, size: int, application_name: str, statement_seconds: float = COMMAND_TIMEOUT
    ) -> AsyncIterator[Database]:
        """Open the pool; StoreUnavailable if PostgreSQL is not there. `statement_seconds` bounds each."""
        with mapped():
            pool = await asyncpg.create_pool(
                dsn,
                min_size=1,
                max_size=size,
                timeout=CONNECT_TIMEOUT,
                command_timeout=statement_seconds,
                init=_prepare,
                reset=_no_reset,
                server_settings={"application_name": application_name},
            )
        try:
            yield cls(pool)
        finally:
            with suppress(Exception):
                await asyncio.wait_for(pool.close(), timeout=CONNECT_TIMEOUT)
            pool.terminate()

    @asynccontextmanager
    async def transaction(self, org_ids: Iterable[UUID]) -> AsyncIterator[Tx]:
        """A transaction that sees the rows of these orgs alone. BEGIN and the setting are one round trip."""
        orgs = ",".join(str(UUID(str(org))) for org in org_ids)
        async with self._begin(f"BEGIN; SELECT set_config('app.org_ids', '{{{orgs}}}', TRUE)") as tx:
            yield tx

    @asynccontextmanager
    async def system(self) -> AsyncIterator[Tx]:
        """A transaction without a tenant: it sees no tenant's row at all."""
        async with self._begin("BEGIN") as tx:
            yield tx

    async def fetch(self, query: LiteralString, *args: Any) -> list[Any]:
        """One statement as its own transaction: for functions that set their tenant themselves."""
        with mapped():
            rows: list[Any] = await self._pool.fetch(query, *args)
            return rows

    async def ping(self) -> None:
        """StoreUnavailable if PostgreSQL does not answer."""
        with mapped():
            await self._pool.fetchval("SELECT 1")

    @asynccontextmanager
    async def _begin(self, begin: str) -> AsyncIterator[Tx]:
        with mapped():
            connection = await self._pool.acquire(timeout=CONNECT_TIMEOUT)
        try:
            try:
                with mapped():
                    await connection.execute(begin)
                yield Tx(connection)
                with mapped():
                    tag = await connection.execute("COMMIT")
            except BaseException:
                await _rollback(connection)
                raise
        finally:
            with mapped():
                await self._pool.release(connection)
        if tag != "COMMIT":
            raise SwallowedFailure("a statement failed, its error was swallowed, and nothing was kept")


async def _rollback(connection: Any) -> None:
    """A connection that cannot roll back is thrown away; one that was cut has left the pool by itself."""
    try:
        await connection.execute("ROLLBACK")
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
        with suppress(asyncpg.InterfaceError):
            connection.terminate()


async def _prepare(connection: Any) -> None:
    for name in ("json", "jsonb"):
        await connection.set_type_codec(name, encoder=_dump, decoder=orjson.loads, schema="pg_catalog")


def _dump(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value, default=str).decode()


async def _no_reset(connection: Any) -> None:
    """Nothing to reset: no session state is ever set."""


class mapped:  # noqa: N801  # reads like the context manager that it is
    """Driver errors become ours; what is neither away nor a conflict stays what it is: a bug."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: Any) -> None:
        if isinstance(error, _CONFLICTS):
            raise StoreConflict(type(error).__name__) from error
        if isinstance(error, _AWAY) and not isinstance(error, ValueError):
            raise StoreUnavailable(type(error).__name__) from error

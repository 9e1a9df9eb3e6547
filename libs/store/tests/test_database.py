"""Transactions of the pool: kept or not, and failures named as what they are."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import asyncpg
import pytest

from dw_store.database import Database, SwallowedFailure
from dw_store.errors import StoreConflict, StoreUnavailable
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
SET_NAME = "UPDATE dw_role_agents SET name = $2 WHERE org_id = $1"
NAME = "SELECT a.name FROM dw_role_agents AS a WHERE a.org_id = $1"


async def name_of(database: Database, org: SmallOrg) -> str:
    async with database.transaction([org.org_id]) as tx:
        return str(await tx.fetchval(NAME, org.org_id))


async def test_what_ends_well_is_kept_and_what_raises_is_not(database: Database, ours: SmallOrg) -> None:
    async with database.transaction([ours.org_id]) as tx:
        await tx.execute(SET_NAME, ours.org_id, "kept")

    async def raises() -> None:
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(SET_NAME, ours.org_id, "lost")
            raise KeyError

    with pytest.raises(KeyError):
        await raises()
    assert await name_of(database, ours) == "kept"


async def test_a_swallowed_failure_is_not_taken_for_a_commit(database: Database, ours: SmallOrg) -> None:
    async def swallows() -> None:
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(SET_NAME, ours.org_id, "lost")
            with pytest.raises(asyncpg.UndefinedTableError):
                await tx.execute("SELECT 1 FROM dw_nothing")

    with pytest.raises(SwallowedFailure):
        await swallows()
    assert await name_of(database, ours) == "IT Agent"


@pytest.mark.parametrize("wrong", [7, "\x00", "\ud800", b"bytes"], ids=repr)
async def test_an_argument_that_fits_no_column_is_a_bug_and_not_an_outage(
    database: Database, ours: SmallOrg, wrong: object
) -> None:
    with pytest.raises((ValueError, asyncpg.PostgresError)) as raised:
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(SET_NAME, ours.org_id, wrong)
    assert not isinstance(raised.value, StoreUnavailable | StoreConflict)
    assert await name_of(database, ours) == "IT Agent"


async def test_an_error_of_the_caller_stays_the_callers(database: Database) -> None:
    with pytest.raises(FileNotFoundError):
        async with database.system():
            raise FileNotFoundError


async def test_json_comes_and_goes_as_values(database: Database) -> None:
    value = {"a": [1, None, "ü"], "b": {"c": True}}
    async with database.system() as tx:
        assert await tx.fetchval("SELECT $1::jsonb", value) == value
        assert await tx.fetchval("SELECT $1::jsonb", '{"text": "as it is"}') == {"text": "as it is"}


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        async with Database.connect("postgresql://u:p@127.0.0.1:1/none", size=1, application_name="test"):
            pass


async def test_a_statement_that_takes_too_long_is_unavailable_and_the_pool_goes_on(dsn_of: DsnOf) -> None:
    async with Database.connect(
        dsn_of("policy"), size=1, application_name="t", statement_seconds=0.2
    ) as database:
        with pytest.raises(StoreUnavailable):
            async with database.system() as tx:
                await tx.execute("SELECT pg_sleep(20)")
        await database.ping()


async def test_a_connection_that_is_cut_is_unavailable_and_the_pool_goes_on(
    dsn_of: DsnOf, admin: Admin, ours: SmallOrg
) -> None:
    cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'cut-me'"

    async def work(database: Database, *, again: bool) -> None:
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(SET_NAME, ours.org_id, "lost")
            admin.query(cut)
            if again:
                await tx.execute(SET_NAME, ours.org_id, "lost")

    async with Database.connect(dsn_of("policy"), size=1, application_name="cut-me") as database:
        for again in (False, True):
            with pytest.raises(StoreUnavailable):
                await work(database, again=again)
        assert await name_of(database, ours) == "IT Agent"


async def test_a_cancelled_transaction_is_rolled_back_and_its_connection_used_again(
    dsn_of: DsnOf, ours: SmallOrg
) -> None:
    async with Database.connect(dsn_of("policy"), size=1, application_name="test") as database:
        written = asyncio.Event()

        async def work() -> None:
            async with database.transaction([ours.org_id]) as tx:
                await tx.execute(SET_NAME, ours.org_id, "lost")
                written.set()
                await tx.execute("SELECT pg_sleep(20)")

        task = asyncio.create_task(work())
        await written.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await name_of(database, ours) == "IT Agent"


async def test_a_deadlock_is_a_conflict_for_one_and_nothing_for_the_other(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    both = [ours.org_id, theirs.org_id]
    met = asyncio.Barrier(2)

    async def work(first: SmallOrg, second: SmallOrg) -> None:
        async with database.transaction(both) as tx:
            await tx.execute(SET_NAME, first.org_id, "x")
            await met.wait()
            await tx.execute(SET_NAME, second.org_id, "x")

    results = await asyncio.gather(work(ours, theirs), work(theirs, ours), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["NoneType", "StoreConflict"]


async def test_a_pool_without_a_free_connection_is_unavailable(
    dsn_of: DsnOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dw_store.database.CONNECT_TIMEOUT", 0.2)
    async with (
        Database.connect(dsn_of("policy"), size=1, application_name="test") as database,
        database.system(),
    ):
        with pytest.raises(StoreUnavailable):
            async with database.system():
                pass


async def test_a_transaction_is_two_round_trips_beside_its_statements(
    dsn_of: DsnOf, admin: Admin, ours: SmallOrg
) -> None:
    """BEGIN with the tenant, then COMMIT; giving a connection back costs none."""
    async with Database.connect(dsn_of("policy"), size=1, application_name="count-me") as database:
        async with database.transaction([ours.org_id]):
            pass
        last = admin.query("SELECT query, state FROM pg_stat_activity WHERE application_name = 'count-me'")
        assert last == [("COMMIT", "idle")]


async def test_an_unknown_org_is_nothing_special(database: Database) -> None:
    async with database.transaction([uuid.uuid4()]) as tx:
        assert await tx.fetch("SELECT 1 FROM dw_role_agents") == []

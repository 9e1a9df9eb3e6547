"""One org never sees or touches another's rows, whatever a query forgets (R10, C68, the traps of SECURITY E2)."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import asyncpg
import psycopg
import pytest

from dw_store.database import Database
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]

# Read before the org is known; nobody's text stands in them.
SYSTEM_TABLES = {"dw_api_keys", "dw_consumed_messages", "dw_audit_unsealed"}
TENANT_TABLES = """
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
"""
CODES = "SELECT a.org_id FROM dw_role_agents AS a"
NEW_SOURCE = """
INSERT INTO dw_sources (org_id, role_agent_id, channel_id, message_ref)
SELECT w.org_id, w.agent, w.channel, 'm1'
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS w (org_id, agent, channel)
"""


def test_every_table_with_an_org_is_under_forced_row_security(admin: Admin) -> None:
    tables: dict[str, bool] = dict(admin.query(TENANT_TABLES))
    assert {name for name, secured in tables.items() if not secured} == SYSTEM_TABLES
    assert len(tables) > 30


def test_orgs_and_users_are_under_it_too(admin: Admin) -> None:
    rows = admin.query(
        "SELECT relname FROM pg_class WHERE relforcerowsecurity AND relname IN ('dw_orgs', 'dw_users')"
    )
    assert len(rows) == 2


async def test_without_a_tenant_every_table_reads_as_empty_and_nothing_fails(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    admin.memory(ours)
    tables = [name for (name, _) in admin.query(TENANT_TABLES) if name not in SYSTEM_TABLES]
    async with database.system() as tx:
        for table in [*tables, "dw_orgs", "dw_users"]:
            assert await tx.fetch(f"SELECT 1 FROM {table}") == [], table


async def test_a_tenant_ends_with_its_transaction_on_the_same_connection(
    dsn_of: DsnOf, ours: SmallOrg
) -> None:
    async with Database.connect(dsn_of("policy"), size=1, application_name="test") as database:
        async with database.transaction([ours.org_id]) as tx:
            assert len(await tx.fetch(CODES)) == 1
        async with database.system() as tx:
            assert await tx.fetchval("SELECT current_setting('app.org_ids', TRUE)") == ""
            assert await tx.fetch(CODES) == []
        with pytest.raises(ZeroDivisionError):
            async with database.transaction([ours.org_id]) as tx:
                _ = 1 / 0
        assert await database.fetch(CODES) == []


async def test_a_batch_sees_the_orgs_that_it_names_and_no_other(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    async with database.transaction([ours.org_id]) as tx:
        assert [row["org_id"] for row in await tx.fetch(CODES)] == [ours.org_id]
    async with database.transaction([ours.org_id, theirs.org_id]) as tx:
        assert {row["org_id"] for row in await tx.fetch(CODES)} == {ours.org_id, theirs.org_id}
        both = [[o.org_id, o.agent_id, o.channel_id] for o in (ours, theirs)]
        await tx.execute(NEW_SOURCE, *map(list, zip(*both, strict=True)))
    async with database.transaction([]) as tx:
        assert await tx.fetch(CODES) == []


async def test_a_row_of_another_org_is_refused(database: Database, ours: SmallOrg, theirs: SmallOrg) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(NEW_SOURCE, [theirs.org_id], [theirs.agent_id], [theirs.channel_id])
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute("UPDATE dw_org_settings SET org_id = $1", theirs.org_id)


async def test_an_update_without_a_filter_changes_only_our_rows(
    database: Database, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    async with database.transaction([ours.org_id]) as tx:
        assert await tx.execute("UPDATE dw_role_agents SET name = 'ours'") == "UPDATE 1"
        assert await tx.execute("DELETE FROM dw_org_settings") == "DELETE 1"
    assert admin.query("SELECT name FROM dw_role_agents WHERE org_id = %s", theirs.org_id) == [("IT Agent",)]
    assert admin.query("SELECT count(*) FROM dw_org_settings WHERE org_id = %s", theirs.org_id) == [(1,)]


def test_a_reference_into_another_org_cannot_be_stored_by_anybody(
    admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    target = admin.memory(theirs)
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.item(ours, target_memory_id=target)
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.memory(ours, sender_identity_id=theirs.identity_id)
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.insert(
            "dw_channel_agents",
            org_id=ours.org_id,
            channel_id=theirs.channel_id,
            role_agent_id=ours.agent_id,
        )


async def test_a_person_is_seen_by_their_orgs_and_changed_by_those_they_joined(
    database: Database, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    rename = "UPDATE dw_users SET name = 'Mallory' WHERE id = $1"
    async with database.transaction([ours.org_id]) as tx:
        assert await tx.fetchval("SELECT count(*) FROM dw_users") == 1
        assert await tx.execute(rename, theirs.user_id) == "UPDATE 0"
    admin.insert(
        "dw_org_members",
        org_id=ours.org_id,
        user_id=theirs.user_id,
        code="x",
        role="member",
        status="invited",
    )
    async with database.transaction([ours.org_id]) as tx:
        assert await tx.execute(rename, theirs.user_id) == "UPDATE 0"
        assert await tx.execute(rename, ours.user_id) == "UPDATE 1"


@pytest.mark.parametrize("role", ["dw_search", "dw_owner", "dw_eraser", "postgres"])
async def test_a_service_cannot_become_a_stronger_role(database: Database, role: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.system() as tx:
            await tx.execute(f"SET LOCAL ROLE {role}")


def test_no_role_of_ours_stands_above_row_security(admin: Admin) -> None:
    rows = admin.query(
        "SELECT rolname, rolcanlogin FROM pg_roles"
        " WHERE rolname LIKE 'dw\\_%%' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)"
    )
    assert rows == []
    groups = admin.query(
        "SELECT rolname FROM pg_roles WHERE rolname LIKE 'dw\\_%%' AND NOT rolcanlogin ORDER BY 1"
    )
    assert groups == [("dw_app",), ("dw_eraser",), ("dw_owner",), ("dw_search",)]


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE dw_sources",
        "CREATE TABLE mine (id int)",
        "ALTER TABLE dw_sources DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON dw_sources",
        "DELETE FROM dw_agent_memories",
        "DELETE FROM dw_org_members",
        "UPDATE dw_decisions SET outcome = 'none'",
        "UPDATE dw_api_keys SET key_hash = '\\x00'",
        "UPDATE dw_outbox SET payload = '\\x00'",
    ],
)
async def test_what_a_service_may_not_do_at_all(database: Database, ours: SmallOrg, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(statement)


@pytest.mark.parametrize("org", ["x'); DROP TABLE dw_orgs; --", "", "{}", "1"])
async def test_only_a_uuid_can_name_an_org(database: Database, org: str) -> None:
    with pytest.raises(ValueError, match="hexadecimal UUID"):
        async with database.transaction([org]):  # type: ignore[list-item]  # what the types would refuse
            pass


async def test_a_collision_of_ids_between_orgs_is_no_collision(
    admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    same = uuid.uuid4()
    admin.memory(ours, id=same, key="k", content_hash=b"h")
    admin.memory(theirs, id=same, key="k", content_hash=b"h")
    assert admin.query("SELECT count(*) FROM dw_agent_memories WHERE id = %s", same) == [(2,)]

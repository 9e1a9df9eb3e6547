"""Migrations: from nothing, from a filled database, and by several at once; forward only (R13, rule 26)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import psycopg
import pytest

from dw_devstack.postgres import PostgresServer
from dw_store.migrate import bootstrap, head_revision, migrate
from dw_store.roles import SERVICES_WITH_DATABASE, role_of
from dw_testkit.orgs import create_small_org
from libs.store.tests.builders import Admin

VERSIONS = files("dw_store.migrations") / "versions"
SCHEMA = """
SELECT c.relname, c.relkind::text, coalesce(string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', '
       ORDER BY a.attname), '')
FROM pg_class AS c
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'public'::regnamespace
GROUP BY c.oid
ORDER BY c.relname
"""


@pytest.fixture
def empty(postgres_server: PostgresServer) -> Iterator[str]:
    """A database with nothing in it."""
    name = f"dw_{secrets.token_hex(6)}"
    postgres_server.create_database(name)
    yield postgres_server.url(name)
    postgres_server.drop_database(name)


def passwords() -> dict[str, str]:
    """As the fixtures of the testkit have them: roles belong to the whole server."""
    return {service: service for service in SERVICES_WITH_DATABASE}


@pytest.mark.integration
def test_an_empty_database_comes_to_the_head_and_a_second_run_changes_nothing(empty: str) -> None:
    bootstrap(empty, passwords())
    assert migrate(empty) == head_revision()
    before = Admin(empty).query(SCHEMA)
    bootstrap(empty, passwords())
    assert migrate(empty) == head_revision()
    assert Admin(empty).query(SCHEMA) == before


@pytest.mark.integration
def test_a_filled_database_of_the_first_revision_keeps_its_rows(empty: str, admin: Admin) -> None:
    bootstrap(empty, passwords())
    assert migrate(empty, "0001") == "0001"
    old = Admin(empty)
    org = create_small_org(empty)
    kept = old.memory(org)
    old.insert(
        "dw_corrections",
        id=kept,
        org_id=org.org_id,
        role_agent_id=org.agent_id,
        channel_id=org.channel_id,
        wrong_text="17:00",
        right_text="18:00",
        external_user_id="U1",
        occurred_at="2026-01-01",
    )
    assert migrate(empty) == head_revision()
    assert old.query("SELECT id FROM dw_agent_memories") == [(kept,)]
    assert old.query("SELECT right_text FROM dw_corrections") == [("18:00",)]
    assert old.query(SCHEMA) == admin.query(SCHEMA)


@pytest.mark.integration
def test_several_migrators_at_once_end_in_one_schema(empty: str, admin: Admin) -> None:
    bootstrap(empty, passwords())
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(migrate, [empty] * 4)) == {head_revision()}
    assert Admin(empty).query(SCHEMA) == admin.query(SCHEMA)


@pytest.mark.integration
def test_everything_belongs_to_the_owner_role(admin: Admin) -> None:
    owners = admin.query(
        "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    )
    assert owners == [("dw_owner",)]


@pytest.mark.integration
def test_a_migration_that_cannot_get_its_lock_gives_up_instead_of_holding_everybody_up(empty: str) -> None:
    bootstrap(empty, passwords())
    migrate(empty, "0001")
    with psycopg.connect(empty) as reader:
        reader.execute("LOCK TABLE dw_tool_runs IN ACCESS SHARE MODE")
        with pytest.raises(Exception, match="lock timeout"):
            migrate(empty)
    assert migrate(empty) == head_revision()


@pytest.mark.integration
def test_a_services_password_follows_its_setting(empty: str, postgres_server: PostgresServer) -> None:
    name = psycopg.conninfo.conninfo_to_dict(empty)["dbname"]
    bootstrap(empty, {**passwords(), "channels": "it's new"})
    try:
        with psycopg.connect(postgres_server.url(str(name), role_of("channels"), "it's new")) as connection:
            assert connection.execute("SELECT current_user").fetchone() == ("dw_svc_channels",)
    finally:
        bootstrap(empty, passwords())


def test_migrations_go_forward_only_and_say_when_they_run() -> None:
    for path in VERSIONS.iterdir():
        if path.name.endswith(".py"):
            text = path.read_text("utf-8")
            assert "downgrade" not in text, path.name
            assert re.search(r"^(pre|post): ", text, re.MULTILINE), path.name


def test_migrations_set_nothing_for_longer_than_their_transaction() -> None:
    for path in VERSIONS.iterdir():
        if path.name.endswith(".sql"):
            statements = re.sub(r"--.*", "", path.read_text("utf-8"))
            assert not re.search(r"(?m)^\s*SET (?!LOCAL)(?!search_path)", statements), path.name

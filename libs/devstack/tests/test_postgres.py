"""A real PostgreSQL: passwords asked, data kept, run without rights it does not need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from dw_devstack.errors import StartError
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_devstack.postgres_user import Privileges, detect
from libs.devstack.tests.tiny import gone

pytestmark = pytest.mark.integration


def ask(url: str, statement: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


@pytest.fixture
def database(server: PostgresServer) -> Iterator[str]:
    """A database of this test's own; its URL."""
    server.create_database("fresh")
    yield server.url("fresh")
    server.drop_database("fresh")


def test_settings_that_the_product_rests_on(database: str) -> None:
    shown = {
        name: ask(database, f"SHOW {name}")
        for name in ("listen_addresses", "max_connections", "shared_preload_libraries", "fsync")
    }
    assert shown == {
        "listen_addresses": "127.0.0.1",
        "max_connections": "200",
        "shared_preload_libraries": "pg_stat_statements",
        "fsync": "on",
    }


def test_extensions_are_there(database: str) -> None:
    for extension in ("vector", "pg_trgm", "unaccent", "btree_gin", "pg_stat_statements"):
        ask(database, f"CREATE EXTENSION {extension}")


@pytest.mark.parametrize("password", ["", "guessed"])
def test_nobody_gets_in_without_the_password(server: PostgresServer, password: str) -> None:
    with pytest.raises(
        psycopg.OperationalError, match=r"password authentication failed|no password supplied"
    ):
        ask(server.url("postgres", password=password), "SELECT 1")


def test_a_role_of_its_own_gets_in_with_its_password(server: PostgresServer, database: str) -> None:
    ask(database, "CREATE ROLE service LOGIN PASSWORD 'its:own/one'")
    assert ask(server.url("fresh", "service", "its:own/one"), "SELECT current_user") == "service"
    ask(database, "DROP ROLE service")


def test_a_database_is_made_once(server: PostgresServer) -> None:
    assert [server.create_database('odd "name"') for _ in range(2)] == [True, False]
    server.drop_database('odd "name"')
    server.drop_database('odd "name"')
    assert server.create_database('odd "name"')
    server.drop_database('odd "name"')


def test_kill_9_and_restart_keep_what_was_committed(server: PostgresServer, database: str) -> None:
    ask(database, "CREATE TABLE kept (n int)")
    ask(database, "INSERT INTO kept SELECT generate_series(1, 1000)")
    backends = [
        server.child.pid,
        ask(database, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"),
    ]
    server.kill9()
    assert all(isinstance(pid, int) and gone(pid) for pid in backends)
    server.restart()
    assert ask(database, "SELECT count(*) FROM kept") == 1000


def test_an_open_connection_does_not_hold_up_the_stop(server: PostgresServer, database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("SELECT 1")
        assert server.child.stop(10), "it had to be killed"
        connection.close()
    server.start()


def test_a_taken_port_is_told_with_the_reason(server: PostgresServer, tmp_path: Path) -> None:
    second = PostgresServer(tmp_path / "data", tmp_path / "log", port=server.port, password="x", fast=True)
    with pytest.raises(StartError, match=r"(?s)exit status 1 while starting.*Address already in use"):
        second.start()
    assert not second.running


@pytest.mark.parametrize(
    "privileges", sorted({Privileges.DROP, detect()} if detect() != Privileges.SAME else {detect()})
)
def test_each_way_to_be_no_root_works_here(tmp_path: Path, privileges: Privileges) -> None:
    tmp_path.chmod(0o700)
    folder = tmp_path / "data"
    postgres = PostgresServer(
        folder, tmp_path / "log", port=any_port(), password="x", fast=True, privileges=privileges
    )
    postgres.start()
    assert ask(postgres.url("postgres"), "SHOW fsync") == "off"
    assert postgres.child.stop(10)
    assert tmp_path.stat().st_mode & 0o777 == 0o700, "a private folder was opened"
    assert not folder.exists() or folder.stat().st_mode & 0o077 == 0
    postgres.discard()

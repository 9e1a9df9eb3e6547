"""Migrations under a lock, and the roles that they grant to (C68). Run by an administrator, never by a service."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from psycopg import sql
from sqlalchemy import create_engine, text

from dw_store.roles import role_of

MIGRATION_LOCK: Final = 4_711_002
GROUPS: Final = ("dw_owner", "dw_app", "dw_search", "dw_eraser")


def bootstrap(admin_dsn: str, passwords: Mapping[str, str]) -> None:
    """Create the roles, idempotently, and set the services' passwords (by service name). Groups cannot log in; no
    role of ours is superuser or bypasses row-level security."""
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
        for group in GROUPS:
            if group not in known:
                connection.execute(
                    sql.SQL("CREATE ROLE {} NOLOGIN NOBYPASSRLS").format(sql.Identifier(group))
                )
        for service, password in passwords.items():
            role = sql.Identifier(role_of(service))
            verb = "ALTER" if role_of(service) in known else "CREATE"
            connection.execute(
                sql.SQL(f"{verb} ROLE {{}} LOGIN NOBYPASSRLS INHERIT PASSWORD {{}}").format(
                    role, sql.Literal(password)
                )
            )
            connection.execute(sql.SQL("GRANT dw_app TO {}").format(role))
        database = connection.info.dbname
        connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO dw_app").format(sql.Identifier(database)))
        connection.execute("GRANT CREATE, USAGE ON SCHEMA public TO dw_owner")
        connection.execute("GRANT USAGE ON SCHEMA public TO dw_app, dw_search, dw_eraser")
        connection.execute("GRANT CREATE ON SCHEMA public TO dw_search, dw_eraser")


def migrate(admin_dsn: str, revision: str = "head") -> str:
    """Bring the schema up to the revision and give the one it has then. Two at once: the second waits, and finds it
    done. There is no way down."""
    engine = create_engine(_driver(admin_dsn))
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": MIGRATION_LOCK})
            try:
                connection.execute(text("SET ROLE dw_owner"))
                connection.commit()
                config = _config()
                config.attributes["connection"] = connection
                command.upgrade(config, revision)
                connection.commit()
                return str(connection.execute(text("SELECT version_num FROM dw_migrations")).scalar_one())
            finally:
                connection.rollback()
                connection.execute(text("RESET ROLE"))
                connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": MIGRATION_LOCK})
                connection.commit()
    finally:
        engine.dispose()


def head_revision() -> str:
    """The newest revision that this package has."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("dw_store.migrations")))
    return config


def _driver(dsn: str) -> str:
    return dsn.replace("postgresql://", "postgresql+psycopg://", 1)

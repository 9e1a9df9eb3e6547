"""Databases of tests: migrated once into a template, copied for each test."""

from __future__ import annotations

import secrets

import psycopg
from psycopg import sql

from dw_devstack.postgres import PostgresServer
from dw_store.migrate import bootstrap, migrate
from dw_store.roles import SERVICES_WITH_DATABASE, role_of

TEMPLATE = "dw_template"


class Databases:
    """Every service's role has its service's name as password."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        server.create_database(TEMPLATE)
        bootstrap(server.url(TEMPLATE), {service: service for service in SERVICES_WITH_DATABASE})
        migrate(server.url(TEMPLATE))

    def create(self) -> str:
        """A fresh database; its name."""
        name = f"dw_{secrets.token_hex(6)}"
        with psycopg.connect(self._server.url("postgres"), autocommit=True) as connection:
            copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
            connection.execute(copy.format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
        return name

    def drop(self, name: str) -> None:
        """Drop it, whoever is connected."""
        self._server.drop_database(name)

    def dsn(self, name: str, service: str) -> str:
        """The connection string of a service's own role; `admin` for the superuser."""
        if service == "admin":
            return self._server.url(name)
        return self._server.url(name, role_of(service), service)

"""Databases of tests: migrated once into a template, copied for each test."""

from __future__ import annotations

import secrets

from dw_devstack.postgres import PostgresServer
from dw_store.migrate import SERVICES_WITH_DATABASE, bootstrap, migrate, role_of

TEMPLATE = "dw_template"


class Databases:
    """Every service's role has its service's name as password."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        server.create_database(TEMPLATE)
        bootstrap(server.dsn(TEMPLATE), {service: service for service in SERVICES_WITH_DATABASE})
        migrate(server.dsn(TEMPLATE))

    def create(self) -> str:
        """A fresh database; its name."""
        name = f"dw_{secrets.token_hex(6)}"
        self._server.create_database(name, template=TEMPLATE)
        return name

    def drop(self, name: str) -> None:
        """Drop it, whoever is connected."""
        self._server.drop_database(name)

    def dsn(self, name: str, service: str) -> str:
        """The connection string of a service's own role; `admin` for the superuser."""
        if service == "admin":
            return self._server.dsn(name)
        return self._server.dsn(name, role_of(service), service)

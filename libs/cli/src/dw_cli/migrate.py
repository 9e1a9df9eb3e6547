"""dw migrate and dw topics: also for installations that are no local stack."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from dw_cli.local import console, fail, running
from dw_contracts.topics import OPERATOR, SERVICES
from dw_devstack.declared import topic_specs
from dw_devstack.kafka_admin import apply_acls, create_topics
from dw_devstack.kafka_config import ADMIN
from dw_devstack.kafka_login import KafkaLogin
from dw_store.migrate import bootstrap
from dw_store.migrate import migrate as run_migrations
from dw_store.roles import SERVICES_WITH_DATABASE


def migrate() -> None:
    """Bring the schema to its newest revision, under a lock; creates roles where DW_DB_PASSWORD_… say so."""
    dsn = os.environ.get("DW_DATABASE_ADMIN_URL")
    if dsn is None:
        local = running()
        dsn = local.product.admin_dsn(local.state.postgres_port)
        bootstrap(dsn, local.product.database_passwords())
    else:
        bootstrap(dsn, _passwords())
    console.print(f"schema at revision {run_migrations(dsn)}")


def _passwords() -> dict[str, str]:
    """Passwords of the services' roles, taken from their own database URLs, so that there is one place for each."""
    from urllib.parse import unquote, urlsplit

    found: dict[str, str] = {}
    for service in SERVICES_WITH_DATABASE:
        password = urlsplit(os.environ.get(f"DW_{service.upper()}_DATABASE_URL", "")).password
        if password:
            found[service] = unquote(password)
    return found


def topics(
    bootstrap_servers: Annotated[str, typer.Option("--bootstrap", help="Else the running local stack.")] = "",
) -> None:
    """Create what contracts declare: topics, dead letters, and each service's rights."""
    if bootstrap_servers:
        password = os.environ.get("DW_KAFKA_ADMIN_PASSWORD")
        if not password:
            raise fail("set DW_KAFKA_ADMIN_PASSWORD")
        login = KafkaLogin(bootstrap_servers, ADMIN, password)
    else:
        local = running()
        login = KafkaLogin(local.state.kafka, ADMIN, local.product.kafka_passwords()[ADMIN])
    specs = topic_specs()
    changes = create_topics(login, specs)
    rights = apply_acls(login, specs, (*SERVICES, OPERATOR))
    console.print(
        f"{len(specs)} topics: {len(changes.created)} created, {len(changes.changed)} changed; "
        f"{rights.granted} rights granted, {rights.revoked} revoked"
    )

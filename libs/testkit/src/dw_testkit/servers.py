"""Kafka and PostgreSQL for tests."""

from __future__ import annotations

import secrets
from pathlib import Path

from dw_contracts.topics import OPERATOR, SERVICES
from dw_devstack.declared import topic_specs
from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_admin import apply_acls, create_topics
from dw_devstack.kafka_config import ADMIN
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer


def start_postgres(folder: Path) -> PostgresServer:
    """A server that forgets at a power cut and is quick for it."""
    server = PostgresServer(
        folder / "data", folder / "postgres.log", port=any_port(), password=secrets.token_hex(8), fast=True
    )
    server.start()
    return server


def start_kafka(folder: Path) -> KafkaServer:
    """A broker with every declared topic and right; each service's password is its name."""
    port = any_port()
    users = (ADMIN, OPERATOR, *SERVICES)
    server = KafkaServer(
        folder / "data",
        folder / "kafka.log",
        port=port,
        controller_port=any_port({port}),
        passwords={user: user for user in users},
    )
    server.start()
    specs = topic_specs()
    create_topics(server.login(), specs)
    apply_acls(server.login(), specs, (*SERVICES, OPERATOR))
    return server

"""One broker and one database server for the tests of this package, which kill and restart them at will."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_admin import TopicSpec, apply_acls, create_topics
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer

sys.path.insert(0, str(Path(__file__).parents[3]))  # the tests share tiny.py

DAY_MS = 86_400_000
USERS = ("ingest", "triage")
EVENTS = TopicSpec("events", 3, DAY_MS, writers=("ingest",), readers=(("triage", None),))
DEAD = TopicSpec("events.dlq", 1, DAY_MS, writers=("triage",), max_message_bytes=2_097_152)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaServer]:
    folder = tmp_path_factory.mktemp("broker")
    port = any_port()
    server = KafkaServer(
        folder / "kafka",
        folder / "kafka.log",
        port=port,
        controller_port=any_port((port,)),
        passwords={user: f"secret-of-{user}" for user in ("admin", *USERS)},
        fast=True,
    )
    server.start()
    create_topics(server.login(), (EVENTS, DEAD))
    apply_acls(server.login(), (EVENTS, DEAD), USERS)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    folder: Path = tmp_path_factory.mktemp("server")
    postgres = PostgresServer(
        folder / "data", folder / "postgres.log", port=any_port(), password="p/a ss'wörd"
    )
    postgres.start()
    yield postgres
    postgres.stop()

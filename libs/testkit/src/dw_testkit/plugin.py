"""pytest fixtures for real parts: one Kafka, one PostgreSQL and one whole stack a test session, on free ports.

They never touch a running stack: everything lives in a temporary folder. No Docker engine is asked for any of it
(docs/adr/0014-tests-without-containers.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dw_devstack.kafka import KafkaServer
from dw_devstack.paths import Home
from dw_devstack.postgres import PostgresServer
from dw_devstack.stack import Stack, StackOptions
from dw_testkit.databases import Databases
from dw_testkit.servers import start_kafka, start_postgres
from dw_testkit.stacks import started

logging.getLogger("aiokafka").setLevel(logging.ERROR)  # loopback needs no warning about plain text
DsnOf = Callable[[str], str]


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A PostgreSQL of its own, without fsync."""
    server = start_postgres(tmp_path_factory.mktemp("postgres"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def databases(postgres_server: PostgresServer) -> Databases:
    """Fresh, migrated databases."""
    return Databases(postgres_server)


@pytest.fixture
def dsn_of(databases: Databases) -> Iterator[DsnOf]:
    """A fresh database for this test: gives the connection string of a service's own role."""
    name = databases.create()
    yield lambda service: databases.dsn(name, service)
    databases.drop(name)


@pytest.fixture(scope="session")
def kafka_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaServer]:
    """An Apache Kafka of its own, with all topics and rights."""
    server = start_kafka(tmp_path_factory.mktemp("kafka"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Seven real processes, Kafka and PostgreSQL."""
    home = Home(Path(tmp_path_factory.mktemp("stack")) / ".dw")
    with started(home, StackOptions(any_ports=True, fast=True)) as running:
        yield running

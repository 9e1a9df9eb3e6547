"""The whole stack for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dw_contracts.topics import OPERATOR
from dw_devstack.demo.stage import Doors
from dw_devstack.jars import Report, silent
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import Home
from dw_devstack.stack import Stack, StackOptions


@contextmanager
def started(home: Home, options: StackOptions) -> Iterator[Stack]:
    """Up inside, down afterwards."""
    with Stack(home, options).running(_silent) as stack:
        yield stack


def _silent(_: str) -> Report:
    return silent


def doors_of(stack: Stack) -> Doors:
    """Where the stack answers."""
    where = stack.addresses
    return Doors(
        ingest=where.url("ingest"),
        context=where.url("context"),
        panel=where.url("panel"),
        installation_token=stack.product.installation_token(),
        operator=KafkaLogin(where.kafka, OPERATOR, stack.product.kafka_passwords()[OPERATOR]),
        admin_dsn=stack.product.admin_dsn(where.postgres_port),
        traces=stack.home.root / "traces",
        logs=stack.home.logs,
    )

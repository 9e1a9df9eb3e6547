"""The running local stack, as commands see it; every refusal says what to do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from dw_contracts.topics import OPERATOR
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import Home
from dw_devstack.product import Product
from dw_devstack.state import State, read_state

if TYPE_CHECKING:
    from dw_devstack.demo.stage import Doors

console = Console(soft_wrap=True)
errors = Console(stderr=True, soft_wrap=True)


def fail(message: str, code: int = 1) -> typer.Exit:
    """Say it on standard error; raise what this gives."""
    errors.print(message, style="red", highlight=False, markup=False)
    return typer.Exit(code)


def counted(count: int, one: str, many: str = "") -> str:
    """Three entries, one entry."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def print_rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table in plain lines, one a row and never cut: what is piped must find every name whole."""
    lines = [tuple(head), *map(tuple, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        padded = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        console.print(padded.rstrip(), highlight=False, markup=False, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Local:
    """A running stack and its secrets."""

    home: Home
    state: State
    product: Product

    def doors(self) -> Doors:
        """Addresses and logins for the demo and for looking."""
        from dw_devstack.demo.stage import Doors

        where = self.state.addresses
        return Doors(
            ingest=where.url("ingest"),
            context=where.url("context"),
            panel=where.url("panel"),
            installation_token=self.product.installation_token(),
            operator=self.operator(),
            admin_dsn=self.product.admin_dsn(self.state.postgres_port),
            traces=self.home.root / "traces",
            logs=self.home.logs,
        )

    def operator(self) -> KafkaLogin:
        """The operator's login at Kafka."""
        return KafkaLogin(self.state.kafka, OPERATOR, self.product.kafka_passwords()[OPERATOR])


def running() -> Local:
    """The running stack of this folder, or an end with what to do."""
    home = Home.locate()
    state = read_state(home)
    if state is None:
        raise fail(f"no stack is running on {home.root}: start one with `dw up -d` or `make run`")
    return Local(home, state, Product(home))


def url_of(service: str, variable: str) -> str:
    """A service's address: the variable, else the running stack's."""
    return os.environ.get(variable) or running().state.addresses.url(service)

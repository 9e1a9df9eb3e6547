"""The running local stack, as commands see it; every refusal says what to do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import typer
from rich.console import Console

from dw_contracts.model import in_our_words
from dw_contracts.topics import OPERATOR
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import Home
from dw_devstack.product import Product
from dw_devstack.state import State, read_state

if TYPE_CHECKING:
    from pydantic import ValidationError

    from dw_client import PanelClient
    from dw_devstack.demo.stage import Doors
    from dw_store.database import Database

T = TypeVar("T")
MOST_NAMED = 8
console = Console(soft_wrap=True)
errors = Console(stderr=True, soft_wrap=True)


def fail(message: str, code: int = 1) -> typer.Exit:
    """Say it on standard error; raise what this gives."""
    errors.print(message, style="red", highlight=False, markup=False)
    return typer.Exit(code)


def first_fault(error: ValidationError) -> str:
    """The first thing that does not fit: its place, where it has one, and why."""
    entry = error.errors(include_input=False, include_url=False, include_context=False)[0]
    place = ".".join(map(str, entry["loc"]))
    return f"{place}: {in_our_words(entry['msg'])}" if place else in_our_words(entry["msg"])


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
            keep_token=self.product.keep_token,
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


def panel_token(org: str, token: str) -> str:
    """The token that was given, else the owner's that `dw apply` left among the local stack's secrets: it is for that
    stack's panel, and sent to no other."""
    product = None if token or os.environ.get("DW_PANEL_URL") else running().product
    kept = token or (product.kept_token(org) if product is not None else None)
    if kept:
        return kept
    others = product.orgs_with_token()[-MOST_NAMED:] if product is not None else []
    known = f" (there are tokens of {', '.join(others)})" if others else ""
    raise fail(f"no token for org {org} is kept here: give one with --token or DW_TOKEN{known}")


def ask_panel(
    org: str, token: str, ask: Callable[[PanelClient], Awaitable[T]], *, timeout: float = 10.0
) -> T:
    """What the panel answers; ends the command with its words where it refuses or is not there. `timeout` is of one
    try, in seconds."""
    from dw_client import PanelClient, Refused, Unavailable  # looking at a stack needs none of it

    panel, secret = url_of("panel", "DW_PANEL_URL"), panel_token(org, token)

    async def asked() -> T:
        async with PanelClient(panel, secret, timeout=timeout) as client:
            return await ask(client)

    try:
        return asyncio.run(asked())
    except Refused as refused:
        places = [f"  {place.at}: {place.problem}" for place in refused.problem.errors]
        raise fail("\n".join([str(refused), *places])) from None
    except Unavailable as error:
        raise fail(str(error)) from None


def admin_dsn() -> str:
    """The administrator's connection: the variable, else the running stack's."""
    if given := os.environ.get("DW_DATABASE_ADMIN_URL"):
        return given
    local = running()
    return local.product.admin_dsn(local.state.postgres_port)


def with_database(ask: Callable[[Database], Awaitable[T]]) -> T:
    """As the installation's administrator; ends the command with words where that cannot be."""
    from dw_store.database import Database  # looking at a stack needs none of it
    from dw_store.errors import StoreConflict, StoreUnavailable

    dsn = admin_dsn()

    async def asked() -> T:
        async with Database.connect(dsn, size=1, application_name="dw") as database:
            return await ask(database)

    try:
        return asyncio.run(asked())
    except (StoreUnavailable, StoreConflict):
        raise fail("the database is not there: is DW_DATABASE_ADMIN_URL right?") from None

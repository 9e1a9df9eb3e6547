"""dw demo: the story of the product on the running stack."""

from __future__ import annotations

import asyncio

import typer

from dw_cli.local import console, running
from dw_devstack.demo import play


def register(app: typer.Typer) -> None:
    """Mount the command."""
    app.command("demo")(demo)


def demo() -> None:
    """Play the demo on two fresh orgs. The exit status is the number of steps that did not happen."""
    raise SystemExit(min(asyncio.run(play(running().doors(), console)), 100))

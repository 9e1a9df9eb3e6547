"""dw demo: the story of the product on the running stack."""

from __future__ import annotations

import asyncio
from typing import NoReturn

import typer

from dw_cli.local import console, fail, running
from dw_client import Refused, Unavailable
from dw_devstack.demo import play

MOST = 100


def demo() -> NoReturn:
    """Play the demo on two fresh orgs. The exit status is the number of steps that did not happen."""
    try:
        failed = asyncio.run(play(running().doors(), console))
    except (Refused, Unavailable) as error:
        raise fail(f"the demo could not make its orgs: {error}") from None
    raise typer.Exit(min(failed, MOST))

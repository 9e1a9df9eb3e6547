"""dw demo: the story of the product on the running stack."""

from __future__ import annotations

import asyncio

from dw_cli.local import console, running
from dw_devstack.demo import play


def demo() -> None:
    """Play the demo on two fresh orgs. The exit status is the number of steps that did not happen."""
    raise SystemExit(min(asyncio.run(play(running().doors(), console)), 100))

"""Steps about the stack itself: restart, wait."""

from __future__ import annotations

import asyncio

from dw_cli.play.steps import Restart, Wait
from dw_cli.play.world import World
from dw_contracts.topics import SERVICES


async def restart(world: World, step: Restart) -> str:
    """Kill and start, without waiting for quiet."""
    services = SERVICES if step.service == "all" else (step.service,)
    await world.watch.restart(services)
    return f"{step.service} killed and started"


async def wait(world: World, step: Wait) -> str:
    """Until all accepted events have had their effect, or so many seconds."""
    if isinstance(step.until, float):
        await asyncio.sleep(step.until)
        return f"{step.until:g} s"
    await world.settle()
    return "settled"

"""What agents and their users say about memories: put_memory, feedback."""

from __future__ import annotations

from dw_cli.play.api import Missing
from dw_cli.play.steps import Feedback, PutMemory
from dw_cli.play.world import World


async def put_memory(world: World, step: PutMemory) -> str:
    """The agent's own memory API, under a run token."""
    raise Missing("runs and the agent's own memory API")


async def feedback(world: World, step: Feedback) -> str:
    """Confirm, reject, edit or delete what the agent knows."""
    raise Missing("feedback on memories")

"""Which memory a story means: the one that it is about, whoever may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dw_cli.play.doors import EVERY_MEMORY, TOMBSTONES
from dw_cli.play.steps_look import read_all
from dw_cli.play.world import OrgWorld, World

MemoryRow = Mapping[str, Any]


async def find_memory(
    world: World, org: OrgWorld, agent: str, pattern: str, *, active: bool = True
) -> MemoryRow | None:
    """A memory of the agent, or of the whole org, as an admin sees it. `active` False: one that stands no more, first."""
    await world.api.need(EVERY_MEMORY)
    rows: list[dict[str, Any]] = []
    for asked in (str(org.agents[agent]), None):
        params = {"agent": asked, "status": "active" if active else "any"}
        rows += (await read_all(world, EVERY_MEMORY, org, org.admin_token, "memories", **params))[1]
    if not active:
        rows.sort(key=lambda row: row.get("status") == "active")
    found = world.checks.matching(world.reader(org).entries(rows), pattern)
    return found[0].raw if found else None


async def find_tombstone(world: World, org: OrgWorld, agent: str, pattern: str) -> MemoryRow | None:
    """What does not come back, by its text or topic."""
    await world.api.need(TOMBSTONES)
    params = {"agent": str(org.agents[agent])}
    _, rows = await read_all(world, TOMBSTONES, org, org.admin_token, "tombstones", **params)
    found = world.checks.matching(world.reader(org).entries(rows), pattern)
    return found[0].raw if found else None

"""Versions of what an agent knows: each write is a step up, and a pack's version moves with agent and org (C71)."""

from __future__ import annotations

import asyncio

import pytest

from dw_store.database import Database
from dw_store.versions import Owner, pack_version, raise_versions, read_versions
from dw_testkit.orgs import SmallOrg

pytestmark = pytest.mark.integration


async def test_each_write_is_one_step_for_agent_or_org(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    agent: Owner = (ours.org_id, ours.agent_id)
    org: Owner = (ours.org_id, None)
    async with database.transaction([ours.org_id, theirs.org_id]) as tx:
        assert await raise_versions(tx, []) == {}
        assert await raise_versions(tx, [agent, agent, org]) == {agent: 1, org: 2}
        assert await raise_versions(tx, [agent, (theirs.org_id, None)]) == {
            agent: 2,
            (theirs.org_id, None): 2,
        }
        assert await pack_version(tx, *agent) == 4  # type: ignore[arg-type]  # this owner is an agent
        wanted = [(ours.org_id, ours.agent_id), (theirs.org_id, theirs.agent_id)]
        assert await read_versions(tx, wanted) == {wanted[0]: 4, wanted[1]: 2}
        assert await read_versions(tx, []) == {}
    async with database.transaction([theirs.org_id]) as tx:
        assert await read_versions(tx, wanted) == {wanted[0]: 0, wanted[1]: 2}


async def test_writers_at_once_lose_no_step_and_do_not_wait_for_each_other_in_a_ring(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    owners: list[Owner] = [(o.org_id, a) for o in (ours, theirs) for a in (None, o.agent_id)]

    async def step(turn: int) -> None:
        order = owners[turn % 4 :] + owners[: turn % 4]
        async with database.transaction([ours.org_id, theirs.org_id]) as tx:
            await raise_versions(tx, order)

    await asyncio.gather(*(step(turn) for turn in range(24)))
    async with database.transaction([ours.org_id, theirs.org_id]) as tx:
        raised = await raise_versions(tx, owners)
    assert raised == {owner: 26 if owner[1] is None else 25 for owner in owners}

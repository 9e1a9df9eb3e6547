"""Versions of what an agent knows: one number, that grows with each write for the agent or its org (C71)."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from dw_store.database import Database
from dw_store.versions import Owner, pack_version, raise_versions, read_versions
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration


async def test_each_write_is_one_step_for_agent_or_org(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    agent: Owner = (ours.org_id, ours.agent_id)
    org: Owner = (ours.org_id, None)
    async with database.transaction([ours.org_id, theirs.org_id]) as tx:
        assert await raise_versions(tx, []) == {}
        assert await raise_versions(tx, [agent, agent, org]) == {org: 2, agent: 3}
        assert await raise_versions(tx, [agent, (theirs.org_id, None)]) == {
            agent: 4,
            (theirs.org_id, None): 2,
        }
        assert await pack_version(tx, *agent) == 4  # type: ignore[arg-type]  # this owner is an agent
        assert await raise_versions(tx, [org]) == {org: 5}  # above each of its agents
        wanted = [(ours.org_id, ours.agent_id), (theirs.org_id, theirs.agent_id)]
        assert await read_versions(tx, wanted) == {wanted[0]: 5, wanted[1]: 2}
        assert await read_versions(tx, []) == {}
    async with database.transaction([theirs.org_id]) as tx:
        assert await read_versions(tx, wanted) == {wanted[0]: 0, wanted[1]: 2}


async def test_writers_at_once_lose_no_step_and_do_not_wait_for_each_other_in_a_ring(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    owners: list[Owner] = [(o.org_id, a) for o in (ours, theirs) for a in (None, o.agent_id)]
    answered: dict[Owner, list[int]] = {owner: [] for owner in owners}

    async def step(turn: int) -> None:
        order = owners[turn % 4 :] + owners[: turn % 4]
        async with database.transaction([ours.org_id, theirs.org_id]) as tx:
            for owner, version in (await raise_versions(tx, order)).items():
                answered[owner].append(version)

    await asyncio.gather(*(step(turn) for turn in range(24)))
    for org in (ours, theirs):
        of_org = answered[(org.org_id, None)] + answered[(org.org_id, org.agent_id)]
        assert sorted(of_org) == list(range(2, 50))  # no number twice, none left out


async def test_a_version_that_was_answered_is_in_no_pack_that_lacks_the_change(
    database: Database, ours: SmallOrg
) -> None:
    """An org-wide write and one of an agent at once: whoever is later waits, and goes above the other."""
    agent: Owner = (ours.org_id, ours.agent_id)
    async with database.transaction([ours.org_id]) as writing:
        of_agent = (await raise_versions(writing, [agent]))[agent]

        async def org_wide() -> int:
            async with database.transaction([ours.org_id]) as tx:
                return (await raise_versions(tx, [(ours.org_id, None)]))[(ours.org_id, None)]

        waiting = asyncio.create_task(org_wide())
        done, _ = await asyncio.wait([waiting], timeout=0.2)
        assert not done
        async with database.transaction([ours.org_id]) as tx:
            assert await pack_version(tx, ours.org_id, ours.agent_id) < of_agent
    assert await waiting > of_agent


async def test_writers_for_two_agents_of_an_org_do_not_wait_for_each_other(
    database: Database, ours: SmallOrg, admin: Admin
) -> None:
    other = uuid.uuid4()
    admin.insert("dw_role_agents", id=other, org_id=ours.org_id, code="hr_agent", name="HR")
    async with database.transaction([ours.org_id]) as one:
        await raise_versions(one, [(ours.org_id, ours.agent_id)])
        async with asyncio.timeout(5), database.transaction([ours.org_id]) as two:
            assert await raise_versions(two, [(ours.org_id, other)]) == {(ours.org_id, other): 2}

"""The desired list over the client, and what packs offer because of it, on a real panel and context (R209 to R214)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

from dw_client import AgentSkillsClient, BlockingAgentSkillsClient, PanelClient, Refused, RuntimeClient
from dw_contracts.http.context import BuildContextRequest
from dw_contracts.http.org_file import CreateOrg, OrgFile
from dw_contracts.http.panel import DecideItem
from dw_contracts.http.skills import ProposeSkill
from dw_testkit.serving import INSTALLATION, DsnOf, serving_context, serving_panel

pytestmark = pytest.mark.integration
FILE: dict[str, Any] = {
    "org": "acme",
    "users": {"ingrid": {"role": "owner"}},
    "agents": {"it_agent": {}, "hr_agent": {}},
    "channels": {"helpdesk": {"platform": "slack", "agents": ["it_agent"]}},
    "keys": {"runtime": {"kind": "runtime", "agents": ["it_agent"]}},
}


def skill(name: str, description: str) -> ProposeSkill:
    """In the strict format."""
    return ProposeSkill(
        body_md=f"---\nname: {name}\ndescription: {description}\nscope: role_agent\nagent: it_agent\nrisk: low\n---\n\n"
        f"# {name}\n\n## When To Use\n{description}\n\n## Procedure\n1. Quit the client.\n\n"
        "## Do Not Do\n- Guess.\n\n## Verification\nIt connects.\n"
    )


@dataclass(frozen=True)
class World:
    """A panel and a context over one database, an org, and its runtime's key."""

    panel: str
    context: str
    owner: str
    runtime: str

    async def let_manage(self) -> None:
        """The admin's leave (R209)."""
        async with httpx.AsyncClient(base_url=self.panel) as http:
            path = "/v1/orgs/acme/agents/it_agent/own-skills"
            headers = {"authorization": f"Bearer {self.owner}"}
            done = await http.put(path, json={"can_manage_own_skills": True}, headers=headers)
        assert done.status_code == 200, done.text

    async def approved(self, item: UUID) -> None:
        """Somebody's yes."""
        async with PanelClient(self.panel, self.owner) as panel:
            await panel.decide("acme", item, DecideItem(action="approve", row_version=1))

    async def loaded(self, message: str, version: int | None = None) -> list[str]:
        """Names of the skills in the pack for a message."""
        asked = BuildContextRequest(
            role_agent="it_agent", channel="helpdesk", message=message, at_least_version=version
        )
        async with RuntimeClient(self.context, self.runtime) as runtime:
            return [found.name for found in (await runtime.build_context(asked)).skills]


@pytest.fixture
async def world(dsn_of: DsnOf) -> AsyncIterator[World]:
    async with serving_panel(dsn_of("panel")) as panel, serving_context(dsn_of) as context:
        async with PanelClient(panel, INSTALLATION) as installation:
            owner = (await installation.create_org(CreateOrg(org="acme", owner="ingrid"))).owner_token
        async with PanelClient(panel, owner) as client:
            applied = await client.apply(OrgFile.model_validate(FILE))
        yield World(panel, context.url, owner, applied.new_keys["runtime"])


async def test_the_agents_list_decides_what_its_packs_offer(world: World) -> None:
    await world.let_manage()
    vpn, mail = "Use when the VPN drops.", "Use when a mailbox is full."
    async with AgentSkillsClient(world.panel, world.runtime) as agent:
        for one in (skill("reset-vpn", vpn), skill("empty-mailbox", mail)):
            await world.approved((await agent.propose("acme", "it_agent", one)).item_id)
        mailbox, reset = await agent.skills("acme", "it_agent")
        assert [(s.name, s.enabled, s.created_by_agent) for s in (mailbox, reset)] == [
            ("empty-mailbox", True, True),
            ("reset-vpn", True, True),
        ]
        off = await agent.set_desired("acme", reset.id, False)
        assert await world.loaded("/reset-vpn", off.version) == []
        assert await world.loaded("The VPN drops all the time", off.version) == []
        assert await world.loaded("/empty-mailbox", off.version) == ["empty-mailbox"]
        on = await agent.set_desired("acme", reset.id, True)
        assert await world.loaded("/reset-vpn", on.version) == ["reset-vpn"]


async def test_without_leave_or_for_another_agent_nothing_is_written(world: World) -> None:
    async with AgentSkillsClient(world.panel, world.runtime) as agent:
        for code, status in (("it_agent", 403), ("hr_agent", 404)):
            with pytest.raises(Refused) as refused:
                await agent.propose("acme", code, skill("reset-vpn", "Use when the VPN drops."))
            assert refused.value.problem.status == status
        with pytest.raises(Refused) as refused:
            await agent.skills("acme", "hr_agent")
        assert refused.value.problem.status == 404


async def test_the_blocking_client_does_the_same(world: World) -> None:
    await world.let_manage()

    def write() -> UUID:
        with BlockingAgentSkillsClient(world.panel, world.runtime) as agent:
            return agent.propose("acme", "it_agent", skill("reset-vpn", "Use when the VPN drops.")).item_id

    await world.approved(await asyncio.to_thread(write))

    def take_off() -> list[bool]:
        with BlockingAgentSkillsClient(world.panel, world.runtime) as agent:
            (found,) = agent.skills("acme", "it_agent", status="active")
            changed = agent.set_desired("acme", found.id, False)
            return [found.enabled, changed.skill.enabled]

    assert await asyncio.to_thread(take_off) == [True, False]

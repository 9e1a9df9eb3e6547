"""Commands about skills and souls, for test_every_command_is_on_record."""

from __future__ import annotations

from uuid import UUID

import httpx
import test_souls as souls
from on_record import Commands, Run
from panel_world import World, bearer
from test_skill_routes import active, body, post, propose

FOLDER = "---\nname: reset-vpn\ndescription: Use when the VPN drops.\nallowed-tools: Bash\n---\nQuit it.\n"


async def put(world: World, path: str, **fields: object) -> httpx.Response:
    return await world.http.put(world.path + path, json=fields, headers=bearer(world.tokens["ada"]))


async def imports(world: World) -> httpx.Response:
    return await post(world, "farid", "/agents/it_agent/skills/import", skill_md=FOLDER)


def act(name: str, *, first: str = "") -> Run:
    async def run(world: World) -> httpx.Response:
        skill = await active(world)
        if first:
            await post(world, "farid", f"/skills/{skill}/{first}")
        return await post(world, "farid", f"/skills/{skill}/{name}")

    return run


async def revert(world: World) -> httpx.Response:
    skill = await active(world)
    item = (await propose(world, body_md=body(step="1. Bad."), base_version=1)).json()["item_id"]
    await world.decide("minh", UUID(item))
    return await post(world, "farid", f"/skills/{skill}/revert", to=1)


async def enable(world: World) -> httpx.Response:
    return await put(world, f"/skills/{await active(world)}/enabled", enabled=False)


async def own_skills(world: World) -> httpx.Response:
    return await put(world, "/agents/it_agent/own-skills", can_manage_own_skills=True)


async def approve_soul(world: World) -> httpx.Response:
    await souls.propose(world)
    return await souls.approve(world)


async def assign(world: World) -> httpx.Response:
    return await put(world, "/agents/it_agent/soul", soul="balanced_helper")


def soul(path: str, *, first: str = "") -> Run:
    async def run(world: World) -> httpx.Response:
        if first:
            await post(world, "ada", first)
        return await post(world, "ada", path)

    return run


OF_SOUL, OF_AGENT = "/souls/balanced_helper", "/agents/it_agent/soul"
# Method and path of every command, how to run it, and one event that it must write.
SKILLS: Commands = {
    ("POST", "/v1/orgs/{org}/agents/{agent}/skills"): (propose, "learning_proposed"),
    ("POST", "/v1/orgs/{org}/agents/{agent}/skills/import"): (imports, "skill_tools_stripped"),
    ("PUT", "/v1/orgs/{org}/agents/{agent}/own-skills"): (own_skills, "agent_changed"),
    ("POST", "/v1/orgs/{org}/skills/{skill_id}/pause"): (act("pause"), "skill_paused"),
    ("POST", "/v1/orgs/{org}/skills/{skill_id}/resume"): (act("resume", first="pause"), "skill_resumed"),
    ("POST", "/v1/orgs/{org}/skills/{skill_id}/archive"): (act("archive"), "skill_archived"),
    ("POST", "/v1/orgs/{org}/skills/{skill_id}/revert"): (revert, "skill_reverted"),
    ("PUT", "/v1/orgs/{org}/skills/{skill_id}/enabled"): (enable, "skill_disabled"),
    ("POST", "/v1/orgs/{org}/souls"): (souls.propose, "soul_version_proposed"),
    ("POST", "/v1/orgs/{org}/souls/{soul}/approve"): (approve_soul, "soul_version_approved"),
    ("POST", "/v1/orgs/{org}/souls/{soul}/pause"): (soul(f"{OF_SOUL}/pause"), "soul_paused"),
    ("POST", "/v1/orgs/{org}/souls/{soul}/resume"): (
        soul(f"{OF_SOUL}/resume", first=f"{OF_SOUL}/pause"),
        "soul_resumed",
    ),
    ("PUT", "/v1/orgs/{org}/agents/{agent}/soul"): (assign, "soul_assigned"),
    ("POST", "/v1/orgs/{org}/agents/{agent}/soul/pause"): (soul(f"{OF_AGENT}/pause"), "soul_paused"),
    ("POST", "/v1/orgs/{org}/agents/{agent}/soul/resume"): (
        soul(f"{OF_AGENT}/resume", first=f"{OF_AGENT}/pause"),
        "soul_resumed",
    ),
}

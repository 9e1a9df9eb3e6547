"""Changes in the panel, also tried by people who may not. One function a `do`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from dw_cli.play.admin_acts import ACTS, Do, send
from dw_cli.play.api import Answer, Route, Unmet
from dw_cli.play.doors import ASSIGN, MODE, ORG_FILE, PAUSE, RESUME, UNASSIGN
from dw_cli.play.looking import must_meet
from dw_cli.play.setup import identity_entry
from dw_cli.play.skill_acts import SKILL_ACTS
from dw_cli.play.steps import Admin
from dw_cli.play.world import OrgWorld, World
from dw_contracts.settings import IngestSettings

MODE_FIELDS: Final = {"auto": "auto_memory_enabled", "verified": "auto_memory_require_verified"}
BELIEVED_SECONDS: Final[float] = IngestSettings.model_fields["cache_seconds"].default
"""How long ingest goes on with what it knew of a channel."""


async def admin(world: World, step: Admin) -> str:
    """Try the change as this person."""
    do = DOES[step.do]
    owner, name = world.org_of("user", step.who)
    answer = await do(world, _org_of(world, step, owner), owner.token_of(name), step)
    done = must_meet(step.expect, answer.outcome)
    if answer.outcome.name == "done":
        await world.refresh_versions()
    return done


def _org_of(world: World, step: Admin, own: OrgWorld) -> OrgWorld:
    """The org that the change is about: that of what it names, else the person's own."""
    for kind in ("agent", "channel", "identity", "org"):
        if step.fields.get(kind) is not None:
            return world.org_of(kind, str(step.fields[kind]))[0]
    return own


async def _file(
    world: World, org: OrgWorld, token: str, part: str, name: str, entry: Mapping[str, Any]
) -> Answer:
    """Send the whole entry of the org file with what changes in it; remember it where it was taken."""
    whole = {**org.file[part].get(name, {}), **entry}
    users = {whole["user"]: org.file["users"][whole["user"]]} if whole.get("user") else {}
    agents = (
        {agent: org.file["agents"][agent] for agent in whole.get("agents", ())} if part == "channels" else {}
    )
    people = {user: org.file["users"][user] for user in whole.get("managers", ())}
    for agent in agents.values():
        people |= {user: org.file["users"][user] for user in agent["managers"]}
    body: dict[str, Any] = {"org": org.code, "users": users | people, "agents": agents}
    body[part] = {**body.get(part, {}), name: whole}
    answer = await world.api.call(ORG_FILE, token, path=ORG_FILE.at(org=org.code), json=body)
    if answer.status == 200:
        org.file[part][name] = whole
    return answer


def _agent(route: Route, change: Callable[[Admin], dict[str, Any]], *, with_body: bool) -> Do:
    """By the agent's own route where the product has it, else by the org file."""

    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, name = world.org_of("agent", step.fields["agent"])
        changed = change(step)
        if not await world.api.has(route):
            return await _file(world, org, token, "agents", name, changed)
        whole = {**org.file["agents"][name], **changed}
        body = {field: whole[field] for field in MODE_FIELDS.values()} if with_body else None
        answer = await send(world, route, org, token, body, agent=org.agents[name])
        if answer.outcome.name == "done":
            org.file["agents"][name] = whole
        return answer

    return do


def _mode(step: Admin) -> dict[str, Any]:
    return {MODE_FIELDS[field]: step.fields[field] for field in MODE_FIELDS if field in step.fields}


def _identity(status: str) -> Do:
    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, name = world.org_of("identity", step.fields["identity"])
        if org.setup.identities[name].user is None and status == "verified":
            raise Unmet(f"{name} has no user in the setup, so nobody can be verified as its owner")
        entry = identity_entry(org.code, org.setup, name) | {"status": status}
        return await _file(world, org, token, "identities", name, entry)

    return do


def _channel(route: Route, *, assign: bool) -> Do:
    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, agent = world.org_of("agent", step.fields["agent"])
        _, name = world.org_of("channel", step.fields["channel"])
        others = [listens for listens in org.file["channels"][name]["agents"] if listens != agent]
        entry = {"agents": [*others, agent] if assign else others}
        if await world.api.has(route):
            parts = {"agent": org.agents[agent], "channel": org.channels[name]}
            answer = await send(world, route, org, token, **parts)
        else:
            answer = await _file(world, org, token, "channels", name, entry)
        if answer.outcome.name == "done":
            org.file["channels"][name] |= entry
            await asyncio.sleep(BELIEVED_SECONDS)
        return answer

    return do


DOES: Final[Mapping[str, Do]] = {
    "mode": _agent(MODE, _mode, with_body=True),
    "pause_learning": _agent(PAUSE, lambda _: {"learning_enabled": False}, with_body=False),
    "resume_learning": _agent(RESUME, lambda _: {"learning_enabled": True}, with_body=False),
    "verify_identity": _identity("verified"),
    "revoke_identity": _identity("revoked"),
    "assign_channel": _channel(ASSIGN, assign=True),
    "unassign_channel": _channel(UNASSIGN, assign=False),
    **ACTS,
    **SKILL_ACTS,
}

"""Changes in the panel, also tried by people who may not. One function a `do`; what is not there yet is in MISSING."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from dw_cli.play.api import Answer, Missing, Unmet
from dw_cli.play.doors import ORG_FILE
from dw_cli.play.looking import must_meet
from dw_cli.play.setup import identity_entry
from dw_cli.play.steps import Admin
from dw_cli.play.world import OrgWorld, World
from dw_contracts.settings import IngestSettings

Do = Callable[[World, OrgWorld, str, Admin], Awaitable[Answer]]
BELIEVED_SECONDS: Final[float] = IngestSettings.model_fields["cache_seconds"].default
"""How long ingest goes on with what it knew of a channel."""


async def admin(world: World, step: Admin) -> str:
    """Try the change as this person."""
    do = DOES.get(step.do)
    if do is None:
        raise Missing(MISSING[step.do])
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


def _agent(change: Callable[[Admin], dict[str, Any]]) -> Do:
    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, name = world.org_of("agent", step.fields["agent"])
        return await _file(world, org, token, "agents", name, change(step))

    return do


def _mode(step: Admin) -> dict[str, Any]:
    names = {"auto": "auto_memory_enabled", "verified": "auto_memory_require_verified"}
    return {names[field]: step.fields[field] for field in names if field in step.fields}


def _identity(status: str) -> Do:
    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, name = world.org_of("identity", step.fields["identity"])
        if org.setup.identities[name].user is None and status == "verified":
            raise Unmet(f"{name} has no user in the setup, so nobody can be verified as its owner")
        entry = identity_entry(org.code, org.setup, name) | {"status": status}
        return await _file(world, org, token, "identities", name, entry)

    return do


def _channel(*, assign: bool) -> Do:
    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, agent = world.org_of("agent", step.fields["agent"])
        _, name = world.org_of("channel", step.fields["channel"])
        others = [listens for listens in org.file["channels"][name]["agents"] if listens != agent]
        entry = {"agents": [*others, agent] if assign else others}
        answer = await _file(world, org, token, "channels", name, entry)
        if answer.status == 200:
            await asyncio.sleep(BELIEVED_SECONDS)
        return answer

    return do


DOES: Final[Mapping[str, Do]] = {
    "mode": _agent(_mode),
    "pause_learning": _agent(lambda _: {"learning_enabled": False}),
    "resume_learning": _agent(lambda _: {"learning_enabled": True}),
    "verify_identity": _identity("verified"),
    "revoke_identity": _identity("revoked"),
    "assign_channel": _channel(assign=True),
    "unassign_channel": _channel(assign=False),
}
MISSING: Final[Mapping[str, str]] = {
    "promote": "promoting a memory to the whole org",
    "restore": "restoring a memory",
    "lift_tombstone": "lifting a tombstone",
    "delete": "deleting a memory",
    "supersede": "superseding a memory by hand",
    "add_memory": "adding memories by hand",
    "add_rule": "policy rules of an org",
    "remove_rule": "policy rules of an org",
    "propose_skill": "proposing a skill",
    "revert_skill": "reverting a skill",
    "pause_skill": "pausing a skill",
    "resume_skill": "resuming a skill",
    "archive_skill": "archiving a skill",
    "propose_soul": "proposing a soul",
    "approve_soul": "approving a soul",
    "assign_soul": "assigning a soul",
    "pause_soul": "pausing a soul",
    "resume_soul": "resuming a soul",
    "suggest": "suggestions of channel managers",
}

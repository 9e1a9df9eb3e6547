"""From a story's setup to fresh orgs of the product, by its org file."""

from __future__ import annotations

import re
import secrets
from typing import Any, Final
from uuid import UUID

from dw_cli.play.api import Api, Unmet
from dw_cli.play.doors import CREATE_ORG, ORG_FILE
from dw_cli.play.stage import Stage
from dw_cli.play.story import StoryOrg
from dw_cli.play.world import OrgWorld, workspace_of

EXTRA_OWNER: Final = "story_owner"
UNPROVEN: Final = frozenset({"webhook", "email"})
"""Platforms whose sender ids prove nothing (C3, C46)."""


async def make_org(api: Api, stage: Stage, name: str, setup: StoryOrg) -> OrgWorld:
    """A fresh org with everything that the setup says. Unmet where the product refuses it."""
    code = f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-') or 'org'}-{secrets.token_hex(4)}"
    owner = owner_of(setup)
    created = await api.call(CREATE_ORG, stage.installation_token, json={"org": code, "owner": owner})
    if created.status != 200:
        raise Unmet(f"the org {name} was not created: {created.body}")
    owner_token = created.body["owner_token"]
    file = org_file(code, owner, setup)
    applied = await api.call(ORG_FILE, owner_token, path=ORG_FILE.at(org=code), json=file)
    if applied.status != 200:
        raise Unmet(f"the setup of {name} was refused: {applied.body}")
    body = applied.body
    return OrgWorld(
        name=name,
        code=code,
        org_id=UUID(body["org_id"]),
        setup=setup,
        agents={agent: UUID(id_) for agent, id_ in body["agents"].items()},
        channels={channel: UUID(id_) for channel, id_ in body["channels"].items()},
        users={user: UUID(id_) for user, id_ in body["users"].items()},
        tokens={owner: owner_token, **body.get("new_tokens", {})},
        gateway_keys={
            key.removeprefix("gateway-"): secret
            for key, secret in body["new_keys"].items()
            if key.startswith("gateway-")
        },
        runtime_key=body["new_keys"].get("runtime", ""),
        owner_token=owner_token,
        file=file,
    )


def owner_of(setup: StoryOrg) -> str:
    """An org needs an owner. Where the setup has none its first admin is made one, since the two may do the same in a
    story, and a further person could decide what a sole admin may (C61)."""
    active = {name: user.role for name, user in setup.users.items() if user.active}
    for role in ("owner", "admin"):
        for name, had in active.items():
            if had == role:
                return name
    return EXTRA_OWNER


def org_file(code: str, owner: str, setup: StoryOrg) -> dict[str, Any]:
    """The org file of a setup."""
    users: dict[str, Any] = {
        name: {"role": "owner" if name == owner else user.role, "active": user.active}
        for name, user in setup.users.items()
    }
    users.setdefault(owner, {"role": "owner"})
    platforms = sorted({channel.platform for channel in setup.channels.values()})
    keys: dict[str, Any] = {
        f"gateway-{platform}": {
            "kind": "gateway",
            "channels": [name for name, c in setup.channels.items() if c.platform == platform],
            "proves_sender": platform not in UNPROVEN,
        }
        for platform in platforms
    }
    return {
        "org": code,
        "users": users,
        "agents": {name: agent_entry(setup, name) for name in setup.agents},
        "identities": {
            name: identity_entry(code, setup, name)
            for name, identity in setup.identities.items()
            if identity.status != "none"
        },
        "channels": {name: channel_entry(code, setup, name) for name in setup.channels},
        "keys": keys | {"runtime": {"kind": "runtime"}},
    }


def agent_entry(setup: StoryOrg, name: str) -> dict[str, Any]:
    """A role-agent in the org file."""
    agent = setup.agents[name]
    entry: dict[str, Any] = {
        "name": agent.name or name,
        "auto_memory_enabled": agent.flags.auto,
        "auto_memory_require_verified": agent.flags.verified,
        "managers": list(setup.managers.get(name, ())),
    }
    caps = {"auto_saves_per_day": agent.caps.auto_saves_per_day, "open_items": agent.caps.open_proposals}
    return entry | {field: value for field, value in caps.items() if value is not None}


def identity_entry(code: str, setup: StoryOrg, name: str) -> dict[str, Any]:
    """An account in the org file."""
    identity = setup.identities[name]
    entry: dict[str, Any] = {
        "platform": identity.platform,
        "workspace_ref": workspace_of(code, identity.platform, identity.external_id),
        "external_user_id": identity.external_id,
        "status": identity.status,
    }
    return entry | ({"user": identity.user} if identity.user is not None else {})


def channel_entry(code: str, setup: StoryOrg, name: str) -> dict[str, Any]:
    """A channel in the org file."""
    channel = setup.channels[name]
    return {
        "platform": channel.platform,
        "workspace_ref": workspace_of(code, channel.platform, ""),
        "external_channel_ref": channel.external_id or f"C-{name}",
        "agents": list(channel.agents),
        "learning": channel.learning,
        "audience": "shared" if channel.shared else "single",
        "visibility": "private" if channel.private else "shared",
        "managers": list(setup.channel_managers.get(name, ())),
    }

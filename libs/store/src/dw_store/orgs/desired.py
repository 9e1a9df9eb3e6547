"""What a file says an org should be, as rows with ids: known ones keep theirs, new ones get a fresh one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.http.org_file import OrgFile
from dw_store.orgs.current import CurrentOrg, Row


@dataclass(frozen=True, slots=True)
class DesiredOrg:
    """Rows by code or name, in the shape of CurrentOrg."""

    users: dict[str, Row]
    agents: dict[str, Row]
    channels: dict[str, Row]
    identities: dict[str, Row]
    keys: dict[str, Row]


def desired_org(file: OrgFile, current: CurrentOrg, known_users: dict[str, UUID]) -> DesiredOrg:
    """`known_users` are people of other orgs, by code in this file: they are invited, not created (C74)."""
    users = {code: _user(file, code, current, known_users) for code in file.users}
    user_ids = {code: row["user_id"] for code, row in {**current.users, **users}.items()}
    agents = {code: _agent(file, code, current, user_ids) for code in file.agents}
    agent_ids = {code: row["id"] for code, row in {**current.agents, **agents}.items()}
    channels = {code: _channel(file, code, current, agent_ids, user_ids) for code in file.channels}
    channel_ids = {code: row["id"] for code, row in {**current.channels, **channels}.items()}
    identities = {name: _identity(file, name, current, user_ids) for name in file.identities}
    keys = {name: _key(file, name, current, channel_ids, agent_ids) for name in file.keys}
    return DesiredOrg(users, agents, channels, identities, keys)


def _id(known: Row | None, name: str = "id") -> UUID:
    return known[name] if known is not None else uuid.uuid4()


def _user(file: OrgFile, code: str, current: CurrentOrg, known_users: dict[str, UUID]) -> Row:
    user, known = file.users[code], current.users.get(code)
    elsewhere = known_users.get(code) if known is None else None
    status = "active" if user.active else "removed"
    if user.active and (elsewhere is not None or (known is not None and known["status"] == "invited")):
        status = "invited"
    # The name of somebody who has only been invited is not this org's to change.
    name = known["name"] if known is not None and status == "invited" else user.name or code
    return {
        "code": code,
        "user_id": elsewhere or _id(known, "user_id"),
        "name": name,
        "email": user.email.lower() if user.email else None,
        "role": user.role,
        "status": status,
    }


def _agent(file: OrgFile, code: str, current: CurrentOrg, user_ids: dict[str, UUID]) -> Row:
    agent = file.agents[code]
    return {
        "id": _id(current.agents.get(code)),
        "code": code,
        "name": agent.name or code,
        "persona": agent.persona,
        "status": agent.status,
        "auto_memory_enabled": agent.auto_memory_enabled,
        "auto_memory_require_verified": agent.auto_memory_require_verified,
        "learning_enabled": agent.learning_enabled,
        "auto_saves_per_day": agent.auto_saves_per_day,
        "open_items": agent.open_items,
        "managers": frozenset(user_ids[user] for user in agent.managers),
    }


def _channel(
    file: OrgFile, code: str, current: CurrentOrg, agent_ids: dict[str, UUID], user_ids: dict[str, UUID]
) -> Row:
    channel = file.channels[code]
    return {
        "id": _id(current.channels.get(code)),
        "code": code,
        "platform": channel.platform.value,
        "workspace_ref": channel.workspace_ref,
        "external_channel_ref": channel.external_channel_ref or code,
        "display_name": channel.display_name or code,
        "learning": channel.learning.value,
        "audience": channel.audience,
        "visibility": channel.visibility,
        "role_agent_id": agent_ids[channel.agents[0]] if channel.agents else None,
        "agents": frozenset(agent_ids[agent] for agent in channel.agents),
        "managers": frozenset(user_ids[user] for user in channel.managers),
    }


def _identity(file: OrgFile, name: str, current: CurrentOrg, user_ids: dict[str, UUID]) -> Row:
    identity = file.identities[name]
    account = (identity.platform.value, identity.workspace_ref, identity.external_user_id)
    return {
        "id": _id(current.identities.get(account)),
        "platform": account[0],
        "workspace_ref": account[1],
        "external_user_id": account[2],
        "user_id": user_ids[identity.user] if identity.user is not None else None,
        "status": identity.status,
        "service_granted": identity.service_granted,
    }


def _key(
    file: OrgFile, name: str, current: CurrentOrg, channel_ids: dict[str, UUID], agent_ids: dict[str, UUID]
) -> dict[str, Any]:
    key = file.keys[name]
    return {
        "id": _id(current.keys.get(name)),
        "name": name,
        "kind": key.kind,
        "channel_ids": frozenset(channel_ids[code] for code in key.channels),
        "agent_ids": frozenset(agent_ids[code] for code in key.agents),
        "proves_sender": key.proves_sender,
    }

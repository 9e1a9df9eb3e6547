"""What a file says an org should be, as rows with ids: known ones keep theirs, new ones get a fresh one."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.http.org_file import OrgFile
from dw_store.orgs.current import CurrentOrg, Row


@dataclass(frozen=True, slots=True)
class DesiredOrg:
    """Rows by code or name, in the shape of CurrentOrg."""

    org: dict[str, Row]
    users: dict[str, Row]
    agents: dict[str, Row]
    channels: dict[str, Row]
    identities: dict[str, Row]
    keys: dict[str, Row]


@dataclass(frozen=True, slots=True)
class _Ids:
    """Ids by code, of what is there and of what comes; and who is out."""

    users: Mapping[str, UUID]
    agents: Mapping[str, UUID]
    channels: Mapping[str, UUID]
    removed: frozenset[str]

    def people(self, codes: tuple[str, ...]) -> frozenset[UUID]:
        """A removed member manages nothing, whatever the file still says (C73)."""
        return frozenset(self.users[code] for code in codes if code not in self.removed)


def _org(file: OrgFile) -> Row:
    """What the file leaves out is left alone. `words` are the lines of the org's own glossary."""
    row: Row = {"name": file.name} if file.name else {}
    return row | ({"words": tuple(", ".join(same) for same in file.words)} if file.words else {})


def desired_org(file: OrgFile, current: CurrentOrg, known_users: Mapping[str, UUID]) -> DesiredOrg:
    """`known_users` are people of other orgs, by code in this file: they are invited, not created (C74)."""
    users = {code: _user(file, code, current, known_users) for code in file.users}
    removed = {code for code, row in {**current.users, **users}.items() if row["status"] == "removed"}
    ids = _Ids(
        users={code: row["user_id"] for code, row in {**current.users, **users}.items()},
        agents=_ids_of(file.agents, current.agents),
        channels=_ids_of(file.channels, current.channels),
        removed=frozenset(removed),
    )
    return DesiredOrg(
        org={file.org: row} if (row := _org(file)) else {},
        users=users,
        agents={code: _agent(file, code, ids) for code in file.agents},
        channels={code: _channel(file, code, ids) for code in file.channels},
        identities={name: _identity(file, name, current, ids) for name in file.identities},
        keys={name: _key(file, name, current, ids) for name in file.keys},
    )


def _ids_of(wanted: Mapping[str, Any], current: Mapping[str, Row]) -> dict[str, UUID]:
    known = {code: row["id"] for code, row in current.items()}
    return {**{code: uuid.uuid4() for code in wanted}, **known}


def _user(file: OrgFile, code: str, current: CurrentOrg, known_users: Mapping[str, UUID]) -> Row:
    user, known = file.users[code], current.users.get(code)
    elsewhere = known_users.get(code) if known is None else None
    status = "active" if user.active else "removed"
    if user.active and (elsewhere is not None or (known is not None and known["status"] == "invited")):
        status = "invited"
    given = user.email.lower() if user.email else None
    name = user.name or code
    if known is not None and known["status"] == "invited":
        name = known["name"]  # somebody who has only been invited is not this org's to rename
    return {
        "code": code,
        "user_id": elsewhere or (known["user_id"] if known is not None else uuid.uuid4()),
        "name": name,
        "email": given or (known["email"] if known is not None else None),
        "role": user.role,
        "status": status,
    }


def _agent(file: OrgFile, code: str, ids: _Ids) -> Row:
    agent = file.agents[code]
    return {
        "id": ids.agents[code],
        "code": code,
        "name": agent.name or code,
        "persona": agent.persona,
        "status": agent.status,
        "auto_memory_enabled": agent.auto_memory_enabled,
        "auto_memory_require_verified": agent.auto_memory_require_verified,
        "learning_enabled": agent.learning_enabled,
        "auto_saves_per_day": agent.auto_saves_per_day,
        "open_items": agent.open_items,
        "managers": ids.people(agent.managers),
    }


def _channel(file: OrgFile, code: str, ids: _Ids) -> Row:
    channel = file.channels[code]
    return {
        "id": ids.channels[code],
        "code": code,
        "platform": channel.platform.value,
        "workspace_ref": channel.workspace_ref,
        "external_channel_ref": channel.external_channel_ref or code,
        "display_name": channel.display_name or code,
        "learning": channel.learning.value,
        "audience": channel.audience,
        "visibility": channel.visibility,
        "role_agent_id": ids.agents[channel.agents[0]] if channel.agents else None,
        "agents": frozenset(ids.agents[agent] for agent in channel.agents),
        "managers": ids.people(channel.managers),
    }


def _identity(file: OrgFile, name: str, current: CurrentOrg, ids: _Ids) -> Row:
    identity = file.identities[name]
    account = (identity.platform.value, identity.workspace_ref, identity.external_user_id)
    known = current.identities.get(account)
    return {
        "id": known["id"] if known is not None else uuid.uuid4(),
        "platform": account[0],
        "workspace_ref": account[1],
        "external_user_id": account[2],
        "user_id": ids.users[identity.user] if identity.user is not None else None,
        "status": "revoked" if identity.user in ids.removed else identity.status,
        "service_granted": identity.service_granted,
    }


def _key(file: OrgFile, name: str, current: CurrentOrg, ids: _Ids) -> Row:
    key, known = file.keys[name], current.keys.get(name)
    return {
        "id": known["id"] if known is not None else uuid.uuid4(),
        "name": name,
        "kind": key.kind,
        "channel_ids": frozenset(ids.channels[code] for code in key.channels),
        "agent_ids": frozenset(ids.agents[code] for code in key.agents),
        "proves_sender": key.proves_sender,
    }

"""What a file says an org should be, as rows with ids: known ones keep theirs, new ones get a fresh one.

What the file leaves out of an entry that is known is left alone, as an entry is that it leaves out."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.http.org_file import OrgFile, UserFile
from dw_contracts.model import Contract
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
    removed: frozenset[UUID]

    def people(self, codes: tuple[str, ...]) -> frozenset[UUID]:
        """A removed member manages nothing, whatever the file still says (C73)."""
        return frozenset(self.users[code] for code in codes) - self.removed


def _org(file: OrgFile) -> Row:
    """What the file leaves out is left alone. `words` are the lines of the org's own glossary."""
    row: Row = {"name": file.name} if file.name else {}
    return row | ({"words": tuple(", ".join(same) for same in file.words)} if file.words else {})


def desired_org(file: OrgFile, current: CurrentOrg, known_users: Mapping[str, UUID]) -> DesiredOrg:
    """`known_users` are people of other orgs, by code in this file: they are invited, not created (C74)."""
    users = {code: _user(file, code, current, known_users) for code in file.users}
    everybody = {**current.users, **users}
    ids = _Ids(
        users={code: row["user_id"] for code, row in everybody.items()},
        agents=_ids_of(file.agents, current.agents),
        channels=_ids_of(file.channels, current.channels),
        removed=frozenset(row["user_id"] for row in everybody.values() if row["status"] == "removed"),
    )
    return DesiredOrg(
        org={file.org: said} if (said := _org(file)) else {},
        users=users,
        agents={code: _agent(file, code, current, ids) for code in file.agents},
        channels={code: _channel(file, code, current, ids) for code in file.channels},
        identities={name: _identity(file, name, current, ids) for name in file.identities},
        keys={name: row for name in file.keys if (row := _key(file, name, current.keys.get(name), ids))},
    )


def _ids_of(wanted: Mapping[str, Any], current: Mapping[str, Row]) -> dict[str, UUID]:
    known = {code: row["id"] for code, row in current.items()}
    return {**{code: uuid.uuid4() for code in wanted}, **known}


def _merged(part: Contract, known: Row | None, said: Row, fields: Mapping[str, str]) -> Row:
    """`said` is the row of a new entry. `fields` names the field of the file behind a column, where another."""
    if known is None:
        return said
    return {
        column: value
        if column not in known or fields.get(column, column) in part.model_fields_set
        else known[column]
        for column, value in said.items()
    }


def _user(file: OrgFile, code: str, current: CurrentOrg, known_users: Mapping[str, UUID]) -> Row:
    user, known = file.users[code], current.users.get(code)
    elsewhere = known_users.get(code) if known is None else None
    said = {"role": user.role, "name": user.name or code}
    merged = _merged(user, known, said, {})
    if known is not None and not known["joined"]:
        merged["name"] = known["name"]  # somebody who has only been invited is not this org's to rename
    given = user.email.lower() if user.email else None
    return {
        "code": code,
        "user_id": elsewhere or (known["user_id"] if known is not None else uuid.uuid4()),
        "name": merged["name"],
        "email": given or (known["email"] if known is not None else None),
        "role": merged["role"],
        "status": _membership(user, known, elsewhere),
    }


def _membership(user: UserFile, known: Row | None, elsewhere: UUID | None) -> str:
    """Nobody comes back because an old file is applied once more: that must be said, with `active: true`. Who never
    joined comes in by accepting, also after the invitation was taken back (C74)."""
    if known is not None and "active" not in user.model_fields_set:
        return str(known["status"])
    if not user.active:
        return "removed"
    return "invited" if elsewhere or (known is not None and not known["joined"]) else "active"


def _agent(file: OrgFile, code: str, current: CurrentOrg, ids: _Ids) -> Row:
    agent = file.agents[code]
    said = {
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
    merged = _merged(agent, current.agents.get(code), said, {})
    return merged | {"managers": merged["managers"] - ids.removed}


def _channel(file: OrgFile, code: str, current: CurrentOrg, ids: _Ids) -> Row:
    channel = file.channels[code]
    said = {
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
    merged = _merged(channel, current.channels.get(code), said, {"role_agent_id": "agents"})
    return merged | {"managers": merged["managers"] - ids.removed}


def _identity(file: OrgFile, name: str, current: CurrentOrg, ids: _Ids) -> Row:
    identity = file.identities[name]
    account = (identity.platform.value, identity.workspace_ref, identity.external_user_id)
    known = current.identities.get(account)
    said = {
        "id": uuid.uuid4(),
        "platform": account[0],
        "workspace_ref": account[1],
        "external_user_id": account[2],
        "user_id": ids.users[identity.user] if identity.user is not None else None,
        "status": identity.status,
        "service_granted": identity.service_granted,
    }
    merged = _merged(identity, known, said, {"user_id": "user"})
    if merged["user_id"] in ids.removed:
        merged["status"] = "revoked"
    elif known is not None and merged["user_id"] != known["user_id"] and merged["status"] == "verified":
        # Whose it was is proved, whose it becomes is not: that must be said.
        merged["status"] = "verified" if "status" in identity.model_fields_set else "pending"
    return merged


def _key(file: OrgFile, name: str, known: Row | None, ids: _Ids) -> Row | None:
    """No key comes back because an old file is applied once more, as nobody does: that must be said, with `active: true`,
    and then it is a new one with a new secret. None: there is no such key, and none is wanted."""
    key = file.keys[name]
    if known is None and not key.active:
        return None
    if known is not None and not known["active"]:
        if not key.active or "active" not in key.model_fields_set:
            return known
        known = None
    said = {
        "id": uuid.uuid4(),
        "name": name,
        "kind": key.kind,
        "channel_ids": frozenset(ids.channels[code] for code in key.channels),
        "agent_ids": frozenset(ids.agents[code] for code in key.agents),
        "proves_sender": key.proves_sender,
        "active": key.active,
    }
    return _merged(key, known, said, {"channel_ids": "channels", "agent_ids": "agents"})

"""Bringing an org to what its file says, in one transaction: plan, write, audit, version (C69, C73, C74)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.http.org_file import AppliedOrg, OrgFile, PlanStep
from dw_learning.org_plan import steps
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.keys import NewKey, create_key
from dw_store.orgs import sql
from dw_store.orgs.current import CurrentOrg, Row, load_org
from dw_store.orgs.desired import DesiredOrg, desired_org
from dw_store.versions import raise_versions

_SETS = frozenset({"managers", "agents"})


class LastOwner(Exception):
    """The change would leave the org without an active owner (C73)."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who applies the file."""

    user_id: UUID
    pepper: str


async def apply_org_file(
    tx: Tx, org_id: UUID, file: OrgFile, actor: Actor, now: datetime, *, dry_run: bool
) -> AppliedOrg:
    """Plan and, unless it is a dry run, write. The same file a second time changes nothing."""
    current = await load_org(tx, org_id)
    desired = desired_org(file, current, await _known_elsewhere(tx, file, current))
    plan = _plan(current, desired, file)
    changed = {(step.kind, step.name) for step in plan if step.action != "same"}
    keys: dict[str, str] = {}
    tokens: dict[str, str] = {}
    version = 0
    if changed and not dry_run:
        await _write(tx, org_id, file, current, desired, changed, actor, now)
        keys, tokens = await _make_secrets(tx, org_id, current, desired, changed, actor)
        if await tx.fetchval(sql.OWNERS, org_id) == 0:
            raise LastOwner(file.org)
        versions = await raise_versions(tx, [(org_id, None)])
        version = versions[(org_id, None)]
        await write_events(tx, _events(org_id, plan, current, desired, actor), versions, now)
    return AppliedOrg(
        org_id=org_id,
        dry_run=dry_run,
        plan=tuple(plan),
        agents={code: row["id"] for code, row in desired.agents.items()},
        channels={code: row["id"] for code, row in desired.channels.items()},
        users={code: row["user_id"] for code, row in desired.users.items()},
        new_keys=keys,
        new_tokens=tokens,
        version=version,
    )


async def _known_elsewhere(tx: Tx, file: OrgFile, current: CurrentOrg) -> dict[str, UUID]:
    wanted = {
        code: user.email for code, user in file.users.items() if user.email and code not in current.users
    }
    rows = await tx.fetch(sql.KNOWN_USERS, list(wanted), list(wanted.values())) if wanted else []
    return {row["code"]: row["user_id"] for row in rows if row["user_id"] is not None}


def _plan(current: CurrentOrg, desired: DesiredOrg, file: OrgFile) -> list[PlanStep]:
    accounts = {
        name: (r["platform"], r["workspace_ref"], r["external_user_id"])
        for name, r in desired.identities.items()
    }
    identities = {
        name: current.identities[account]
        for name, account in accounts.items()
        if account in current.identities
    }
    return [
        *steps("user", current.users, desired.users),
        *steps("agent", current.agents, desired.agents),
        *steps("channel", current.channels, desired.channels),
        *steps("identity", identities, desired.identities),
        *steps("key", current.keys, desired.keys),
    ]


async def _write(
    tx: Tx,
    org_id: UUID,
    file: OrgFile,
    current: CurrentOrg,
    desired: DesiredOrg,
    changed: set[tuple[str, str]],
    actor: Actor,
    now: datetime,
) -> None:
    by = str(actor.user_id)
    if file.name:
        await tx.execute(sql.RENAME_ORG, org_id, file.name)
    users = _of("user", desired.users, changed)
    if users:
        new = [row for row in users if row["code"] not in current.users and row["status"] != "invited"]
        await tx.execute(sql.INSERT_USERS, json_rows(new))
        await tx.execute(sql.UPSERT_MEMBERS, json_rows(users), org_id)
        await tx.execute(sql.UPDATE_USERS, json_rows(users), org_id)
        await _remove(tx, org_id, [row["user_id"] for row in users if row["status"] == "removed"], now)
    agents = _of("agent", desired.agents, changed)
    if agents:
        await tx.execute(sql.UPSERT_AGENTS, json_rows([_scalar(row) for row in agents]), org_id)
        out, came = _pairs(agents, current.agents, "managers", "role_agent_id", "user_id")
        await tx.execute(sql.DELETE_MANAGERS, json_rows(out), org_id)
        await tx.execute(sql.INSERT_MANAGERS, json_rows(came), org_id, by)
    channels = _of("channel", desired.channels, changed)
    if channels:
        await tx.execute(sql.UPSERT_CHANNELS, json_rows([_scalar(row) for row in channels]), org_id)
        out, came = _pairs(channels, current.channels, "agents", "channel_id", "role_agent_id")
        await tx.execute(sql.DELETE_LISTENERS, json_rows(out), org_id)
        await tx.execute(sql.INSERT_LISTENERS, json_rows(came), org_id)
        out, came = _pairs(channels, current.channels, "managers", "channel_id", "user_id")
        await tx.execute(sql.DELETE_CHANNEL_MANAGERS, json_rows(out), org_id)
        await tx.execute(sql.INSERT_CHANNEL_MANAGERS, json_rows(came), org_id)
    if identities := _of("identity", desired.identities, changed):
        await tx.execute(sql.UPSERT_IDENTITIES, json_rows(identities), org_id, by, now)
    keys = [row for row in _of("key", desired.keys, changed) if row["name"] in current.keys]
    if keys:
        rows = [
            {**row, "channel_ids": _array(row["channel_ids"]), "agent_ids": _array(row["agent_ids"])}
            for row in keys
        ]
        await tx.execute(sql.REBIND_KEYS, json_rows(rows), org_id)


async def _remove(tx: Tx, org_id: UUID, user_ids: list[UUID], now: datetime) -> None:
    """C73: tokens and sessions, manager rows, assignments and identities go with the membership."""
    if not user_ids:
        return
    await tx.execute(sql.REMOVE_TOKENS, org_id, user_ids, now)
    await tx.execute(sql.REMOVE_MANAGER_ROWS, org_id, user_ids)
    await tx.execute(sql.REMOVE_CHANNEL_MANAGER_ROWS, org_id, user_ids)
    await tx.execute(sql.REMOVE_ASSIGNMENTS, org_id, user_ids, now)
    await tx.execute(sql.REVOKE_IDENTITIES, org_id, user_ids, now)


async def _make_secrets(
    tx: Tx,
    org_id: UUID,
    current: CurrentOrg,
    desired: DesiredOrg,
    changed: set[tuple[str, str]],
    actor: Actor,
) -> tuple[dict[str, str], dict[str, str]]:
    """Keys and tokens made just now. A user known elsewhere gets none: he accepts an invitation (C74)."""
    keys: dict[str, str] = {}
    for name, row in desired.keys.items():
        if ("key", name) in changed and name not in current.keys:
            new = NewKey(
                key_id=row["id"],
                org_id=org_id,
                kind=row["kind"],
                name=name,
                created_by=str(actor.user_id),
                channel_ids=sorted(row["channel_ids"]),
                agent_ids=sorted(row["agent_ids"]),
                proves_sender=row["proves_sender"],
            )
            keys[name] = await create_key(tx, new, actor.pepper)
    tokens: dict[str, str] = {}
    for code, row in desired.users.items():
        if code not in current.users and row["status"] == "active":
            tokens[code] = await create_user_token(tx, org_id, row["user_id"], actor)
    return keys, tokens


async def create_user_token(tx: Tx, org_id: UUID, user_id: UUID, actor: Actor) -> str:
    """A token bound to (org, user)."""
    new = NewKey(
        key_id=uuid.uuid4(),
        org_id=org_id,
        kind="user",
        name="token",
        created_by=str(actor.user_id),
        user_id=user_id,
    )
    return await create_key(tx, new, actor.pepper)


def _of(kind: str, rows: Mapping[str, Row], changed: set[tuple[str, str]]) -> list[Row]:
    return [row for name, row in rows.items() if (kind, name) in changed]


def _scalar(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in _SETS}


def _array(values: Iterable[UUID]) -> str:
    return "{" + ",".join(sorted(map(str, values))) + "}"


def _pairs(
    rows: list[Row], before: Mapping[str, Row], field: str, owner: str, other: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    out: list[dict[str, Any]] = []
    came: list[dict[str, Any]] = []
    for row in rows:
        old = before[row["code"]][field] if row["code"] in before else frozenset()
        out += [{owner: row["id"], other: value} for value in sorted(old - row[field])]
        came += [{owner: row["id"], other: value} for value in sorted(row[field] - old)]
    return out, came


def _events(
    org_id: UUID, plan: list[PlanStep], current: CurrentOrg, desired: DesiredOrg, actor: Actor
) -> list[NewEvent]:
    rows: dict[str, Mapping[str, Row]] = {
        "user": desired.users,
        "agent": desired.agents,
        "channel": desired.channels,
        "identity": desired.identities,
        "key": desired.keys,
    }
    events: list[NewEvent] = []
    for step in plan:
        if step.action == "same":
            continue
        row = rows[step.kind][step.name]
        for event_type in _event_types(step, row):
            events.append(
                NewEvent(
                    org_id=org_id,
                    role_agent_id=row["id"] if step.kind == "agent" else None,
                    event_type=event_type,
                    actor_type="user",
                    actor_id=str(actor.user_id),
                    subject_type=step.kind,
                    subject_id=row["user_id"] if step.kind == "user" else row["id"],
                    reason="org file",
                    before={name: old for name, (old, _) in step.changes.items()},
                    after={"name": step.name, **{name: new for name, (_, new) in step.changes.items()}},
                )
            )
    return events


def _event_types(step: PlanStep, row: Row) -> list[str]:
    """C102's names where there is one, else <kind>_created or <kind>_changed."""
    created = step.action == "create"
    if step.kind == "user":
        return (
            ["member_removed"]
            if row["status"] == "removed"
            else ["member_added" if created else "member_changed"]
        )
    if step.kind == "key":
        return ["key_created" if created else "key_changed"]
    if step.kind == "identity":
        return [
            {"verified": "identity_verified", "revoked": "identity_revoked"}.get(
                row["status"], "identity_claimed"
            )
        ]
    if step.kind == "channel":
        types = (
            [] if set(step.changes) == {"agents"} else ["channel_created" if created else "channel_changed"]
        )
        return [
            *types,
            *(["channel_assigned"] if "agents" in step.changes or (created and row["agents"]) else []),
        ]
    types = ["agent_created"] if created else []
    if {"auto_memory_enabled", "auto_memory_require_verified"} & set(step.changes):
        types.append("auto_save_mode_changed")
    if "learning_enabled" in step.changes:
        types.append("learning_resumed" if row["learning_enabled"] else "learning_paused")
    if "managers" in step.changes or (created and row["managers"]):
        types.append("manager_added")
    return types or ["agent_changed"]

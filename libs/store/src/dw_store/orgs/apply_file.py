"""Bringing an org to what its file says, in one transaction: plan, write, audit, version (C69, C73, C74)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from dw_contracts.http.org_file import AppliedOrg, OrgFile
from dw_learning.org_faults import faults
from dw_learning.org_plan import (
    Change,
    Row,
    accounts_lost,
    audit_names,
    diff,
    owners_after,
    step_of,
    touches_roles,
    values_of,
)
from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.orgs import sql
from dw_store.orgs.conflicts import BadFile, LastOwner, OrgConflict, OwnersOnly
from dw_store.orgs.current import CurrentOrg, load_org
from dw_store.orgs.desired import DesiredOrg, desired_org
from dw_store.orgs.revoked import mark_what_they_taught, revoked_events
from dw_store.orgs.secrets import Actor, make_keys, make_tokens
from dw_store.orgs.write import write_changes
from dw_store.versions import raise_versions


async def apply_org_file(
    tx: Tx, org_id: UUID, file: OrgFile, actor: Actor, now: datetime, *, dry_run: bool
) -> AppliedOrg:
    """Plan and, unless it is a dry run, write. The same file a second time changes nothing.

    Raises BadFile, OwnersOnly, LastOwner, OrgConflict: the first three in a dry run too.
    """
    await tx.execute(sql.LOCK_ORG, org_id)  # of two files at once, the second one sees what the first one did
    current = await load_org(tx, org_id)
    live = {name: row for name, row in current.keys.items() if row["active"]}
    if found := faults(file, current.users, current.channels, live):
        raise BadFile(found)
    desired = desired_org(file, current, await _known_elsewhere(tx, file, current))
    plan = _plan(current, desired)
    changes = [change for change in plan if change.is_new or change.fields]
    if touches_roles(changes) and not actor.may_change_roles:
        raise OwnersOnly(file.org)
    if changes and owners_after(current.users, changes) == 0:
        raise LastOwner(file.org)
    keys: dict[str, str] = {}
    tokens: dict[str, str] = {}
    if changes and not dry_run:
        lost = accounts_lost(current.identities.values(), changes)
        keys, tokens = await _write(tx, org_id, changes, lost, _names(current, desired), actor, now)
    here = current if dry_run else desired
    return AppliedOrg(
        org_id=org_id,
        dry_run=dry_run,
        plan=tuple(step_of(change, _names(current, desired)) for change in plan),
        agents={code: here.agents[code]["id"] for code in file.agents if code in here.agents},
        channels={code: here.channels[code]["id"] for code in file.channels if code in here.channels},
        users={code: here.users[code]["user_id"] for code in file.users if code in here.users},
        new_keys=keys,
        new_tokens=tokens,
        version=await tx.fetchval(sql.ORG_VERSION, org_id),
    )


async def _known_elsewhere(tx: Tx, file: OrgFile, current: CurrentOrg) -> dict[str, UUID]:
    wanted = {code: u.email for code, u in file.users.items() if u.email and code not in current.users}
    rows = await tx.fetch(sql.KNOWN_USERS, list(wanted), list(wanted.values())) if wanted else []
    return {row["code"]: row["user_id"] for row in rows if row["user_id"] is not None}


def _plan(current: CurrentOrg, desired: DesiredOrg) -> list[Change]:
    """In the order in which the parts refer to each other."""
    identities = {
        name: current.identities[account]
        for name, row in desired.identities.items()
        if (account := (row["platform"], row["workspace_ref"], row["external_user_id"])) in current.identities
    }
    return [
        *diff("org", current.org, desired.org),
        *diff("user", current.users, desired.users),
        *diff("agent", current.agents, desired.agents),
        *diff("channel", current.channels, desired.channels),
        *diff("identity", identities, desired.identities),
        *diff("key", _kept_keys(current, desired), desired.keys),
    ]


def _kept_keys(current: CurrentOrg, desired: DesiredOrg) -> dict[str, Row]:
    """Without revoked ones that are followed by a new one."""
    return {name: row for name, row in current.keys.items() if desired.keys.get(name, row)["id"] == row["id"]}


async def _write(
    tx: Tx,
    org_id: UUID,
    changes: Sequence[Change],
    lost: tuple[list[Row], list[Row]],
    names: Mapping[Any, str],
    actor: Actor,
    now: datetime,
) -> tuple[dict[str, str], dict[str, str]]:
    await tx.execute(sql.LOCK_AGENTS, org_id)
    try:
        await write_changes(tx, org_id, changes, str(actor.user_id), now)
        keys = await make_keys(tx, org_id, [c.after for c in changes if c.kind == "key" and c.is_new], actor)
    except asyncpg.UniqueViolationError as error:
        raise OrgConflict(error.constraint_name or "unique") from error
    tokens = await make_tokens(tx, org_id, _who_needs_tokens(changes), actor)
    said, silent = lost
    marked = await mark_what_they_taught(tx, org_id, [row["id"] for row in (*said, *silent)], actor, now)
    events = [
        *_events(org_id, changes, names, actor),
        *revoked_events(org_id, silent, actor, "member removed"),
        *marked,
    ]
    owners = {(org_id, None)} | {(org_id, event.role_agent_id) for event in marked}
    versions = await raise_versions(tx, sorted(owners, key=str))
    await write_events(tx, events, versions, now)
    return keys, tokens


def _who_needs_tokens(changes: Sequence[Change]) -> dict[str, UUID]:
    """Users made just now, and those who come back: removal took all they had. Somebody who is known elsewhere gets
    none: he accepts an invitation (C74)."""
    return {
        change.name: change.after["user_id"]
        for change in changes
        if change.kind == "user"
        and change.after["status"] == "active"
        and (change.before is None or change.before["status"] == "removed")
    }


def _names(current: CurrentOrg, desired: DesiredOrg) -> dict[Any, str]:
    names = {row["user_id"]: code for rows in (current.users, desired.users) for code, row in rows.items()}
    parts = (current.agents, desired.agents, current.channels, desired.channels)
    return names | {row["id"]: code for rows in parts for code, row in rows.items()}


def _events(
    org_id: UUID, changes: Sequence[Change], names: Mapping[Any, str], actor: Actor
) -> list[NewEvent]:
    return [
        _event(org_id, change, event_type, fields, names, actor)
        for change in changes
        for event_type, fields in audit_names(change)
    ]


def _event(
    org_id: UUID,
    change: Change,
    event_type: str,
    fields: Sequence[str],
    names: Mapping[Any, str],
    actor: Actor,
) -> NewEvent:
    subjects = {"user": change.after.get("user_id"), "org": org_id}
    values = values_of(change, names)
    old = {name: values[name][0] for name in fields if values[name][0]}
    new = {name: values[name][1] for name in fields}
    return by_user(
        actor,
        org_id=org_id,
        role_agent_id=change.after["id"] if change.kind == "agent" else None,
        event_type=event_type,
        subject_type=change.kind,
        subject_id=subjects.get(change.kind, change.after.get("id")),
        reason="org file",
        before=old or None,
        after={**new, "code": change.name},
    )

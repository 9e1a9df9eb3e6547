"""Accounts of an org, by an admin's hand (R30, C36, C48): mapped, verified, revoked, one by one or in bulk."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.http.identities import MapIdentity
from dw_learning.identity_claims import is_erased
from dw_learning.org_plan import Change, accounts_lost, audit_names, values_of
from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.orgs import identity_sql, sql
from dw_store.orgs.revoked import mark_what_they_taught
from dw_store.orgs.secrets import Actor
from dw_store.versions import raise_versions

MAX_IMPORT = 5_000


class NoSuchMember(Exception):
    """Nobody of this code is an active member: by row, with the code."""

    def __init__(self, rows: Mapping[int, str]) -> None:
        super().__init__(", ".join(sorted(set(rows.values()))))
        self.rows = dict(rows)


class NobodysAccount(Exception):
    """An account cannot be verified while nobody is said to own it: by row."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__("verified, but whose is it?")
        self.rows = tuple(rows)


class ErasedAccount(Exception):
    """What an erased person's account left is nobody's any more (C72): by row."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__("an erased account")
        self.rows = tuple(rows)


@dataclass(frozen=True, slots=True)
class Written:
    """How many accounts are new, how many other than before, how many as they were; and their ids by row."""

    created: int
    changed: int
    same: int
    ids: tuple[UUID, ...]


async def identity_page(
    tx: Tx,
    org_id: UUID,
    *,
    status: str,
    user_id: UUID | None,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Any]:
    """Accounts, the newest first."""
    at, identity_id = before or (None, None)
    return await tx.fetch(identity_sql.PAGE, org_id, status, user_id, at, identity_id, limit)


async def one_identity(tx: Tx, org_id: UUID, identity_id: UUID) -> Any | None:
    """The account, or None."""
    return await tx.fetchrow(identity_sql.ONE, org_id, identity_id)


async def map_identities(
    tx: Tx,
    org_id: UUID,
    wanted: Sequence[MapIdentity],
    actor: Actor,
    now: datetime,
    *,
    by: str,
    dry_run: bool,
) -> Written:
    """All or none, in a fixed number of statements. What a row leaves out is left alone. Accounts are unique in
    `wanted`. Raises NoSuchMember, NobodysAccount, ErasedAccount."""
    if erased := [n for n, one in enumerate(wanted) if is_erased(one.external_user_id)]:
        raise ErasedAccount(erased)
    await _lock(tx, org_id)
    users = await _members(tx, org_id, wanted)
    known = await _known(tx, org_id, wanted)
    rows = [_row(one, known.get(_account(one)), users) for one in wanted]
    if bare := [n for n, row in enumerate(rows) if row["status"] == "verified" and row["user_id"] is None]:
        raise NobodysAccount(bare)
    changes = [
        Change("identity", ":".join(_account(one)), known.get(_account(one)), row)
        for one, row in zip(wanted, rows, strict=True)
    ]
    todo = [change for change in changes if change.fields]
    if todo and not dry_run:
        names = {user_id: code for code, user_id in users.items()}
        await _write(tx, org_id, todo, names, actor, now, by)
    created = sum(change.is_new for change in changes)
    return Written(created, len(todo) - created, len(changes) - len(todo), tuple(row["id"] for row in rows))


async def verify_identity(
    tx: Tx, org_id: UUID, identity_id: UUID, user: str | None, actor: Actor, now: datetime, *, reason: str
) -> Any | None:
    """The account as verified now; None where there is none. Raises NoSuchMember, NobodysAccount, ErasedAccount: also
    where an erasure came first, for both lock the org."""
    return await _change(tx, org_id, identity_id, actor, now, user=user, status="verified", reason=reason)


async def revoke_identity(
    tx: Tx, org_id: UUID, identity_id: UUID, actor: Actor, now: datetime, *, reason: str
) -> Any | None:
    """The account as revoked now; None where there is none. What it taught is marked and reviewed (C36). Raises
    ErasedAccount."""
    return await _change(tx, org_id, identity_id, actor, now, user=None, status="revoked", reason=reason)


async def _change(
    tx: Tx,
    org_id: UUID,
    identity_id: UUID,
    actor: Actor,
    now: datetime,
    *,
    user: str | None,
    status: str,
    reason: str,
) -> Any | None:
    await _lock(tx, org_id)
    row = await one_identity(tx, org_id, identity_id)
    if row is None:
        return None
    said: dict[str, Any] = {
        "platform": row["platform"],
        "workspace_ref": row["workspace_ref"],
        "external_user_id": row["external_user_id"],
        "status": status,
    }
    owner = user or (row["user"] if status == "verified" else None)
    wanted = MapIdentity.model_validate(said | ({"user": owner} if owner else {}))
    await map_identities(tx, org_id, [wanted], actor, now, by=reason or "panel", dry_run=False)
    return await one_identity(tx, org_id, identity_id)


async def _lock(tx: Tx, org_id: UUID) -> None:
    """In the order of the org file: of two changes at once the second sees the first; then the agents (C69)."""
    await tx.execute(sql.LOCK_ORG, org_id)
    await tx.execute(sql.LOCK_AGENTS, org_id)


async def _members(tx: Tx, org_id: UUID, wanted: Sequence[MapIdentity]) -> dict[str, UUID]:
    codes = sorted({one.user for one in wanted if one.user is not None})
    rows = await tx.fetch(identity_sql.MEMBERS, org_id, codes) if codes else []
    active = {row["code"]: row["user_id"] for row in rows if row["status"] == "active"}
    missing = {
        number: one.user
        for number, one in enumerate(wanted)
        if one.user is not None and one.user not in active
    }
    if missing:
        raise NoSuchMember(missing)
    return active


async def _known(
    tx: Tx, org_id: UUID, wanted: Sequence[MapIdentity]
) -> dict[tuple[str, str, str], dict[str, Any]]:
    columns = zip(*(_account(one) for one in wanted), strict=True)
    rows = await tx.fetch(identity_sql.BY_ACCOUNT, org_id, *map(list, columns))
    return {(row["platform"], row["workspace_ref"], row["external_user_id"]): dict(row) for row in rows}


def _account(one: MapIdentity) -> tuple[str, str, str]:
    return (one.platform.value, one.workspace_ref, one.external_user_id)


def _row(one: MapIdentity, known: Mapping[str, Any] | None, users: Mapping[str, UUID]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "id": uuid.uuid4(),
        "platform": one.platform.value,
        "workspace_ref": one.workspace_ref,
        "external_user_id": one.external_user_id,
        "user_id": users[one.user] if one.user is not None else None,
        "status": one.status,
        "service_granted": one.service_granted,
    }
    if known is None:
        return said
    given = one.model_fields_set
    row = said | {"id": known["id"]}
    for column, name in (("user_id", "user"), ("status", "status"), ("service_granted", "service_granted")):
        row[column] = said[column] if name in given else known[column]
    if "status" not in given and row["user_id"] != known["user_id"] and row["status"] == "verified":
        row["status"] = "pending"  # whose it was is proved, whose it becomes is not
    return row


async def _write(
    tx: Tx,
    org_id: UUID,
    changes: Sequence[Change],
    names: Mapping[Any, str],
    actor: Actor,
    now: datetime,
    by: str,
) -> None:
    rows = [dict(change.after) for change in changes]
    await tx.execute(sql.UPSERT_IDENTITIES, json_rows(rows), org_id, str(actor.user_id), now)
    lost, _ = accounts_lost((), changes)
    marked = await mark_what_they_taught(tx, org_id, [row["id"] for row in lost], actor, now)
    events = [
        _event(org_id, change, event_type, fields, names, actor, by)
        for change in changes
        for event_type, fields in audit_names(change)
    ]
    owners = {(org_id, None)} | {(org_id, event.role_agent_id) for event in marked}
    versions = await raise_versions(tx, sorted(owners, key=str))
    await write_events(tx, [*events, *marked], versions, now)


def _event(
    org_id: UUID,
    change: Change,
    event_type: str,
    fields: Sequence[str],
    names: Mapping[Any, str],
    actor: Actor,
    by: str,
) -> NewEvent:
    values = values_of(change, names)
    old = {name: values[name][0] for name in fields if values[name][0]}
    return by_user(
        actor,
        org_id=org_id,
        event_type=event_type,
        subject_type="identity",
        subject_id=change.after["id"],
        reason=by,
        before=old or None,
        after={name: values[name][1] for name in fields} | {"account": change.name},
    )

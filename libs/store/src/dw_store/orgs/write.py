"""Rows of an org, written as its file says: one statement a table, whatever the number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_learning.org_plan import Change, Kind
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.orgs import identity_sql, sql
from dw_store.orgs.secrets import array

_SETS = frozenset({"managers", "agents"})
Rows = list[dict[str, Any]]


async def write_changes(tx: Tx, org_id: UUID, changes: Sequence[Change], by: str, now: datetime) -> None:
    """All of them but new keys, which are made with their secrets."""
    for change in _of(changes, "org"):
        if "name" in change.fields:
            await tx.execute(sql.RENAME_ORG, org_id, change.after["name"])
        if "words" in change.fields:
            await tx.execute(sql.SET_WORDS, org_id, list(change.after["words"]))
    await _write_users(tx, org_id, _of(changes, "user"), now)
    await _write_agents(tx, org_id, _of(changes, "agent"), by)
    await _write_channels(tx, org_id, _of(changes, "channel"))
    if identities := [dict(change.after) for change in _of(changes, "identity")]:
        await tx.execute(sql.UPSERT_IDENTITIES, json_rows(identities), org_id, by, now)
    rebound = [dict(change.after) for change in _of(changes, "key") if not change.is_new]
    for row in rebound:
        row |= {"channel_ids": array(row["channel_ids"]), "agent_ids": array(row["agent_ids"])}
    if rebound:
        await tx.execute(sql.REBIND_KEYS, json_rows(rebound), org_id, now)


def _of(changes: Sequence[Change], kind: Kind) -> list[Change]:
    return [change for change in changes if change.kind == kind]


async def _write_users(tx: Tx, org_id: UUID, changes: list[Change], now: datetime) -> None:
    if not changes:
        return
    rows = [dict(change.after) for change in changes]
    new = [dict(c.after) for c in changes if c.is_new and c.after["status"] != "invited"]
    await tx.execute(sql.INSERT_USERS, json_rows(new))
    await tx.execute(sql.UPSERT_MEMBERS, json_rows(rows), org_id)
    await tx.execute(sql.UPDATE_USERS, json_rows(rows), org_id)
    gone = [row["user_id"] for row in rows if row["status"] == "removed"]
    if gone:
        await _remove(tx, org_id, gone, now)


async def _remove(tx: Tx, org_id: UUID, user_ids: list[UUID], now: datetime) -> None:
    """C73: tokens and sessions, manager rows, assignments and identities go with the membership."""
    await tx.execute(sql.REMOVE_TOKENS, org_id, user_ids, now)
    await tx.execute(sql.REMOVE_MANAGER_ROWS, org_id, user_ids)
    await tx.execute(sql.REMOVE_CHANNEL_MANAGER_ROWS, org_id, user_ids)
    await tx.execute(sql.REMOVE_ASSIGNMENTS, org_id, user_ids, now)
    await tx.execute(sql.REVOKE_IDENTITIES, org_id, user_ids, now)
    await tx.execute(identity_sql.VOID_CLAIMS, org_id, user_ids, now)


async def _write_agents(tx: Tx, org_id: UUID, changes: list[Change], by: str) -> None:
    if not changes:
        return
    await tx.execute(sql.UPSERT_AGENTS, json_rows(_scalars(changes)), org_id)
    lost, gained = _pairs(changes, "managers", "role_agent_id", "user_id")
    await tx.execute(sql.DELETE_MANAGERS, json_rows(lost), org_id)
    await tx.execute(sql.INSERT_MANAGERS, json_rows(gained), org_id, by)


async def _write_channels(tx: Tx, org_id: UUID, changes: list[Change]) -> None:
    if not changes:
        return
    await tx.execute(sql.UPSERT_CHANNELS, json_rows(_scalars(changes)), org_id)
    lost, gained = _pairs(changes, "agents", "channel_id", "role_agent_id")
    await tx.execute(sql.DELETE_LISTENERS, json_rows(lost), org_id)
    await tx.execute(sql.INSERT_LISTENERS, json_rows(gained), org_id)
    lost, gained = _pairs(changes, "managers", "channel_id", "user_id")
    await tx.execute(sql.DELETE_CHANNEL_MANAGERS, json_rows(lost), org_id)
    await tx.execute(sql.INSERT_CHANNEL_MANAGERS, json_rows(gained), org_id)


def _scalars(changes: list[Change]) -> Rows:
    return [{name: value for name, value in c.after.items() if name not in _SETS} for c in changes]


def _pairs(changes: list[Change], field: str, owner: str, other: str) -> tuple[Rows, Rows]:
    lost = [{owner: c.after["id"], other: value} for c in changes for value in sorted(c.lost(field))]
    gained = [{owner: c.after["id"], other: value} for c in changes for value in sorted(c.gained(field))]
    return lost, gained

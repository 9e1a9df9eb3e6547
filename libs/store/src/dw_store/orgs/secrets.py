"""Keys and tokens of an org, made in one statement. Their secrets are in the answer and nowhere else (C53, C74)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.keys import Kind, hash_secret, new_secret
from dw_store.orgs import sql


@dataclass(frozen=True, slots=True)
class Actor:
    """Who changes the org. `pepper` makes the HMACs of the secrets that come of it."""

    user_id: UUID
    may_change_roles: bool
    pepper: str
    trace_id: str = ""


async def make_keys(tx: Tx, org_id: UUID, keys: Iterable[Mapping[str, Any]], actor: Actor) -> dict[str, str]:
    """Keys for machines; their secrets by name."""
    rows = [
        {**key, "channel_ids": array(key["channel_ids"]), "agent_ids": array(key["agent_ids"])}
        for key in keys
    ]
    made = {row["name"]: new_secret(row["kind"]) for row in rows}
    await _insert(tx, org_id, [(row, made[row["name"]]) for row in rows], actor)
    return made


async def make_tokens(tx: Tx, org_id: UUID, users: Mapping[str, UUID], actor: Actor) -> dict[str, str]:
    """Tokens bound to (org, user); by the user's code."""
    kind: Kind = "user"
    made = {code: new_secret(kind) for code in users}
    rows = [
        ({"id": uuid.uuid4(), "kind": kind, "name": "token", "user_id": user_id}, made[code])
        for code, user_id in users.items()
    ]
    await _insert(tx, org_id, rows, actor)
    return made


async def _insert(tx: Tx, org_id: UUID, rows: list[tuple[dict[str, Any], str]], actor: Actor) -> None:
    if not rows:
        return
    hashed = [{**row, "key_hash": hash_secret(secret, actor.pepper).hex()} for row, secret in rows]
    await tx.execute(sql.INSERT_KEYS, json_rows(hashed), org_id, str(actor.user_id))


def array(values: Iterable[UUID]) -> str:
    """As PostgreSQL writes an array: that is how jsonb_to_recordset reads one."""
    return "{" + ",".join(sorted(map(str, values))) + "}"

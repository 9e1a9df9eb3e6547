"""Prompts of the installation: what is active, for services; what is done to them, for who holds the administrator's
connection (R66, ADR 11). They stand outside tenants: no org's words are in them, and no org changes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from dw_learning.prompts import KEYS, Prompt, faults_of
from dw_store.database import Database, Tx

MOST_ROWS: Final = 1_000

ACTIVE: Final = """
SELECT v.key, v.version, v.body, v.turn
FROM dw_prompts AS p
JOIN dw_prompt_versions AS v ON v.key = p.key AND v.version = p.active_version
WHERE v.status = 'approved'
ORDER BY v.key LIMIT 100
"""
AS_OWNER: Final = "SET LOCAL ROLE dw_owner"
LOCK: Final = "SELECT p.active_version FROM dw_prompts AS p WHERE p.key = $1 FOR UPDATE"
VERSIONS: Final = """
SELECT v.key, v.version, v.status, v.proposed_by, v.approver, v.change_summary, v.created_at, v.approved_at,
       v.body, v.turn, p.active_version IS NOT DISTINCT FROM v.version AS active
FROM dw_prompt_versions AS v
JOIN dw_prompts AS p ON p.key = v.key
WHERE $1 = '' OR v.key = $1
ORDER BY v.key, v.version DESC LIMIT $2
"""
VERSION: Final = """
SELECT v.status, v.proposed_by FROM dw_prompt_versions AS v WHERE v.key = $1 AND v.version = $2
"""
NEXT: Final = "SELECT coalesce(max(v.version), 0) + 1 FROM dw_prompt_versions AS v WHERE v.key = $1"
INSERT: Final = """
INSERT INTO dw_prompt_versions (key, version, body, turn, variables, status, change_summary, proposed_by, created_at)
VALUES ($1, $2, $3, $4, $5::jsonb, 'draft', $6, $7, $8)
"""
APPROVE: Final = """
UPDATE dw_prompt_versions SET status = 'approved', approver = $3, approved_at = $4 WHERE key = $1 AND version = $2
"""
ACTIVATE: Final = "UPDATE dw_prompts SET active_version = $2 WHERE key = $1"
EVENT: Final = """
INSERT INTO dw_prompt_events (key, version, act, actor, self_approved, previous_version, reason, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
EVENTS: Final = """
SELECT e.key, e.version, e.act, e.actor, e.self_approved, e.previous_version, e.reason, e.at
FROM dw_prompt_events AS e
WHERE $1 = '' OR e.key = $1
ORDER BY e.place DESC LIMIT $2
"""


class PromptRefused(Exception):
    """It cannot be done, in words for whoever tried."""


@dataclass(frozen=True, slots=True)
class Act:
    """Who does it, why, and when."""

    actor: str
    reason: str
    at: datetime


async def active_prompts(database: Database) -> dict[str, Prompt]:
    """The version of each prompt that models are asked with now."""
    rows = await database.fetch(ACTIVE)
    return {row["key"]: Prompt(row["key"], row["version"], row["body"], row["turn"]) for row in rows}


async def versions(database: Database, key: str = "") -> list[dict[str, Any]]:
    """Of one prompt, or of all; the newest first."""
    return [dict(row) for row in await database.fetch(VERSIONS, key, MOST_ROWS)]


async def events(database: Database, key: str = "") -> list[dict[str, Any]]:
    """What was done, the latest first."""
    return [dict(row) for row in await database.fetch(EVENTS, key, MOST_ROWS)]


async def propose(tx: Tx, key: str, system: str, turn: str, act: Act) -> int:
    """A new draft; its number. PromptRefused says what is wrong with the text."""
    if faults := faults_of(key, system, turn):
        raise PromptRefused("; ".join(faults))
    await _begin(tx, key, act)
    version: int = await tx.fetchval(NEXT, key)
    await tx.execute(INSERT, key, version, system, turn, _variables(key), act.reason, act.actor, act.at)
    await _record(tx, key, version, "proposed", act)
    return version


async def approve(tx: Tx, key: str, version: int, act: Act, *, alone: bool = False) -> None:
    """Somebody else than who proposed it says yes; `alone` is for an installation with one operator, and on record."""
    await _begin(tx, key, act)
    row = await _version(tx, key, version)
    own = row["proposed_by"].casefold() == act.actor.casefold()
    if row["status"] != "draft":
        raise PromptRefused(f"{key}-{version} is {row['status']} already")
    if own and not alone:
        raise PromptRefused(f"{act.actor} proposed {key}-{version}: somebody else approves it")
    await tx.execute(APPROVE, key, version, act.actor, act.at)
    await _record(tx, key, version, "approved", act, self_approved=own)


async def activate(tx: Tx, key: str, version: int, act: Act) -> int | None:
    """From the next question on, models are asked with it; gives the version that was active. An older one brings the
    prompt back to what it was."""
    active = await _begin(tx, key, act)
    if (await _version(tx, key, version))["status"] != "approved":
        raise PromptRefused(f"{key}-{version} is not approved")
    if active == version:
        raise PromptRefused(f"{key}-{version} is active already")
    await tx.execute(ACTIVATE, key, version)
    await _record(tx, key, version, "activated", act, previous=active)
    return active


async def _begin(tx: Tx, key: str, act: Act) -> int | None:
    """As the owner of the tables, alone with this prompt; the version that is active."""
    if key not in KEYS:
        raise PromptRefused(f"there is no prompt {key}: there are {', '.join(sorted(KEYS))}")
    if not act.actor.strip():
        raise PromptRefused("say who you are")
    await tx.execute(AS_OWNER)
    row = await tx.fetchrow(LOCK, key)
    return row["active_version"] if row is not None else None


async def _version(tx: Tx, key: str, version: int) -> Any:
    row = await tx.fetchrow(VERSION, key, version)
    if row is None:
        raise PromptRefused(f"there is no {key}-{version}")
    return row


def _variables(key: str) -> Sequence[str]:
    return sorted(KEYS[key].all)


async def _record(
    tx: Tx,
    key: str,
    version: int,
    what: str,
    act: Act,
    *,
    self_approved: bool = False,
    previous: int | None = None,
) -> None:
    await tx.execute(EVENT, key, version, what, act.actor, self_approved, previous, act.reason, act.at)

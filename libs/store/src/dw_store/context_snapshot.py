"""A role-agent whole, in one round trip and from one snapshot of the database, for the cache of packs (C71)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.context import PackSoul
from dw_learning.pack import ActiveMemory, Soul
from dw_learning.skill_choice import Offer
from dw_learning.snapshot import FAR, AgentFacts
from dw_store.context_reads import uuid_of
from dw_store.database import Database
from dw_store.versions import read_versions

MAX_OWN: Final = 5_000
"""Memories of one role-agent that are kept and matched; those behind them are in no pack, and `more_active` says so."""
MAX_SHARED: Final = 1_000

# dw_context_snapshot sets the org itself: a transaction of its own would cost two more round trips.
SNAPSHOT = "SELECT dw_context_snapshot($1, $2, $3, $4, $5) AS facts"


async def load_snapshot(database: Database, org_id: UUID, role_agent: str) -> AgentFacts | None:
    """The facts of an active role-agent by id or code, or None."""
    rows = await database.fetch(SNAPSHOT, org_id, role_agent, uuid_of(role_agent), MAX_OWN, MAX_SHARED)
    facts = rows[0]["facts"]
    return None if facts is None else _facts(facts)


async def current_versions(
    database: Database, agents: Sequence[tuple[UUID, UUID]]
) -> dict[tuple[UUID, UUID], int]:
    """The versions of many role-agents of any orgs, in one statement: what confirms cached ones."""
    async with database.transaction(sorted({org for org, _ in agents})) as tx:
        return await read_versions(tx, agents)


def _facts(facts: list[Any]) -> AgentFacts:
    role_agent_id, code, version, soul, channels, people, memories, more_active, skills = facts
    rows = memories or ()
    return AgentFacts(
        role_agent_id=role_agent_id,
        code=code,
        version=version,
        memories=[_memory(*row[:-1]) for row in rows],
        soul=_soul(*soul) if soul else None,
        channels=_channels(channels or ()),
        people={(platform, workspace, account): made for platform, workspace, account, made in people or ()},
        skills=[Offer._make(skill) for skill in skills or ()],
        more_active=more_active,
        expires_at=min((row[-1] for row in rows if row[-1] is not None), default=FAR),
    )


def _channels(rows: Sequence[list[Any]]) -> dict[str, str]:
    """By id before the platform's reference before our code; of two with one name, the lower id."""
    names: dict[str, str] = {}
    for position in (2, 1, 0):
        names |= {row[position]: row[0] for row in rows if row[position]}
    return names


def _soul(code: str, version: int, tone: str, never: str, soul_paused: bool, agent_paused: bool) -> Soul:
    approved = PackSoul(code=code, version=version, tone_rules=tone, do_not_do=never)
    return Soul(approved, soul_paused=soul_paused, agent_paused=agent_paused)


def _memory(made: str, org_wide: bool, operating: bool, *rest: Any) -> ActiveMemory:
    scope, layer = "org" if org_wide else "role_agent", "operating" if operating else "knowledge"
    return ActiveMemory._make((made, scope, layer, *rest))

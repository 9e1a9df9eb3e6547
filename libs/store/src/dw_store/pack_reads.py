"""What people read of packs and runs: where a memory was used, a run's record, skills that are never loaded (D41, D48,
R207). Packs are counted among the newest ones, so that a question costs the same however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_store.database import Tx

PACKS_LOOKED_AT: Final = 20_000
"""Over all role-agents of one question; each has an equal share."""
AGENTS_LOOKED_AT: Final = 200
MAX_RUNS: Final = 50
MAX_PACKS: Final = 50

SENSITIVE: Final = """
SELECT m.id FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.id = ANY ($2::uuid[]) AND (m.is_sensitive OR m.risk = 'sensitive')
"""
USE: Final = """
SELECT m.use_count, m.last_used_at FROM dw_agent_memories AS m WHERE m.org_id = $1 AND m.id = $2
"""
RUN_USES: Final = """
SELECT u.run_id, r.role_agent_id, c.code AS channel, u.used_at
FROM dw_run_memory_uses AS u
JOIN dw_runs AS r ON r.org_id = u.org_id AND r.id = u.run_id
JOIN dw_channels AS c ON c.org_id = r.org_id AND c.id = r.channel_id
WHERE u.org_id = $1 AND u.memory_id = $2 AND r.role_agent_id = ANY ($3::uuid[])
ORDER BY u.used_at DESC, u.run_id
LIMIT $4
"""
AGENTS: Final = """
SELECT a.id FROM dw_role_agents AS a
WHERE a.org_id = $1 AND ($2::uuid[] IS NULL OR a.id = ANY ($2::uuid[]))
ORDER BY a.id
LIMIT $3
"""
_NEWEST: Final = """
FROM unnest($2::uuid[]) AS a (id)
CROSS JOIN LATERAL (
    SELECT k.channel_id, k.run_id, k.built_at, k.memory_ids, k.skill_refs
    FROM dw_context_packs AS k
    WHERE k.org_id = $1 AND k.role_agent_id = a.id
    ORDER BY k.built_at DESC
    LIMIT $3
) AS p
"""
LOOKED_AT: Final = f"""
SELECT count(*) AS looked_at, min(p.built_at) AS since
{_NEWEST}
"""
PACK_USES: Final = f"""
SELECT p.channel_id, c.code AS channel, count(*) AS packs, count(DISTINCT p.run_id) AS runs, max(p.built_at) AS last_at
{_NEWEST}
LEFT JOIN dw_channels AS c ON c.org_id = $1 AND c.id = p.channel_id
WHERE $4::uuid = ANY (p.memory_ids)
GROUP BY p.channel_id, c.code
ORDER BY count(*) DESC, p.channel_id
LIMIT 200
"""
SKILL_USES: Final = f"""
SELECT s.id, s.name, s.status, s.active_version, coalesce(l.loads, 0) AS loads, l.last_loaded_at
FROM dw_agent_skills AS s
LEFT JOIN (
    SELECT x ->> 'name' AS name, count(*) AS loads, max(p.built_at) AS last_loaded_at
    {_NEWEST}
    CROSS JOIN jsonb_array_elements(p.skill_refs) AS x
    GROUP BY x ->> 'name'
) AS l ON l.name = s.name
WHERE s.org_id = $1 AND s.role_agent_id = ANY ($2::uuid[])
ORDER BY coalesce(l.loads, 0), s.name
LIMIT 1000
"""
_RUN: Final = """
SELECT r.id, r.role_agent_id, r.channel_id, r.event_id, r.status, r.started_at, r.finished_at,
       (SELECT count(*) FROM dw_context_packs AS p WHERE p.org_id = r.org_id AND p.run_id = r.id) AS packs,
       (SELECT count(*) FROM dw_run_memory_uses AS u WHERE u.org_id = r.org_id AND u.run_id = r.id) AS used
FROM dw_runs AS r
"""
RUNS: Final = f"""
{_RUN}
WHERE r.org_id = $1 AND r.role_agent_id = $2 AND ($3::timestamptz IS NULL OR (r.started_at, r.id) < ($3, $4::uuid))
ORDER BY r.started_at DESC, r.id DESC
LIMIT $5
"""
RUN: Final = f"{_RUN} WHERE r.org_id = $1 AND r.id = $2"
RUN_PACKS: Final = """
SELECT p.id, p.built_at, p.version, p.prompt_version, p.builder_version, p.soul_version, p.skill_refs, p.memory_ids,
       p.memory_chars, p.dropped, p.history_refs
FROM dw_context_packs AS p
WHERE p.org_id = $1 AND p.run_id = $2
ORDER BY p.built_at DESC, p.id
LIMIT $3
"""
RUN_USED: Final = """
SELECT u.memory_id FROM dw_run_memory_uses AS u WHERE u.org_id = $1 AND u.run_id = $2 ORDER BY u.memory_id LIMIT 500
"""


async def sensitive_among(tx: Tx, org_id: UUID, memories: Sequence[str]) -> frozenset[str]:
    """Which of these memories are sensitive."""
    ids = [UUID(memory) for memory in memories]
    return frozenset(str(row["id"]) for row in await tx.fetch(SENSITIVE, org_id, ids))


async def memory_use(tx: Tx, org_id: UUID, memory_id: UUID) -> Any | None:
    """How often runtimes said that it was used, and when last."""
    return await tx.fetchrow(USE, org_id, memory_id)


async def run_uses(tx: Tx, org_id: UUID, memory_id: UUID, agents: Sequence[UUID]) -> list[Any]:
    """The newest runs of these agents that used it."""
    return await tx.fetch(RUN_USES, org_id, memory_id, list(agents), MAX_RUNS)


async def agents_in(tx: Tx, org_id: UUID, agents: Sequence[UUID] | None) -> list[UUID]:
    """Role-agents of the org, at most AGENTS_LOOKED_AT; None asks for all."""
    wanted = None if agents is None else list(agents)
    return [row["id"] for row in await tx.fetch(AGENTS, org_id, wanted, AGENTS_LOOKED_AT)]


async def looked_at(tx: Tx, org_id: UUID, agents: Sequence[UUID]) -> tuple[int, datetime | None]:
    """How many packs the other questions about these agents count, and the oldest one's time."""
    row = await tx.fetchrow(LOOKED_AT, org_id, list(agents), _share(agents))
    return (row["looked_at"], row["since"]) if row is not None else (0, None)


async def pack_uses(tx: Tx, org_id: UUID, agents: Sequence[UUID], memory_id: UUID) -> list[Any]:
    """Packs that held the memory, by channel."""
    return await tx.fetch(PACK_USES, org_id, list(agents), _share(agents), memory_id)


async def skill_uses(tx: Tx, org_id: UUID, agent: UUID) -> list[Any]:
    """How often each skill of the agent was loaded, the least loaded first."""
    return await tx.fetch(SKILL_USES, org_id, [agent], PACKS_LOOKED_AT)


async def runs_of(
    tx: Tx, org_id: UUID, agent: UUID, after: tuple[datetime, UUID] | None, limit: int
) -> list[Any]:
    """Runs of the agent, newest first."""
    at, row_id = after or (None, None)
    return await tx.fetch(RUNS, org_id, agent, at, row_id, limit)


async def one_run(tx: Tx, org_id: UUID, run_id: UUID) -> Any | None:
    """The run, or None."""
    return await tx.fetchrow(RUN, org_id, run_id)


async def run_packs(tx: Tx, org_id: UUID, run_id: UUID) -> list[Any]:
    """Its newest packs."""
    return await tx.fetch(RUN_PACKS, org_id, run_id, MAX_PACKS)


async def run_used(tx: Tx, org_id: UUID, run_id: UUID) -> list[UUID]:
    """Memories that it said it used."""
    return [row["memory_id"] for row in await tx.fetch(RUN_USED, org_id, run_id)]


def _share(agents: Sequence[UUID]) -> int:
    return PACKS_LOOKED_AT // max(1, len(agents))

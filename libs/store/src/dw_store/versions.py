"""Versions of what an agent or an org knows (C71): raised with every write, in its transaction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from dw_store.database import Tx

RAISE = """
INSERT INTO dw_versions AS v (org_id, role_agent_id, version)
SELECT w.org_id, w.role_agent_id, 1
FROM unnest($1::uuid[], $2::uuid[]) AS w (org_id, role_agent_id)
ORDER BY w.org_id, w.role_agent_id
ON CONFLICT (org_id, role_agent_id) DO UPDATE SET version = v.version + 1, updated_at = now()
RETURNING v.org_id, v.role_agent_id, v.version
"""
PACK_VERSION = """
SELECT coalesce(sum(v.version), 0)::bigint
FROM dw_versions AS v
WHERE v.org_id = $1 AND (v.role_agent_id IS NULL OR v.role_agent_id = $2)
"""
READ = """
SELECT w.org_id, w.role_agent_id, coalesce(sum(v.version), 0)::bigint AS version
FROM unnest($1::uuid[], $2::uuid[]) AS w (org_id, role_agent_id)
LEFT JOIN dw_versions AS v
  ON v.org_id = w.org_id AND (v.role_agent_id IS NULL OR v.role_agent_id = w.role_agent_id)
GROUP BY w.org_id, w.role_agent_id
"""

Owner = tuple[UUID, UUID | None]  # org, and agent; None is the org itself


async def raise_versions(tx: Tx, owners: Sequence[Owner]) -> dict[Owner, int]:
    """One step up for each of them; gives the new versions."""
    if not owners:
        return {}
    unique = list(dict.fromkeys(owners))
    rows = await tx.fetch(RAISE, [org for org, _ in unique], [agent for _, agent in unique])
    return {(row["org_id"], row["role_agent_id"]): row["version"] for row in rows}


async def pack_version(tx: Tx, org_id: UUID, role_agent_id: UUID) -> int:
    """What a ContextPack of the agent carries: the versions of agent and org, added, so that either one raises it."""
    value: int = await tx.fetchval(PACK_VERSION, org_id, role_agent_id)
    return value


async def read_versions(tx: Tx, agents: Sequence[tuple[UUID, UUID]]) -> dict[tuple[UUID, UUID], int]:
    """The pack versions of many role-agents, of any orgs that the transaction sees, in one statement: what confirms
    cached packs (C71). One of an unseen org reads as 0."""
    unique = list(dict.fromkeys(agents))
    rows = await tx.fetch(READ, [org for org, _ in unique], [agent for _, agent in unique]) if unique else []
    return {(row["org_id"], row["role_agent_id"]): row["version"] for row in rows}

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

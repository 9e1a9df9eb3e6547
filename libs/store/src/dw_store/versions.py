"""Versions of what an agent or an org knows (C71): raised with every write, in its transaction.

There is one number: a pack has a version of at least n exactly if it has the change that was answered with n, whether
that was of the agent or of the whole org. The function dw_raise_versions says how.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from dw_store.database import Tx

RAISE = """
SELECT r.org_id, r.role_agent_id, r.version FROM dw_raise_versions($1, $2) AS r
"""
PACK_VERSION = """
SELECT coalesce(max(v.version), 0)
FROM dw_versions AS v
WHERE v.org_id = $1 AND (v.role_agent_id IS NULL OR v.role_agent_id = $2)
"""
READ = """
SELECT w.org_id, w.role_agent_id, coalesce(max(v.version), 0) AS version
FROM unnest($1::uuid[], $2::uuid[]) AS w (org_id, role_agent_id)
LEFT JOIN dw_versions AS v
  ON v.org_id = w.org_id AND (v.role_agent_id IS NULL OR v.role_agent_id = w.role_agent_id)
GROUP BY w.org_id, w.role_agent_id
"""

Owner = tuple[UUID, UUID | None]  # org, and agent; None is the org itself


async def raise_versions(tx: Tx, owners: Sequence[Owner]) -> dict[Owner, int]:
    """Up for each of them; gives the new versions. What packs of the agent, or of every agent of the org, carry then.
    Holds the orgs' version rows until the transaction ends: other agents' writers pass, org-wide ones wait."""
    if not owners:
        return {}
    unique = list(dict.fromkeys(owners))
    rows = await tx.fetch(RAISE, [org for org, _ in unique], [agent for _, agent in unique])
    return {(row["org_id"], row["role_agent_id"]): row["version"] for row in rows}


async def pack_version(tx: Tx, org_id: UUID, role_agent_id: UUID) -> int:
    """What a ContextPack of the agent carries: the larger one of the versions of agent and org."""
    value: int = await tx.fetchval(PACK_VERSION, org_id, role_agent_id)
    return value


async def read_versions(tx: Tx, agents: Sequence[tuple[UUID, UUID]]) -> dict[tuple[UUID, UUID], int]:
    """The pack versions of many role-agents, of any orgs that the transaction sees, in one statement: what confirms
    cached packs (C71). One of an unseen org reads as 0."""
    unique = list(dict.fromkeys(agents))
    rows = await tx.fetch(READ, [org for org, _ in unique], [agent for _, agent in unique]) if unique else []
    return {(row["org_id"], row["role_agent_id"]): row["version"] for row in rows}

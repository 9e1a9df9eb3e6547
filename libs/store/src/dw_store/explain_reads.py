"""Whom and what a question about a message means (dw policy explain). What the answer rests on is loaded by
policy_reads, as for a real decision."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from dw_store.context_reads import uuid_of
from dw_store.database import Tx

AGENT = """
SELECT a.id, a.code FROM dw_role_agents AS a WHERE a.org_id = $1 AND (a.code = $2 OR a.id = $3) LIMIT 1
"""
CHANNEL = """
SELECT c.id, c.code, c.platform, c.workspace_ref, c.learning
FROM dw_channels AS c
WHERE c.org_id = $1 AND c.deleted_at IS NULL AND (c.code = $2 OR c.id = $3)
LIMIT 1
"""
FIRST_CHANNEL = """
SELECT c.id, c.code, c.platform, c.workspace_ref, c.learning
FROM dw_channel_agents AS l
JOIN dw_channels AS c ON c.org_id = l.org_id AND c.id = l.channel_id
WHERE l.org_id = $1 AND l.role_agent_id = $2 AND c.deleted_at IS NULL
ORDER BY c.code
LIMIT 1
"""
ACCOUNT = """
SELECT i.platform, i.workspace_ref, i.external_user_id
FROM dw_external_identities AS i
LEFT JOIN dw_org_members AS m ON m.org_id = i.org_id AND m.user_id = i.user_id
WHERE i.org_id = $1 AND (m.code = $2 OR i.external_user_id = $2)
ORDER BY (i.platform = $3) DESC, (i.status = 'verified') DESC, i.id
LIMIT 1
"""


async def find_agent(tx: Tx, org_id: UUID, named: str) -> Any | None:
    """The role-agent with this code or id: id, code."""
    return await tx.fetchrow(AGENT, org_id, named, uuid_of(named))


async def find_channel(tx: Tx, org_id: UUID, agent_id: UUID, named: str) -> Any | None:
    """The channel with this code or id; without a name the first one where the agent listens."""
    if named:
        return await tx.fetchrow(CHANNEL, org_id, named, uuid_of(named))
    return await tx.fetchrow(FIRST_CHANNEL, org_id, agent_id)


async def find_account(tx: Tx, org_id: UUID, named: str, platform: str) -> tuple[str, str, str] | None:
    """An account by its own id or by its owner's code: one on this platform first, a verified one first."""
    row = await tx.fetchrow(ACCOUNT, org_id, named, platform)
    return (row["platform"], row["workspace_ref"], row["external_user_id"]) if row is not None else None

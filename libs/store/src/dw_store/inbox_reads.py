"""The Learning Inbox as a person reads it: pages of items, one item, the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_store.database import Tx

_ITEM = """
SELECT i.id, i.role_agent_id, i.kind, i.action, i.status, i.risk, i.is_sensitive, i.reason_code, i.explanation,
       i.proposed_payload, i.source_refs, i.evidence_count, i.sender_verified, i.sender_user_id, i.confidence,
       i.row_version, i.created_at, i.due_at, i.decided_by, i.decided_at, i.target_memory_id, i.base_version,
       m.content AS current_text, m.row_version AS target_version, m.status AS target_status
FROM dw_learning_items AS i
LEFT JOIN dw_agent_memories AS m ON m.org_id = i.org_id AND m.id = i.target_memory_id
"""
PAGE = (
    _ITEM
    + """
WHERE i.org_id = $1 AND ($2::uuid[] IS NULL OR i.role_agent_id = ANY ($2)) AND ($3 = 'any' OR i.status = $3)
  AND ($4 = '' OR i.risk = $4) AND i.published_at IS NOT NULL
  AND ($5::timestamptz IS NULL OR (coalesce(i.due_at, i.created_at), i.id) > ($5, $6::uuid))
ORDER BY coalesce(i.due_at, i.created_at), i.id
LIMIT $7
"""
)
COUNT = """
SELECT count(*) FROM (
    SELECT 1 FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND ($2::uuid[] IS NULL OR i.role_agent_id = ANY ($2)) AND ($3 = 'any' OR i.status = $3)
      AND ($4 = '' OR i.risk = $4) AND i.published_at IS NOT NULL
    LIMIT 1000
) AS counted
"""
ONE = (
    _ITEM
    + """
WHERE i.org_id = $1 AND i.id = $2
"""
)
DECIDERS = """
SELECT m.user_id, m.role,
       EXISTS (SELECT 1 FROM dw_agent_managers AS g
               WHERE g.org_id = m.org_id AND g.user_id = m.user_id AND g.role_agent_id = $2) AS manages
FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.status = 'active'
  AND (m.role IN ('owner', 'admin')
       OR EXISTS (SELECT 1 FROM dw_agent_managers AS g
                  WHERE g.org_id = m.org_id AND g.user_id = m.user_id AND g.role_agent_id = $2))
"""
AGENTS = """
SELECT a.id, a.code, a.name, a.status, a.auto_memory_enabled, a.auto_memory_require_verified, a.learning_enabled
FROM dw_role_agents AS a
WHERE a.org_id = $1
ORDER BY a.code
"""
CHANNEL_NAMES = (
    "SELECT c.id, c.display_name FROM dw_channels AS c WHERE c.org_id = $1 AND c.id = ANY ($2::uuid[])"
)
MEMORIES = """
SELECT m.id, m.role_agent_id, m.scope, m.layer, m.memory_type, m.key, m.content, m.status, m.risk, m.origin,
       m.confidence, m.metadata, m.created_at
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active'
  AND ($3::timestamptz IS NULL OR (m.created_at, m.id) < ($3, $4::uuid))
ORDER BY m.created_at DESC, m.id DESC
LIMIT $5
"""
AUDIT = """
SELECT e.id AS place, e.event_id, e.event_type, e.actor_type, e.actor_id, e.on_behalf_of, e.role_agent_id,
       e.subject_type, e.subject_id, e.source_event_id, e.trace_id, e.at, b.reason, b.before, b.after
FROM dw_learning_events AS e
LEFT JOIN dw_event_bodies AS b ON b.org_id = e.org_id AND b.event_id = e.event_id
WHERE e.org_id = $1 AND ($2::uuid[] IS NULL OR e.role_agent_id = ANY ($2)) AND ($3::bigint IS NULL OR e.id < $3)
ORDER BY e.id DESC
LIMIT $4
"""

Row = Any


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """`agents` None is all of the org."""

    agents: Sequence[UUID] | None
    status: str
    risk: str
    after: tuple[datetime, UUID] | None
    limit: int


async def item_page(tx: Tx, org_id: UUID, wanted: ItemFilter) -> tuple[list[Row], int]:
    """One page and how many match, counted up to 1,000."""
    at, id_ = wanted.after or (None, None)
    agents = list(wanted.agents) if wanted.agents is not None else None
    rows = await tx.fetch(PAGE, org_id, agents, wanted.status, wanted.risk, at, id_, wanted.limit)
    return rows, await tx.fetchval(COUNT, org_id, agents, wanted.status, wanted.risk)


async def one_item(tx: Tx, org_id: UUID, item_id: UUID) -> Row | None:
    """The item, of whatever status."""
    return await tx.fetchrow(ONE, org_id, item_id)


async def deciders(tx: Tx, org_id: UUID, role_agent_id: UUID) -> list[Row]:
    """Active admins, owners and the agent's managers."""
    return await tx.fetch(DECIDERS, org_id, role_agent_id)


async def agents_of(tx: Tx, org_id: UUID) -> list[Row]:
    """All role-agents of the org."""
    return await tx.fetch(AGENTS, org_id)


async def channel_names(tx: Tx, org_id: UUID, channel_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Display names."""
    rows = await tx.fetch(CHANNEL_NAMES, org_id, list(channel_ids))
    return {row["id"]: row["display_name"] for row in rows}


async def memory_page(
    tx: Tx, org_id: UUID, role_agent_id: UUID, after: tuple[datetime, UUID] | None, limit: int
) -> list[Row]:
    """Active memories of an agent, newest first."""
    at, id_ = after or (None, None)
    return await tx.fetch(MEMORIES, org_id, role_agent_id, at, id_, limit)


async def audit_page(
    tx: Tx, org_id: UUID, agents: Sequence[UUID] | None, before: int | None, limit: int
) -> list[Row]:
    """Learning events, newest first."""
    return await tx.fetch(AUDIT, org_id, list(agents) if agents is not None else None, before, limit)

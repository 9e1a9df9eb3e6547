"""The audit log as people read it: pages and exports by filter, newest first. No query in a loop but the next page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_store.database import Tx

Row = Any

# `about` an item is what happened to it and to the memory that came of it. An actor is named by code, by user id or as
# dw_worker:<role-agent>; who spoke is found too, for what a worker did on somebody's behalf (R302).
PAGE: Final = """
SELECT e.id AS place, e.event_id, e.event_type, e.actor_type, e.actor_id, e.on_behalf_of, e.role_agent_id,
       e.subject_type, e.subject_id, e.source_event_id, e.trace_id, e.at, b.reason, b.before, b.after,
       coalesce(i.is_sensitive OR i.risk = 'sensitive', m.is_sensitive, s.risk = 'sensitive', FALSE) AS is_sensitive
FROM dw_learning_events AS e
LEFT JOIN dw_event_bodies AS b ON b.org_id = e.org_id AND b.event_id = e.event_id
LEFT JOIN dw_learning_items AS i ON e.subject_type = 'item' AND i.org_id = e.org_id AND i.id = e.subject_id
LEFT JOIN dw_agent_memories AS m ON e.subject_type = 'memory' AND m.org_id = e.org_id AND m.id = e.subject_id
LEFT JOIN dw_agent_skills AS s ON e.subject_type = 'skill' AND s.org_id = e.org_id AND s.id = e.subject_id
WHERE e.org_id = $1 AND ($2::uuid[] IS NULL OR e.role_agent_id = ANY ($2)) AND ($3::bigint IS NULL OR e.id < $3)
  AND ($5 = '' OR e.event_type = $5)
  AND ($6::uuid IS NULL OR e.subject_id = $6 OR e.subject_id IN (
      SELECT k.id FROM dw_agent_memories AS k WHERE k.org_id = $1 AND k.learning_item_id = $6
      UNION ALL
      SELECT v.skill_id FROM dw_agent_skill_versions AS v WHERE v.org_id = $1 AND v.learning_item_id = $6))
  AND ($7 = '' OR e.actor_id = $7 OR e.on_behalf_of::text = $7 OR EXISTS (
      SELECT 1 FROM dw_org_members AS p
      WHERE p.org_id = $1 AND p.code = $7 AND (e.actor_id = p.user_id::text OR e.on_behalf_of = p.user_id)))
  AND ($8::timestamptz IS NULL OR e.at >= $8) AND ($9::timestamptz IS NULL OR e.at < $9)
ORDER BY e.id DESC
LIMIT $4
"""
NEWEST: Final = """
SELECT coalesce(max(e.id), 0) FROM dw_learning_events AS e WHERE e.org_id = $1
"""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """`agents` None is all of the org. Empty fields ask for nothing. `since` is within, `until` is not."""

    agents: Sequence[UUID] | None = None
    event_type: str = ""
    item: UUID | None = None
    actor: str = ""
    since: datetime | None = None
    until: datetime | None = None


async def audit_page(tx: Tx, org_id: UUID, wanted: AuditFilter, before: int | None, limit: int) -> list[Row]:
    """One page of learning events before this place."""
    agents = list(wanted.agents) if wanted.agents is not None else None
    return await tx.fetch(
        PAGE,
        org_id,
        agents,
        before,
        limit,
        wanted.event_type,
        wanted.item,
        wanted.actor,
        wanted.since,
        wanted.until,
    )


async def newest_place(tx: Tx, org_id: UUID) -> int:
    """The place of the newest event."""
    place: int = await tx.fetchval(NEWEST, org_id)
    return place

"""Items that wait too long (D29, C75, C97): escalated when due, rejected when expired, shown when there is room.

One org a transaction, under a lock of its own: a second process that runs the same finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_store.audit import NewEvent, write_events
from dw_store.database import Database, Tx
from dw_store.versions import raise_versions

BATCH: Final = 500
ORGS: Final = "SELECT dw_org_ids() AS org_id"
TRY_LOCK: Final = "SELECT pg_try_advisory_xact_lock(hashtextextended('dw.age_items:' || $1::text, 0))"
DUE_AGENTS: Final = """
SELECT DISTINCT i.role_agent_id
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.status = 'pending'
  AND (i.expires_at <= $2 OR (i.due_at <= $2 AND i.escalated_at IS NULL) OR i.published_at IS NULL)
LIMIT 5000
"""
# Role-agents first, in id order, like every writer (C69).
LOCK: Final = """
SELECT a.id, a.open_items FROM dw_role_agents AS a WHERE a.org_id = $1 AND a.id = ANY ($2::uuid[])
ORDER BY a.id FOR NO KEY UPDATE
"""
EXPIRE: Final = """
WITH gone AS (
    SELECT i.id FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND i.role_agent_id = ANY ($2::uuid[]) AND i.status = 'pending' AND i.expires_at <= $3
    ORDER BY i.expires_at, i.id
    LIMIT $4
)
UPDATE dw_learning_items AS i
SET status = 'rejected', decision_kind = 'expired', decided_at = $3, decision_note = 'nobody decided in time',
    claimed_by = NULL, claimed_until = NULL, updated_at = $3, row_version = i.row_version + 1
FROM gone AS g
WHERE i.org_id = $1 AND i.id = g.id
RETURNING i.id, i.role_agent_id
"""
ESCALATE: Final = """
WITH late AS (
    SELECT i.id FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND i.role_agent_id = ANY ($2::uuid[]) AND i.status = 'pending' AND i.due_at <= $3
      AND i.escalated_at IS NULL
    ORDER BY i.due_at, i.id
    LIMIT $4
)
UPDATE dw_learning_items AS i
SET escalated_at = $3, updated_at = $3
FROM late AS l
WHERE i.org_id = $1 AND i.id = l.id
RETURNING i.id, i.role_agent_id
"""
# C97: over the cap an item waits unseen; as others are decided, the oldest take their places, an unverified sender's
# up to his own share.
PUBLISH: Final = """
WITH open AS (
    SELECT i.role_agent_id, count(*) AS items
    FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND i.role_agent_id = ANY ($2::uuid[]) AND i.status = 'pending' AND i.published_at IS NOT NULL
    GROUP BY i.role_agent_id
), by_sender AS (
    SELECT i.role_agent_id, i.sender_ref, count(*) AS items
    FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND i.role_agent_id = ANY ($2::uuid[]) AND i.status = 'pending' AND i.published_at IS NOT NULL
      AND NOT i.sender_verified
    GROUP BY i.role_agent_id, i.sender_ref
), unseen AS (
    SELECT i.id, i.role_agent_id, i.created_at,
           row_number() OVER (PARTITION BY i.role_agent_id, i.sender_ref ORDER BY i.created_at, i.id)
               + coalesce(s.items, 0) AS of_sender,
           c.cap - coalesce(o.items, 0) AS room
    FROM dw_learning_items AS i
    JOIN unnest($2::uuid[], $3::int[]) AS c (role_agent_id, cap) ON c.role_agent_id = i.role_agent_id
    LEFT JOIN open AS o ON o.role_agent_id = i.role_agent_id
    LEFT JOIN by_sender AS s ON s.role_agent_id = i.role_agent_id AND s.sender_ref IS NOT DISTINCT FROM i.sender_ref
    WHERE i.org_id = $1 AND i.status = 'pending' AND i.published_at IS NULL
), chosen AS (
    SELECT u.id, u.room, row_number() OVER (PARTITION BY u.role_agent_id ORDER BY u.created_at, u.id) AS place
    FROM unseen AS u
    WHERE u.of_sender <= $4
)
UPDATE dw_learning_items AS i
SET published_at = $5, updated_at = $5
FROM chosen AS c
WHERE i.org_id = $1 AND i.id = c.id AND c.place <= c.room
RETURNING i.id, i.role_agent_id
"""
NO_CAP: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Aged:
    """How many items of one org changed."""

    expired: int = 0
    escalated: int = 0
    published: int = 0

    @property
    def changed(self) -> bool:
        """Was there anything to do?"""
        return bool(self.expired or self.escalated or self.published)


async def org_ids(database: Database) -> list[UUID]:
    """All orgs, by id and nothing else."""
    async with database.system() as tx:
        return [row["org_id"] for row in await tx.fetch(ORGS)]


async def age_items(
    tx: Tx, org_id: UUID, now: datetime, open_items: int | None, per_sender: int | None
) -> Aged:
    """One batch of one org. Nothing if another process is at it."""
    if not await tx.fetchval(TRY_LOCK, str(org_id)):
        return Aged()
    found = [row["role_agent_id"] for row in await tx.fetch(DUE_AGENTS, org_id, now)]
    if not found:
        return Aged()
    locked = await tx.fetch(LOCK, org_id, found)
    agents = [row["id"] for row in locked]
    caps = [_cap(row["open_items"], open_items) for row in locked]
    expired = await tx.fetch(EXPIRE, org_id, agents, now, BATCH)
    escalated = await tx.fetch(ESCALATE, org_id, agents, now, BATCH)
    published = await tx.fetch(PUBLISH, org_id, agents, caps, per_sender or NO_CAP, now)
    events = [
        *_events(org_id, expired, "item_expired", "nobody decided in time", *_EXPIRED),
        *_events(org_id, escalated, "item_escalated", "due", {"escalated": False}, {"escalated": True}),
        *_events(org_id, published, "item_published", "room", {"published": False}, {"published": True}),
    ]
    if events:
        owners = sorted({event.role_agent_id for event in events if event.role_agent_id}, key=str)
        versions = await raise_versions(tx, [(org_id, owner) for owner in owners])
        await write_events(tx, events, versions, now)
    return Aged(len(expired), len(escalated), len(published))


def _cap(own: int | None, setting: int | None) -> int:
    cap = setting if own is None else own
    return NO_CAP if cap is None else cap


# What the clock found, and what it left.
_EXPIRED: Final = ({"status": "pending"}, {"status": "rejected", "decision_kind": "expired"})


def _events(
    org_id: UUID,
    rows: Sequence[Any],
    event_type: str,
    reason: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> list[NewEvent]:
    return [
        NewEvent(
            org_id=org_id,
            role_agent_id=row["role_agent_id"],
            event_type=event_type,
            actor_type="system",
            actor_id="policy",
            subject_type="item",
            subject_id=row["id"],
            reason=reason,
            before=before,
            after=after,
        )
        for row in rows
    ]

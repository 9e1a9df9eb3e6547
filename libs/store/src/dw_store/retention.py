"""Memories that age out (R123 to R126, C75), applied: status, revision, audit, version, outbox in one transaction.

Deletion by policy is a change of status (C8): it can be restored. What is gone for good is a purge (dw_store.erasure).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from dw_learning.retention import LOW_CONFIDENCE, Aging, AskAPerson, Expire, age
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.review_rows import review_of
from dw_store.versions import raise_versions

BATCH: Final = 500
ACTOR: Final = "system:retention"
REVIEW_DUE: Final = timedelta(days=14)
REVIEW_EXPIRY: Final = timedelta(days=28)

ORG_PAGE = """
-- all orgs: scheduled work goes through them; ids alone
SELECT o.id FROM dw_org_ids($1, $2) AS o (id)
"""
# When the confidence fell, where nobody said so; and forgotten as soon as it has recovered.
NOTE_LOW = """
UPDATE dw_agent_memories
SET low_confidence_since = CASE WHEN confidence < $3::numeric THEN $2::timestamptz END
WHERE org_id = ANY ($1::uuid[]) AND status = 'active' AND retention_policy = 'confidence_based'
  AND (confidence < $3::numeric) = (low_confidence_since IS NULL)
"""
AGENTS_DUE = """
SELECT DISTINCT m.org_id, m.role_agent_id
FROM dw_agent_memories AS m
WHERE m.org_id = ANY ($1::uuid[]) AND m.status = 'active' AND m.retention_policy <> 'permanent_until_revoked'
"""
LOCK_AGENTS = """
SELECT a.id FROM dw_role_agents AS a
JOIN unnest($1::uuid[], $2::uuid[]) AS w (org_id, id) ON a.org_id = w.org_id AND a.id = w.id
ORDER BY a.id
FOR NO KEY UPDATE OF a
"""
# Candidates alone; whether one goes is decided by the rule. One that a review item already asks about is left out.
AGING = """
SELECT m.id, m.org_id, m.role_agent_id, m.retention_policy, m.origin, m.confidence, m.created_at, m.expires_at,
       m.low_confidence_since, m.key, m.content, m.layer, m.memory_type, m.category, m.risk, m.is_sensitive,
       m.subject_identity, m.row_version, m.content_hash, m.source_refs
FROM dw_agent_memories AS m
WHERE m.org_id = ANY ($1::uuid[]) AND m.status = 'active' AND m.retention_policy <> 'permanent_until_revoked'
  AND CASE m.retention_policy
          WHEN 'ttl_7d' THEN coalesce(m.expires_at, m.created_at + interval '7 days') <= $2
          WHEN 'ttl_30d' THEN coalesce(m.expires_at, m.created_at + interval '30 days') <= $2
          ELSE m.low_confidence_since <= $2 - interval '30 days' AND m.confidence < $4::numeric
      END
  AND NOT EXISTS (
      SELECT 1 FROM dw_learning_items AS i
      WHERE i.org_id = m.org_id AND i.target_memory_id = m.id AND i.kind = 'review' AND i.reason_code = 'low_confidence'
        AND (i.status = 'pending' OR i.decided_at > $2 - interval '30 days')
  )
ORDER BY m.org_id, m.id
LIMIT $3
"""
EXPIRE = """
UPDATE dw_agent_memories AS m
SET status = 'deleted', deleted_at = $2, deleted_by = $3, delete_reason = r.reason, updated_at = $2,
    row_version = m.row_version + 1
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, reason text)
WHERE m.org_id = r.org_id AND m.id = r.id AND m.status = 'active'
"""
REVISIONS = """
INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, changed_by, change_kind, at)
SELECT m.org_id, m.id,
       (SELECT coalesce(max(v.revision), 0) + 1 FROM dw_memory_revisions AS v
        WHERE v.org_id = m.org_id AND v.memory_id = m.id),
       m.content, m.confidence, $3, 'expire', $2
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid)
JOIN dw_agent_memories AS m ON m.org_id = r.org_id AND m.id = r.id
"""
REVIEWS = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, risk, is_sensitive, reason_code, explanation, proposed_payload,
    original_payload, source_refs, dedupe_key, target_memory_id, base_version, proposed_by, confidence, published_at,
    due_at, expires_at, created_at, updated_at
)
SELECT r.item_id, r.org_id, r.role_agent_id, 'review', 'review', r.risk, r.is_sensitive, 'low_confidence',
       'Its confidence has been low for 30 days. Somebody approved or wrote it, so a person decides.', r.payload,
       r.payload, r.source_refs, 'low_confidence:' || r.id, r.id, r.row_version, $5, r.confidence, $2, $3, $4, $2, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    item_id uuid, id uuid, org_id uuid, role_agent_id uuid, risk text, is_sensitive boolean, payload jsonb,
    source_refs jsonb, row_version int, confidence numeric
)
ON CONFLICT DO NOTHING
"""


async def org_page(tx: Tx, after: UUID | None, limit: int) -> list[UUID]:
    """Ids of orgs after this one, in order: scheduled work goes through them page by page."""
    return [row["id"] for row in await tx.fetch(ORG_PAGE, after, limit)]


async def age_out(tx: Tx, org_ids: Sequence[UUID], now: datetime) -> int:
    """Apply the policies to the memories of these orgs; how many changed, at most BATCH: call again while it gives
    that many. Locks the role-agents it touches, so that a decision of the same moment waits (C69)."""
    orgs = list(org_ids)
    await tx.execute(NOTE_LOW, orgs, now, str(LOW_CONFIDENCE))
    due = [row for row in await tx.fetch(AGENTS_DUE, orgs) if row["role_agent_id"] is not None]
    if due:
        await tx.fetch(LOCK_AGENTS, [row["org_id"] for row in due], [row["role_agent_id"] for row in due])
    rows = await tx.fetch(AGING, orgs, now, BATCH, str(LOW_CONFIDENCE))
    expired: list[tuple[Any, str]] = []
    asked: list[Any] = []
    for row in rows:
        match age(_aging(row), now):
            case Expire(reason):
                expired.append((row, reason))
            case AskAPerson() if row["role_agent_id"] is not None:
                asked.append(row)
            case _:
                pass
    await _write(tx, expired, asked, now)
    return len(expired) + len(asked)


async def _write(tx: Tx, expired: list[tuple[Any, str]], asked: list[Any], now: datetime) -> None:
    events: list[NewEvent] = []
    if expired:
        gone = json_rows([{"org_id": r["org_id"], "id": r["id"], "reason": why} for r, why in expired])
        await tx.execute(EXPIRE, gone, now, ACTOR)
        await tx.execute(REVISIONS, gone, now, ACTOR)
        events += [_expired(row, reason) for row, reason in expired]
    if asked:
        reviews = [review_of(row) for row in asked]
        await tx.execute(REVIEWS, json_rows(reviews), now, now + REVIEW_DUE, now + REVIEW_EXPIRY, ACTOR)
        events += [_asked(row, review) for row, review in zip(asked, reviews, strict=True)]
    versions = await raise_versions(tx, sorted({(e.org_id, e.role_agent_id) for e in events}, key=str))
    await write_events(tx, events, versions, now)


def _aging(row: Any) -> Aging:
    return Aging(
        policy=row["retention_policy"],
        origin=row["origin"],
        confidence=float(row["confidence"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        low_confidence_since=row["low_confidence_since"],
    )


def _expired(row: Any, reason: str) -> NewEvent:
    return NewEvent(
        org_id=row["org_id"],
        role_agent_id=row["role_agent_id"],
        event_type="memory_expired",
        actor_type="system",
        actor_id=ACTOR,
        subject_type="memory",
        subject_id=row["id"],
        reason=reason,
        before={"status": "active", "content": row["content"]},
        after={"status": "deleted"},
    )


def _asked(row: Any, review: dict[str, Any]) -> NewEvent:
    return NewEvent(
        org_id=row["org_id"],
        role_agent_id=row["role_agent_id"],
        event_type="learning_proposed",
        actor_type="system",
        actor_id=ACTOR,
        subject_type="item",
        subject_id=review["item_id"],
        reason="low_confidence",
        after={"kind": "review", "memory": str(row["id"])},
    )

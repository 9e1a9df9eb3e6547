"""What a revoked account leaves behind (C36, D5): memories stay and are marked, high-impact ones are reviewed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_store import apply_sql
from dw_store.audit import NewEvent, by_user
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.orgs.secrets import Actor
from dw_store.review_rows import payload_of, review_item

MARK: Final = "source_identity_revoked"
EXPLANATION: Final = "The account of the person who said this was revoked: should the agent still know it?"

# Once an account: a memory that carries the mark was asked about. An org-wide memory is asked about where it came from.
MARK_MEMORIES: Final = """
UPDATE dw_agent_memories AS m
SET metadata = m.metadata || '{"source_identity_revoked": true}'::jsonb, updated_at = $3
FROM (
    SELECT w.id, coalesce(w.role_agent_id, i.role_agent_id) AS agent
    FROM dw_agent_memories AS w
    LEFT JOIN dw_learning_items AS i ON i.org_id = w.org_id AND i.id = w.learning_item_id
    WHERE w.org_id = $1 AND w.sender_identity_id = ANY ($2::uuid[]) AND w.status = 'active'
      AND NOT w.metadata ? 'source_identity_revoked'
) AS found
WHERE m.org_id = $1 AND m.id = found.id
RETURNING m.id, m.role_agent_id, found.agent, m.content, m.key, m.layer, m.memory_type, m.category, m.risk,
          m.is_sensitive, m.source_refs, m.subject_identity, m.sender_identity_id, m.row_version
"""
MARK_ITEMS: Final = """
UPDATE dw_learning_items AS i
SET source_marks = array_append(i.source_marks, 'source_identity_revoked'), updated_at = $3
WHERE i.org_id = $1 AND i.sender_identity_id = ANY ($2::uuid[]) AND i.status = 'pending'
  AND NOT 'source_identity_revoked' = ANY (i.source_marks)
"""


async def mark_what_they_taught(
    tx: Tx, org_id: UUID, identity_ids: Sequence[UUID], actor: Actor, now: datetime
) -> list[NewEvent]:
    """Marks and review items; gives their events, which the caller writes. The caller holds the role-agents' locks."""
    if not identity_ids:
        return []
    marked = await tx.fetch(MARK_MEMORIES, org_id, list(identity_ids), now)
    await tx.execute(MARK_ITEMS, org_id, list(identity_ids), now)
    reviews = [_review(org_id, row, now) for row in marked if row["agent"] is not None and _high_impact(row)]
    if reviews:
        await tx.execute(apply_sql.INSERT_ITEMS, json_rows(reviews), now)
    return [*_marked(org_id, marked, actor), *_proposed(org_id, reviews, actor)]


def _high_impact(row: Any) -> bool:
    return bool(row["risk"] != "low" or row["is_sensitive"])


def _review(org_id: UUID, row: Any, now: datetime) -> dict[str, Any]:
    return review_item(
        row,
        org_id=org_id,
        role_agent_id=row["agent"],
        sensitive=row["is_sensitive"] or row["risk"] == "sensitive",
        reason=MARK,
        explanation=EXPLANATION,
        payload=payload_of(row, row["subject_identity"]),
        dedupe_key=f"{MARK}:{row['id']}",
        proposed_by="system",
        now=now,
    )


def _marked(org_id: UUID, rows: Iterable[Any], actor: Actor) -> list[NewEvent]:
    return [
        by_user(
            actor,
            org_id=org_id,
            role_agent_id=row["role_agent_id"],
            event_type=MARK,
            subject_type="memory",
            subject_id=row["id"],
            reason="the account was revoked",
            before={MARK: False},
            after={MARK: True},
        )
        for row in rows
    ]


def revoked_events(org_id: UUID, accounts: Iterable[Any], actor: Actor, reason: str) -> list[NewEvent]:
    """One identity_revoked for each account that goes without a change of its own."""
    return [
        by_user(
            actor,
            org_id=org_id,
            event_type="identity_revoked",
            subject_type="identity",
            subject_id=row["id"],
            reason=reason,
            before={"status": row["status"]},
            after={"status": "revoked", "account": f"{row['platform']}:{row['external_user_id']}"},
        )
        for row in accounts
    ]


def _proposed(org_id: UUID, reviews: Iterable[dict[str, Any]], actor: Actor) -> list[NewEvent]:
    return [
        NewEvent(
            org_id=org_id,
            role_agent_id=review["role_agent_id"],
            event_type="learning_proposed",
            actor_type="system",
            actor_id="identity",
            on_behalf_of=actor.user_id,
            subject_type="item",
            subject_id=review["id"],
            reason=MARK,
            after={
                "kind": "review",
                "risk": review["risk"],
                "content": review["proposed_payload"]["content"],
            },
            trace_id=actor.trace_id,
        )
        for review in reviews
    ]

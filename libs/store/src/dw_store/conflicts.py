"""Review items about memories that the org's word overrules (C19), with audit, version and outbox in one transaction.

Approval keeps the role-agent's own memory, rejection archives it; promoting it to the org is an act of its own. A pair
of texts is asked about once, whatever was decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.conflicts import Conflict, question_key
from dw_store import apply_sql
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.decide_item_sql import LOCK_AGENT
from dw_store.json_rows import json_rows
from dw_store.review_rows import payload_of, review_item
from dw_store.versions import raise_versions

REASON: Final = "conflict"
ACTOR: Final = "system:context"
EXPLANATION: Final = (
    "The whole org is told something else on this topic, and the org's word stands in every pack. "
    "Should the role-agent keep its own?"
)
# Both hold still, and still stand against each other. What became of earlier questions is asked by their key.
STILL: Final = """
SELECT m.id, m.content, m.content_hash, m.key, m.layer, m.memory_type, m.category, m.risk, m.is_sensitive,
       m.source_refs, m.sender_identity_id, m.row_version, o.id AS org_memory, o.content_hash AS org_hash,
       o.is_sensitive OR o.risk = 'sensitive' AS org_sensitive
FROM unnest($3::uuid[], $4::uuid[]) AS w (own, org)
JOIN dw_agent_memories AS m ON m.org_id = $1 AND m.id = w.own
JOIN dw_agent_memories AS o ON o.org_id = $1 AND o.id = w.org
WHERE m.org_id = $1 AND o.org_id = $1 AND m.role_agent_id = $2 AND o.role_agent_id IS NULL
  AND m.status = 'active' AND o.status = 'active' AND m.subject_identity IS NULL AND o.subject_identity IS NULL
  AND m.key = o.key AND m.layer = o.layer AND m.content_hash <> o.content_hash
ORDER BY m.id
"""
ASKED: Final = """
SELECT i.dedupe_key FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.role_agent_id = $2 AND i.kind = 'review' AND i.reason_code = 'conflict'
  AND i.dedupe_key = ANY ($3::text[])
"""


async def ask_about(
    tx: Tx, org_id: UUID, role_agent_id: UUID, conflicts: Sequence[Conflict], now: datetime
) -> int:
    """Items for those that nobody was asked about yet; how many. Locks the role-agent, so that two replicas ask once."""
    if await tx.fetchrow(LOCK_AGENT, org_id, role_agent_id) is None:
        return 0
    own, shared = [UUID(each.own) for each in conflicts], [UUID(each.org) for each in conflicts]
    rows = {_key(row): row for row in await tx.fetch(STILL, org_id, role_agent_id, own, shared)}
    known = {row["dedupe_key"] for row in await tx.fetch(ASKED, org_id, role_agent_id, list(rows))}
    items = [_item(org_id, role_agent_id, key, row, now) for key, row in rows.items() if key not in known]
    if not items:
        return 0
    await tx.execute(apply_sql.INSERT_ITEMS, json_rows(items), now)
    versions = await raise_versions(tx, [(org_id, role_agent_id)])
    await write_events(tx, [_event(item) for item in items], versions, now)
    return len(items)


def _key(row: Any) -> str:
    conflict = Conflict(str(row["id"]), str(row["org_memory"]))
    return question_key(conflict, bytes(row["content_hash"]), bytes(row["org_hash"]))


def _item(org_id: UUID, role_agent_id: UUID, key: str, row: Any, now: datetime) -> dict[str, Any]:
    return review_item(
        row,
        org_id=org_id,
        role_agent_id=role_agent_id,
        sensitive=row["is_sensitive"] or row["risk"] == "sensitive" or row["org_sensitive"],
        reason=REASON,
        explanation=EXPLANATION,
        # The org's text is read where it is shown, so that it is erased in one place.
        payload=payload_of(row, None, org_memory_id=row["org_memory"]),
        dedupe_key=key,
        proposed_by=ACTOR,
        now=now,
    )


def _event(item: dict[str, Any]) -> NewEvent:
    return NewEvent(
        org_id=item["org_id"],
        role_agent_id=item["role_agent_id"],
        event_type="learning_proposed",
        actor_type="system",
        actor_id=ACTOR,
        subject_type="item",
        subject_id=item["id"],
        reason=REASON,
        after={
            "kind": "review",
            "memory": str(item["target_memory_id"]),
            "org_memory": str(item["proposed_payload"]["org_memory_id"]),
        },
    )

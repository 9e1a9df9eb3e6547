"""What must not come back (C62, D18). A tombstone that was lifted stays on record; written again, it holds again."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from dw_learning.normal import content_hash
from dw_learning.signals import signal
from dw_store.database import Tx

Reason = Literal["rejected", "deleted", "do_not_save"]
WRITE: Final = """
INSERT INTO dw_memory_tombstones AS t (
    id, org_id, role_agent_id, content_hash, topic_key, similarity_text, reason, created_by, created_at,
    item_id
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (org_id, role_agent_id, content_hash) DO UPDATE
SET lifted_at = NULL, lifted_by = NULL, reason = excluded.reason, created_by = excluded.created_by,
    item_id = excluded.item_id, expires_at = NULL, topic_key = excluded.topic_key, similarity_text = excluded.similarity_text
WHERE t.lifted_at IS NOT NULL OR t.expires_at IS NOT NULL
RETURNING t.id
"""
LIFT: Final = """
UPDATE dw_memory_tombstones SET lifted_at = $3, lifted_by = $4
WHERE org_id = $1 AND id = $2 AND lifted_at IS NULL
"""
LAY: Final = """
UPDATE dw_memory_tombstones SET lifted_at = NULL, lifted_by = NULL
WHERE org_id = $1 AND id = $2 AND lifted_at IS NOT NULL
"""
ONE: Final = """
SELECT t.id, t.role_agent_id, t.lifted_at FROM dw_memory_tombstones AS t WHERE t.org_id = $1 AND t.id = $2
"""
# The words stand in the memory or the item that it was made for; here is what it is about.
PAGE: Final = """
SELECT t.id, t.role_agent_id, t.topic_key, t.reason, t.created_by, t.created_at, t.expires_at,
       coalesce(m.content, i.proposed_payload ->> 'content') AS content,
       coalesce(m.is_sensitive, i.is_sensitive OR i.risk = 'sensitive', FALSE) AS is_sensitive
FROM dw_memory_tombstones AS t
LEFT JOIN dw_learning_items AS i ON i.org_id = t.org_id AND i.id = t.item_id
LEFT JOIN LATERAL (
    SELECT h.content, h.is_sensitive FROM dw_agent_memories AS h
    WHERE h.org_id = t.org_id AND h.role_agent_id = t.role_agent_id AND h.content_hash = t.content_hash
    ORDER BY h.created_at DESC LIMIT 1
) AS m ON TRUE
WHERE t.org_id = $1 AND t.role_agent_id = $2 AND t.lifted_at IS NULL
  AND ($3::timestamptz IS NULL OR (t.created_at, t.id) < ($3, $4::uuid))
ORDER BY t.created_at DESC, t.id DESC
LIMIT $5
"""


@dataclass(frozen=True, slots=True)
class Stone:
    """What is not to come back, and why."""

    role_agent_id: UUID
    content: str
    key: str
    reason: Reason
    by: str
    at: datetime
    item_id: UUID | None = None


async def write_tombstone(tx: Tx, org_id: UUID, stone: Stone) -> UUID | None:
    """Its id; None if one holds already, so that taking this act back lifts no earlier one."""
    found: UUID | None = await tx.fetchval(
        WRITE, uuid.uuid4(), org_id, stone.role_agent_id, content_hash(stone.content), stone.key,
        signal(stone.content), stone.reason, stone.by, stone.at, stone.item_id,
    )  # fmt: skip
    return found


async def lift_tombstone(tx: Tx, org_id: UUID, tombstone_id: UUID, by: str, at: datetime) -> bool:
    """True if it held until now."""
    return await tx.execute(LIFT, org_id, tombstone_id, at, by) == "UPDATE 1"


async def lay_again(tx: Tx, org_id: UUID, tombstone_id: UUID) -> bool:
    """True if it was lifted until now."""
    return await tx.execute(LAY, org_id, tombstone_id) == "UPDATE 1"


async def one_tombstone(tx: Tx, org_id: UUID, tombstone_id: UUID) -> Any | None:
    """Whose it is, and whether it holds."""
    return await tx.fetchrow(ONE, org_id, tombstone_id)


async def tombstone_page(
    tx: Tx, org_id: UUID, role_agent_id: UUID, after: tuple[datetime, UUID] | None, limit: int
) -> list[Any]:
    """Those that hold, newest first."""
    at, id_ = after or (None, None)
    return await tx.fetch(PAGE, org_id, role_agent_id, at, id_, limit)

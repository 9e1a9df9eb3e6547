"""A role-agent's memory for files, and the approval of an import: many memories by one decision (C82, R190)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from dw_learning.memory_life import superseded
from dw_store.acts import Changes
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.memory_rows import NewMemory, Written, known_memories

EXPORT: Final = """
SELECT m.id, m.key, m.layer, m.memory_type, m.category, m.status, m.content, m.subject_identity AS subject, m.origin,
       m.source_session, m.metadata, m.created_at, m.updated_at
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active' AND m.layer IN ('operating', 'knowledge')
  AND ($3 OR NOT m.is_sensitive) AND ($4::text IS NULL OR (m.layer, m.key, m.id) > ($4, $5, $6::uuid))
ORDER BY m.layer, m.key, m.id
LIMIT $7
"""
PLACE: Final = """
SELECT m.layer, m.key, m.id FROM dw_agent_memories AS m WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.id = $3
"""
HIDDEN: Final = """
SELECT count(*) FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active' AND m.layer IN ('operating', 'knowledge')
  AND m.is_sensitive
"""
# Who holds the places that the entries are to take: a key, a very text, or what one replaces.
HOLDERS: Final = """
SELECT r.no, m.id, m.row_version
FROM jsonb_to_recordset($3::jsonb) AS r (no int, layer text, key text, content_hash text, target uuid)
JOIN dw_agent_memories AS m
  ON m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active'
 AND ((m.subject_identity IS NULL AND ((m.layer = r.layer AND m.key = r.key)
                                       OR m.content_hash = decode(r.content_hash, 'hex')))
      OR m.id = r.target)
ORDER BY r.no, m.id
"""


class Overtaken(Exception):
    """What the agent knows changed since the import: names the files concerned."""


async def export_page(
    tx: Tx, org_id: UUID, agent: UUID, *, reads_all: bool, after: UUID | None, limit: int
) -> list[Any] | None:
    """Active entries by layer and key, behind this memory; None where there is no such memory any more."""
    place = await tx.fetchrow(PLACE, org_id, agent, after) if after is not None else (None, None, None)
    if place is None:
        return None
    rows: list[Any] = await tx.fetch(EXPORT, org_id, agent, reads_all, *place, limit)
    return rows


async def hidden_count(tx: Tx, org_id: UUID, agent: UUID) -> int:
    """Sensitive ones, which a manager's export leaves out."""
    count: int = await tx.fetchval(HIDDEN, org_id, agent)
    return count


async def save_batch(
    changes: Changes, item: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> tuple[list[NewMemory], dict[UUID, UUID]]:
    """All or nothing, under the role-agent's lock: what was written, and what ended for which. Raises Overtaken."""
    agent, org_id = item["role_agent_id"], changes.org_id
    holders = await _holders(changes.tx, org_id, agent, entries)
    late = [row["file"] for no, row in enumerate(entries) if not _as_it_was(row, holders.get(no, {}))]
    if late:
        raise Overtaken(", ".join(late[:10]))
    made = [_memory(item, row) for row in entries]
    ends = {
        UUID(row["target"]): memory.memory_id
        for row, memory in zip(entries, made, strict=True)
        if row["target"] is not None
    }
    old = await known_memories(changes.tx, org_id, sorted(ends))
    await changes.write(
        [Written(k, superseded(k.state, ends[i], changes.actor.at), "supersede") for i, k in old.items()]
    )
    await changes.insert_all(made)
    return made, ends


async def _holders(
    tx: Tx, org_id: UUID, agent: UUID, entries: Sequence[Mapping[str, Any]]
) -> dict[int, dict[UUID, int]]:
    wanted = [
        {"no": no} | {name: row[name] for name in ("layer", "key", "content_hash", "target")}
        for no, row in enumerate(entries)
    ]
    found: dict[int, dict[UUID, int]] = {}
    for row in await tx.fetch(HOLDERS, org_id, agent, json_rows(wanted)):
        found.setdefault(row["no"], {})[row["id"]] = row["row_version"]
    return found


def _as_it_was(row: Mapping[str, Any], holders: Mapping[UUID, int]) -> bool:
    """C93: nobody else has taken the place since, and what it replaces is in the version that was seen."""
    if row["target"] is None:
        return not holders
    return dict(holders) == {UUID(row["target"]): row["base_version"]}


def _memory(item: Mapping[str, Any], row: Mapping[str, Any]) -> NewMemory:
    return NewMemory(
        role_agent_id=item["role_agent_id"],
        content=row["content"],
        content_hash=bytes.fromhex(row["content_hash"]),
        key=row["key"],
        layer=row["layer"],
        memory_type=row["memory_type"],
        category=row["category"],
        risk=row["risk"] if row["risk"] in ("low", "sensitive") else "high",
        is_sensitive=row["is_sensitive"],
        origin="imported",
        source_kind="user_confirmed",
        source_refs=item["source_refs"],
        learning_item_id=item["id"],
        sender_verified=item["sender_verified"],
        metadata=row["metadata"],
    )

"""Memories under change: read with the owner locked, written as whole states, each with its revision.

Endings are written before beginnings, so that a place that is taken over is free (C101).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.confidence import CONFIRMED
from dw_learning.memory_life import MemoryState
from dw_store.database import Tx
from dw_store.json_rows import json_rows

LOCK_AGENT: Final = """
SELECT a.id, a.code, a.status, a.learning_enabled, a.auto_memory_enabled, a.auto_memory_require_verified
FROM dw_role_agents AS a WHERE a.org_id = $1 AND a.id = $2 FOR NO KEY UPDATE
"""
LOCK_ORG: Final = """
SELECT v.org_id FROM dw_versions AS v WHERE v.org_id = $1 AND v.role_agent_id IS NULL FOR UPDATE
"""
OWNER: Final = "SELECT m.id, m.role_agent_id FROM dw_agent_memories AS m WHERE m.org_id = $1 AND m.id = $2"
READ: Final = """
SELECT m.id, m.role_agent_id, m.scope, m.memory_type, m.category, m.layer, m.key, m.content, m.status, m.risk,
       m.is_sensitive, m.confidence::float8 AS confidence, m.source_kind, m.source_refs, m.origin, m.learning_item_id,
       m.subject_identity, m.sender_verified, m.sender_identity_id, m.superseded_by, m.superseded_at, m.deleted_at,
       m.deleted_by, m.delete_reason, m.last_confirmed_at, m.low_confidence_since, m.row_version, m.created_at,
       coalesce((SELECT max(v.revision) FROM dw_memory_revisions AS v
                 WHERE v.org_id = m.org_id AND v.memory_id = m.id), 0) AS revision
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.id = ANY ($2::uuid[])
ORDER BY m.id
FOR UPDATE OF m
"""
# Who else holds the place of a memory: its key or its very text.
RIVALS: Final = """
SELECT m.id
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id IS NOT DISTINCT FROM $2 AND m.status = 'active'
  AND m.subject_identity IS NOT DISTINCT FROM $3 AND ((m.layer = $4 AND m.key = $5) OR m.content_hash = $6)
ORDER BY m.id
"""
WRITE: Final = """
UPDATE dw_agent_memories AS m
SET status = r.status, content = r.content, content_hash = decode(r.content_hash, 'hex'), confidence = r.confidence,
    risk = r.risk, is_sensitive = r.is_sensitive, origin = r.origin, superseded_by = r.superseded_by,
    superseded_at = r.superseded_at, deleted_at = r.deleted_at, deleted_by = r.deleted_by,
    delete_reason = r.delete_reason, last_confirmed_at = r.last_confirmed_at,
    low_confidence_since = r.low_confidence_since, updated_at = $3, row_version = m.row_version + 1
FROM jsonb_to_recordset($2::jsonb) AS r (
    id uuid, row_version int, status text, content text, content_hash text, confidence numeric, risk text,
    is_sensitive boolean, origin text, superseded_by uuid, superseded_at timestamptz, deleted_at timestamptz,
    deleted_by text, delete_reason text, last_confirmed_at timestamptz, low_confidence_since timestamptz
)
WHERE m.org_id = $1 AND m.id = r.id AND m.row_version = r.row_version
"""
REVISE: Final = """
INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, changed_by, change_kind, at)
SELECT $1, r.id, r.revision, r.content, r.confidence, $3, r.kind, $4
FROM jsonb_to_recordset($2::jsonb) AS r (id uuid, revision int, content text, confidence numeric, kind text)
"""
INSERT: Final = """
INSERT INTO dw_agent_memories (
    id, org_id, role_agent_id, scope, memory_type, category, layer, key, content, content_hash, risk, is_sensitive,
    confidence, source_kind, source_refs, origin, learning_item_id, subject_identity, sender_verified,
    sender_identity_id, metadata, last_confirmed_at, retention_policy, created_by, created_at, updated_at
)
SELECT r.id, $1, r.role_agent_id, CASE WHEN r.role_agent_id IS NULL THEN 'org' ELSE 'role_agent' END, r.memory_type,
       r.category, r.layer, r.key, r.content, decode(r.content_hash, 'hex'), r.risk, r.is_sensitive, r.confidence,
       r.source_kind, r.source_refs, r.origin, r.learning_item_id, r.subject_identity, r.sender_verified,
       r.sender_identity_id, r.metadata, $3, 'permanent_until_revoked', $4, $3, $3
FROM jsonb_to_recordset($2::jsonb) AS r (
    id uuid, role_agent_id uuid, memory_type text, category text, layer text, key text, content text,
    content_hash text, risk text, is_sensitive boolean, confidence numeric, source_kind text, source_refs jsonb,
    origin text, learning_item_id uuid, subject_identity uuid, sender_verified boolean, sender_identity_id uuid,
    metadata jsonb
)
"""


class Changed(Exception):
    """Another one changed the row in the meantime; nothing of this act is kept."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A person at work: who, when, in which trace."""

    user_id: UUID
    at: datetime
    trace_id: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A memory as it stands, locked. `row` has what no act changes."""

    memory_id: UUID
    state: MemoryState
    row_version: int
    revision: int
    row: Any


@dataclass(frozen=True, slots=True)
class Written:
    """A memory and what it is from now on. `kind` names the revision."""

    known: Known
    state: MemoryState
    kind: str


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be inserted active. No agent means the whole org."""

    role_agent_id: UUID | None
    content: str
    key: str
    risk: str
    is_sensitive: bool
    origin: str
    source_kind: str
    source_refs: Sequence[Mapping[str, Any]]
    confidence: float = CONFIRMED
    memory_type: str = "fact"
    category: str = "fact"
    layer: str = "knowledge"
    learning_item_id: UUID | None = None
    subject_identity: UUID | None = None
    sender_verified: bool = False
    sender_identity_id: UUID | None = None
    content_hash: bytes = b""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    memory_id: UUID = field(default_factory=uuid.uuid4)


async def lock_owner(tx: Tx, org_id: UUID, role_agent_id: UUID | None) -> Any | None:
    """Before anything is read (C69): the role-agent's row, or the org's version where the whole org is concerned.
    None where there is no such owner."""
    if role_agent_id is None:
        return await tx.fetchrow(LOCK_ORG, org_id)
    return await tx.fetchrow(LOCK_AGENT, org_id, role_agent_id)


async def lock_memory(tx: Tx, org_id: UUID, memory_id: UUID) -> Known | None:
    """The memory under its owner's lock; None where there is none."""
    found = await tx.fetchrow(OWNER, org_id, memory_id)
    if found is None:
        return None
    await lock_owner(tx, org_id, found["role_agent_id"])
    known = await known_memories(tx, org_id, [memory_id])
    return known.get(memory_id)


async def known_memories(tx: Tx, org_id: UUID, memory_ids: Sequence[UUID]) -> dict[UUID, Known]:
    """Memories as they stand, locked, by id."""
    rows = await tx.fetch(READ, org_id, list(memory_ids)) if memory_ids else []
    return {
        row["id"]: Known(row["id"], _state(row), row["row_version"], row["revision"], row) for row in rows
    }


async def rivals_of(
    tx: Tx, org_id: UUID, agent: UUID | None, subject: UUID | None, layer: str, key: str, content_hash: bytes
) -> dict[UUID, Known]:
    """Active memories that hold this place."""
    rows = await tx.fetch(RIVALS, org_id, agent, subject, layer, key, content_hash)
    return await known_memories(tx, org_id, [row["id"] for row in rows])


async def write_memories(tx: Tx, org_id: UUID, written: Sequence[Written], by: str, at: datetime) -> None:
    """The new states, each with a revision. Raises Changed if a row is no longer what was read."""
    for is_active in (False, True):
        part = [entry for entry in written if (entry.state.status == "active") is is_active]
        if not part:
            continue
        rows = json_rows([_row(entry) for entry in part])
        if await tx.execute(WRITE, org_id, rows, at) != f"UPDATE {len(part)}":
            raise Changed("a memory changed in the meantime")
        await tx.execute(REVISE, org_id, rows, by, at)


async def insert_memories(tx: Tx, org_id: UUID, memories: Sequence[NewMemory], by: str, at: datetime) -> None:
    """New active memories, each with its first revision. Their places are free."""
    if not memories:
        return
    await tx.execute(INSERT, org_id, json_rows([_new_row(memory) for memory in memories]), at, by)
    first = [
        {
            "id": memory.memory_id,
            "revision": 1,
            "content": memory.content,
            "confidence": memory.confidence,
            "kind": "create",
        }
        for memory in memories
    ]
    await tx.execute(REVISE, org_id, json_rows(first), by, at)


def _new_row(memory: NewMemory) -> dict[str, Any]:
    return {
        "id": memory.memory_id,
        "role_agent_id": memory.role_agent_id,
        "memory_type": memory.memory_type,
        "category": memory.category,
        "layer": memory.layer,
        "key": memory.key,
        "content": memory.content,
        "content_hash": memory.content_hash.hex(),
        "risk": memory.risk,
        "is_sensitive": memory.is_sensitive,
        "confidence": memory.confidence,
        "source_kind": memory.source_kind,
        "source_refs": list(memory.source_refs),
        "origin": memory.origin,
        "learning_item_id": memory.learning_item_id,
        "subject_identity": memory.subject_identity,
        "sender_verified": memory.sender_verified,
        "sender_identity_id": memory.sender_identity_id,
        "metadata": dict(memory.metadata),
    }


def _state(row: Any) -> MemoryState:
    return MemoryState(
        status=row["status"],
        content=row["content"],
        confidence=row["confidence"],
        risk=row["risk"],
        is_sensitive=row["is_sensitive"],
        origin=row["origin"],
        superseded_by=row["superseded_by"],
        superseded_at=row["superseded_at"],
        deleted_at=row["deleted_at"],
        deleted_by=row["deleted_by"],
        delete_reason=row["delete_reason"],
        last_confirmed_at=row["last_confirmed_at"],
        low_confidence_since=row["low_confidence_since"],
    )


def _row(entry: Written) -> dict[str, Any]:
    state = entry.state
    return {
        "id": entry.known.memory_id,
        "row_version": entry.known.row_version,
        "revision": entry.known.revision + 1,
        "kind": entry.kind,
        "content_hash": state.content_hash.hex(),
        **state_fields(state),
        "content": state.content,
    }


def state_fields(state: MemoryState) -> dict[str, Any]:
    """A state without its text: what may stand in a record of acts."""
    return {
        "status": state.status,
        "confidence": state.confidence,
        "risk": state.risk,
        "is_sensitive": state.is_sensitive,
        "origin": state.origin,
        "superseded_by": state.superseded_by,
        "superseded_at": state.superseded_at,
        "deleted_at": state.deleted_at,
        "deleted_by": state.deleted_by,
        "delete_reason": state.delete_reason,
        "last_confirmed_at": state.last_confirmed_at,
        "low_confidence_since": state.low_confidence_since,
    }

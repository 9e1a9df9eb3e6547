"""What an agent at work reads of its memory, and deletes of what it wrote itself (R174, R178, C60, C65)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.runs import Run
from dw_store.versions import pack_version, raise_versions

# Keys of a run's notes are stored with the run before them (session_notes); it reads them as it wrote them.
_COLUMNS = """
SELECT m.id, m.scope, m.layer,
       CASE WHEN m.layer = 'session' AND starts_with(m.key, $4::text || '/') THEN substr(m.key, 38) ELSE m.key END AS key,
       m.content, m.memory_type, m.status, m.metadata, m.source_session, m.created_at,
       m.updated_at
FROM dw_agent_memories AS m
"""
# A preference is shown only where the run answers the person that it is about, in a message that ingest sealed (C65);
# a session's rows belong to their run (C42).
_VISIBLE = """
WHERE m.org_id = $1 AND (m.role_agent_id = $2 OR m.role_agent_id IS NULL) AND m.status = 'active'
  AND (m.expires_at IS NULL OR m.expires_at > $5)
  AND (m.layer <> 'session' OR m.source_session = $4::text)
  AND (m.subject_identity IS NULL OR m.subject_identity = (
      SELECT i.id
      FROM dw_chat_events AS e
      JOIN dw_external_identities AS i
        ON i.org_id = e.org_id AND i.platform = e.platform AND i.workspace_ref = e.workspace_ref
       AND i.external_user_id = e.external_user_id AND i.status <> 'revoked'
      WHERE e.org_id = $1 AND e.id = $3 AND e.role_agent_id = $2 AND e.sealed
  ))
"""
LIST = (
    _COLUMNS
    + _VISIBLE
    + """
  AND ($6::text IS NULL OR m.layer = $6) AND ($7::text IS NULL OR m.key = $7 OR (m.layer = 'session' AND m.key = $4::text || '/' || $7))
  AND ($8::uuid IS NULL OR m.id > $8)
ORDER BY m.id
LIMIT $9
"""
)
OPERATING = (
    _COLUMNS
    + _VISIBLE
    + """
  AND m.layer = 'operating'
ORDER BY m.use_count DESC, m.last_used_at DESC NULLS LAST, m.created_at DESC, m.id
LIMIT $6
"""
)
RECENT = (
    _COLUMNS
    + _VISIBLE
    + """
  AND m.layer = 'knowledge'
ORDER BY m.updated_at DESC, m.id
LIMIT $6
"""
)
TARGET = """
SELECT m.id, m.key, m.content, m.content_hash, m.subject_identity, m.risk, m.origin, m.layer, m.row_version,
       m.source_session, m.memory_type, m.category, m.source_refs, m.sender_identity_id, m.role_agent_id,
       m.origin = 'auto_saved' AND m.source_session IS NOT NULL AS own_put
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.id = $3 AND m.status = 'active'
  AND (m.layer <> 'session' OR m.source_session = $4::text)
FOR UPDATE
"""
DELETE = """
UPDATE dw_agent_memories
SET status = 'deleted', deleted_at = $3, deleted_by = $4, delete_reason = 'agent', updated_at = $3,
    row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'active'
"""
REVISION = """
INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, metadata, changed_by, change_kind, at)
SELECT m.org_id, m.id, 1 + coalesce((
    SELECT max(r.revision) FROM dw_memory_revisions AS r WHERE r.org_id = m.org_id AND r.memory_id = m.id
), 0), m.content, m.confidence, m.metadata, $4, 'delete', $3
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.id = $2
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries."""

    layer: str | None
    key: str | None
    after: UUID | None
    limit: int


async def list_memory(tx: Tx, run: Run, wanted: Wanted, now: datetime) -> list[Any]:
    """Active entries that the run may see, by id."""
    seen = (run.org_id, run.role_agent_id, run.event_id, str(run.run_id), now)
    return await tx.fetch(LIST, *seen, wanted.layer, wanted.key, wanted.after, wanted.limit)


async def summarise(tx: Tx, run: Run, limit: int, now: datetime) -> tuple[list[Any], list[Any], int]:
    """Operating entries, the newest knowledge, and the version of both."""
    seen = (run.org_id, run.role_agent_id, run.event_id, str(run.run_id), now)
    version = await pack_version(tx, run.org_id, run.role_agent_id)
    return await tx.fetch(OPERATING, *seen, limit), await tx.fetch(RECENT, *seen, limit), version


async def lock_target(tx: Tx, run: Run, memory_id: UUID) -> Any | None:
    """The role-agent's own active entry, or None."""
    return await tx.fetchrow(TARGET, run.org_id, run.role_agent_id, memory_id, str(run.run_id))


async def delete_own(tx: Tx, run: Run, memory_id: UUID, on_behalf_of: UUID | None, now: datetime) -> int:
    """Delete, with revision, audit and version (C69). Gives the new version."""
    worker = f"dw_worker:{run.role_agent_id}"
    await tx.execute(DELETE, run.org_id, memory_id, now, worker)
    await tx.execute(REVISION, run.org_id, memory_id, now, worker)
    versions = await raise_versions(tx, [(run.org_id, run.role_agent_id)])
    event = NewEvent(
        org_id=run.org_id,
        role_agent_id=run.role_agent_id,
        event_type="memory_deleted",
        actor_type="worker",
        actor_id=worker,
        on_behalf_of=on_behalf_of,
        subject_type="memory",
        subject_id=memory_id,
        reason="agent",
        after={"run_id": str(run.run_id)},
        source_event_id=run.event_id,
    )
    await write_events(tx, [event], versions, now)
    return versions[(run.org_id, run.role_agent_id)]

"""Notes of one run (layer session): rows of the memory table that no pack, no decision and no other run reads (C42)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.session_note import LIFE, RETENTION, Keep, Note, Refuse, note_hash, stored_key
from dw_store import apply_sql
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.runs import Run
from dw_store.versions import pack_version

# The role-agent first, like every writer (C69).
PLACE: Final = """
SELECT a.learning_enabled AND c.learning <> 'off' AS learning
FROM dw_role_agents AS a
JOIN dw_channels AS c ON c.org_id = a.org_id AND c.id = $3
WHERE a.org_id = $1 AND a.id = $2
FOR NO KEY UPDATE OF a
"""
NOTES: Final = """
SELECT m.id, m.key, m.content_hash
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.source_session = $3 AND m.layer = 'session' AND m.status = 'active'
LIMIT 1000
"""
INSERT: Final = """
INSERT INTO dw_agent_memories (
    id, org_id, role_agent_id, scope, memory_type, category, layer, key, content, content_hash, risk, confidence,
    source_kind, source_refs, source_session, origin, retention_policy, expires_at, metadata, created_by, created_at,
    updated_at
)
VALUES ($1, $2, $3, 'role_agent', 'fact', 'note', 'session', $4, $5, $6, $7, 0, 'agent_extracted', $8, $9, 'auto_saved',
        $10, $11, $12, $13, $14, $14)
"""


@dataclass(frozen=True, slots=True)
class RunNotes:
    """What the run keeps now, and whether agent and channel learn."""

    learning: bool
    by_key: Mapping[str, UUID]
    by_hash: Mapping[bytes, UUID]

    def others(self, key: str) -> int:
        """Notes under other keys."""
        return len(self.by_key.keys() - {key})


async def read_notes(tx: Tx, run: Run) -> RunNotes:
    """Locks the role-agent until the transaction ends."""
    place = await tx.fetchrow(PLACE, run.org_id, run.role_agent_id, run.channel_id)
    rows = await tx.fetch(NOTES, run.org_id, run.role_agent_id, str(run.run_id))
    return RunNotes(
        learning=bool(place["learning"]) if place is not None else False,
        by_key={row["key"]: row["id"] for row in rows},
        by_hash={bytes(row["content_hash"]): row["id"] for row in rows},
    )


async def keep_note(tx: Tx, run: Run, note: Note, kept: Keep, notes: RunNotes, now: datetime) -> UUID:
    """Write it; what stood under its key is superseded (C15). Gives the id. One that says the same under another key is
    given instead: nothing is written twice."""
    key, hashed = stored_key(run.run_id, note.key), note_hash(run.run_id, note.content)
    if (same := notes.by_hash.get(hashed)) is not None:
        return same
    made, worker, old = uuid.uuid4(), f"dw_worker:{run.role_agent_id}", notes.by_key.get(key)
    replaced = [{"org_id": run.org_id, "id": old, "superseded_by": made}] if old is not None else []
    if replaced:
        await tx.execute(apply_sql.SUPERSEDE, json_rows(replaced), now)
    source: dict[str, Any] = {"type": "note", "run_id": str(run.run_id)}
    if run.event_id is not None:
        source["event_id"] = str(run.event_id)
    await tx.execute(
        INSERT, made, run.org_id, run.role_agent_id, key, note.content, hashed, kept.risk, [source], str(run.run_id),
        RETENTION, now + LIFE, dict(note.metadata), worker, now,
    )  # fmt: skip
    first = {
        "org_id": run.org_id,
        "id": made,
        "content": note.content,
        "confidence": 0.0,
        "created_by": worker,
    }
    await tx.execute(apply_sql.INSERT_REVISIONS, json_rows([first]), now)
    if replaced:
        await tx.execute(apply_sql.LINK_SUPERSEDED, json_rows(replaced), now)
    about = {"key": note.key, "content": note.content, "risk": kept.risk}
    before = {"memory": str(old)} if old is not None else None
    await _record(tx, run, "session_note_kept", "memory", made, "session", about, before, now)
    return made


async def record_refused(tx: Tx, run: Run, refused: Refuse, now: datetime) -> None:
    """What the scans blocked is on record, by type and place alone (C53)."""
    if refused.hits:
        about = {"hits": [list(hit) for hit in refused.hits]}
        await _record(tx, run, refused.reason, "run", run.run_id, "session_note", about, None, now)


async def _record(
    tx: Tx,
    run: Run,
    event_type: str,
    subject: str,
    subject_id: UUID,
    reason: str,
    after: Mapping[str, Any],
    before: Mapping[str, Any] | None,
    now: datetime,
) -> None:
    """Packs hold no notes: the version stays what it is, and no pack in memory is dropped."""
    event = NewEvent(
        org_id=run.org_id,
        role_agent_id=run.role_agent_id,
        event_type=event_type,
        actor_type="worker",
        actor_id=f"dw_worker:{run.role_agent_id}",
        subject_type=subject,
        subject_id=subject_id,
        reason=reason,
        before=before,
        after=after,
        source_event_id=run.event_id,
    )
    version = await pack_version(tx, run.org_id, run.role_agent_id)
    await write_events(tx, [event], {(run.org_id, run.role_agent_id): version}, now)

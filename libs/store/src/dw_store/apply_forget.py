"""What a verified speaker took back, in bulk (C62): memories end, items end, tombstones stand, each on record."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.decision.outcomes import Forget
from dw_learning.decision.plan import Decided
from dw_learning.normal import content_hash
from dw_learning.signals import signal
from dw_store.audit import NewEvent
from dw_store.database import Tx
from dw_store.json_rows import json_rows

# Before the batch's inserts for what is known, and after them for what this very batch saved.
MEMORIES: Final = """
UPDATE dw_agent_memories AS m
SET status = 'deleted', deleted_at = $2, deleted_by = r.by, delete_reason = 'do_not_save', updated_at = $2,
    row_version = m.row_version + 1
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, by text)
WHERE m.org_id = r.org_id AND m.id = r.id AND m.status IN ('active', 'deleted') AND m.deleted_at IS NULL
"""
REVISIONS: Final = """
INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, changed_by, change_kind, at)
SELECT m.org_id, m.id,
       coalesce((SELECT max(v.revision) FROM dw_memory_revisions AS v
                 WHERE v.org_id = m.org_id AND v.memory_id = m.id), 0) + 1,
       m.content, m.confidence, r.by, 'delete', $2
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, by text)
JOIN dw_agent_memories AS m ON m.org_id = r.org_id AND m.id = r.id
WHERE m.status = 'deleted'
"""
ITEMS: Final = """
UPDATE dw_learning_items AS i
SET status = 'superseded', decided_at = $2, decision_kind = 'auto_rejected', decision_note = 'taken back by who said it',
    claimed_by = NULL, claimed_until = NULL, updated_at = $2, row_version = i.row_version + 1
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid)
WHERE i.org_id = r.org_id AND i.id = r.id AND i.status = 'pending'
"""
STONES: Final = """
INSERT INTO dw_memory_tombstones AS t (
    id, org_id, role_agent_id, content_hash, topic_key, similarity_text, reason, created_by, created_at
)
SELECT DISTINCT ON (r.org_id, r.role_agent_id, r.content_hash)
       r.id, r.org_id, r.role_agent_id, decode(r.content_hash, 'hex'), r.key, r.signal, 'do_not_save', r.by, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, org_id uuid, role_agent_id uuid, content_hash text, key text, signal text, by text
)
ON CONFLICT (org_id, role_agent_id, content_hash) DO UPDATE
SET lifted_at = NULL, lifted_by = NULL, expires_at = NULL, reason = 'do_not_save'
"""


_Change = tuple[dict[str, Any], dict[str, Any]]
_ACTIVE: Final[_Change] = ({"status": "active"}, {"status": "deleted"})
_PENDING: Final[_Change] = ({"status": "pending"}, {"status": "superseded"})
_STONE: Final[_Change] = ({"holds": False}, {"holds": True})


@dataclass(slots=True)
class Forgotten:
    """Rows of one batch."""

    memories: list[dict[str, Any]] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    stones: list[dict[str, Any]] = field(default_factory=list)

    def collect(self, decision: Decided, outcome: Forget, trace_id: str) -> list[NewEvent]:
        """The rows of one outcome; gives its events."""
        org, agent = decision.detection.org_id, decision.detection.role_agent_id
        by = f"dw_worker:{agent}"
        self.memories += [{"org_id": org, "id": memory, "by": by} for memory in outcome.memories]
        self.items += [{"org_id": org, "id": item} for item in outcome.items]
        self.stones += [
            {
                "id": uuid.uuid4(),
                "org_id": org,
                "role_agent_id": agent,
                "content_hash": content_hash(stone.content).hex(),
                "key": stone.key,
                "signal": signal(stone.content),
                "by": by,
            }
            for stone in outcome.stones
        ]
        events = [
            _event(decision, "memory_deleted", "memory", memory, trace_id, _ACTIVE)
            for memory in outcome.memories
        ]
        events += [
            _event(decision, "item_withdrawn", "item", item, trace_id, _PENDING) for item in outcome.items
        ]
        event_id = decision.detection.decision_id
        return [*events, _event(decision, "tombstone_written", "event", event_id, trace_id, _STONE)]

    async def make_room(self, tx: Tx, now: datetime) -> None:
        """What was known before this batch ends before its inserts."""
        if self.memories:
            await tx.execute(MEMORIES, json_rows(self.memories), now)

    async def finish(self, tx: Tx, now: datetime) -> None:
        """What this batch itself had written ends too; then what does not come back."""
        if self.memories:
            await tx.execute(MEMORIES, json_rows(self.memories), now)
            await tx.execute(REVISIONS, json_rows(self.memories), now)
        if self.items:
            await tx.execute(ITEMS, json_rows(self.items), now)
        if self.stones:
            await tx.execute(STONES, json_rows(self.stones), now)


def _event(
    decision: Decided, event_type: str, subject: str, subject_id: UUID, trace_id: str, change: _Change
) -> NewEvent:
    case, agent = decision.case, decision.detection.role_agent_id
    return NewEvent(
        org_id=decision.detection.org_id,
        role_agent_id=agent,
        event_type=event_type,
        actor_type="worker",
        actor_id=f"dw_worker:{agent}",
        on_behalf_of=case.sender.user_id if case is not None and case.sender_verified else None,
        subject_type=subject,
        subject_id=subject_id,
        reason="do_not_save",
        before=change[0],
        after=change[1],
        source_event_id=decision.detection.decision_id,
        trace_id=trace_id,
    )

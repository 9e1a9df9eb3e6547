"""Runs and what their tokens are bound to (C74)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import orjson

from dw_contracts.events.chat import ChatEvent
from dw_store.database import Tx
from dw_store.history import SENDER_UNPROVEN

INSERT = """
INSERT INTO dw_runs (id, org_id, role_agent_id, channel_id, event_id, started_at) VALUES ($1, $2, $3, $4, $5, $6)
"""
INSERT_TOKEN = """
INSERT INTO dw_agent_run_tokens (org_id, run_id, expires_at, created_at, key_id) VALUES ($1, $2, $3, $4, $5)
"""
# A run is live while its token is neither over nor revoked, the key that started it opens anything, its agent is active and
# it still listens there. Runs of before 0027 know no key, and end by their own time.
LIVE = """
SELECT r.id
FROM dw_runs AS r
JOIN dw_agent_run_tokens AS t ON t.org_id = r.org_id AND t.run_id = r.id
LEFT JOIN dw_api_keys AS k ON k.org_id = t.org_id AND k.id = t.key_id
JOIN dw_role_agents AS a ON a.org_id = r.org_id AND a.id = r.role_agent_id
JOIN dw_channels AS c ON c.org_id = r.org_id AND c.id = r.channel_id
WHERE r.org_id = $1 AND r.id = $2 AND r.status = 'running' AND t.revoked_at IS NULL AND t.expires_at > $3
  AND (t.key_id IS NULL OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)))
  AND a.status = 'active' AND c.deleted_at IS NULL
  AND (c.role_agent_id = a.id OR EXISTS (
      SELECT 1 FROM dw_channel_agents AS l
      WHERE l.org_id = r.org_id AND l.channel_id = c.id AND l.role_agent_id = a.id
  ))
"""
COUNT_DELETION = """
UPDATE dw_runs SET deletions = deletions + 1 WHERE org_id = $1 AND id = $2 AND deletions < $3 RETURNING deletions
"""
EVENT_PLACE = (
    "SELECT e.role_agent_id, e.channel_id FROM dw_chat_events AS e WHERE e.org_id = $1 AND e.id = $2"
)
EVENT = """
SELECT e.kind, e.message_ref, e.revision, e.platform, e.workspace_ref, e.external_user_id, e.sender_kind, e.flags,
       e.reply_to, e.thread_ref, e.body_text, e.sealed, e.imported, e.occurred_at, e.received_at
FROM dw_chat_events AS e
WHERE e.org_id = $1 AND e.id = $2 AND e.role_agent_id = $3 AND e.channel_id = $4 AND e.current
  AND e.kind IN ('message_in', 'edit')
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run token says: nothing of it can be chosen in a request."""

    run_id: UUID
    org_id: UUID
    role_agent_id: UUID
    channel_id: UUID
    event_id: UUID | None
    expires_at: datetime


EventPlace = Literal["here", "not_known", "elsewhere"]
"""Of a run's event: in the run's place; not arrived yet, or of nobody in this org; of another agent or channel."""


async def start_run(tx: Tx, run: Run, now: datetime, key_id: UUID) -> EventPlace:
    """Write the run with its token, but not where the event is known to be elsewhere. What is unknown may arrive yet:
    the event goes to the runtime and to history side by side. The run ends with its key."""
    found: EventPlace = "not_known"
    if run.event_id is not None:
        place = await tx.fetchrow(EVENT_PLACE, run.org_id, run.event_id)
        if place is not None:
            ours = (place["role_agent_id"], place["channel_id"]) == (run.role_agent_id, run.channel_id)
            found = "here" if ours else "elsewhere"
    if found == "elsewhere":
        return found
    await tx.execute(INSERT, run.run_id, run.org_id, run.role_agent_id, run.channel_id, run.event_id, now)
    await tx.execute(INSERT_TOKEN, run.org_id, run.run_id, run.expires_at, now, key_id)
    return found


async def is_live(tx: Tx, run: Run, now: datetime) -> bool:
    """Whether the run's token opens anything now."""
    return await tx.fetchval(LIVE, run.org_id, run.run_id, now) is not None


async def count_deletion(tx: Tx, run: Run, limit: int) -> bool:
    """One more deletion of the run; False where it had them all."""
    return await tx.fetchval(COUNT_DELETION, run.org_id, run.run_id, limit) is not None


async def event_of(tx: Tx, run: Run) -> tuple[ChatEvent, bool] | None:
    """The run's event as history keeps it, and whether its seal was valid. None where it is not here yet, deleted, of
    another place, or of a kind that holds nobody's own words."""
    if run.event_id is None:
        return None
    row = await tx.fetchrow(EVENT, run.org_id, run.event_id, run.role_agent_id, run.channel_id)
    return (_event(run, row), row["sealed"]) if row is not None else None


def _event(run: Run, row: Any) -> ChatEvent:
    flags = set(row["flags"])
    reply = row["reply_to"]
    redacted = [
        {"field": "text", "type": "secret", "span": [at, at + 1]}
        for at in range(len(row["body_text"]))
        if row["body_text"].startswith("[redacted:", at)
    ]
    return ChatEvent.model_validate(
        {
            "schema_version": 1,
            "event_id": run.event_id,
            "org_id": run.org_id,
            "role_agent_id": run.role_agent_id,
            "channel_id": run.channel_id,
            "kind": row["kind"],
            "message_ref": row["message_ref"],
            "revision": row["revision"],
            "sender": {
                "platform": row["platform"],
                "workspace_ref": row["workspace_ref"],
                "external_user_id": row["external_user_id"],
                "kind": row["sender_kind"],
            },
            "flags": {name: True for name in flags if name != SENDER_UNPROVEN},
            "gateway_proves_sender": SENDER_UNPROVEN not in flags,
            "text": row["body_text"],
            "reply_to": orjson.loads(reply) if isinstance(reply, str) else reply,
            "thread_ref": row["thread_ref"],
            "imported": row["imported"],
            "redactions": redacted,
            "occurred_at": row["occurred_at"],
            "received_at": row["received_at"],
            "seal": {"key_id": "history", "mac": "0" * 64},
        }
    )

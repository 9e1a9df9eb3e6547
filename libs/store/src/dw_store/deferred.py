"""Candidates that wait for their org's own limit (C77): parked, claimed when due, forgotten when done or expired."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from dw_store.database import Database
from dw_store.json_rows import json_rows

CLAIM_LOCK: Final = 4_711_009
PARK: Final = """
INSERT INTO dw_deferred (
    org_id, decision_id, role_agent_id, candidate, traceparent, reason, parked_at, due_at, expires_at
)
SELECT r.org_id, r.decision_id, r.role_agent_id, decode(r.candidate, 'base64'), r.traceparent, r.reason, r.parked_at,
       r.due_at, r.expires_at
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, decision_id uuid, role_agent_id uuid, candidate text, traceparent text, reason text,
    parked_at timestamptz, due_at timestamptz, expires_at timestamptz, at bigint
)
ORDER BY r.at
ON CONFLICT (org_id, decision_id) DO NOTHING
"""
WAITING: Final = """
SELECT DISTINCT d.org_id, d.role_agent_id FROM dw_deferred AS d
JOIN unnest($1::uuid[], $2::uuid[]) AS a (org_id, role_agent_id)
  ON d.org_id = a.org_id AND d.role_agent_id = a.role_agent_id
"""
LOCK: Final = "SELECT pg_advisory_xact_lock($1)"
# A row is due when nothing of its agent before it is still waiting or being worked on.
CLAIM: Final = """
UPDATE dw_deferred AS d SET due_at = $3
FROM (
    SELECT c.org_id, c.decision_id FROM dw_deferred AS c
    WHERE c.org_id = ANY ($1::uuid[]) AND c.due_at <= $2 AND NOT EXISTS (
        SELECT 1 FROM dw_deferred AS b
        WHERE b.org_id = c.org_id AND b.role_agent_id = c.role_agent_id AND b.place < c.place AND b.due_at > $2
    )
    ORDER BY c.place LIMIT $4
) AS due
WHERE d.org_id = due.org_id AND d.decision_id = due.decision_id
RETURNING d.org_id, d.decision_id, d.role_agent_id, d.place, d.candidate, d.traceparent, d.expires_at
"""
DONE: Final = """
DELETE FROM dw_deferred AS d USING unnest($1::uuid[], $2::uuid[]) AS r (org_id, decision_id)
WHERE d.org_id = r.org_id AND d.decision_id = r.decision_id
"""
AGAIN: Final = """
UPDATE dw_deferred AS d SET due_at = $4, reason = $5
WHERE d.org_id = $1 AND d.role_agent_id = $2 AND d.decision_id = ANY ($3::uuid[])
"""
COUNT: Final = "SELECT count(*) FROM dw_deferred AS d WHERE d.org_id = $1"


@dataclass(frozen=True, slots=True)
class NewDeferred:
    """`candidate` is the record's value, byte for byte."""

    org_id: UUID
    role_agent_id: UUID
    decision_id: UUID
    candidate: bytes
    traceparent: str
    reason: str
    parked_at: datetime
    due_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Deferred:
    """One that is due and ours for a while."""

    org_id: UUID
    role_agent_id: UUID
    decision_id: UUID
    candidate: bytes
    traceparent: str
    expires_at: datetime


async def park(database: Database, rows: Sequence[NewDeferred]) -> None:
    """In this order, before their offsets are committed. One that is parked already stays where it is."""
    if not rows:
        return
    encoded = [
        {
            "org_id": row.org_id,
            "role_agent_id": row.role_agent_id,
            "decision_id": row.decision_id,
            "candidate": base64.b64encode(row.candidate).decode(),
            "traceparent": row.traceparent,
            "reason": row.reason,
            "parked_at": row.parked_at,
            "due_at": row.due_at,
            "expires_at": row.expires_at,
        }
        for at, row in enumerate(rows)
    ]
    async with database.transaction(sorted({row.org_id for row in rows})) as tx:
        await tx.execute(PARK, json_rows(encoded))


async def agents_that_wait(
    database: Database, agents: Sequence[tuple[UUID, UUID]]
) -> list[tuple[UUID, UUID]]:
    """Those of these (org, role-agent) that have something parked."""
    if not agents:
        return []
    orgs, ids = [org for org, _ in agents], [agent for _, agent in agents]
    async with database.transaction(sorted(set(orgs))) as tx:
        rows = await tx.fetch(WAITING, orgs, ids)
    return [(UUID(str(row["org_id"])), UUID(str(row["role_agent_id"]))) for row in rows]


async def claim(
    database: Database, orgs: Sequence[UUID], now: datetime, lease: timedelta, limit: int
) -> list[Deferred]:
    """What is due, in order; nobody else gets it before the lease is over."""
    async with database.transaction(orgs) as tx:
        await tx.execute(LOCK, CLAIM_LOCK)
        rows = await tx.fetch(CLAIM, list(orgs), now, now + lease, limit)
    return [
        Deferred(
            UUID(str(row["org_id"])),
            UUID(str(row["role_agent_id"])),
            UUID(str(row["decision_id"])),
            row["candidate"],
            row["traceparent"],
            row["expires_at"],
        )
        for row in sorted(rows, key=lambda row: row["place"])
    ]


async def forget(database: Database, rows: Sequence[Deferred]) -> None:
    """They were published."""
    if not rows:
        return
    async with database.transaction(sorted({row.org_id for row in rows})) as tx:
        await tx.execute(DONE, [row.org_id for row in rows], [row.decision_id for row in rows])


async def wait_longer(database: Database, rows: Sequence[Deferred], due_at: datetime, reason: str) -> None:
    """They, all of one agent, still must not go."""
    if not rows:
        return
    async with database.transaction([rows[0].org_id]) as tx:
        ids = [row.decision_id for row in rows]
        await tx.execute(AGAIN, rows[0].org_id, rows[0].role_agent_id, ids, due_at, reason)


async def waiting(database: Database, org_id: UUID) -> int:
    """How many of an org wait."""
    async with database.transaction([org_id]) as tx:
        found: int = await tx.fetchval(COUNT, org_id)
    return found

"""Candidates that wait for their org's own limit (C77): parked, claimed when due, forgotten when done or expired."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from dw_store.database import Database
from dw_store.gate import Budget
from dw_store.json_rows import json_rows

CLAIM_LOCK: Final = 4_711_009
PARK: Final = """
INSERT INTO dw_deferred (
    org_id, decision_id, role_agent_id, candidate, traceparent, reason, scope, needs_micro_usd, resets_at, asked_at,
    parked_at, due_at, expires_at
)
SELECT r.org_id, r.decision_id, r.role_agent_id, decode(r.candidate, 'base64'), r.traceparent, r.reason, r.scope,
       r.needs_micro_usd, r.resets_at, r.asked_at, r.parked_at, r.due_at, r.expires_at
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, decision_id uuid, role_agent_id uuid, candidate text, traceparent text, reason text, scope text,
    needs_micro_usd bigint, resets_at timestamptz, asked_at timestamptz, parked_at timestamptz, due_at timestamptz,
    expires_at timestamptz, at bigint
)
ORDER BY r.at
ON CONFLICT (org_id, decision_id) DO NOTHING
"""
WAITING: Final = """
SELECT a.org_id, a.role_agent_id FROM unnest($1::uuid[], $2::uuid[]) AS a (org_id, role_agent_id)
CROSS JOIN LATERAL (
    SELECT 1 FROM dw_deferred AS d
    WHERE d.org_id = a.org_id AND d.role_agent_id = a.role_agent_id LIMIT 1
) AS one
"""
LOCK: Final = "SELECT pg_advisory_xact_lock($1)"
# The first of each agent is found by steps through the index, so that it costs as much as there are agents, not rows.
# An agent goes on with the first that it has here, and what waits for behind that one. It is looked at again when it is
# due, too old, or when what it was refused for may have ended: a limit of its org was changed (some seconds are for
# clocks that differ), or its budget has room. Whether it passes, the reservation says.
CLAIM: Final = """
WITH today AS (
    SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS day, date_trunc('month', $2 AT TIME ZONE 'UTC')::date AS month
), first AS (
    SELECT o.org_id, f.role_agent_id, f.place FROM unnest($1::uuid[]) AS o (org_id)
    CROSS JOIN LATERAL (
        WITH RECURSIVE step AS (
            (SELECT d.role_agent_id, d.place FROM dw_deferred AS d
             WHERE d.org_id = o.org_id ORDER BY d.role_agent_id, d.place LIMIT 1)
            UNION ALL
            SELECT n.role_agent_id, n.place FROM step AS s
            CROSS JOIN LATERAL (
                SELECT d.role_agent_id, d.place FROM dw_deferred AS d
                WHERE d.org_id = o.org_id AND d.role_agent_id > s.role_agent_id
                ORDER BY d.role_agent_id, d.place LIMIT 1
            ) AS n
        )
        SELECT s.role_agent_id, s.place FROM step AS s
    ) AS f
), ready AS (
    SELECT h.org_id, h.role_agent_id, h.place
    FROM first AS f
    CROSS JOIN today AS t
    JOIN dw_deferred AS h ON h.org_id = f.org_id AND h.role_agent_id = f.role_agent_id AND h.place = f.place
    LEFT JOIN dw_ai_counters AS c ON c.org_id = h.org_id AND c.scope = h.scope
    LEFT JOIN dw_ai_limits AS l ON l.org_id = h.org_id AND l.scope = h.scope
    WHERE (h.claimed_until IS NULL OR h.claimed_until <= $2) AND (
        h.due_at <= $2 OR h.expires_at <= $2
        OR EXISTS (
            SELECT 1 FROM dw_ai_limits AS n
            WHERE n.org_id = h.org_id AND n.updated_at > h.asked_at - interval '10 seconds'
        )
        OR CASE h.reason
            WHEN 'daily_budget' THEN coalesce(
                CASE WHEN c.day >= t.day THEN c.day_micro_usd ELSE 0 END + c.reserved_micro_usd + h.needs_micro_usd
                <= coalesce(l.daily_micro_usd, CASE WHEN h.scope = 'org' THEN $6::bigint END), TRUE)
            WHEN 'monthly_budget' THEN coalesce(
                CASE WHEN c.month >= t.month THEN c.month_micro_usd ELSE 0 END + c.reserved_micro_usd + h.needs_micro_usd
                <= coalesce(l.monthly_micro_usd, CASE WHEN h.scope = 'org' THEN $7::bigint
                    WHEN h.scope LIKE 'agent:%' THEN (
                        SELECT a.budget_monthly_cents * 10000::bigint FROM dw_role_agents AS a
                        WHERE a.org_id = h.org_id AND a.id = h.role_agent_id) END), TRUE)
            ELSE FALSE END
    )
    ORDER BY h.place LIMIT $4
)
UPDATE dw_deferred AS d SET claimed_until = $3
FROM ready AS r
CROSS JOIN LATERAL (
    SELECT n.decision_id FROM dw_deferred AS n
    WHERE n.org_id = r.org_id AND n.role_agent_id = r.role_agent_id ORDER BY n.place LIMIT $5
) AS mine
WHERE d.org_id = r.org_id AND d.decision_id = mine.decision_id
RETURNING d.org_id, d.decision_id, d.role_agent_id, d.place, d.candidate, d.traceparent, d.expires_at
"""
DONE: Final = """
DELETE FROM dw_deferred AS d USING unnest($1::uuid[], $2::uuid[]) AS r (org_id, decision_id)
WHERE d.org_id = r.org_id AND d.decision_id = r.decision_id
"""
AGAIN: Final = """
UPDATE dw_deferred AS d SET due_at = $4, reason = $5, scope = $6, needs_micro_usd = $7, resets_at = $8, asked_at = $9
WHERE d.org_id = $1 AND d.role_agent_id = $2 AND d.decision_id = $3
"""
RELEASE: Final = """
UPDATE dw_deferred AS d SET claimed_until = NULL
WHERE d.org_id = $1 AND d.role_agent_id = $2 AND d.decision_id = ANY ($3::uuid[])
"""
COUNT: Final = "SELECT count(*) FROM dw_deferred AS d WHERE d.org_id = $1"


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What one waits for. Without a scope: for those before it, or for a model. It is asked about again at `due_at`, or
    before, when what is said here may have ended."""

    reason: str
    due_at: datetime
    scope: str = ""
    needs_micro_usd: int = 0
    resets_at: datetime | None = None
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewDeferred:
    """`candidate` is the record's value, byte for byte."""

    org_id: UUID
    role_agent_id: UUID
    decision_id: UUID
    candidate: bytes
    traceparent: str
    parked_at: datetime
    hindrance: Hindrance
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
            "parked_at": row.parked_at,
            **asdict(row.hindrance),
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
    database: Database,
    orgs: Sequence[UUID],
    now: datetime,
    lease: timedelta,
    *,
    agents: int,
    rows: int,
    budget: Budget,
) -> list[Deferred]:
    """Of so many agents that may go on, so many each, in order; nobody else gets them before the lease is over."""
    async with database.transaction(orgs) as tx:
        await tx.execute(LOCK, CLAIM_LOCK)
        found = await tx.fetch(
            CLAIM, list(orgs), now, now + lease, agents, rows, budget.daily, budget.monthly
        )
    return [
        Deferred(
            UUID(str(row["org_id"])),
            UUID(str(row["role_agent_id"])),
            UUID(str(row["decision_id"])),
            row["candidate"],
            row["traceparent"],
            row["expires_at"],
        )
        for row in sorted(found, key=lambda row: row["place"])
    ]


async def forget(database: Database, rows: Sequence[Deferred]) -> None:
    """They were published."""
    if not rows:
        return
    async with database.transaction(sorted({row.org_id for row in rows})) as tx:
        await tx.execute(DONE, [row.org_id for row in rows], [row.decision_id for row in rows])


async def release(database: Database, rows: Sequence[Deferred], why: Hindrance | None = None) -> None:
    """They, all of one agent, are nobody's again. `why` is what the first of them waits for now."""
    if not rows:
        return
    org_id, agent_id = rows[0].org_id, rows[0].role_agent_id
    async with database.transaction([org_id]) as tx:
        if why is not None:
            first = (org_id, agent_id, rows[0].decision_id)
            limit = (why.scope, why.needs_micro_usd, why.resets_at, why.asked_at)
            await tx.execute(AGAIN, *first, why.due_at, why.reason, *limit)
        await tx.execute(RELEASE, org_id, agent_id, [row.decision_id for row in rows])


async def waiting(database: Database, org_id: UUID) -> int:
    """How many of an org wait."""
    async with database.transaction([org_id]) as tx:
        found: int = await tx.fetchval(COUNT, org_id)
    return found

"""Sealing the audit log into its chain, and reading it back for a verification (C72).

An event waits in dw_audit_unsealed from the moment it is written, in its own transaction. So the sealer never goes by
the last id: an event that commits late with a small id is taken next.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from dw_learning.audit_chain import Body, Entry, Report, Verifier, entry_hash, genesis
from dw_store.database import Database, Tx
from dw_store.json_rows import json_rows

SEAL_LOCK: Final = 4_711_003
SEAL_EVENTS: Final = 1_000
VERIFY_ENTRIES: Final = 2_000
OVERDUE: Final = timedelta(minutes=5)

WAITING_ORGS = """
-- all orgs: one sealer serves all; ids alone
SELECT DISTINCT w.org_id
FROM (SELECT u.org_id FROM dw_audit_unsealed AS u ORDER BY u.place LIMIT $1) AS w
"""
LOCK = "SELECT pg_try_advisory_xact_lock($1)"
WAITING = """
SELECT e.id, e.event_id, e.org_id, e.role_agent_id, e.event_type, e.actor_type, e.actor_id, e.on_behalf_of,
       e.subject_type, e.subject_id, e.digest, e.source_event_id, e.request_id, e.trace_id, e.at
FROM dw_audit_unsealed AS u
JOIN dw_learning_events AS e ON e.org_id = u.org_id AND e.event_id = u.event_id
WHERE u.org_id = ANY ($1::uuid[])
ORDER BY u.place
LIMIT $2
"""
HEADS = """
SELECT w.org_id, c.position, c.hash
FROM unnest($1::uuid[]) AS w (org_id)
CROSS JOIN LATERAL (
    SELECT h.position, h.hash FROM dw_audit_chain AS h WHERE h.org_id = w.org_id ORDER BY h.position DESC LIMIT 1
) AS c
"""
APPEND = """
INSERT INTO dw_audit_chain (org_id, position, event_id, prev_hash, hash, sealed_at)
SELECT r.org_id, r.position, r.event_id, decode(r.prev_hash, 'hex'), decode(r.hash, 'hex'), $2
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, position bigint, event_id uuid, prev_hash text, hash text)
"""
TAKEN = """
DELETE FROM dw_audit_unsealed AS u
USING jsonb_to_recordset($1::jsonb) AS r (org_id uuid, event_id uuid)
WHERE u.org_id = r.org_id AND u.event_id = r.event_id
"""
ENTRIES = """
SELECT c.position, c.event_id AS sealed_event, c.prev_hash, c.hash, e.id, e.event_id, e.org_id, e.role_agent_id,
       e.event_type, e.actor_type, e.actor_id, e.on_behalf_of, e.subject_type, e.subject_id, e.digest,
       e.source_event_id, e.request_id, e.trace_id, e.at, b.event_id AS body, b.salt, b.reason, b.before, b.after,
       b.erased_at
FROM dw_audit_chain AS c
LEFT JOIN dw_learning_events AS e ON e.org_id = c.org_id AND e.event_id = c.event_id
LEFT JOIN dw_event_bodies AS b ON b.org_id = c.org_id AND b.event_id = c.event_id
WHERE c.org_id = $1 AND c.position > $2
ORDER BY c.position
LIMIT $3
"""
# A set difference, for its cost does not hang on what the planner believes about young tables.
UNSEALED = """
WITH loose AS (
    SELECT e.event_id FROM dw_learning_events AS e WHERE e.org_id = $1
    EXCEPT
    SELECT c.event_id FROM dw_audit_chain AS c WHERE c.org_id = $1
)
SELECT e.event_id, e.at < $2 AS overdue
FROM loose AS l
JOIN dw_learning_events AS e ON e.org_id = $1 AND e.event_id = l.event_id
ORDER BY e.id
LIMIT 100000
"""
ORG = "SELECT dw_org_id_of($1)"


async def seal_events(database: Database, now: datetime) -> int:
    """Give the waiting events their places; how many, at most SEAL_EVENTS: call again while it gives that many. Of
    two replicas at once one seals and the other does nothing."""
    async with database.system() as tx:
        orgs = [row["org_id"] for row in await tx.fetch(WAITING_ORGS, SEAL_EVENTS)]
    if not orgs:
        return 0
    async with database.transaction(orgs) as tx:
        if not await tx.fetchval(LOCK, SEAL_LOCK):
            return 0
        events = await tx.fetch(WAITING, orgs, SEAL_EVENTS)
        heads = {row["org_id"]: row for row in await tx.fetch(HEADS, orgs)}
        rows = _entries(events, heads)
        if rows:
            encoded = json_rows(rows)
            await tx.execute(APPEND, encoded, now)
            await tx.execute(TAKEN, encoded)
    return len(rows)


def _entries(events: Sequence[Any], heads: dict[UUID, Any]) -> list[dict[str, Any]]:
    last: dict[UUID, tuple[int, bytes]] = {
        org_id: (head["position"], bytes(head["hash"])) for org_id, head in heads.items()
    }
    rows: list[dict[str, Any]] = []
    for event in events:
        org_id = event["org_id"]
        position, prev_hash = last.get(org_id, (0, genesis(org_id)))
        made = entry_hash(prev_hash, event)
        last[org_id] = (position + 1, made)
        rows.append(
            {
                "org_id": org_id,
                "position": position + 1,
                "event_id": event["event_id"],
                "prev_hash": prev_hash.hex(),
                "hash": made.hex(),
            }
        )
    return rows


async def verify_chain(
    database: Database, org_id: UUID, now: datetime, noted: tuple[int, str] | None = None
) -> Report:
    """Recompute the whole chain of an org. `noted` is a head that an earlier verification gave: without one, a chain
    that was cut off at its end cannot be told from a shorter one."""
    verifier = Verifier(org_id, noted)
    position = 0
    while True:
        async with database.transaction([org_id]) as tx:
            rows = await tx.fetch(ENTRIES, org_id, position, VERIFY_ENTRIES)
        verifier.read([_entry(row) for row in rows])
        if len(rows) < VERIFY_ENTRIES:
            break
        position = rows[-1]["position"]
    async with database.transaction([org_id]) as tx:
        unsealed = await tx.fetch(UNSEALED, org_id, now - OVERDUE)
    overdue = [row["event_id"] for row in unsealed if row["overdue"]]
    return verifier.report(waiting=len(unsealed), overdue=overdue)


async def org_id_of(tx: Tx, code: str) -> UUID | None:
    """The org of this code."""
    org_id: UUID | None = await tx.fetchval(ORG, code)
    return org_id


def _entry(row: Any) -> Entry:
    body = (
        Body(bytes(row["salt"]), row["reason"], row["before"], row["after"], row["erased_at"] is not None)
        if row["body"] is not None
        else None
    )
    event = row if row["event_id"] is not None else None
    return Entry(
        row["position"], row["sealed_event"], bytes(row["prev_hash"]), bytes(row["hash"]), event, body
    )

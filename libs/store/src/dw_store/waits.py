"""What waits for a limit, and until when, for people (G12): by agent, or one event of a gateway's own channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from dw_store.database import Tx

OF_ORG: Final = """
WITH first AS (
    SELECT d.role_agent_id, min(d.place) AS place, count(*) AS candidates
    FROM dw_deferred AS d WHERE d.org_id = $1 GROUP BY d.role_agent_id
)
SELECT coalesce(a.code, h.role_agent_id::text) AS role_agent, f.candidates, h.reason, h.scope, h.needs_micro_usd,
       h.parked_at AS since, h.resets_at, h.expires_at
FROM first AS f
JOIN dw_deferred AS h ON h.org_id = $1 AND h.role_agent_id = f.role_agent_id AND h.place = f.place
LEFT JOIN dw_role_agents AS a ON a.org_id = $1 AND a.id = h.role_agent_id
ORDER BY h.place LIMIT 100
"""
OF_EVENT: Final = """
SELECT h.reason, h.scope, d.parked_at AS since, h.resets_at, d.expires_at
FROM dw_deferred AS d
CROSS JOIN LATERAL (
    SELECT n.reason, n.scope, n.resets_at FROM dw_deferred AS n
    WHERE n.org_id = $1 AND n.role_agent_id = d.role_agent_id ORDER BY n.place LIMIT 1
) AS h
WHERE d.org_id = $1 AND d.decision_id = $2
  AND (convert_from(d.candidate, 'UTF8')::jsonb #>> '{event,channel_id}')::uuid = ANY ($3::uuid[])
"""
DEFAULTS: Final = """
SELECT (s.after ->> 'daily_budget_cents')::bigint * 10000 AS daily,
       (s.after ->> 'monthly_budget_cents')::bigint * 10000 AS monthly
FROM dw_gate_settings AS s ORDER BY s.place DESC LIMIT 1
"""


async def waits_of_org(tx: Tx, org_id: UUID) -> list[dict[str, Any]]:
    """A row an agent: how many wait, what the first of them waits for, and when it ends in any case."""
    return [dict(row) for row in await tx.fetch(OF_ORG, org_id)]


async def wait_of_event(
    tx: Tx, org_id: UUID, event_id: UUID, channels: Sequence[UUID]
) -> dict[str, Any] | None:
    """What it waits for, or what the first of its agent does. None: it does not wait, or is of another channel."""
    row = await tx.fetchrow(OF_EVENT, org_id, event_id, list(channels))
    return None if row is None else dict(row)


async def default_budget(tx: Tx) -> tuple[int | None, int | None]:
    """A day's and a month's, in micro-dollars, of an org that sets none: what a detector last called models under. None:
    none has called any yet."""
    row = await tx.fetchrow(DEFAULTS)
    return (None, None) if row is None else (row["daily"], row["monthly"])

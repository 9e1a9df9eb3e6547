"""What an org allows, and what it used: for the panel (G19, G24, G33). Every change is on record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.orgs.secrets import Actor
from dw_store.versions import raise_versions

FIELDS: Final = (
    "daily_micro_usd",
    "monthly_micro_usd",
    "soft_percent",
    "requests_per_minute",
    "tokens_per_minute",
    "max_in_flight",
    "allowed_models",
    "allowed_regions",
    "killed",
)
LIMITS: Final = """
SELECT l.scope, l.daily_micro_usd, l.monthly_micro_usd, l.soft_percent, l.requests_per_minute, l.tokens_per_minute,
       l.max_in_flight, l.allowed_models, l.allowed_regions, l.killed, l.row_version, coalesce(a.code, '') AS agent
FROM dw_ai_limits AS l
LEFT JOIN dw_role_agents AS a ON a.org_id = l.org_id AND l.scope = 'agent:' || a.id
WHERE l.org_id = $1 AND ($2 = '' OR l.scope = $2)
ORDER BY l.scope LIMIT 1000
"""
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1::text || $2, 0))"
SET: Final = """
INSERT INTO dw_ai_limits (
    org_id, scope, daily_micro_usd, monthly_micro_usd, soft_percent, requests_per_minute, tokens_per_minute,
    max_in_flight, allowed_models, allowed_regions, killed, updated_at
)
SELECT $2, r.scope, r.daily_micro_usd, r.monthly_micro_usd, r.soft_percent, r.requests_per_minute,
       r.tokens_per_minute, r.max_in_flight, r.allowed_models, r.allowed_regions, r.killed, $3
FROM jsonb_to_recordset($1::jsonb) AS r (
    scope text, daily_micro_usd bigint, monthly_micro_usd bigint, soft_percent int, requests_per_minute int,
    tokens_per_minute bigint, max_in_flight int, allowed_models text[], allowed_regions text[], killed boolean
)
ON CONFLICT (org_id, scope) DO UPDATE SET
    daily_micro_usd = EXCLUDED.daily_micro_usd, monthly_micro_usd = EXCLUDED.monthly_micro_usd,
    soft_percent = EXCLUDED.soft_percent, requests_per_minute = EXCLUDED.requests_per_minute,
    tokens_per_minute = EXCLUDED.tokens_per_minute, max_in_flight = EXCLUDED.max_in_flight,
    allowed_models = EXCLUDED.allowed_models, allowed_regions = EXCLUDED.allowed_regions,
    killed = EXCLUDED.killed, updated_at = $3,
    row_version = dw_ai_limits.row_version + 1
"""
USE: Final = """
SELECT c.scope, c.reserved_micro_usd, c.in_flight,
       CASE WHEN c.day >= ($2::timestamptz AT TIME ZONE 'UTC')::date THEN c.day_micro_usd ELSE 0 END AS day_micro_usd,
       CASE WHEN c.month >= date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date THEN c.month_micro_usd ELSE 0 END
           AS month_micro_usd,
       coalesce(a.code, '') AS agent
FROM dw_ai_counters AS c
LEFT JOIN dw_role_agents AS a ON a.org_id = c.org_id AND c.scope = 'agent:' || a.id
WHERE c.org_id = $1
ORDER BY c.scope LIMIT 1000
"""
CALLS: Final = """
SELECT u.status, count(*) AS calls FROM dw_ai_usage AS u
WHERE u.org_id = $1 AND u.at >= date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
GROUP BY u.status ORDER BY u.status
"""
PARKED: Final = "SELECT count(*) FROM dw_deferred AS d WHERE d.org_id = $1"


async def limits(tx: Tx, org_id: UUID, scope: str = "") -> list[dict[str, Any]]:
    """Of all scopes, or of one."""
    return [dict(row) for row in await tx.fetch(LIMITS, org_id, scope)]


async def use(tx: Tx, org_id: UUID, now: datetime) -> tuple[list[dict[str, Any]], dict[str, int], int]:
    """Counters by scope, the day's calls by how they ended, and how many candidates are parked."""
    counters = [dict(row) for row in await tx.fetch(USE, org_id, now)]
    calls = {row["status"]: row["calls"] for row in await tx.fetch(CALLS, org_id, now)}
    return counters, calls, await tx.fetchval(PARKED, org_id)


async def set_limit(
    tx: Tx, org_id: UUID, scope: str, changes: Mapping[str, Any], actor: Actor, now: datetime
) -> dict[str, Any]:
    """Change what is named, leave the rest; the whole afterwards. What changes nothing is not on record."""
    await tx.execute(LOCK, str(org_id), scope)
    found = await limits(tx, org_id, scope)
    before = {name: found[0][name] for name in FIELDS} if found else None
    after = (before or dict.fromkeys(FIELDS) | {"soft_percent": 80, "killed": False}) | dict(changes)
    if after != before:
        await tx.execute(SET, json_rows([{"scope": scope, **after}]), org_id, now)
        versions = await raise_versions(tx, [(org_id, None)])
        await write_events(tx, [_changed(org_id, scope, before, after, actor)], versions, now)
    return (await limits(tx, org_id, scope))[0]


def _changed(
    org_id: UUID, scope: str, before: dict[str, Any] | None, after: dict[str, Any], actor: Actor
) -> NewEvent:
    return by_user(
        actor,
        org_id=org_id,
        event_type="gate_limit_changed",
        subject_type="gate",
        subject_id=org_id,
        reason=f"limits of {scope}",
        before={"scope": scope, **(before or {})},
        after={"scope": scope, **after},
    )

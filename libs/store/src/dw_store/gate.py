"""AccessGate's counters and ledger (G4 to G9, G21): reserve before a call, settle after it, each one statement."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

from dw_learning.gate.refusals import Reason, Refusal
from dw_store.database import Database

RESERVE: Final = "SELECT dw_gate_reserve($1, $2::text[], $3, $4, $5, $6, $7, $8::jsonb)"
SETTLE: Final = "SELECT dw_gate_settle($1, $2, $3, $4, $5::jsonb)"
RECONCILE: Final = "SELECT r.lost, r.drifted FROM dw_gate_reconcile($1::uuid[], $2) AS r"
BUDGET_USED: Final = """
WITH today AS (
    SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date AS day, date_trunc('month', $4 AT TIME ZONE 'UTC')::date AS month
), kept AS (
    SELECT c.reserved_micro_usd AS held,
           CASE WHEN c.day >= t.day THEN c.day_micro_usd ELSE 0 END AS day_spent,
           CASE WHEN c.month >= t.month THEN c.month_micro_usd ELSE 0 END AS month_spent,
           coalesce(l.daily_micro_usd, CASE WHEN c.scope = 'org' THEN $2::bigint END) AS daily,
           coalesce(l.monthly_micro_usd, CASE WHEN c.scope = 'org' THEN $3::bigint
               WHEN c.scope LIKE 'agent:%' THEN (
                   SELECT a.budget_monthly_cents * 10000::bigint FROM dw_role_agents AS a
                   WHERE a.org_id = c.org_id AND a.id::text = substr(c.scope, 7)) END) AS monthly
    FROM dw_ai_counters AS c
    CROSS JOIN today AS t
    LEFT JOIN dw_ai_limits AS l ON l.org_id = c.org_id AND l.scope = c.scope
    WHERE c.org_id = ANY ($1::uuid[])
)
SELECT coalesce(max((k.day_spent + k.held)::float8 / nullif(k.daily, 0)), 0) AS day,
       coalesce(max((k.month_spent + k.held)::float8 / nullif(k.monthly, 0)), 0) AS month
FROM kept AS k
"""
ORGS: Final = "SELECT dw_org_ids($1, $2)"


@dataclass(frozen=True, slots=True)
class Budget:
    """Of an org that has set none of its own, in micro-dollars. None: no limit."""

    daily: int | None
    monthly: int | None


@dataclass(frozen=True, slots=True)
class NewCall:
    """A call that is about to be made. Account and workspace are whom it is made on behalf of (G3)."""

    call_id: UUID
    feature_key: str
    actor: str
    provider: str
    request_model: str
    prompt_version: str
    price_version: str
    decision_id: UUID | None = None
    platform: str = ""
    workspace_ref: str = ""
    external_user_id: str = ""
    attempt: int = 1
    fallback_from: str = ""
    trace_id: str = ""
    expire_seconds: float = 120.0
    region: str = ""


@dataclass(frozen=True, slots=True)
class Reserved:
    """It may be made. `warned` are the scopes of which more than their soft limit is spent, told once a day (G6)."""

    warned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallResult:
    """How it ended."""

    status: Literal["ok", "failed"]
    cost_micro_usd: int
    estimated: bool
    response_model: str = ""
    error_type: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    latency_ms: int | None = None


async def reserve(
    database: Database,
    org_id: UUID,
    scopes: list[str],
    call: NewCall,
    *,
    cost: int,
    tokens: int,
    budget: Budget,
    now: datetime,
) -> Reserved | Refusal:
    """Hold money and a place for the call in every scope at once, or in none. StoreUnavailable: no call (G34)."""
    (row,) = await database.fetch(
        RESERVE, org_id, scopes, cost, tokens, now, budget.daily, budget.monthly, asdict(call)
    )
    told: dict[str, Any] = row[0]
    if "refused" in told:
        return _refusal(told, cost)
    return Reserved(tuple(told["warned"]))


def _refusal(told: dict[str, Any], needs: int) -> Refusal:
    reason: Reason = told["refused"]
    if reason not in get_args(Reason):
        raise ValueError(f"the store refuses for a reason that has no words: {reason}")
    resets = told["resets_at"]
    return Refusal(
        reason,
        told["scope"],
        told["limit"],
        told["used"],
        datetime.fromisoformat(resets) if resets else None,
        told["held"],
        needs,
        tuple(told.get("warned", ())),
    )


async def settle(database: Database, org_id: UUID, call_id: UUID, result: CallResult, now: datetime) -> bool:
    """Book what it cost and give back the rest. False: it was settled before, or given up as lost."""
    (row,) = await database.fetch(SETTLE, org_id, call_id, result.cost_micro_usd, now, asdict(result))
    return bool(row[0])


async def reconcile(database: Database, orgs: list[UUID], now: datetime) -> tuple[int, int]:
    """Calls that nobody settled in time, booked at what was held; and scopes whose counters differed from the ledger
    (G8)."""
    async with database.transaction(orgs) as tx:
        row: Any = await tx.fetchrow(RECONCILE, orgs, now)
    return row["lost"], row["drifted"]


async def budget_used(
    database: Database, orgs: list[UUID], budget: Budget, now: datetime
) -> tuple[float, float]:
    """The greatest share of a day's and of a month's budget that any scope of these orgs has used or holds; 1 is all of
    it. What has no budget, or one of nothing, has no share."""
    async with database.transaction(orgs) as tx:
        row: Any = await tx.fetchrow(BUDGET_USED, orgs, budget.daily, budget.monthly, now)
    return row["day"], row["month"]


async def org_page(database: Database, after: UUID | None, limit: int) -> list[UUID]:
    """Ids of orgs, in order."""
    return [row[0] for row in await database.fetch(ORGS, after, limit)]

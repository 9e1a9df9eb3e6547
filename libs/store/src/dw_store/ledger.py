"""The ledger of calls to models: a page of it, how long it is kept, and the prices behind its figures (G21, G22)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.gate.prices import PriceTable
from dw_store.database import Database, Tx

PAGE: Final = """
SELECT u.call_id, u.at, u.status, u.error_type, u.feature_key, u.actor, m.code AS on_behalf_of, u.decision_id, u.provider,
       u.request_model, u.response_model, u.prompt_version, u.price_version, u.input_tokens, u.output_tokens,
       u.cached_tokens, u.reasoning_tokens, u.reserved_micro_usd, u.cost_micro_usd, u.estimated, u.attempt,
       u.fallback_from, u.cache_hit, u.latency_ms, u.trace_id, u.region, coalesce(a.code, '') AS agent
FROM dw_ai_usage AS u
LEFT JOIN dw_role_agents AS a ON a.org_id = u.org_id AND u.actor = 'dw_worker:' || a.id
LEFT JOIN dw_org_members AS m ON m.org_id = u.org_id AND m.user_id = u.on_behalf_of
WHERE u.org_id = $1 AND ($2 = '' OR u.feature_key = $2)
  AND ($3::timestamptz IS NULL OR u.at >= $3) AND ($4::timestamptz IS NULL OR u.at < $4)
  AND ($5::timestamptz IS NULL OR (u.at, u.call_id) < ($5, $6::uuid))
ORDER BY u.at DESC, u.call_id DESC
LIMIT $7
"""
OLD: Final = """
DELETE FROM dw_ai_usage AS u
USING (
    SELECT d.org_id, d.call_id FROM dw_ai_usage AS d
    WHERE d.org_id = ANY ($1::uuid[]) AND d.at < $2 ORDER BY d.at LIMIT $3
) AS old
WHERE u.org_id = old.org_id AND u.call_id = old.call_id
"""
NEW_PRICES: Final = """
INSERT INTO dw_ai_prices (version, model, input, output, cached, first_used_at)
SELECT $1, r.model, r.input, r.output, r.cached, $3
FROM jsonb_to_recordset($2::jsonb) AS r (model text, input bigint, output bigint, cached bigint)
ORDER BY r.model
ON CONFLICT (version, model) DO NOTHING
"""
PRICES: Final = """
SELECT p.model, p.input, p.output, p.cached FROM dw_ai_prices AS p WHERE p.version = $1 ORDER BY p.model LIMIT 1000
"""
Before = tuple[datetime, UUID]


class OtherPrices(Exception):
    """Under this version other prices were used before."""


async def ledger_page(
    tx: Tx,
    org_id: UUID,
    *,
    feature: str,
    since: datetime | None,
    until: datetime | None,
    before: Before | None,
    limit: int,
) -> list[dict[str, Any]]:
    """Calls of an org, the latest first."""
    at, call = before or (None, None)
    return [dict(row) for row in await tx.fetch(PAGE, org_id, feature, since, until, at, call, limit)]


async def prune_ledger(tx: Tx, orgs: list[UUID], before: datetime, limit: int) -> int:
    """Take out what is older; how many went. Nothing of the last 62 days goes."""
    return int((await tx.execute(OLD, orgs, before, limit)).rpartition(" ")[2])


async def is_version_free(database: Database, table: PriceTable) -> bool:
    """Whether the table may be used: under its version each of its models cost what it says, or nothing was kept."""
    known = {row["model"]: row for row in await database.fetch(PRICES, table.version)}
    return all(
        name not in known or (known[name]["input"], known[name]["output"], known[name]["cached"]) == wanted
        for name, wanted in _figures(table).items()
    )


async def record_prices(database: Database, table: PriceTable, now: datetime) -> None:
    """Keep what a version means, at its first use. OtherPrices where a model cost something else under it: then no call
    is booked under it. A version may grow by models, for that changes no row of the ledger."""
    wanted = _figures(table)
    rows = [{"model": name, "input": i, "output": o, "cached": c} for name, (i, o, c) in wanted.items()]
    async with database.system() as tx:
        await tx.execute(NEW_PRICES, table.version, rows, now)
        found = await tx.fetch(PRICES, table.version)
        known = {row["model"]: (row["input"], row["output"], row["cached"]) for row in found}
        if any(known.get(name) != price for name, price in wanted.items()):
            raise OtherPrices(table.version)  # and nothing of this table is kept


def _figures(table: PriceTable) -> dict[str, tuple[int, int, int]]:
    return {name: (price.input, price.output, price.cached) for name, price in table.prices.items()}

"""Answers of the detector, stored under the decision id before they are published (C77, C104)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.ids import OrgId
from dw_store.database import Database
from dw_store.json_rows import json_rows

LOAD = """
SELECT d.org_id, d.decision_id, d.role_agent_id, d.answer, d.provider, d.model, d.prompt_version, d.degraded
FROM dw_detections AS d
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, decision_id)
  ON d.org_id = wanted.org_id AND d.decision_id = wanted.decision_id
"""
STORE = """
INSERT INTO dw_detections (
    org_id, role_agent_id, decision_id, answer, provider, model, prompt_version, degraded, cache_key
)
SELECT r.org_id, r.role_agent_id, r.decision_id, r.answer, r.provider, r.model, r.prompt_version, r.degraded,
       decode(r.cache_key, 'hex')
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, role_agent_id uuid, decision_id uuid, answer jsonb, provider text, model text, prompt_version text,
    degraded boolean, cache_key text
)
ON CONFLICT (org_id, decision_id) DO NOTHING
"""
CACHED = """
SELECT d.org_id, d.decision_id, d.role_agent_id, d.answer, d.provider, d.model, d.prompt_version, d.degraded
FROM dw_detections AS d
WHERE d.org_id = $1 AND d.cache_key = $2 AND d.created_at >= $3
ORDER BY d.created_at DESC LIMIT 1
"""

LEDGER_CACHED = """
INSERT INTO dw_ai_usage (
    org_id, call_id, decision_id, feature_key, actor, scopes, provider, request_model, prompt_version,
    reserved_micro_usd, cost_micro_usd, estimated, status, cache_hit, at, expires_at, settled_at
)
SELECT r.org_id, r.call_id, r.decision_id, r.feature_key, r.actor, '{}', r.provider, r.request_model, r.prompt_version,
       0, 0, FALSE, 'cached', TRUE, $2, $2, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, call_id uuid, decision_id uuid, feature_key text, actor text, provider text, request_model text,
    prompt_version text
)
"""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One answer. `items` are DetectionItem as JSON."""

    org_id: UUID
    role_agent_id: UUID
    decision_id: UUID
    items: list[dict[str, Any]]
    provider: str
    model: str
    prompt_version: str
    degraded: bool = False
    cache_key: bytes | None = None


async def load_answers(database: Database, wanted: Sequence[tuple[OrgId, UUID]]) -> dict[UUID, StoredAnswer]:
    """Answers that were given before, by decision id."""
    if not wanted:
        return {}
    orgs = sorted({org for org, _ in wanted})
    async with database.transaction(orgs) as tx:
        rows = await tx.fetch(LOAD, [org for org, _ in wanted], [decision for _, decision in wanted])
    return {row["decision_id"]: _stored(row) for row in rows}


def _stored(row: Any) -> StoredAnswer:
    return StoredAnswer(
        row["org_id"],
        row["role_agent_id"],
        row["decision_id"],
        row["answer"],
        row["provider"],
        row["model"],
        row["prompt_version"],
        row["degraded"],
    )


async def cached_answer(
    database: Database,
    org_id: UUID,
    cache_key: bytes,
    since: datetime,
    now: datetime,
    *,
    decision_id: UUID,
    feature_key: str,
    actor: str,
) -> StoredAnswer | None:
    """What the same question was answered with in this org (G18). Using it is in the ledger, at no cost."""
    async with database.transaction([org_id]) as tx:
        row = await tx.fetchrow(CACHED, org_id, cache_key, since)
        if row is None:
            return None
        used = {
            "org_id": org_id,
            "call_id": uuid.uuid4(),
            "decision_id": decision_id,
            "feature_key": feature_key,
            "actor": actor,
            "provider": row["provider"],
            "request_model": row["model"],
            "prompt_version": row["prompt_version"],
        }
        await tx.execute(LEDGER_CACHED, json_rows([used]), now)
    return _stored(row)


async def store_answers(database: Database, answers: Sequence[StoredAnswer]) -> None:
    """Keep the answers; one that another process stored first stays."""
    if not answers:
        return
    rows = [
        {
            "org_id": answer.org_id,
            "role_agent_id": answer.role_agent_id,
            "decision_id": answer.decision_id,
            "answer": answer.items,
            "provider": answer.provider,
            "model": answer.model,
            "prompt_version": answer.prompt_version,
            "degraded": answer.degraded,
            "cache_key": answer.cache_key.hex() if answer.cache_key is not None else None,
        }
        for answer in answers
    ]
    async with database.transaction(sorted({answer.org_id for answer in answers})) as tx:
        await tx.execute(STORE, json_rows(rows))

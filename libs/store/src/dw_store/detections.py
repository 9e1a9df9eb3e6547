"""Answers of the detector, stored under the decision id before they are published (C77, C104)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.ids import OrgId
from dw_store.database import Database
from dw_store.json_rows import json_rows

LOAD = """
SELECT d.org_id, d.decision_id, d.role_agent_id, d.answer, d.provider, d.model, d.prompt_version
FROM dw_detections AS d
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, decision_id)
  ON d.org_id = wanted.org_id AND d.decision_id = wanted.decision_id
"""
STORE = """
INSERT INTO dw_detections (org_id, role_agent_id, decision_id, answer, provider, model, prompt_version)
SELECT r.org_id, r.role_agent_id, r.decision_id, r.answer, r.provider, r.model, r.prompt_version
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, role_agent_id uuid, decision_id uuid, answer jsonb, provider text, model text, prompt_version text
)
ON CONFLICT (org_id, decision_id) DO NOTHING
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


async def load_answers(database: Database, wanted: Sequence[tuple[OrgId, UUID]]) -> dict[UUID, StoredAnswer]:
    """Answers that were given before, by decision id."""
    if not wanted:
        return {}
    orgs = sorted({org for org, _ in wanted})
    async with database.transaction(orgs) as tx:
        rows = await tx.fetch(LOAD, [org for org, _ in wanted], [decision for _, decision in wanted])
    return {
        row["decision_id"]: StoredAnswer(
            row["org_id"],
            row["role_agent_id"],
            row["decision_id"],
            row["answer"],
            row["provider"],
            row["model"],
            row["prompt_version"],
        )
        for row in rows
    }


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
        }
        for answer in answers
    ]
    async with database.transaction(sorted({answer.org_id for answer in answers})) as tx:
        await tx.execute(STORE, json_rows(rows))

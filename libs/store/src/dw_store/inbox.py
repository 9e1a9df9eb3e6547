"""The inbox (C104): insert first, and only what was inserted is decided. Never check, then insert."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from dw_store.array_text import uuid_array
from dw_store.database import Tx

CLAIM = """
INSERT INTO dw_consumed_messages (consumer, org_id, decision_id)
SELECT $1, w.org_id, w.decision_id
FROM unnest($2::text::uuid[], $3::text::uuid[]) AS w (org_id, decision_id)
ORDER BY w.org_id, w.decision_id
ON CONFLICT (consumer, org_id, decision_id) DO NOTHING
RETURNING org_id, decision_id
"""

DECIDED = """
SELECT DISTINCT d.org_id, d.decision_id
FROM dw_decisions AS d
JOIN unnest($1::text::uuid[], $2::text::uuid[]) AS w (org_id, decision_id)
  ON d.org_id = w.org_id AND d.decision_id = w.decision_id
"""

Claim = tuple[UUID, UUID]


async def claim_new(tx: Tx, consumer: str, wanted: Sequence[Claim]) -> set[Claim]:
    """Which of these (org, decision) are new for the consumer. Another transaction that claims one of them waits
    until this one ends, and then finds it taken. The statement sorts them, so that two batches cannot wait for each other."""
    if not wanted:
        return set()
    rows = await tx.fetch(CLAIM, consumer, *_arrays(dict.fromkeys(wanted)))
    return {(row["org_id"], row["decision_id"]) for row in rows}


async def decided_before(tx: Tx, claims: Collection[Claim]) -> set[Claim]:
    """Which of these have their decision rows already: rows of the inbox are pruned, decisions stay, so that a replay
    from whatever offset and however late has no effect (C79)."""
    if not claims:
        return set()
    rows = await tx.fetch(DECIDED, *_arrays(claims))
    return {(row["org_id"], row["decision_id"]) for row in rows}


def _arrays(claims: Collection[Claim]) -> tuple[str, str]:
    return uuid_array([org for org, _ in claims]), uuid_array([decision for _, decision in claims])

"""Rows that nobody needs any more, deleted in batches (DATA_MODEL 2.7b). Nothing of what was learned is among them.

What remembers that a message was handled outlives every topic and dead letter that could bring the message again
(C79: 7 and 30 days, and a replay of the last day), so that a replay has no second effect. Published outbox rows are
forgotten by the relay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from dw_store.database import Tx
from dw_store.ledger import prune_ledger

BATCH: Final = 5_000
SHORTEST_MEMORY: Final = timedelta(days=38)

CONSUMED = """
-- all orgs: a system table, and its oldest rows
DELETE FROM dw_consumed_messages AS m
USING (
    SELECT c.consumer, c.org_id, c.decision_id FROM dw_consumed_messages AS c
    WHERE c.processed_at < $1 ORDER BY c.processed_at LIMIT $2
) AS old
WHERE m.consumer = old.consumer AND m.org_id = old.org_id AND m.decision_id = old.decision_id
"""
PACKS = """
DELETE FROM dw_context_packs AS p
USING (
    SELECT k.org_id, k.id FROM dw_context_packs AS k
    WHERE k.org_id = ANY ($1::uuid[]) AND k.built_at < $2 ORDER BY k.built_at LIMIT $3
) AS old
WHERE p.org_id = old.org_id AND p.id = old.id
"""
# Sources on which nothing rests: no memory of whatever status, for it may be restored, and no item.
SOURCES = """
DELETE FROM dw_sources AS s
USING (
    SELECT d.org_id, d.role_agent_id, d.channel_id, d.message_ref FROM dw_sources AS d
    WHERE d.org_id = ANY ($1::uuid[]) AND d.updated_at < $2
      AND NOT EXISTS (
          SELECT 1 FROM dw_agent_memories AS m
          WHERE m.org_id = d.org_id AND m.source_refs @> jsonb_build_array(
              jsonb_build_object('channel_id', d.channel_id::text, 'message_ref', d.message_ref))
      )
    ORDER BY d.updated_at LIMIT $3
) AS old
WHERE s.org_id = old.org_id AND s.role_agent_id = old.role_agent_id AND s.channel_id = old.channel_id
  AND s.message_ref = old.message_ref
"""
SIGNALS = """
DELETE FROM dw_correction_signals AS s
USING (
    SELECT d.org_id, d.event_id FROM dw_correction_signals AS d
    WHERE d.org_id = ANY ($1::uuid[]) AND d.received_at < $2 ORDER BY d.received_at LIMIT $3
) AS old
WHERE s.org_id = old.org_id AND s.event_id = old.event_id
"""


@dataclass(frozen=True, slots=True)
class Ages:
    """How old a row must be to go. `handled` is never shorter than SHORTEST_MEMORY, whatever is asked for."""

    handled: timedelta = timedelta(days=45)
    packs: timedelta = timedelta(days=30)
    signals: timedelta = timedelta(days=90)
    ledger: timedelta = timedelta(days=400)


async def prune_handled(tx: Tx, ages: Ages, now: datetime) -> int:
    """Marks of handled messages, of all orgs; how many went, at most BATCH."""
    before = now - max(ages.handled, SHORTEST_MEMORY)
    return _count(await tx.execute(CONSUMED, before, BATCH))


async def prune_orgs(tx: Tx, org_ids: Sequence[UUID], ages: Ages, now: datetime) -> int:
    """Packs, sources on which nothing rests, counted corrections, old calls to models. The largest number of one kind, at most BATCH."""
    orgs = list(org_ids)
    handled = now - max(ages.handled, SHORTEST_MEMORY)
    return max(
        _count(await tx.execute(PACKS, orgs, now - ages.packs, BATCH)),
        _count(await tx.execute(SOURCES, orgs, handled, BATCH)),
        _count(await tx.execute(SIGNALS, orgs, now - ages.signals, BATCH)),
        await prune_ledger(tx, orgs, now - ages.ledger, BATCH),
    )


def _count(tag: str) -> int:
    return int(tag.rpartition(" ")[2])

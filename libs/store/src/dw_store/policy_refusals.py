"""What policy may not learn again (C62, D18): tombstones, late rejections, and what waits because of a message that is
taken back. One statement each for a whole batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection, ItemKind
from dw_learning.decision.facts import PendingFacts
from dw_learning.decision.state import AgentState
from dw_learning.item_times import HIDDEN
from dw_learning.signals import signal
from dw_store.asked import Asked, Owner, columns_of
from dw_store.database import Tx

Row = tuple[Detection, ChatEvent | None]
IdentityOf = Callable[[ChatEvent], UUID | None]

TOMBSTONES = """
SELECT t.role_agent_id, t.content_hash, t.similarity_text
FROM dw_memory_tombstones AS t
JOIN unnest($1::text::uuid[], $2::text::uuid[], $3::bytea[], $4::text[])
  AS wanted (org_id, role_agent_id, content_hash, signal)
  ON t.org_id = wanted.org_id AND t.role_agent_id = wanted.role_agent_id
 AND (t.content_hash = wanted.content_hash OR t.similarity_text = wanted.signal)
WHERE t.lifted_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $5)
"""
# C62: what people rejected of late, by its signal.
REJECTED = """
SELECT i.role_agent_id, i.dedupe_key, bool_or(i.sender_verified) AS verified
FROM dw_learning_items AS i
JOIN unnest($1::text::uuid[], $2::text::uuid[], $3::text[]) AS wanted (org_id, role_agent_id, dedupe_key)
  ON i.org_id = wanted.org_id AND i.role_agent_id = wanted.role_agent_id AND i.dedupe_key = wanted.dedupe_key
WHERE i.status = 'rejected' AND i.decision_kind IN ('manual', 'override') AND i.undone_at IS NULL AND i.decided_at > $4
GROUP BY i.role_agent_id, i.dedupe_key
"""
PENDING_BY_SOURCE = """
SELECT i.role_agent_id, i.id, i.proposed_payload ->> 'content' AS content, i.proposed_payload ->> 'key' AS key,
       i.sender_identity_id, wanted.ref
FROM dw_learning_items AS i
JOIN unnest($1::uuid[], $2::uuid[], $3::jsonb[]) AS wanted (org_id, role_agent_id, ref)
  ON i.org_id = wanted.org_id AND i.role_agent_id = wanted.role_agent_id AND i.source_refs @> wanted.ref
WHERE i.status = 'pending' AND i.sender_verified
"""


async def load_refusals(
    tx: Tx,
    states: Mapping[UUID, AgentState],
    asked: Mapping[Owner, Asked],
    rows: Sequence[Row],
    identity_of: IdentityOf,
    now: datetime,
) -> None:
    """What does not come back, what was rejected of late, and what waits because of a message that is taken back."""
    *owners, stones = columns_of(asked, lambda one: one.stones)
    hashes, said = [stone[0] for stone in stones], [stone[1] for stone in stones]
    for row in await tx.fetch(TOMBSTONES, *owners, hashes, said, now):
        state = states[row["role_agent_id"]]
        state.tombstones.add(bytes(row["content_hash"]))
        if row["similarity_text"]:
            state.tombstone_signals.add(row["similarity_text"])
    _ask_for_rejected(asked, rows, identity_of)
    for row in await tx.fetch(REJECTED, *columns_of(asked, lambda one: one.rejected), now - HIDDEN):
        states[row["role_agent_id"]].hidden[row["dedupe_key"]] = row["verified"]
    await _load_retracted(tx, states, rows)


def _ask_for_rejected(asked: Mapping[Owner, Asked], rows: Sequence[Row], identity_of: IdentityOf) -> None:
    for detection, event in rows:
        sender = identity_of(event) if event is not None else None
        rejected = asked[(detection.org_id, detection.role_agent_id)].rejected
        for item in detection.items:
            said = signal(item.text)
            rejected[f"all:{said}"] = None
            if sender is not None:
                rejected[f"{sender.hex[:12]}:{said}"] = None


async def _load_retracted(tx: Tx, states: Mapping[UUID, AgentState], rows: Sequence[Row]) -> None:
    retracting = [
        event
        for detection, event in rows
        if event is not None
        and event.reply_to is not None
        and any(item.kind is ItemKind.RETRACT for item in detection.items)
    ]
    if not retracting:
        return
    wanted = {(event.org_id, event.role_agent_id, _reply(event)) for event in retracting}
    for row in await tx.fetch(PENDING_BY_SOURCE, *_columns(sorted(wanted, key=str), 3)):
        ref = row["ref"][0]
        source = (UUID(ref["channel_id"]), ref["message_ref"])
        facts = PendingFacts(row["id"], row["content"] or "", row["key"] or "", row["sender_identity_id"])
        states[row["role_agent_id"]].pending_by_source.setdefault(source, []).append(facts)


def _reply(event: ChatEvent) -> str:
    ref = event.reply_to.message_ref if event.reply_to is not None else event.message_ref
    return orjson.dumps([{"channel_id": str(event.channel_id), "message_ref": ref}]).decode()


def _columns(rows: Iterable[tuple[Any, ...]], width: int) -> tuple[list[Any], ...]:
    columns = tuple(zip(*rows, strict=True))
    return tuple(list(column) for column in columns) if columns else tuple([] for _ in range(width))

"""Corrections counted in the decision's transaction, and the request for a skill that comes of them (C66)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.events.drafts import DraftRequest
from dw_contracts.ids import partition_key
from dw_contracts.topics import DRAFT_REQUESTS
from dw_learning.decision.draft import draft_key
from dw_learning.decision.outcomes import Propose
from dw_learning.decision.plan import Decided
from dw_learning.decision.state import AgentState
from dw_learning.repeated import Repetition, Signal, due, request_id_of, signal_of
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.outbox import NewOutboxRow, enqueue
from dw_store.versions import raise_versions

MAX_OPEN: Final = 10_000

INSERT = """
INSERT INTO dw_correction_signals (
    org_id, event_id, role_agent_id, channel_id, topic, kind, said, message_ref, revision, sender_ref, sender_verified,
    received_at
)
SELECT r.org_id, r.event_id, r.role_agent_id, r.channel_id, r.topic, r.kind, r.said, r.message_ref, r.revision,
       r.sender_ref, r.sender_verified, r.received_at
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, event_id uuid, role_agent_id uuid, channel_id uuid, topic text, kind text, said text,
    message_ref text, revision bigint, sender_ref text, sender_verified boolean, received_at timestamptz
)
ON CONFLICT (org_id, event_id) DO NOTHING
"""
OPEN = """
SELECT s.org_id, s.event_id, s.role_agent_id, s.channel_id, s.topic, s.kind, s.said, s.message_ref, s.revision,
       s.sender_ref, s.sender_verified, s.received_at
FROM dw_correction_signals AS s
JOIN unnest($1::uuid[], $2::uuid[], $3::text[]) AS w (org_id, role_agent_id, topic)
  ON s.org_id = w.org_id AND s.role_agent_id = w.role_agent_id AND s.topic = w.topic
WHERE s.request_id IS NULL AND s.received_at > $4
ORDER BY s.received_at DESC, s.event_id
LIMIT $5
"""
ASKED = """
UPDATE dw_correction_signals AS s SET request_id = r.request_id
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, event_id uuid, request_id uuid)
WHERE s.org_id = r.org_id AND s.event_id = r.event_id
"""
# A draft's item shows the corrections that it was made of, as every item shows its sources (R151).
EVIDENCE = """
UPDATE dw_learning_items AS i
SET source_refs = g.refs, evidence_count = g.n, updated_at = $2
FROM (
    SELECT s.org_id, r.item_id, count(*)::int AS n, jsonb_agg(jsonb_build_object(
               'event_id', s.event_id, 'type', s.kind, 'channel_id', s.channel_id, 'message_ref', s.message_ref,
               'revision', s.revision, 'at', s.received_at, 'excerpt', left(s.said, 280), 'verified', s.sender_verified
           ) ORDER BY s.received_at, s.event_id) AS refs
    FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, item_id uuid, request_id uuid)
    JOIN dw_correction_signals AS s ON s.org_id = r.org_id AND s.request_id = r.request_id
    GROUP BY s.org_id, r.item_id
) AS g
WHERE i.org_id = g.org_id AND i.id = g.item_id
"""

Topic = tuple[UUID, UUID, str]  # org, role-agent, topic


async def count_corrections(
    tx: Tx,
    decided: Sequence[Decided],
    states: Mapping[UUID, AgentState],
    rule: Repetition,
    now: datetime,
) -> None:
    """Keep what the decisions say was corrected, and ask for a skill where there is enough of it, unless a draft on the
    topic waits for a person. A correction serves one request. The role-agents are locked, so two batches do not ask twice."""
    fresh = [
        signal
        for signal in map(signal_of, decided)
        if signal is not None and states[signal.role_agent_id].agent.skill_learning_enabled
    ]
    if not fresh:
        return
    await tx.execute(INSERT, json_rows([_columns(signal) for signal in fresh]))
    topics = sorted({_topic(signal) for signal in fresh}, key=str)
    rows = await tx.fetch(
        OPEN,
        [t[0] for t in topics],
        [t[1] for t in topics],
        [t[2] for t in topics],
        now - rule.within,
        MAX_OPEN,
    )
    grouped: dict[Topic, list[Signal]] = {}
    for row in rows:
        signal = Signal(**dict(row))
        grouped.setdefault(_topic(signal), []).append(signal)
    asked = [
        found
        for (_, agent, topic), signals in grouped.items()
        if draft_key(topic) not in states[agent].items and (found := due(signals, now, rule))
    ]
    if asked:
        await _ask(tx, asked, now)


async def attach_evidence(tx: Tx, decided: Sequence[Decided], now: datetime) -> None:
    """Give the items of drafts the corrections behind them as their sources."""
    rows = [
        {"org_id": d.detection.org_id, "item_id": effect.made, "request_id": d.detection.decision_id}
        for d in decided
        if d.case is None
        for effect in d.effects
        if isinstance(effect.outcome, Propose)
    ]
    if rows:
        await tx.execute(EVIDENCE, json_rows(rows), now)


async def _ask(tx: Tx, asked: Sequence[tuple[Signal, ...]], now: datetime) -> None:
    marks = [
        {"org_id": s.org_id, "event_id": s.event_id, "request_id": request_id_of(signals)}
        for signals in asked
        for s in signals
    ]
    await tx.execute(ASKED, json_rows(marks))
    await enqueue(tx, [_request(signals, now) for signals in asked])
    events = [_event(signals) for signals in asked]
    versions = await raise_versions(tx, sorted({(e.org_id, e.role_agent_id) for e in events}, key=str))
    await write_events(tx, events, versions, now)


def _request(signals: tuple[Signal, ...], now: datetime) -> NewOutboxRow:
    first = signals[0]
    request = DraftRequest(
        schema_version=1,
        request_id=request_id_of(signals),
        org_id=first.org_id,
        role_agent_id=first.role_agent_id,
        topic=first.topic,
        corrections=tuple(signal.said for signal in signals),
        source_event_ids=tuple(signal.event_id for signal in signals),
        at=now,
    )
    return NewOutboxRow(
        row_id=request.request_id,
        topic=DRAFT_REQUESTS.name,
        key=partition_key(first.org_id, first.role_agent_id),
        value=request.to_bytes(),
        headers={"ce_id": str(request.request_id), "ce_type": DraftRequest.ce_type},
    )


def _event(signals: tuple[Signal, ...]) -> NewEvent:
    first = signals[0]
    return NewEvent(
        org_id=first.org_id,
        role_agent_id=first.role_agent_id,
        event_type="draft_requested",
        actor_type="worker",
        actor_id=f"dw_worker:{first.role_agent_id}",
        subject_type="draft",
        subject_id=request_id_of(signals),
        reason="repeated_correction",
        after={"topic": first.topic, "corrections": len(signals)},
    )


def _topic(signal: Signal) -> Topic:
    return (signal.org_id, signal.role_agent_id, signal.topic)


def _columns(signal: Signal) -> dict[str, Any]:
    return {name: getattr(signal, name) for name in Signal.__dataclass_fields__}

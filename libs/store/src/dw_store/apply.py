"""Effects of decisions, in bulk and in the caller's transaction (C69): what `decide` said, and nothing else.

The caller has locked the role-agents (policy_reads). All rows of a batch are written by a fixed number of statements.
Rows that a later decision of the same batch supersedes are written superseded at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_learning.decision.case import Case
from dw_learning.decision.outcomes import Block, Capped, Forget, Merge, Propose, Save, SourceChanged
from dw_learning.decision.plan import Decided, Effect
from dw_store import apply_sql as sql
from dw_store.apply_forget import Forgotten
from dw_store.apply_rows import decision_row, event_of, item_row, source_refs
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.posted_claims import apply_claims
from dw_store.versions import Owner, raise_versions


@dataclass(slots=True)
class _Batch:
    """Rows by table, in the order of the decisions."""

    memories: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    superseded: list[dict[str, Any]] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    evidence: list[dict[str, Any]] = field(default_factory=list)
    marks: list[dict[str, Any]] = field(default_factory=list)
    item_marks: list[dict[str, Any]] = field(default_factory=list)
    until: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    sources: dict[tuple[UUID, UUID, UUID, str], dict[str, Any]] = field(default_factory=dict)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    events: list[NewEvent] = field(default_factory=list)
    forgotten: Forgotten = field(default_factory=Forgotten)


async def apply_decisions(
    tx: Tx, decided: Sequence[Decided], traces: Mapping[UUID, str], now: datetime
) -> dict[Owner, int]:
    """Write the effects. Gives the new version of each role-agent that something changed for (C71)."""
    batch = _Batch()
    for decision in decided:
        for effect in decision.effects:
            _collect(batch, decision, effect, traces.get(decision.detection.decision_id, ""), now)
        _collect_source(batch, decision)
    claimed = await apply_claims(tx, decided, now)
    changed: list[Owner] = sorted(
        {(event.org_id, event.role_agent_id) for event in batch.events if event.role_agent_id}, key=str
    )
    changed += sorted({(event.org_id, None) for event in claimed}, key=str)
    versions = await raise_versions(tx, changed)
    await _write(tx, batch, now)
    await write_events(tx, [*batch.events, *claimed], versions, now)
    return versions


async def _write(tx: Tx, batch: _Batch, now: datetime) -> None:
    await batch.forgotten.make_room(tx, now)
    if batch.superseded:
        await tx.execute(sql.SUPERSEDE, json_rows(batch.superseded), now)
    if batch.memories:
        memories = json_rows(list(batch.memories.values()))
        await tx.execute(sql.INSERT_MEMORIES, memories, now)
        await tx.execute(sql.INSERT_REVISIONS, memories, now)
    if batch.superseded:
        await tx.execute(sql.LINK_SUPERSEDED, json_rows(batch.superseded), now)
    if batch.items:
        await tx.execute(sql.INSERT_ITEMS, json_rows(batch.items), now)
    await batch.forgotten.finish(tx, now)
    if batch.evidence:
        await tx.execute(sql.ADD_EVIDENCE, json_rows(batch.evidence), now)
    if batch.marks:
        await tx.execute(sql.MARK_MEMORIES, json_rows(batch.marks), now)
    if batch.item_marks:
        await tx.execute(sql.MARK_ITEMS, json_rows(batch.item_marks), now)
    if batch.sources:
        await tx.execute(sql.UPSERT_SOURCES, json_rows(list(batch.sources.values())), now)
    if batch.until:
        await tx.execute(sql.DECIDED_UNTIL, json_rows(list(batch.until.values())))
    await tx.execute(sql.INSERT_DECISIONS, json_rows(batch.decisions), now)


def _collect(batch: _Batch, decision: Decided, effect: Effect, trace_id: str, now: datetime) -> None:
    outcome = effect.outcome
    batch.decisions.append(decision_row(decision, effect, trace_id))
    match outcome:
        case Save() if decision.case is not None and effect.made is not None:
            _collect_save(batch, decision, decision.case, outcome, effect.made, trace_id)
        case Propose() if effect.made is not None:
            batch.items.append(item_row(decision, outcome, effect.made, now))
            batch.events.append(
                event_of(
                    decision,
                    "learning_proposed",
                    trace_id,
                    "item",
                    effect.made,
                    outcome.reason,
                    {
                        "kind": outcome.item_kind,
                        "risk": outcome.memory.risk,
                        "content": outcome.memory.content,
                    },
                )
            )
        case Merge():
            batch.evidence.append(
                {
                    "org_id": decision.detection.org_id,
                    "id": outcome.item_id,
                    "source_refs": source_refs(decision),
                }
            )
            evidence = {"event": str(decision.detection.decision_id)}
            batch.events.append(
                event_of(
                    decision, "evidence_added", trace_id, "item", outcome.item_id, "equal_signal", evidence
                )
            )
        case Block():
            batch.events.append(
                event_of(
                    decision,
                    outcome.event_type,
                    trace_id,
                    "event",
                    decision.detection.decision_id,
                    outcome.rule,
                    {"hits": [list(hit) for hit in outcome.hits]},
                )
            )
        case SourceChanged():
            _collect_marks(batch, decision, outcome, trace_id)
            _collect_item_marks(batch, decision, outcome, trace_id)
        case Forget():
            batch.events += batch.forgotten.collect(decision, outcome, trace_id)
            for memory_id in outcome.memories:
                if (earlier := batch.memories.get(memory_id)) is not None:
                    earlier["status"] = "deleted"  # saved a moment ago in this very batch
        case Capped():
            batch.events.append(
                event_of(
                    decision,
                    "cap_reached",
                    trace_id,
                    "event",
                    decision.detection.decision_id,
                    outcome.rule,
                    {},
                )
            )
        case _:
            pass


def _collect_save(
    batch: _Batch, decision: Decided, case: Case, outcome: Save, made: UUID, trace_id: str
) -> None:
    draft, detection = outcome.memory, decision.detection
    batch.memories[made] = {
        "id": made,
        "org_id": detection.org_id,
        "role_agent_id": detection.role_agent_id,
        "memory_type": draft.memory_type,
        "category": draft.category,
        "layer": draft.layer,
        "key": draft.key,
        "content": draft.content,
        "content_hash": draft.content_hash.hex(),
        "status": "active",
        "risk": draft.risk,
        "confidence": draft.confidence,
        "source_refs": source_refs(decision),
        "subject_identity": draft.subject_identity,
        "sender_verified": outcome.sender_verified,
        "sender_identity_id": case.sender.identity_id,
        "created_by": f"dw_worker:{detection.role_agent_id}",
        "superseded_by": None,
        "source_session": str(case.put_by) if case.put_by is not None else None,
        "metadata": dict(case.metadata or {}),
    }
    if outcome.supersedes is not None:
        _collect_superseded(batch, decision, outcome.supersedes, made, trace_id)
    batch.events.append(
        event_of(
            decision,
            "memory_auto_saved",
            trace_id,
            "memory",
            made,
            outcome.rule,
            {"content": draft.content, "key": draft.key, "risk": draft.risk, "confidence": draft.confidence},
        )
    )


def _collect_superseded(batch: _Batch, decision: Decided, old: UUID, new: UUID, trace_id: str) -> None:
    earlier = batch.memories.get(old)
    if earlier is not None:  # saved a moment ago in this very batch
        earlier["status"], earlier["superseded_by"] = "superseded", new
    else:
        batch.superseded.append({"org_id": decision.detection.org_id, "id": old, "superseded_by": new})
    batch.events.append(
        event_of(
            decision,
            "memory_superseded",
            trace_id,
            "memory",
            old,
            "corrected",
            {"status": "superseded", "superseded_by": str(new)},
            {"status": "active"},
        )
    )


def _collect_marks(batch: _Batch, decision: Decided, outcome: SourceChanged, trace_id: str) -> None:
    for memory_id in outcome.memories:
        if (earlier := batch.memories.get(memory_id)) is not None:
            earlier.setdefault("metadata", {})[outcome.change] = True
        else:
            batch.marks.append({"org_id": decision.detection.org_id, "id": memory_id, "mark": outcome.change})
        marks: dict[str, Any] = {outcome.change: True}
        batch.events.append(
            event_of(decision, outcome.change, trace_id, "memory", memory_id, outcome.rule, marks)
        )


def _collect_item_marks(batch: _Batch, decision: Decided, outcome: SourceChanged, trace_id: str) -> None:
    org_id = decision.detection.org_id
    for item_id in outcome.items:
        batch.item_marks.append({"org_id": org_id, "id": item_id, "mark": outcome.change})
        batch.events.append(event_of(decision, outcome.change, trace_id, "item", item_id, outcome.rule, {}))


def _collect_source(batch: _Batch, decision: Decided) -> None:
    """C52: the newest revision of a message, and whether it is gone; written with every decision."""
    if decision.case is None:
        return
    event = decision.case.event
    if decision.case.sealed:
        until = batch.until.setdefault(
            event.role_agent_id,
            {
                "org_id": event.org_id,
                "role_agent_id": event.role_agent_id,
                "received_at": event.received_at,
            },
        )
        until["received_at"] = max(until["received_at"], event.received_at)
    key = (event.org_id, event.role_agent_id, event.channel_id, event.message_ref)
    row = batch.sources.setdefault(
        key,
        {
            "org_id": event.org_id,
            "role_agent_id": event.role_agent_id,
            "channel_id": event.channel_id,
            "message_ref": event.message_ref,
            "newest_revision": event.revision,
            "deleted": False,
        },
    )
    row["newest_revision"] = max(row["newest_revision"], event.revision)
    row["deleted"] = row["deleted"] or event.kind == "delete"

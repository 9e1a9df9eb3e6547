"""From outcomes to effects: what `store.apply` writes, with ids that follow from the decision (C79, C104)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from dw_contracts.events.detections import Detection
from dw_contracts.ids import NAMESPACE
from dw_learning.decision.case import Case
from dw_learning.decision.decide import decide
from dw_learning.decision.draft import decide_draft
from dw_learning.decision.facts import AUTOMATIC_ORIGIN, ItemFacts, MemoryFacts, PendingFacts
from dw_learning.decision.outcomes import Forget, Merge, Outcome, Propose, Save
from dw_learning.decision.record import counters_of, record_of, verdicts_of
from dw_learning.decision.state import AgentState, SourceKey


@dataclass(frozen=True, slots=True)
class Effect:
    """One outcome of one decision, with the id of what it makes."""

    item_no: int
    outcome: Outcome
    made: UUID | None


@dataclass(frozen=True, slots=True)
class Decided:
    """One detection, decided. `case` is absent for drafts, which have no event."""

    detection: Detection
    case: Case | None
    effects: tuple[Effect, ...]
    before: dict[str, Any] = field(default_factory=dict)
    """What it rested on (`record`)."""


def decide_all(cases: list[tuple[Detection, Case | None]], states: dict[UUID, AgentState]) -> list[Decided]:
    """Decide in order. Each decision sees what the ones before it in the batch have changed."""
    return [_decide_one(detection, case, states[detection.role_agent_id]) for detection, case in cases]


def _decide_one(detection: Detection, case: Case | None, state: AgentState) -> Decided:
    before = record_of(case, state) if case is not None else counters_of(state)
    outcomes = decide(case, state) if case is not None else decide_draft(detection, state)
    before |= verdicts_of(outcomes)
    effects: list[Effect] = []
    for item_no, outcome in enumerate(outcomes):
        made = made_id(detection.decision_id, item_no) if isinstance(outcome, Save | Propose) else None
        _evolve(state, case, outcome, made)
        effects.append(Effect(item_no, outcome, made))
    if case is not None:
        _see_source(state, case)
        if case.sealed:  # another clock than ingest's says nothing
            state.decided(case.event.received_at)
    return Decided(detection, case, tuple(effects), before)


def made_id(decision_id: UUID, item_no: int) -> UUID:
    """The id of the memory or item that outcome `item_no` of a decision makes: the same at every replay."""
    return uuid.uuid5(NAMESPACE, f"{decision_id}:{item_no}")


def _evolve(state: AgentState, case: Case | None, outcome: Outcome, made: UUID | None) -> None:
    match outcome:
        case Save() if made is not None and case is not None:
            _saved(state, case, outcome, made)
        case Propose() if made is not None:
            _proposed(state, case, outcome, made)
        case Merge() if case is not None:
            state.add_item_source(outcome.item_id, _source(case))
        case Forget():
            _forgotten(state, outcome)
        case _:
            pass


def _saved(state: AgentState, case: Case, outcome: Save, made: UUID) -> None:
    if outcome.supersedes is not None:
        state.drop_memory(outcome.supersedes)
    draft = outcome.memory
    memory = MemoryFacts(
        memory_id=made,
        key=draft.key,
        content=draft.content,
        content_hash=draft.content_hash,
        subject_identity=draft.subject_identity,
        risk=draft.risk,
        origin=AUTOMATIC_ORIGIN,
        layer=draft.layer,
        row_version=1,
        sender_identity=case.sender.identity_id,
        own_put=case.put_by is not None,
    )
    state.add_memory(memory, [_source(case)])
    state.saves_today += 1
    state.unverified_saves_today += not outcome.sender_verified


def _proposed(state: AgentState, case: Case | None, outcome: Propose, made: UUID) -> None:
    state.items[outcome.dedupe_key] = ItemFacts(made, outcome.dedupe_key, outcome.sender_verified)
    if case is not None:
        state.add_item_source(made, _source(case))
    if case is not None and outcome.sender_verified:
        pending = PendingFacts(made, outcome.memory.content, outcome.memory.key, case.sender.identity_id)
        state.pending_by_source.setdefault(_source(case), []).append(pending)
    sender = case.sender_ref if case is not None and not outcome.sender_verified else None
    if outcome.published:
        state.open_items += 1
        if sender is not None:
            state.open_by_sender[sender] = state.open_by_sender.get(sender, 0) + 1
    else:
        state.unpublished_items += 1
        if sender is not None:
            state.unpublished_by_sender[sender] = state.unpublished_by_sender.get(sender, 0) + 1


def _forgotten(state: AgentState, outcome: Forget) -> None:
    for memory in outcome.memories:
        state.drop_memory(memory)
    for key in [key for key, item in state.items.items() if item.item_id in outcome.items]:
        del state.items[key]
    for waiting in state.pending_by_source.values():
        waiting[:] = [pending for pending in waiting if pending.item_id not in outcome.items]
    for stone in outcome.stones:
        state.bury(stone.content)


def _see_source(state: AgentState, case: Case) -> None:
    state.saw(_source(case), case.event.revision, case.event.kind == "delete")


def _source(case: Case) -> SourceKey:
    return (case.event.channel_id, case.event.message_ref)

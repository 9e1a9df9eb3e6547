"""What an edit or a delete does to what was learned from the message before (C52, C53)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dw_contracts.events.chat import EventKind
from dw_learning.decision.case import Case
from dw_learning.decision.facts import (
    MemoryFacts,
)
from dw_learning.decision.outcomes import (
    MemoryDraft,
    Outcome,
    Propose,
    ProposeReason,
    SourceChanged,
    nothing,
)
from dw_learning.decision.proposals import proposal
from dw_learning.decision.state import AgentState


def source_deleted(case: Case, state: AgentState) -> tuple[Outcome, ...]:
    """C52: the memory stays, is marked, and a person is asked; so is what waits for a person already."""
    changed = _changed(case, state, "source_deleted", "source.deleted")
    if changed is None:
        return (nothing("nothing_learned"),)
    known = state.memories_by_source.get((case.event.channel_id, case.event.message_ref), [])
    return (changed, *(_review(case, state, memory, "source_deleted") for memory in known))


def _changed(
    case: Case, state: AgentState, change: Literal["source_deleted", "source_edited"], rule: str
) -> SourceChanged | None:
    """What was learned from this very message, or waits because of it; None where nothing was."""
    source = (case.event.channel_id, case.event.message_ref)
    memories = tuple(memory.memory_id for memory in state.memories_by_source.get(source, []))
    items = tuple(state.items_by_source.get(source, []))
    return SourceChanged(change, memories, rule=rule, items=items) if memories or items else None


def source_edited(case: Case, state: AgentState) -> tuple[Outcome, ...]:
    """An edit marks what was learned from the message before, and what waits because of it (C52, C53)."""
    if case.event.kind is not EventKind.EDIT or case.event.imported:
        return ()
    changed = _changed(case, state, "source_edited", "source.edited")
    return (changed,) if changed is not None else ()


def _review(case: Case, state: AgentState, memory: MemoryFacts, reason: ProposeReason) -> Outcome:
    draft = MemoryDraft(
        content=memory.content,
        content_hash=memory.content_hash,
        key=memory.key,
        layer="operating" if memory.layer == "operating" else "knowledge",
        memory_type="fact",
        category="fact",
        risk=memory.risk,
        confidence=0.0,
        subject_identity=memory.subject_identity,
    )
    made = proposal(
        case, state, draft, reason, sensitive=memory.risk == "sensitive", target=memory, action="review"
    )
    return replace(made, item_kind="review") if isinstance(made, Propose) else made

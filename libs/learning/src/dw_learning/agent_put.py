"""An agent's own PUT and DELETE as cases of the one decision (C2, C60): nothing is stored that a message could not have
taught. Pure; ids and times come from the caller."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, Redaction
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.ids import NAMESPACE
from dw_learning import scan
from dw_learning.decision.case import Case
from dw_learning.decision.decide import POLICY_VERSION
from dw_learning.decision.facts import MemoryFacts
from dw_learning.decision.outcomes import Block, Capped, MemoryDraft, Merge, Nothing, Outcome, Propose, Save
from dw_learning.decision.plan import Decided, Effect, made_id
from dw_learning.decision.proposals import proposal
from dw_learning.decision.record import record_of, verdicts_of
from dw_learning.decision.state import AgentState
from dw_learning.normal import normal

PUT_CONFIDENCE = 0.75
PROVIDER = "agent_put"
DELETE_EXPLANATION = "The agent asks to delete this; it may do so by itself only with what it wrote itself."


@dataclass(frozen=True, slots=True)
class Put:
    """What the agent asks to keep."""

    key: str
    content: str
    layer: Literal["operating", "knowledge"]
    memory_type: Literal["fact", "preference"]
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """What became of it, for the agent."""

    status: Literal["stored", "proposed", "rejected"]
    reason: str
    explanation: str = ""
    memory_id: UUID | None = None
    item_id: UUID | None = None


def without_secrets(put: Put, event: ChatEvent) -> tuple[Put, ChatEvent]:
    """What ingest does for a message (C53): secrets are gone before anything is decided or written, and the event says
    that some were here, so that the decision blocks it."""
    found = [
        Redaction(field=f"put.{name}", type=hit.type, span=(hit.start, hit.end))
        for name, text in (("content", put.content), ("key", put.key), ("metadata", str(dict(put.metadata))))
        for hit in scan.scan_secrets(text)
    ]
    if not found:
        return put, event
    clean = replace(
        put,
        content=scan.redact(put.content, scan.scan_secrets(put.content)),
        key=scan.redact(put.key, scan.scan_secrets(put.key))[:128],
        metadata={},
    )
    return clean, event.model_copy(update={"redactions": (*event.redactions, *found)})


def put_decision_id(run_id: UUID, put: Put, pepper: str) -> UUID:
    """C104: the same PUT of the same run is decided once. The text stands in it as an HMAC (C53)."""
    text = hmac.digest(pepper.encode(), normal(put.content).encode(), hashlib.sha256).hex()
    return uuid.uuid5(NAMESPACE, f"put:{run_id}:{put.layer}:{put.key}:{put.memory_type}:{text}")


def delete_decision_id(run_id: UUID, memory_id: UUID) -> UUID:
    """The same for a DELETE."""
    return uuid.uuid5(NAMESPACE, f"delete:{run_id}:{memory_id}")


def put_detection(decision_id: UUID, event: ChatEvent, put: Put | None) -> Detection:
    """The candidate, as the detector would have written it. Policy's own rules judge kind and risk anew."""
    items: tuple[DetectionItem, ...] = ()
    if put is not None:
        preference = put.memory_type == "preference"
        items = (
            DetectionItem(
                kind=ItemKind.MEMORY_PREFERENCE if preference else ItemKind.MEMORY_FACT,
                text=put.content,
                span=(0, 0),
                key=put.key,
                risk_hint="low",
                confidence=PUT_CONFIDENCE,
                memory_type=put.memory_type,
                category=put.memory_type,
                layer=put.layer,
            ),
        )
    return Detection(
        schema_version=1,
        decision_id=decision_id,
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        items=items,
        provider=PROVIDER,
        model=POLICY_VERSION,
        triage_version="none",
    )


def unknown_event(
    *, event_id: UUID, org_id: UUID, role_agent_id: UUID, channel_id: UUID, run_id: UUID, now: datetime
) -> ChatEvent:
    """Stands in for an event that is not known (yet): unsealed, of nobody, so that everything is a proposal."""
    return ChatEvent.model_validate(
        {
            "schema_version": 1,
            "event_id": event_id,
            "org_id": org_id,
            "role_agent_id": role_agent_id,
            "channel_id": channel_id,
            "kind": "message_in",
            "message_ref": f"run:{run_id}",
            "sender": {"platform": "panel", "external_user_id": f"dw_worker:{role_agent_id}"},
            "gateway_proves_sender": False,
            "occurred_at": now,
            "received_at": now,
        }
    )


def decided_delete(
    detection: Detection, case: Case, state: AgentState, memory: MemoryFacts, memory_type: str
) -> Decided:
    """An archive proposal for what the agent may not delete by itself."""
    draft = MemoryDraft(
        content=memory.content,
        content_hash=memory.content_hash,
        key=memory.key,
        layer="operating" if memory.layer == "operating" else "knowledge",
        memory_type=memory_type,
        category=memory_type,
        risk=memory.risk,
        confidence=0.0,
        subject_identity=memory.subject_identity,
    )
    before = record_of(case, state)
    made = proposal(case, state, draft, "forget", sensitive=memory.risk == "sensitive", target=memory)
    before |= verdicts_of([made])
    if isinstance(made, Propose):
        made = replace(made, action="archive", explanation=DELETE_EXPLANATION, rule="propose.agent_delete")
    new = made_id(detection.decision_id, 0) if isinstance(made, Propose) else None
    return Decided(detection, case, (Effect(0, made, new),), before)


def outcome_of(effects: tuple[Effect, ...]) -> PutOutcome:
    """What the agent is told. Marks of a source beside it are not its business."""
    outcome, made = effects[0].outcome, effects[0].made
    return told(outcome, made)


def told(outcome: Outcome, made: UUID | None) -> PutOutcome:
    """One outcome in the words of the memory API."""
    match outcome:
        case Save():
            return PutOutcome("stored", "", memory_id=made)
        case Propose():
            return PutOutcome("proposed", outcome.reason, outcome.explanation, item_id=made)
        case Merge():
            return PutOutcome("proposed", "merged", "It waits for a person already.", item_id=outcome.item_id)
        case Block():
            why = "It holds what looks like a secret or an instruction to the machine; nothing is kept."
            return PutOutcome("rejected", outcome.event_type, why)
        case Capped():
            return PutOutcome("rejected", "capped", "Too many proposals wait for a person.")
        case Nothing(reason="duplicate"):
            return PutOutcome("stored", "duplicate", "The agent knows this already.")
        case Nothing():
            return PutOutcome("rejected", outcome.reason, EXPLAINED.get(outcome.reason, ""))
        case _:
            return PutOutcome("rejected", outcome.kind)


EXPLAINED: dict[str, str] = {
    "agent_disabled": "The role-agent is disabled.",
    "not_listening": "The role-agent does not listen in this channel any more.",
    "learning_off": "Learning is off for the agent or the channel.",
    "tombstoned": "People decided that this is never to be kept.",
    "deleted_source": "The message behind it was deleted.",
    "stale": "The message was edited since.",
    "bot": "The message came from a bot.",
    "imported": "The message was imported from the past.",
    "no_words": "The content says nothing: it has no letter and no digit.",
    "own_reply": "The agent's own words teach nothing.",
}

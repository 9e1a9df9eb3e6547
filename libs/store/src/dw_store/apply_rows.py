"""The rows of one decision: what `apply` writes in bulk, made from values alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from dw_learning.decision.decide import POLICY_VERSION
from dw_learning.decision.outcomes import Propose
from dw_learning.decision.plan import Decided, Effect
from dw_learning.item_times import DUE, EXPIRY
from dw_store.audit import NewEvent

EXCERPT_CHARS = 280


def item_row(decision: Decided, outcome: Propose, made: UUID, now: datetime) -> dict[str, Any]:
    """A learning item. `now` begins its times (C64)."""
    draft, detection, case = outcome.memory, decision.detection, decision.case
    payload = {
        "content": draft.content,
        "key": draft.key,
        "layer": draft.layer,
        "memory_type": draft.memory_type,
        "category": draft.category,
        "subject_identity": draft.subject_identity,
        "marks": [list(mark) for mark in outcome.marks],
    }
    return {
        "id": made,
        "org_id": detection.org_id,
        "role_agent_id": detection.role_agent_id,
        "kind": outcome.item_kind,
        "action": outcome.action,
        "risk": draft.risk,
        "is_sensitive": outcome.is_sensitive,
        "reason_code": outcome.reason,
        "explanation": outcome.explanation,
        "proposed_payload": payload,
        "source_refs": source_refs(decision),
        "dedupe_key": outcome.dedupe_key,
        "target_memory_id": outcome.target_memory,
        "base_version": outcome.base_version,
        "proposed_by": f"dw_worker:{detection.role_agent_id}",
        "sender_identity_id": case.sender.identity_id if case else None,
        "sender_user_id": case.sender.user_id if case and outcome.sender_verified else None,
        "sender_verified": outcome.sender_verified,
        "sender_ref": case.sender_ref if case else None,
        "confidence": draft.confidence,
        "model_version": f"{detection.provider}:{detection.model}",
        "prompt_version": detection.prompt_version,
        "policy_version": POLICY_VERSION,
        "published_at": now if outcome.published else None,
        "due_at": now + DUE[draft.risk],
        "expires_at": now + EXPIRY,
    }


def source_refs(decision: Decided) -> list[dict[str, Any]]:
    """Never empty: a draft names its own request as its source."""
    if decision.case is None:
        return [{"event_id": str(decision.detection.decision_id), "type": "draft_request"}]
    event = decision.case.event
    return [
        {
            "event_id": str(event.event_id),
            "type": event.kind.value,
            "channel_id": str(event.channel_id),
            "message_ref": event.message_ref,
            "revision": event.revision,
            "at": event.occurred_at.isoformat(),
            "excerpt": decision.case.own_text[:EXCERPT_CHARS],
            "verified": decision.case.sender_verified,
        }
    ]


def event_of(
    decision: Decided,
    event_type: str,
    trace_id: str,
    subject_type: str,
    subject_id: UUID,
    reason: str,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
) -> NewEvent:
    """A learning event of the worker, on behalf of the sender where that is a verified person (R29)."""
    case = decision.case
    return NewEvent(
        org_id=decision.detection.org_id,
        role_agent_id=decision.detection.role_agent_id,
        event_type=event_type,
        actor_type="worker",
        actor_id=f"dw_worker:{decision.detection.role_agent_id}",
        on_behalf_of=case.sender.user_id if case and case.sender_verified else None,
        subject_type=subject_type,
        subject_id=subject_id,
        reason=reason,
        before=before,
        after=after,
        source_event_id=case.event.event_id if case else None,
        trace_id=trace_id,
    )


def decision_row(decision: Decided, effect: Effect, trace_id: str) -> dict[str, Any]:
    """The record from which the decision can be made anew (D15)."""
    detection, case = decision.detection, decision.case
    inputs: dict[str, Any] = {
        "items": [item.model_dump(mode="json") for item in detection.items],
        **decision.before,
    }
    if case is not None:
        inputs |= {
            "event": detection.event,  # as it came, seal and all: no second rendering of what stands there
            "sealed": case.sealed,
            "degraded": case.degraded,
            "sender_verified": case.sender_verified,
        }
    return {
        "org_id": detection.org_id,
        "role_agent_id": detection.role_agent_id,
        "channel_id": case.event.channel_id if case else None,
        "decision_id": detection.decision_id,
        "item_no": effect.item_no,
        "outcome": effect.outcome.kind,
        "reason": getattr(effect.outcome, "reason", None),
        "rule": effect.outcome.rule,
        "made_id": effect.made,
        "inputs": inputs,
        "versions": {
            "policy": POLICY_VERSION,
            "triage": detection.triage_version,
            "model": f"{detection.provider}:{detection.model}",
            "prompt": detection.prompt_version,
        },
        "trace_id": trace_id,
    }

"""The walls between an item and a save by itself (C40, C55 to C57, C79, C97). Nothing at all makes a save but
`why_not_saved` finding none."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from dw_contracts.events.chat import EventKind, Learning
from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_learning.decision.case import Case
from dw_learning.decision.facts import (
    AUTOMATIC_ORIGIN,
    RISK_ORDER,
    MemoryFacts,
)
from dw_learning.decision.findings import subject_of
from dw_learning.decision.outcomes import (
    MemoryDraft,
    ProposeReason,
)
from dw_learning.decision.state import AgentState
from dw_learning.normal import overlap
from dw_learning.policy_rules import Rule
from dw_learning.signals import same_signal
from dw_learning.tastes import speaks_of_another

LONG_TERM = 0.7
BY_MODE = 0.8
UNRELATED = 0.25
REPLAY_SLACK = timedelta(minutes=15)  # of ingests' clocks, and of dead letters put back at once (C79)
_OWN_KINDS = frozenset({EventKind.MESSAGE_IN, EventKind.CORRECTION})


def why_not_saved(
    case: Case,
    item: DetectionItem,
    draft: MemoryDraft,
    target: MemoryFacts | None,
    state: AgentState,
    sensitive: bool,
) -> ProposeReason | None:
    """The first wall that stands, or None where none does. The order is what a reviewer wants to read first."""
    mode, verified = state.agent.mode, case.sender_verified
    if sensitive:
        return "sensitive"
    if draft.risk != "low":
        return "high_impact"
    if case.event.kind is EventKind.EDIT or case.event.revision > 0:
        return "edited"  # whatever a gateway calls it: only revision 0 is the original (C52)
    if not case.sealed:
        return "unsealed"
    if state.decided_until is not None and case.event.received_at < state.decided_until - REPLAY_SLACK:
        return "replayed"
    if mode == "review":
        return "review_mode"
    if case.degraded:
        return "degraded"  # a stand-in answered for the model (G17)
    if Learning.PROPOSE in (case.channel.learning, case.event.learning):
        return "channel_proposes"
    if mode == "verified" and not verified:
        return "unverified_sender"
    if not _own_words(case, draft):
        return "not_own_words"
    if draft.confidence < LONG_TERM or (draft.confidence < BY_MODE and not verified):
        return "low_confidence"
    if item.kind is ItemKind.MEMORY_PREFERENCE and speaks_of_another(item.text):
        return "others_taste"
    if item.kind is ItemKind.MEMORY_PREFERENCE and draft.subject_identity is None:
        return "unverified_sender"  # a taste without a known person would steer the agent for all (C43)
    if target is not None and not _may_supersede(case, item, draft, target):
        return "conflict"
    if org_says(draft, state) == "otherwise":
        return "conflict"  # C19: the org's word would hide it in every pack
    if _saves_are_capped(verified, state):
        return "cap"
    # C40: asked last, so that a rule adds a wall and opens none. What would be deleted at once is not saved by itself.
    rule = rule_for(case, draft, state)
    return "policy_rule" if rule is not None and rule.action != "auto_confirm" else None


def _own_words(case: Case, draft: MemoryDraft) -> bool:
    """C55. Any mark of foreign words closes the door; a bot has no own words (C88)."""
    event = case.event
    if event.kind not in _OWN_KINDS or event.flags.names() or event.sender.kind != "human":
        return False
    return case.findings.said(draft.content, case.own_text, subject_of(event))


def _may_supersede(case: Case, item: DetectionItem, draft: MemoryDraft, target: MemoryFacts) -> bool:
    """C56: only an auto-saved row of equal or lower risk, only by a correction; an agent's PUT only rows of its own
    PUTs (C60)."""
    return (
        (target.own_put if case.put_by is not None else item.kind is ItemKind.CORRECTION)
        and target.origin == AUTOMATIC_ORIGIN
        and target.layer != "operating"
        and RISK_ORDER[target.risk] <= RISK_ORDER[draft.risk]
    )


def org_says(draft: MemoryDraft, state: AgentState) -> Literal["same", "otherwise", "nothing"]:
    known = state.org_by_key.get(draft.key)
    if known is None or draft.subject_identity is not None or overlap(known, draft.content) < UNRELATED:
        return "nothing"
    return "same" if same_signal(known, draft.content) else "otherwise"


def _saves_are_capped(verified: bool, state: AgentState) -> bool:
    caps = state.caps
    if caps.auto_saves_per_day is not None and state.saves_today >= caps.auto_saves_per_day:
        return True
    return (
        not verified
        and caps.unverified_saves_per_day is not None
        and state.unverified_saves_today >= caps.unverified_saves_per_day
    )


def rule_for(case: Case, draft: MemoryDraft, state: AgentState) -> Rule | None:
    at = case.event.received_at
    return state.rules.first_of_new(draft.category, draft.confidence, draft.risk, at)

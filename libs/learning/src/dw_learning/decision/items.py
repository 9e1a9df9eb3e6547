"""One item of a detection: nothing, a save where no wall stands, or a proposal (C54 to C58, C62, R79)."""

from __future__ import annotations

from dataclasses import replace

from dw_contracts.events.chat import EventKind
from dw_contracts.events.detections import MAX_MEMORY_CHARS, DetectionItem, ItemKind
from dw_learning.confidence import initial
from dw_learning.decision.case import Case
from dw_learning.decision.facts import (
    RISK_ORDER,
    MemoryFacts,
    Risk,
)
from dw_learning.decision.findings import answered_by
from dw_learning.decision.forget import forget_own
from dw_learning.decision.outcomes import (
    MemoryDraft,
    Outcome,
    Propose,
    ProposeReason,
    Save,
    nothing,
)
from dw_learning.decision.proposals import dedupe_of, proposal
from dw_learning.decision.state import AgentState
from dw_learning.decision.walls import UNRELATED, org_says, rule_for, why_not_saved
from dw_learning.normal import content_hash, has_words, overlap
from dw_learning.signals import same_signal
from dw_learning.skill_draft import is_whole
from dw_learning.tastes import speaks_of_another


def decide_item(case: Case, item: DetectionItem, state: AgentState) -> Outcome:
    if item.kind is ItemKind.SKILL_PROCEDURE:
        return _decide_skill(case, item, state)
    if len(item.text) > MAX_MEMORY_CHARS:
        return nothing("too_long")
    if item.kind is not ItemKind.RETRACT and not has_words(item.text):
        return nothing("no_words")
    draft = draft_of(case, item)
    subject = draft.subject_identity
    if item.kind is ItemKind.RETRACT:
        return forget_own(case, item, state) or _forget(case, item, state)
    if (refused := _not_again(case, draft, state)) is not None:
        return refused
    if (draft.content_hash, subject) in state.memories_by_hash:
        return nothing("duplicate")
    existing = state.memories_by_key.get((draft.key, subject))
    target = _edited_memory(case, state)
    if existing is not None and target is None and same_signal(existing.content, draft.content):
        return nothing("duplicate")  # D17: the same in nearly the same words
    if org_says(draft, state) == "same":
        return nothing("duplicate")
    if (
        case.put_by is None
        and existing is not None
        and target is None
        and overlap(existing.content, draft.content) < UNRELATED
    ):
        draft, existing = replace(draft, key=f"{draft.key[:110]}-{draft.content_hash.hex()[:8]}"), None  # C56
    target = target or existing
    sensitive = draft.risk == "sensitive" or item.kind is ItemKind.SENSITIVE
    reason = why_not_saved(case, item, draft, target, state, sensitive)
    if reason is None:
        return Save(
            # C56: automatic saves never enter layer operating
            memory=draft if draft.layer == "knowledge" else replace(draft, layer="knowledge"),
            supersedes=target.memory_id if target else None,
            sender_verified=case.sender_verified,
            rule="save.correction" if target else "save.low_risk",
        )
    return proposal(case, state, draft, reason, sensitive=sensitive, target=target)


def _not_again(case: Case, draft: MemoryDraft, state: AgentState) -> Outcome | None:
    """What was buried, what was rejected of late by equal or lower trust (C62), and what a rule of the org refuses."""
    if state.is_buried(draft.content, draft.content_hash):
        return nothing("tombstoned")
    rejected_trust = state.hidden.get(dedupe_of(draft))
    if rejected_trust is not None and (rejected_trust or not case.sender_verified):
        return nothing("hidden")
    rule = rule_for(case, draft, state)
    return nothing("rule_rejects") if rule is not None and rule.action == "reject" else None


def draft_of(case: Case, item: DetectionItem) -> MemoryDraft:
    """A memory as it would be kept. Risk is computed from the text; the detector's hint can only raise it (C58, SECURITY.md F 60)."""
    verdict = case.findings.risk(item.text, item.kind.value, case.event.text, answered_by(case.event))
    risk: Risk = verdict.risk
    if RISK_ORDER[item.risk_hint] > RISK_ORDER[risk]:
        risk = item.risk_hint
    if item.kind is ItemKind.SENSITIVE or verdict.access_changing:
        risk = "sensitive"
    taste = item.kind is ItemKind.MEMORY_PREFERENCE and not speaks_of_another(item.text)
    subject = case.sender.identity_id if taste else None  # C65: whose taste it is
    return MemoryDraft(
        content=item.text.strip(),
        content_hash=content_hash(item.text),
        key=item.key,
        layer=item.layer,
        memory_type=item.memory_type,
        category=item.category,
        risk=risk,
        confidence=initial("agent_extracted", item.confidence),
        subject_identity=subject,
    )


def _edited_memory(case: Case, state: AgentState) -> MemoryFacts | None:
    """What an earlier version of this very message taught."""
    if case.event.kind is not EventKind.EDIT:
        return None
    known = state.memories_by_source.get((case.event.channel_id, case.event.message_ref), [])
    return known[0] if known else None


def _decide_skill(case: Case, item: DetectionItem, state: AgentState) -> Outcome:
    """R79: a procedure only ever proposes."""
    if not state.agent.skill_learning_enabled:
        return nothing("skills_off")
    draft = draft_of(case, item)
    sensitive = draft.risk == "sensitive"
    draft = replace(draft, risk="sensitive" if sensitive else "high")
    told = _as_told(case, item, draft)
    if (refused := _not_again(case, draft, state) or _not_again(case, told, state)) is not None:
        return refused
    reason: ProposeReason = "sensitive" if sensitive else "skill"
    made = proposal(case, state, draft, reason, sensitive=sensitive, signal_of=told)
    return replace(made, item_kind="skill_proposal") if isinstance(made, Propose) else made


def _as_told(case: Case, item: DetectionItem, draft: MemoryDraft) -> MemoryDraft:
    """Where a model wrote the procedure as a skill, the sender's words behind it: two drafts of the same words differ,
    and are one signal all the same, buried and hidden alike (C62, D14)."""
    start, end = item.span
    said = case.event.text[max(0, start) : max(0, end)].strip()
    if not said or not is_whole(item.text):
        return draft
    return replace(draft, content=said, content_hash=content_hash(said))


def _forget(case: Case, item: DetectionItem, state: AgentState) -> Outcome:
    """C62 in its first form: what a verified person takes back becomes an archive proposal for what it names."""
    named = state.memories_by_key.get((item.key, None))
    if named is None and case.event.reply_to is not None:
        source = (case.event.channel_id, case.event.reply_to.message_ref)
        named = next(iter(state.memories_by_source.get(source, [])), None)
    if named is None or not case.sender_verified:
        return nothing("retract")
    draft = replace(
        draft_of(case, item), content=named.content, content_hash=named.content_hash, key=named.key
    )
    made = proposal(case, state, draft, "forget", sensitive=named.risk == "sensitive", target=named)
    return replace(made, action="archive") if isinstance(made, Propose) else made

"""Drafted skills: no message, no sender, no seal. They only ever propose (C66)."""

from __future__ import annotations

from dw_contracts.events.detections import Detection, ItemKind
from dw_learning import scan
from dw_learning.confidence import initial
from dw_learning.decision.facts import Risk
from dw_learning.decision.outcomes import Block, MemoryDraft, Merge, Nothing, Outcome, Propose, ProposeReason
from dw_learning.decision.proposals import EXPLANATIONS
from dw_learning.decision.state import AgentState
from dw_learning.normal import content_hash, normal
from dw_learning.risk import classify_risk
from dw_learning.skill_draft import words_of


def decide_draft(detection: Detection, state: AgentState) -> tuple[Outcome, ...]:
    """At least one outcome for each draft request that was answered."""
    if not (state.agent.active and state.agent.learning_enabled and state.agent.skill_learning_enabled):
        return (Nothing("skills_off", rule="none.skills_off"),)
    found = [
        _propose(item.text, item.key, item.confidence, state)
        for item in detection.items
        if _is_skill(item.kind)
    ]
    return tuple(found) or (Nothing("no_items", rule="none.no_items"),)


def draft_key(topic: str) -> str:
    """One topic has one draft that waits, whatever the words of the next one."""
    return f"draft:{normal(topic)}"


def _is_skill(kind: ItemKind) -> bool:
    return kind is ItemKind.SKILL_PROCEDURE


def _propose(text: str, key: str, confidence: float, state: AgentState) -> Outcome:
    if taken := scan.placeholders(text):
        return Block("secret_blocked", taken, rule="scan.redacted_answer")
    secrets, injection = scan.scan_secrets(text), scan.scan_injection(words_of(text))
    if secrets or (injection and scan.is_rejecting(injection)):
        hits = tuple((hit.type, hit.start, hit.end) for hit in secrets or injection)
        return Block("secret_blocked" if secrets else "injection_blocked", hits, rule="scan.draft")
    verdict = classify_risk(text, ItemKind.SKILL_PROCEDURE.value)
    sensitive = bool(injection) or verdict.risk == "sensitive" or verdict.access_changing
    risk: Risk = "sensitive" if sensitive else "high"
    hashed = content_hash(text)
    dedupe_key = draft_key(key)
    if (pending := state.items.get(dedupe_key)) is not None:
        return Merge(pending.item_id, dedupe_key)
    reason: ProposeReason = "sensitive" if sensitive else "repeated_correction"
    draft = MemoryDraft(
        text, hashed, key, "knowledge", "rule", "rule", risk, initial("agent_extracted", confidence), None
    )
    return Propose(
        item_kind="skill_proposal",
        action="create",
        memory=draft,
        is_sensitive=sensitive,
        reason=reason,
        explanation=EXPLANATIONS[reason],
        dedupe_key=dedupe_key,
        sender_verified=False,
        target_memory=None,
        base_version=None,
        published=True,
        rule="propose.draft",
    )

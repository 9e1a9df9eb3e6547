"""The one decision (C54 to C58, C97, C102; R76 to R102): facts in, a closed outcome out. No I/O, no clock, no ids.

Every rule that fires has a name; the name stands in the decision record, so that a person can ask why years later.
Rules stand in the order in which they are asked. Nothing below the scans can turn a block into a save, and nothing
at all makes a save but `_why_not_saved` finding no wall.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Literal

from dw_contracts.events.chat import EventKind, Learning
from dw_contracts.events.detections import MAX_MEMORY_CHARS, DetectionItem, ItemKind
from dw_learning import scan
from dw_learning.decision.case import Case
from dw_learning.decision.facts import (
    AUTOMATIC_ORIGIN,
    RISK_ORDER,
    MemoryFacts,
    Risk,
)
from dw_learning.decision.forget import forget_own
from dw_learning.decision.outcomes import (
    Block,
    IdentityClaim,
    MemoryDraft,
    NoneReason,
    Nothing,
    Outcome,
    Propose,
    ProposeReason,
    Save,
    SourceChanged,
)
from dw_learning.decision.proposals import dedupe_of, proposal
from dw_learning.decision.state import AgentState
from dw_learning.identity_claims import may_claim
from dw_learning.normal import content_hash, overlap
from dw_learning.own_words import said
from dw_learning.policy_rules import Rule, RuleFacts, first_match
from dw_learning.risk import classify_risk
from dw_learning.signals import same_signal
from dw_learning.tastes import speaks_of_another

POLICY_VERSION = "policy-1"
MAX_CONFIDENCE = 0.9  # of what a model extracted (C57)
LONG_TERM = 0.7
BY_MODE = 0.8
UNRELATED = 0.25
REPLAY_SLACK = timedelta(
    minutes=15
)  # of several ingests' clocks, and of dead letters that are put back at once (C79)
_OWN_KINDS = frozenset({EventKind.MESSAGE_IN, EventKind.CORRECTION})


def decide(case: Case, state: AgentState) -> tuple[Outcome, ...]:
    """At least one outcome for each event. Changes nothing: the caller applies each outcome to `state`."""
    if case.event.claim is not None:
        return (_claim(case),)
    if case.event.kind is EventKind.DELETE and not case.event.imported:
        return _deleted(case, state)  # also while nothing is learned: it takes back, it teaches nothing
    refused = _not_here(case, state)
    if refused is not None:
        return (refused, *_marked(case, state))
    refused = _not_this_message(case, state)
    if refused is not None:
        return (refused,)
    texts = _texts(case)
    if (blocked := _secret(case, texts)) is not None:
        return (blocked, *_marked(case, state))
    injections = [found for text in texts if (found := scan.scan_injection(text))]
    for found in injections:
        if scan.is_rejecting(found):
            blocked = Block("injection_blocked", _spans(found), rule="scan.injection")
            return (blocked, *_marked(case, state))
    if injections:
        return (_propose_suspect(case, state, injections[0]), *_marked(case, state))
    outcomes = tuple(_decide_item(case, item, state) for item in case.items) or (_nothing("no_items"),)
    return (*outcomes, *_marked(case, state))


def _claim(case: Case) -> Outcome:
    """C103: who the sender is has nothing to do with what may be learned, now or here."""
    if case.sealed and case.event.claim is not None and may_claim(case.event):
        return IdentityClaim(case.event.claim)
    return _nothing("claim_refused")


def _nothing(reason: NoneReason) -> Nothing:
    return Nothing(reason, rule=f"none.{reason}")


def _not_here(case: Case, state: AgentState) -> Outcome | None:
    """The agent, the channel or the org does not learn now (R318, C67, C90)."""
    if not state.agent.active:
        return _nothing("agent_disabled")
    if not case.channel.listens:
        return _nothing("not_listening")
    if not state.agent.learning_enabled or Learning.OFF in (case.channel.learning, case.event.learning):
        return _nothing("learning_off")
    return None


def _not_this_message(case: Case, state: AgentState) -> Outcome | None:
    """What is never learned from, whoever says it (D11, C52, C88, C92)."""
    event = case.event
    if event.imported:
        return _nothing("imported")
    if event.kind is EventKind.MESSAGE_OUT:
        return _nothing("own_reply")
    if event.sender.kind != "human" and not case.sender.service_granted:
        return _nothing("bot")
    source = state.sources.get((event.channel_id, event.message_ref))
    if source is not None:
        if source.deleted:
            return _nothing("deleted_source")
        if source.newest_revision > event.revision:
            return _nothing("stale")
    return None


def _texts(case: Case) -> list[str]:
    event = case.event
    texts = [event.text, *(item.text for item in case.items)]
    if case.put_by is not None:  # an agent may write these as it likes
        texts += [*(item.key for item in case.items), str(dict(case.metadata or {}))]
    if event.correction:
        texts += [event.correction.wrong, event.correction.right]
    if event.tool:
        texts += [event.tool.input, event.tool.output]
    return [text for text in dict.fromkeys(texts) if text]  # an item mostly says what the message says


def _secret(case: Case, texts: list[str]) -> Block | None:
    """R90, R91, R95, C25, C53: also what ingest took out already, and also in the detector's own words."""
    if case.event.redactions:
        hits = tuple((r.type, *r.span) for r in case.event.redactions)
        return Block("secret_blocked", hits, rule="scan.redacted_at_ingest")
    for text in texts:
        if secrets := scan.scan_secrets(text):
            return Block("secret_blocked", _spans(secrets), rule="scan.secret")
    return None


def _spans(hits: tuple[scan.Hit, ...]) -> tuple[tuple[str, int, int], ...]:
    return tuple((hit.type, hit.start, hit.end) for hit in hits)


def _propose_suspect(case: Case, state: AgentState, hits: tuple[scan.Hit, ...]) -> Outcome:
    """C25: not sure enough to reject, never low enough to save. An admin sees it with the match marked."""
    text = (case.own_text or case.event.text)[:MAX_MEMORY_CHARS] or "(no text)"
    draft = MemoryDraft(
        content=text,
        content_hash=content_hash(text),
        key="suspect",
        layer="knowledge",
        memory_type="fact",
        category="fact",
        risk="sensitive",
        confidence=0.0,
        subject_identity=None,
    )
    marks = tuple((hit.start, min(hit.end, len(text))) for hit in hits if hit.start < len(text))
    return proposal(case, state, draft, "injection_suspect", sensitive=True, marks=marks)


def _deleted(case: Case, state: AgentState) -> tuple[Outcome, ...]:
    """C52: the memory stays, is marked, and a person is asked; so is what waits for a person already."""
    changed = _changed(case, state, "source_deleted", "source.deleted")
    if changed is None:
        return (_nothing("nothing_learned"),)
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


def _marked(case: Case, state: AgentState) -> tuple[Outcome, ...]:
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


def _decide_item(case: Case, item: DetectionItem, state: AgentState) -> Outcome:
    if item.kind is ItemKind.SKILL_PROCEDURE:
        return _decide_skill(case, item, state)
    if len(item.text) > MAX_MEMORY_CHARS:
        return _nothing("too_long")
    draft = _draft(case, item)
    subject = draft.subject_identity
    if item.kind is ItemKind.RETRACT:
        return forget_own(case, item, state) or _forget(case, item, state)
    if (refused := _not_again(case, draft, state)) is not None:
        return refused
    if (draft.content_hash, subject) in state.memories_by_hash:
        return _nothing("duplicate")
    existing = state.memories_by_key.get((draft.key, subject))
    target = _edited_memory(case, state)
    if existing is not None and target is None and same_signal(existing.content, draft.content):
        return _nothing("duplicate")  # D17: the same in nearly the same words
    if _org_says(draft, state) == "same":
        return _nothing("duplicate")
    if (
        case.put_by is None
        and existing is not None
        and target is None
        and overlap(existing.content, draft.content) < UNRELATED
    ):
        draft, existing = replace(draft, key=f"{draft.key[:110]}-{draft.content_hash.hex()[:8]}"), None  # C56
    target = target or existing
    sensitive = draft.risk == "sensitive" or item.kind is ItemKind.SENSITIVE
    reason = _why_not_saved(case, item, draft, target, state, sensitive)
    if reason is None:
        return Save(
            memory=replace(draft, layer="knowledge"),  # C56: automatic saves never enter layer operating
            supersedes=target.memory_id if target else None,
            sender_verified=case.sender_verified,
            rule="save.correction" if target else "save.low_risk",
        )
    return proposal(case, state, draft, reason, sensitive=sensitive, target=target)


def _not_again(case: Case, draft: MemoryDraft, state: AgentState) -> Outcome | None:
    """What was buried, what was rejected of late by equal or lower trust (C62), and what a rule of the org refuses."""
    if state.is_buried(draft.content, draft.content_hash):
        return _nothing("tombstoned")
    rejected_trust = state.hidden.get(dedupe_of(draft))
    if rejected_trust is not None and (rejected_trust or not case.sender_verified):
        return _nothing("hidden")
    rule = _rule_for(case, draft, state)
    return _nothing("rule_rejects") if rule is not None and rule.action == "reject" else None


def _rule_for(case: Case, draft: MemoryDraft, state: AgentState) -> Rule | None:
    at = case.event.received_at
    facts = RuleFacts(draft.category, draft.confidence, draft.risk == "sensitive", draft.risk, at)
    return first_match(state.rules, facts, at)


def _draft(case: Case, item: DetectionItem) -> MemoryDraft:
    """Risk is computed from the text; the detector's hint can only raise it (C58, SECURITY.md F 60)."""
    verdict = classify_risk(item.text, item.kind.value, case.event.text)
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
        confidence=min(item.confidence, MAX_CONFIDENCE),
        subject_identity=subject,
    )


def _edited_memory(case: Case, state: AgentState) -> MemoryFacts | None:
    """What an earlier version of this very message taught."""
    if case.event.kind is not EventKind.EDIT:
        return None
    known = state.memories_by_source.get((case.event.channel_id, case.event.message_ref), [])
    return known[0] if known else None


def _why_not_saved(
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
    if case.event.kind is EventKind.EDIT:
        return "edited"
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
    if _org_says(draft, state) == "otherwise":
        return "conflict"  # C19: the org's word would hide it in every pack
    if _saves_are_capped(verified, state):
        return "cap"
    # C40: asked last, so that a rule adds a wall and opens none. What would be deleted at once is not saved by itself.
    rule = _rule_for(case, draft, state)
    return "policy_rule" if rule is not None and rule.action != "auto_confirm" else None


def _own_words(case: Case, draft: MemoryDraft) -> bool:
    """C55. Any mark of foreign words closes the door; a bot has no own words (C88)."""
    event = case.event
    if event.kind not in _OWN_KINDS or event.flags.names() or event.sender.kind != "human":
        return False
    reply = event.reply_to
    subject = reply.text if reply is not None and reply.author_kind == "agent" else ""
    return said(draft.content, case.own_text, subject)


def _may_supersede(case: Case, item: DetectionItem, draft: MemoryDraft, target: MemoryFacts) -> bool:
    """C56: only an auto-saved row of equal or lower risk, only by a correction; an agent's PUT only rows of its own
    PUTs (C60)."""
    return (
        (target.own_put if case.put_by is not None else item.kind is ItemKind.CORRECTION)
        and target.origin == AUTOMATIC_ORIGIN
        and target.layer != "operating"
        and RISK_ORDER[target.risk] <= RISK_ORDER[draft.risk]
    )


def _org_says(draft: MemoryDraft, state: AgentState) -> Literal["same", "otherwise", "nothing"]:
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


def _decide_skill(case: Case, item: DetectionItem, state: AgentState) -> Outcome:
    """R79: a procedure only ever proposes."""
    if not state.agent.skill_learning_enabled:
        return _nothing("skills_off")
    draft = _draft(case, item)
    sensitive = draft.risk == "sensitive"
    draft = replace(draft, risk="sensitive" if sensitive else "high")
    if (refused := _not_again(case, draft, state)) is not None:
        return refused
    reason: ProposeReason = "sensitive" if sensitive else "skill"
    made = proposal(case, state, draft, reason, sensitive=sensitive)
    return replace(made, item_kind="skill_proposal") if isinstance(made, Propose) else made


def _forget(case: Case, item: DetectionItem, state: AgentState) -> Outcome:
    """C62 in its first form: what a verified person takes back becomes an archive proposal for what it names."""
    named = state.memories_by_key.get((item.key, None))
    if named is None and case.event.reply_to is not None:
        source = (case.event.channel_id, case.event.reply_to.message_ref)
        named = next(iter(state.memories_by_source.get(source, [])), None)
    if named is None or not case.sender_verified:
        return _nothing("retract")
    draft = replace(_draft(case, item), content=named.content, content_hash=named.content_hash, key=named.key)
    made = proposal(case, state, draft, "forget", sensitive=named.risk == "sensitive", target=named)
    return replace(made, action="archive") if isinstance(made, Propose) else made

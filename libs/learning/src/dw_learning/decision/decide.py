"""The one decision (C54 to C58, C97, C102; R76 to R102): facts in, a closed outcome out. No I/O, no clock, no ids.

Every rule that fires has a name; the name stands in the decision record, so that a person can ask why years later.
Rules stand in the order in which they are asked. Nothing below the scans can turn a block into a save, and nothing
at all makes a save but `walls.why_not_saved` finding no wall.
"""

from __future__ import annotations

from dw_contracts.events.chat import EventKind, Learning
from dw_contracts.events.detections import MAX_MEMORY_CHARS
from dw_learning import scan
from dw_learning.decision.case import Case
from dw_learning.decision.findings import texts_of
from dw_learning.decision.items import decide_item
from dw_learning.decision.outcomes import (
    Block,
    IdentityClaim,
    MemoryDraft,
    Outcome,
    nothing,
)
from dw_learning.decision.proposals import proposal
from dw_learning.decision.sources import source_deleted, source_edited
from dw_learning.decision.state import AgentState
from dw_learning.identity_claims import may_claim
from dw_learning.normal import content_hash

POLICY_VERSION = "policy-1"


def decide(case: Case, state: AgentState) -> tuple[Outcome, ...]:
    """At least one outcome for each event. Changes nothing: the caller applies each outcome to `state`."""
    if case.event.claim is not None:
        return (_claim(case),)
    if case.event.kind is EventKind.DELETE and not case.event.imported:
        return source_deleted(case, state)  # also while nothing is learned: it takes back, it teaches nothing
    refused = _not_here(case, state)
    if refused is not None:
        return (refused, *source_edited(case, state))
    refused = _not_this_message(case, state)
    if refused is not None:
        return (refused,)
    texts = _texts(case)
    if (blocked := _secret(case, texts)) is not None:
        return (blocked, *source_edited(case, state))
    injections = [found for text in texts if (found := case.findings.injections(text))]
    for found in injections:
        if scan.is_rejecting(found):
            blocked = Block("injection_blocked", _spans(found), rule="scan.injection")
            return (blocked, *source_edited(case, state))
    if injections:
        return (_propose_suspect(case, state, injections[0]), *source_edited(case, state))
    outcomes = tuple(decide_item(case, item, state) for item in case.items) or (nothing("no_items"),)
    return (*outcomes, *source_edited(case, state))


def _claim(case: Case) -> Outcome:
    """C103: who the sender is has nothing to do with what may be learned, now or here."""
    if case.sealed and case.event.claim is not None and may_claim(case.event):
        return IdentityClaim(case.event.claim)
    return nothing("claim_refused")


def _not_here(case: Case, state: AgentState) -> Outcome | None:
    """The agent, the channel or the org does not learn now (R318, C67, C90)."""
    if not state.agent.active:
        return nothing("agent_disabled")
    if not case.channel.listens:
        return nothing("not_listening")
    if not state.agent.learning_enabled or Learning.OFF in (case.channel.learning, case.event.learning):
        return nothing("learning_off")
    return None


def _not_this_message(case: Case, state: AgentState) -> Outcome | None:
    """What is never learned from, whoever says it (D11, C52, C88, C92)."""
    event = case.event
    if event.imported:
        return nothing("imported")
    if event.kind is EventKind.MESSAGE_OUT:
        return nothing("own_reply")
    if event.sender.kind != "human" and not case.sender.service_granted:
        return nothing("bot")
    source = state.sources.get((event.channel_id, event.message_ref))
    if source is not None:
        if source.deleted:
            return nothing("deleted_source")
        if source.newest_revision > event.revision:
            return nothing("stale")
    return None


def _texts(case: Case) -> list[str]:
    texts = texts_of(case.event, case.items)
    if case.put_by is not None:  # an agent may write these as it likes
        texts += [*(item.key for item in case.items), str(dict(case.metadata or {}))]
        texts += [item.category for item in case.items]
        texts = [text for text in dict.fromkeys(texts) if text]
    return texts


def _secret(case: Case, texts: list[str]) -> Block | None:
    """R90, R91, R95, C25, C53: also what ingest took out already, and also in the detector's own words."""
    if case.event.redactions:
        hits = tuple((r.type, *r.span) for r in case.event.redactions)
        return Block("secret_blocked", hits, rule="scan.redacted_at_ingest")
    for text in texts:
        if secrets := case.findings.secrets(text):
            return Block("secret_blocked", _spans(secrets), rule="scan.secret")
    said = texts_of(case.event, ())
    for item in case.items:
        if (taken := scan.placeholders(item.text)) and not any(map(scan.placeholders, said)):
            return Block("secret_blocked", taken, rule="scan.redacted_answer")
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

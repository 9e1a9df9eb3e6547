"""Items for a person: why, in words, merged with an equal one that waits, under the caps of C97."""

from __future__ import annotations

from dw_learning.decision.case import Case
from dw_learning.decision.facts import MAX_UNPUBLISHED_PER_AGENT, MAX_UNPUBLISHED_PER_SENDER, MemoryFacts
from dw_learning.decision.outcomes import Capped, MemoryDraft, Merge, Outcome, Propose, ProposeReason
from dw_learning.decision.state import AgentState
from dw_learning.signals import signal


def proposal(
    case: Case,
    state: AgentState,
    draft: MemoryDraft,
    reason: ProposeReason,
    *,
    sensitive: bool,
    target: MemoryFacts | None = None,
    action: str = "",
    marks: tuple[tuple[int, int], ...] = (),
    signal_of: MemoryDraft | None = None,
) -> Outcome:
    """An item for a person, merged with an equal one that waits, under the caps of C97. `signal_of` is what tells equal
    ones, where that is not the draft itself."""
    dedupe_key = (
        f"{reason}:{draft.content_hash.hex()[:32]}"
        if reason == "source_deleted"
        else dedupe_of(signal_of or draft)
    )
    if (pending := state.items.get(dedupe_key)) is not None:
        return Merge(pending.item_id, dedupe_key)
    published = True
    caps = state.caps
    if not case.sender_verified and caps.open_items_per_unverified is not None:
        if state.unpublished_by_sender.get(case.sender_ref, 0) >= MAX_UNPUBLISHED_PER_SENDER:
            return Capped(rule="cap.unverified_sender")
        published = state.open_by_sender.get(case.sender_ref, 0) < caps.open_items_per_unverified
    if not case.sender_verified and caps.open_items is not None and state.open_items >= caps.open_items:
        published = False  # a cap never displaces what a verified person said
    if not published and state.unpublished_items >= MAX_UNPUBLISHED_PER_AGENT:
        return Capped(rule="cap.agent")
    return Propose(
        item_kind="memory_proposal",
        action="review" if action == "review" else ("update" if target else "create"),
        memory=draft,
        is_sensitive=sensitive,
        reason=reason,
        explanation=EXPLANATIONS[reason],
        dedupe_key=dedupe_key,
        sender_verified=case.sender_verified,
        target_memory=target.memory_id if target else None,
        base_version=target.row_version if target else None,
        published=published,
        marks=marks,
        rule=f"propose.{reason}",
    )


def dedupe_of(draft: MemoryDraft) -> str:
    """The signal: equal or nearly equal texts about the same person are one item (D14)."""
    subject = draft.subject_identity.hex[:12] if draft.subject_identity else "all"
    return f"{subject}:{signal(draft.content)}"


EXPLANATIONS: dict[ProposeReason, str] = {
    "unverified_sender": "The sender's account is not mapped to a verified person of this org.",
    "unsealed": "No event of ours that ingest sealed stands behind it, so nothing vouches for who said it.",
    "high_impact": "It would change where people send or sign in, who decides, or what binds them.",
    "low_confidence": "The detector is not sure that this is a lasting fact.",
    "degraded": "The model was away, and the local extractor stood in for it.",
    "sensitive": "It is personal, secret, legal, or changes who may do what: admins and owners decide.",
    "injection_suspect": "The wording looks like an instruction meant for the machine. The match is marked.",
    "review_mode": "This role-agent saves nothing by itself.",
    "channel_proposes": "This channel only proposes.",
    "skill": "Every new procedure needs a person's yes.",
    "conflict": "It contradicts something the agent already knows.",
    "not_own_words": "These are not plainly the sender's own words in this message.",
    "replayed": "The message is old: what is made of it now and not when it came, a person decides.",
    "others_taste": "It is somebody else's taste, told by the sender: only that person can be taken at their word.",
    "cap": "The agent has saved as much by itself today as it may.",
    "edited": "A message was edited after something had been learned from it.",
    "source_deleted": "The message behind this memory was deleted.",
    "forget": "A verified person asked to forget this.",
    "repeated_correction": "People corrected the agent on this again and again: a procedure would spare them.",
    "policy_rule": "A rule of this org asks a person before such things are saved.",
}

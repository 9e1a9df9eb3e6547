"""What would become of a message, in words (C58, R87). The decision is `decide` and no other; here it is only told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard, assert_never

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import DetectionItem
from dw_learning import scan
from dw_learning.decision import POLICY_VERSION, AgentState, decide
from dw_learning.decision.case import Case
from dw_learning.decision.outcomes import (
    Block,
    Capped,
    Forget,
    IdentityClaim,
    Merge,
    Nothing,
    Outcome,
    Propose,
    Save,
    SourceChanged,
)
from dw_learning.extract import EXTRACT_VERSION, extract
from dw_learning.extract.items import detection_items
from dw_learning.triage import TRIAGE_VERSION, TriageInput, classify

VERSIONS = {"triage": TRIAGE_VERSION, "extractor": EXTRACT_VERSION, "policy": POLICY_VERSION}
NONE_WORDS = {
    "no_items": "The extractor finds nothing in it that would still be needed on another day.",
    "imported": "It is back-filled history, which is never learned from.",
    "learning_off": "Nothing is learned here: learning is paused for this role-agent, or off in this channel.",
    "agent_disabled": "The role-agent is disabled.",
    "not_listening": "The role-agent does not listen in this channel.",
    "own_reply": "It is the agent's own reply, and an agent does not learn from itself.",
    "bot": "A bot said it, and no admin has let that bot propose.",
    "stale": "A newer version of the message is known.",
    "deleted_source": "The message was deleted.",
    "duplicate": "The agent knows exactly this already.",
    "tombstoned": "A person decided that this is not to be learned.",
    "skills_off": "It is a procedure, and the agent learns no skills at present.",
    "nothing_learned": "Nothing was learned from the message.",
    "retract": "It asks to forget something, and there is nothing that the sender may take back.",
    "too_long": "It is too long for one memory.",
    "no_words": "It says nothing: there is no letter and no digit in it.",
    "claim_refused": "It holds a code that proves an account, and may not claim with it.",
    "hidden": "A person rejected the same not long ago.",
    "rule_rejects": "A rule of this org refuses such things.",
}
MODE_WORDS = {
    "review": "the agent saves nothing by itself",
    "verified": "the agent saves low risk by itself from verified senders",
    "open": "the agent saves low risk by itself from anybody",
}
STATUS_WORDS = {
    "unmapped": "The account is mapped to nobody in this org, so the sender counts as unverified.",
    "pending": "The account waits to be verified, so the sender counts as unverified.",
    "revoked": "The account was revoked, so the sender counts as unverified.",
    "verified": "The account is verified and its owner an active member of the org.",
}


@dataclass(frozen=True, slots=True)
class ToldItem:
    """One outcome in words. `text` and `risk` are empty where nothing would be kept."""

    outcome: Outcome
    words: str
    text: str = ""
    risk: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """All of it. `skipped` is triage's reason code where it would let the message go."""

    skipped: str | None
    sender: str
    items: tuple[ToldItem, ...]
    words: str


def items_of(event: ChatEvent) -> tuple[DetectionItem, ...]:
    """What the offline extractor sees in a message."""
    reply = event.reply_to
    found = extract(event.text, reply.text if reply else None, reply.author_kind if reply else None, None)
    return detection_items(found, event.kind.value)


def let_go(event: ChatEvent) -> str | None:
    """Triage's reason for letting the message go, or None. A secret or an attack always goes on, to be recorded."""
    if scan.scan_secrets(event.text) or scan.scan_injection(event.text):
        return None
    reply = event.reply_to
    asked = TriageInput(
        kind=event.kind.value,
        text=event.text,
        prev=reply.text if reply else None,
        prev_author=reply.author_kind if reply else None,
        sender_kind=event.sender.kind,
        flags=event.flags.names(),
    )
    (verdict,) = classify([asked])
    return None if verdict.candidate else verdict.reason


def is_nothing(outcome: Outcome) -> TypeGuard[Nothing]:
    """Nothing is learned, and nobody is asked."""
    return isinstance(outcome, Nothing)


def tell(case: Case, state: AgentState) -> Told:
    """What would happen to the case now, and why. Changes nothing."""
    sender = _sender_words(case)
    skipped = let_go(case.event)
    if skipped is not None:
        words = f"Triage lets it go at no cost ({skipped.replace('_', ' ')}): nothing is learned."
        return Told(skipped, sender, (), f"{words} {sender}")
    items = tuple(_told(case, outcome, state) for outcome in decide(case, state))
    mode = f"Mode: {MODE_WORDS[state.agent.mode]}."
    return Told(None, sender, items, " ".join([*(item.words for item in items), sender, mode]))


def _sender_words(case: Case) -> str:
    status = case.sender.status
    if status != "verified" or case.sender_verified:
        return STATUS_WORDS[status]
    if not case.sender.active_member:
        return "The account's owner is no active member of the org, so the sender counts as unverified."
    return "The account is verified, but not for this message, so the sender counts as unverified."


def _told(case: Case, outcome: Outcome, state: AgentState) -> ToldItem:
    match outcome:
        case Save():
            return ToldItem(
                outcome, _saved(case, outcome, state), outcome.memory.content, outcome.memory.risk
            )
        case Propose():
            return ToldItem(outcome, _proposed(outcome), outcome.memory.content, outcome.memory.risk)
        case Merge():
            words = "It is the same as an item that waits in the Learning Inbox already, and would be its further evidence."
            return ToldItem(outcome, words)
        case Block():
            return ToldItem(outcome, _blocked(outcome))
        case SourceChanged():
            return ToldItem(outcome, "What was learned from the message before would be marked.")
        case Forget():
            return ToldItem(
                outcome, "What was learned from this person's own words about it would be forgotten."
            )
        case IdentityClaim():
            return ToldItem(outcome, "A code proves an account: a mapping would wait for its owner's yes.")
        case Nothing():
            reason = NONE_WORDS.get(outcome.reason, outcome.reason.replace("_", " "))
            return ToldItem(outcome, f"Nothing is learned. {reason}")
        case Capped():
            return ToldItem(
                outcome, "Nothing is kept: as much waits unseen from this sender or agent as may."
            )
        case _:
            assert_never(outcome)


def _saved(case: Case, outcome: Save, state: AgentState) -> str:
    trusted = "of a verified sender" if outcome.sender_verified else "in the open mode"
    instead = ", in place of what it corrects" if outcome.supersedes is not None else ""
    about = " and shown when this person asks" if outcome.memory.subject_identity is not None else ""
    return (
        f"“{outcome.memory.content}” is saved by itself{instead}{about}: it is low risk, plainly the sender's own words "
        f"{trusted}, and no scan finds anything."
    )


def _proposed(outcome: Propose) -> str:
    who = "admins and owners" if outcome.is_sensitive else "the role-agent's managers, admins and owners"
    what = {
        "skill_proposal": "as a new skill",
        "skill_update": "as a change of a skill",
        "review": "as a review",
    }
    kind = what.get(
        outcome.item_kind, "as a change of a memory" if outcome.action == "update" else "as a new memory"
    )
    unseen = "" if outcome.published else " It stays unseen until others of this sender or agent are decided."
    return f"“{outcome.memory.content}” waits {kind} in the Learning Inbox for {who}. {outcome.explanation}{unseen}"


def _blocked(outcome: Block) -> str:
    kinds = ", ".join(_sorted_kinds(outcome.hits))
    what = "a secret" if outcome.event_type == "secret_blocked" else "an attack on the machine"
    return f"Nothing is learned and nothing waits: it holds {what} ({kinds}). One audit event names kind and place."


def _sorted_kinds(hits: Sequence[tuple[str, int, int]]) -> list[str]:
    return sorted({kind for kind, _, _ in hits})

"""Mistakes become skills (C66): what counts as a correction, of what, and when there are enough of them. Pure.

Unverified people count too, for what they say is read by a manager before anything comes of it; but at least one of
those who corrected must be verified, and nothing that the scans or the risk class hold back is handed on.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from dw_contracts.events.chat import EventKind
from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_contracts.ids import NAMESPACE
from dw_learning import scan
from dw_learning.decision.case import Case
from dw_learning.decision.outcomes import Block, NoneReason, Nothing, Outcome
from dw_learning.decision.plan import Decided
from dw_learning.normal import content_tokens, normal, overlap
from dw_learning.risk import classify_risk

MAX_SAID: Final = 500
MAX_TOPIC: Final = 128
MAX_IN_REQUEST: Final = 20
TOPIC_WORDS: Final = 6
MOST_WORDS_OF_A_MISTAKE: Final = 12  # a longer answer is never twice the same
AN_EDIT: Final = 0.5
# The whole message was refused: it counts for nothing.
REFUSED: Final[frozenset[NoneReason]] = frozenset(
    {
        "imported",
        "learning_off",
        "agent_disabled",
        "not_listening",
        "own_reply",
        "bot",
        "stale",
        "deleted_source",
        "tombstoned",
    }
)


@dataclass(frozen=True, slots=True)
class Signal:
    """Somebody corrected the agent once. An edited draft is a correction that keeps most of the text."""

    org_id: UUID
    role_agent_id: UUID
    event_id: UUID
    channel_id: UUID
    message_ref: str
    revision: int
    topic: str
    kind: Literal["correction", "edited_draft"]
    said: str
    sender_ref: str
    sender_verified: bool
    received_at: datetime


@dataclass(frozen=True, slots=True)
class Repetition:
    """So many corrections within so long a time (settings)."""

    count: int = 3
    within: timedelta = timedelta(days=30)


def signal_of(decided: Decided) -> Signal | None:
    """What a decided message counts as; None: it corrects nothing, or it is not to be handed on."""
    case = decided.case
    if case is None or any(_holds_back(effect.outcome) for effect in decided.effects):
        return None
    corrected = [item for item in decided.detection.items if item.kind is ItemKind.CORRECTION]
    if case.event.kind is not EventKind.CORRECTION and not (
        case.event.kind is EventKind.MESSAGE_IN and corrected
    ):
        return None
    topic = _topic(case, corrected or list(decided.detection.items))
    said = " ".join(case.own_text.split())[:MAX_SAID]
    if not topic or not said or _is_delicate(said):
        return None
    event = case.event
    return Signal(
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        event_id=event.event_id,
        channel_id=event.channel_id,
        message_ref=event.message_ref,
        revision=event.revision,
        topic=topic,
        kind=_kind(case),
        said=said,
        sender_ref=case.sender_ref,
        sender_verified=case.sender_verified,
        received_at=event.received_at,
    )


def _holds_back(outcome: Outcome) -> bool:
    match outcome:
        case Block():
            return True
        case Nothing():
            return outcome.reason in REFUSED
        case _:
            return False


def _is_delicate(said: str) -> bool:
    """What only admins may read, or what looks like an attack, is no step of a procedure that others draft."""
    verdict = classify_risk(said, ItemKind.CORRECTION.value)
    return verdict.risk == "sensitive" or verdict.access_changing or bool(scan.scan_injection(said))


def _topic(case: Case, items: Sequence[DetectionItem]) -> str:
    """What was wrong, where a correction says it in a sentence: people put the right thing in ever other words, and the
    mistake stays the same. Else the detector's key; else the first words of what was wrong."""
    wrong = content_tokens(case.event.correction.wrong) if case.event.correction else ()
    if items and not 0 < len(wrong) <= MOST_WORDS_OF_A_MISTAKE:
        return normal(items[0].key)[:MAX_TOPIC]
    return "-".join(wrong[:TOPIC_WORDS])[:MAX_TOPIC]


def _kind(case: Case) -> Literal["correction", "edited_draft"]:
    halves = case.event.correction
    if halves is not None and overlap(halves.wrong, halves.right) >= AN_EDIT:
        return "edited_draft"
    return "correction"


def due(signals: Iterable[Signal], now: datetime, rule: Repetition) -> tuple[Signal, ...]:
    """The signals of one topic that make a request, oldest first; empty: not yet. One message counts once, however
    often it came."""
    young = [signal for signal in signals if now - rule.within < signal.received_at]
    unique = {(signal.channel_id, signal.message_ref): signal for signal in young}
    ordered = sorted(unique.values(), key=lambda signal: (signal.received_at, str(signal.event_id)))
    if len(ordered) < rule.count or not any(signal.sender_verified for signal in ordered):
        return ()
    return tuple(ordered[-MAX_IN_REQUEST:])


def request_id_of(signals: Sequence[Signal]) -> UUID:
    """Follows from what is asked about: the same at every replay (C104)."""
    first = signals[0]
    events = ",".join(sorted(str(signal.event_id) for signal in signals))
    return uuid.uuid5(NAMESPACE, f"draft:{first.org_id}:{first.role_agent_id}:{first.topic}:{events}")

"""What is in force for a role-agent, in words (D38): the one decision, asked about samples on an agent that knows
nothing yet. So it cannot say anything else than what happens. Pure."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, EventKind, Learning, Platform, Sender
from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_learning.decision import AgentState, decide
from dw_learning.decision.case import Case
from dw_learning.decision.facts import AgentFacts, Caps, ChannelFacts, SenderFacts
from dw_learning.decision.outcomes import Outcome, Propose, Save
from dw_learning.explain import NONE_WORDS, is_nothing
from dw_learning.policy_rules import Rule, RuleBook, in_words, ordered

Who = Literal["verified", "unverified"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One kind of thing that people say, by example."""

    name: str
    words: str
    text: str
    kind: ItemKind


SAMPLES: Final = (
    Sample("fact", "a plain fact", "The Porto office closes at 19:00.", ItemKind.MEMORY_FACT),
    Sample("preference", "a wish of one's own", "I prefer short answers.", ItemKind.MEMORY_PREFERENCE),
    Sample("high_impact", "who decides, where to sign in, what binds people",
           "Invoices above 500 euros are approved by Rita.", ItemKind.MEMORY_FACT),
    Sample("sensitive", "something sensitive", "Anna is on parental leave until May.", ItemKind.SENSITIVE),
    Sample("procedure", "a procedure", "To reset the VPN open the client and press reset.", ItemKind.SKILL_PROCEDURE),
    Sample("secret", "a secret", "My password is Hunter-Tiger-42!", ItemKind.MEMORY_FACT),
)  # fmt: skip
WHO_WORDS: Final[dict[Who, str]] = {
    "verified": "a verified colleague",
    "unverified": "somebody whose account is not verified",
}


@dataclass(frozen=True, slots=True)
class InForce:
    """What becomes of one kind of thing from one kind of sender."""

    sender: Who
    sample: str
    outcome: str
    words: str


def in_force(
    agent: AgentFacts, channel: Learning, rules: Sequence[Rule], caps: Caps, now: datetime
) -> tuple[InForce, ...]:
    """Every sample from every kind of sender, in a channel with this setting."""
    return tuple(
        InForce(who, sample.name, (found := _decided(agent, channel, rules, caps, now, who, sample)).kind,
                f"When {WHO_WORDS[who]} says {sample.words}, {_becomes(found)}.")
        for who in WHO_WORDS
        for sample in SAMPLES
    )  # fmt: skip


def rule_words(rules: Sequence[Rule]) -> tuple[str, ...]:
    """The org's own rules in the order in which they are asked."""
    return tuple(in_words(rule.category, rule.condition, rule.action) for rule in ordered(rules))


def caps_words(caps: Caps) -> tuple[str, ...]:
    """C97 in words; a cap that is off is not said."""
    said = (
        (caps.auto_saves_per_day, "a role-agent saves at most {} things a day by itself; the rest waits"),
        (caps.unverified_saves_per_day, "of these at most {} from senders who are not verified"),
        (caps.open_items, "at most {} items wait in sight for one role-agent; more stay unseen until there is room"),
        (caps.open_items_per_unverified, "at most {} of them from one sender who is not verified"),
    )  # fmt: skip
    return tuple(words.format(cap) for cap, words in said if cap is not None)


def _decided(
    agent: AgentFacts,
    channel: Learning,
    rules: Sequence[Rule],
    caps: Caps,
    now: datetime,
    who: Who,
    sample: Sample,
) -> Outcome:
    event = _event(agent.role_agent_id, channel, sample.text, now)
    sender = SenderFacts()
    if who == "verified":
        sender = SenderFacts(UUID(int=2), UUID(int=3), "verified", now, active_member=True)
    item = DetectionItem(
        kind=sample.kind,
        text=sample.text,
        span=(0, len(sample.text)),
        key="sample",
        risk_hint="low",
        confidence=0.9,
    )
    items = (item,) if sample.name != "secret" else ()
    case = Case(event, True, sender, ChannelFacts(event.channel_id, True, channel), items)
    return decide(case, AgentState(agent, caps, rules=RuleBook.of(rules)))[0]


def _event(agent: UUID, channel: Learning, text: str, now: datetime) -> ChatEvent:
    return ChatEvent(
        schema_version=1,
        event_id=uuid.UUID(int=4),
        org_id=uuid.UUID(int=5),
        role_agent_id=agent,
        channel_id=uuid.UUID(int=6),
        kind=EventKind.MESSAGE_IN,
        message_ref="sample",
        sender=Sender(platform=Platform.SLACK, workspace_ref="", external_user_id="sample"),
        text=text,
        learning=channel,
        occurred_at=now,
        received_at=now,
    )


def _becomes(found: Outcome) -> str:
    if isinstance(found, Save):
        return "it is saved by itself"
    if isinstance(found, Propose):
        who = "admins and owners" if found.is_sensitive else "the role-agent's managers, admins and owners"
        what = "as a skill " if found.item_kind == "skill_proposal" else ""
        return f"it waits {what}in the Learning Inbox for {who}: {_lower(found.explanation)}"
    if is_nothing(found):
        return f"nothing is learned: {_lower(NONE_WORDS.get(found.reason, found.reason))}"
    if found.kind == "blocked":
        return "nothing of it is kept, and one audit event says so without the words"
    return "nothing is kept"


def _lower(words: str) -> str:
    text = words.rstrip(".")
    return text[:1].lower() + text[1:]

"""The effective policy in words (D38): what would happen if a verified member, an account of nobody known, or a bot says
something of each class. Each line is the one decision about an example, under the role-agent's flags, the channel and the
org's rules as they are now; so the words cannot say anything else than what is done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from dw_contracts.events.chat import ChatEvent, Sender
from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_learning.decision import AgentState, decide
from dw_learning.decision.case import Case
from dw_learning.decision.facts import ChannelFacts, SenderFacts
from dw_learning.decision.outcomes import Block, Nothing, Propose, Save
from dw_learning.explain import NONE_WORDS
from dw_learning.policy_rules import in_words

Who = Literal["verified", "unverified", "bot"]
SURE: Final = 0.85  # what the extractor calls clear (C57)


@dataclass(frozen=True, slots=True)
class Example:
    """Something of a class, as the detector would give it, and what the class is called."""

    called: str
    text: str
    kind: ItemKind = ItemKind.MEMORY_FACT
    memory_type: Literal["fact", "preference", "correction", "rule"] = "fact"


EXAMPLES: Final[dict[str, Example]] = {
    "fact": Example("a low-risk fact", "The Lisbon office closes at 18:00."),
    "correction": Example(
        "a correction", "The Lisbon office closes at 18:00.", ItemKind.CORRECTION, "correction"
    ),
    "preference": Example(
        "a wish of one's own", "I prefer short answers.", ItemKind.MEMORY_PREFERENCE, "preference"
    ),
    "high": Example(
        "where to send or sign in, who decides, what binds",
        "The help portal is at https://help.example.com now.",
    ),
    "sensitive": Example(
        "something personal, or a permission", "Whoever asks may reset MFA without approval."
    ),
    "procedure": Example("a procedure", "First back it up, then wipe it.", ItemKind.SKILL_PROCEDURE, "rule"),
    "secret": Example("a password or a key", "The wifi password is Heron-Barrel-47!"),
}
WHO_WORDS: Final[dict[Who, str]] = {
    "verified": "a verified member",
    "unverified": "an account that is mapped to no verified member",
    "bot": "a bot",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: class, sender, the outcome as in a decision record, its rule, and all of it in words."""

    about: str
    sender: Who
    outcome: str
    rule: str
    words: str


def effective_policy(
    state: AgentState, channel: ChannelFacts, event: ChatEvent, verified: SenderFacts
) -> tuple[Line, ...]:
    """`event` is a plain sealed message in the channel, now; `verified` a member of the org. What the agent knows plays no
    part: only its flags, caps and counters, and the org's rules."""
    senders: dict[Who, SenderFacts] = {
        "verified": verified,
        "unverified": SenderFacts(),
        "bot": SenderFacts(),
    }
    return tuple(
        _line(state, channel, event, who, about, facts)
        for about in EXAMPLES
        for who, facts in senders.items()
    )


def rules_in_words(state: AgentState) -> tuple[str, ...]:
    """The org's rules, the first one that matches first."""
    return tuple(in_words(rule.category, rule.condition, rule.action) for rule in state.rules)


def _line(
    state: AgentState, channel: ChannelFacts, event: ChatEvent, who: Who, about: str, facts: SenderFacts
) -> Line:
    example = EXAMPLES[about]
    kind = "bot" if who == "bot" else "human"
    sender = Sender.model_validate(event.sender.model_dump() | {"kind": kind})
    said = event.model_copy(update={"text": example.text, "sender": sender})
    item = DetectionItem(
        kind=example.kind,
        text=example.text,
        span=(0, len(example.text)),
        key=f"example-{about}",
        risk_hint="low",
        confidence=SURE,
        memory_type=example.memory_type,
        category=example.memory_type,
    )
    case = Case(said, True, facts, channel, (item,))
    outcome = decide(case, _without_knowledge(state))[0]
    return Line(
        about,
        who,
        outcome.kind,
        outcome.rule,
        f"If {WHO_WORDS[who]} says {example.called}: {_words(outcome)}",
    )


def _without_knowledge(state: AgentState) -> AgentState:
    bare = AgentState(state.agent, replace(state.caps), rules=state.rules)
    bare.saves_today, bare.unverified_saves_today = state.saves_today, state.unverified_saves_today
    bare.open_items, bare.unpublished_items = state.open_items, state.unpublished_items
    return bare


def _words(outcome: object) -> str:
    match outcome:
        case Save():
            return "it is saved by itself, if it is plainly their own words."
        case Propose():
            who = (
                "admins and owners"
                if outcome.is_sensitive
                else "the role-agent's managers, admins and owners"
            )
            return f"it waits in the Learning Inbox for {who}. {outcome.explanation}"
        case Block():
            return "nothing is learned and nothing waits; one audit event names kind and place."
        case Nothing():
            return f"nothing is learned. {NONE_WORDS[outcome.reason]}"
        case _:
            return "nothing is kept: as much waits unseen as may."

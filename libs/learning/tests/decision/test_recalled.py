"""No feedback loop (D13): what an agent was told from its memory, and says, and people repeat, is not learned again.

Through the real triage and extractor: whatever they make of a recalled text, the decision makes nothing new of it.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from dw_contracts.events.chat import EventKind, Learning, ReplyTo, Tool
from dw_learning.decision import AgentState, decide
from dw_learning.decision.case import Case
from dw_learning.decision.facts import AgentFacts, Caps, ChannelFacts, MemoryFacts, SenderFacts
from dw_learning.decision.outcomes import Merge, Propose, Save
from dw_learning.explain import items_of, let_go
from dw_learning.normal import content_hash
from dw_testkit.events import chat_event

ORG, AGENT, CHANNEL, IDENTITY, USER, MEMORY = (uuid.UUID(int=n) for n in range(1, 7))
VERIFIED = SenderFacts(IDENTITY, USER, "verified", datetime(2026, 1, 1, tzinfo=UTC), active_member=True)
FACTS = (
    "The Lisbon office closes at 18:00.",
    "We call the customer portal Atlas.",
    "The plotter stands in room Aurora.",
    "Das Büro in Graz schließt um 17:00 Uhr.",
)
WAYS: dict[str, str] = {
    "as it stands": "{fact}",
    "with other signs": "{fact}!!  ",
    "in capitals": "{shout}",
    "with thanks": "Thanks! {fact}",
    "as a list of what is remembered": "- {fact}\n- {other}",
    "told back": "You said: {fact}",
    "quoted": "> {fact}\nGood to know.",
    "pasted as code": "```\n{fact}\n```",
    "remembered once more": "Remember this: {fact}",
    "a yes": "Yes, exactly.",
}


def key_of(text: str) -> str:
    """The topic under which the extractor would file it."""
    [found] = items_of(chat_event(ORG, AGENT, CHANNEL, text))
    return found.key


def knows(*facts: str, org_wide: bool) -> AgentState:
    state = AgentState(AgentFacts(AGENT, True, True, True, True, False), Caps())
    for number, text in enumerate(facts):
        key = key_of(text)
        if org_wide:
            state.org_by_key[key] = text
        else:
            memory = MemoryFacts(
                uuid.UUID(int=50 + number),
                key,
                text,
                content_hash(text),
                None,
                "low",
                "approved",
                "knowledge",
                1,
            )
            state.add_memory(memory)
    return state


def learned(state: AgentState, text: str, **event: Any) -> list[Any]:
    made = chat_event(ORG, AGENT, CHANNEL, text, **event)
    if let_go(made) is not None:
        return []
    case = Case(made, True, VERIFIED, ChannelFacts(CHANNEL, True, Learning.AUTO), items_of(made))
    return [one for one in decide(case, state) if isinstance(one, Save | Propose | Merge)]


@pytest.mark.parametrize("org_wide", [False, True])
@pytest.mark.parametrize(("way", "answers"), list(product(WAYS, (False, True))))
def test_what_came_out_of_memory_does_not_go_in_again(way: str, answers: bool, org_wide: bool) -> None:
    for fact, other in product(FACTS, FACTS):
        if fact == other:
            continue
        said = WAYS[way].format(fact=fact, shout=fact.upper(), other=other)
        reply = (
            ReplyTo(message_ref="a1", author_kind="agent", text=f"As far as I know: {fact}")
            if answers
            else None
        )
        assert learned(knows(fact, other, org_wide=org_wide), said, reply_to=reply) == [], said


def test_the_agents_own_words_and_its_tools_teach_nothing() -> None:
    for fact in FACTS:
        state = knows(fact, org_wide=False)
        assert learned(state, fact, kind=EventKind.MESSAGE_OUT) == []
        tool = Tool(name="memory", output=fact)
        assert learned(state, "", kind=EventKind.TOOL_RUN, tool=tool) == []


def test_what_is_new_beside_it_is_learned() -> None:
    """The control: silence is no proof."""
    [saved] = learned(knows(*FACTS, org_wide=False), "The Porto office closes at 19:00.")
    assert isinstance(saved, Save)

"""The effective policy in words: a table for each mode, and what an org's rule and a quiet channel change in it."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from dw_contracts.events.chat import Learning
from dw_learning.decision import AgentState
from dw_learning.decision.facts import AgentFacts, Caps, ChannelFacts, SenderFacts
from dw_learning.effective import EXAMPLES, WHO_WORDS, Line, effective_policy, rules_in_words
from dw_learning.policy_rules import Rule
from dw_testkit.events import chat_event

ORG, AGENT, CHANNEL, USER = (uuid.UUID(int=n) for n in range(1, 5))
MEMBER = SenderFacts(USER, USER, "verified", datetime(2026, 1, 1, tzinfo=UTC), active_member=True)
NO_BLANKET = Rule(uuid.UUID(int=9), "fact", {"confidence": {"gte": 0}}, "require_user_approval", 10)


def lines(
    *rules: Rule, auto: bool = True, require: bool = True, learning: Learning = Learning.AUTO, saves: int = 0
) -> dict[tuple[str, str], Line]:
    state = AgentState(
        AgentFacts(AGENT, True, True, True, auto, require), Caps(auto_saves_per_day=5), rules=rules
    )
    state.saves_today = saves
    made = chat_event(ORG, AGENT, CHANNEL, "-")
    told = effective_policy(state, ChannelFacts(CHANNEL, True, learning), made, MEMBER)
    return {(line.about, line.sender): line for line in told}


def saved(told: dict[tuple[str, str], Line]) -> set[tuple[str, str]]:
    return {place for place, line in told.items() if line.outcome == "saved"}


MEMBERS = {(about, "verified") for about in ("fact", "correction", "preference")}
ANYBODYS = MEMBERS | {(about, "unverified") for about in ("fact", "correction")}


@pytest.mark.parametrize(
    ("auto", "require", "expected"),
    [(True, True, MEMBERS), (True, False, ANYBODYS), (False, True, set()), (False, False, set())],
)
def test_each_mode_says_what_it_saves(auto: bool, require: bool, expected: set[tuple[str, str]]) -> None:
    told = lines(auto=auto, require=require)
    assert set(told) == {(about, who) for about in EXAMPLES for who in WHO_WORDS}
    assert saved(told) == expected
    assert told["secret", "verified"].outcome == "blocked"
    assert {told[about, "bot"].outcome for about in EXAMPLES} == {"none"}
    assert "admins and owners" in told["sensitive", "verified"].words
    assert "managers" not in told["sensitive", "verified"].words
    assert "managers" in told["high", "verified"].words
    for line in told.values():
        assert line.words.startswith(f"If {WHO_WORDS[line.sender]} says ")
        assert EXAMPLES["secret"].text not in line.words


def test_rules_channels_and_caps_stand_in_it() -> None:
    told = lines(NO_BLANKET)
    assert saved(told) == MEMBERS - {("fact", "verified")}
    assert told["fact", "verified"].rule == "propose.policy_rule"
    assert saved(lines(learning=Learning.PROPOSE)) == set()
    assert {line.outcome for line in lines(learning=Learning.OFF).values()} == {"none"}
    full = lines(saves=5)
    assert (full["fact", "verified"].rule, saved(full)) == ("propose.cap", set())
    state = AgentState(AgentFacts(AGENT, True, True, True, True, True), Caps(), rules=(NO_BLANKET,))
    assert rules_in_words(state)[0].startswith("Ask a person before saving what is of category “fact”")

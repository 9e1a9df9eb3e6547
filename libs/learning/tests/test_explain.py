"""The explanation tells what `decide` decides: the outcomes are its own, and every one of them has words."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any, get_args

import pytest

from dw_contracts.events.chat import ChatEvent, Flags, Learning
from dw_learning.decision import AgentState, decide
from dw_learning.decision.case import Case
from dw_learning.decision.facts import AgentFacts, Caps, ChannelFacts, SenderFacts
from dw_learning.decision.outcomes import NoneReason
from dw_learning.explain import NONE_WORDS, STATUS_WORDS, Told, items_of, let_go, tell
from dw_learning.normal import content_hash
from dw_testkit.events import chat_event

ORG, AGENT, CHANNEL, IDENTITY, USER = (uuid.UUID(int=n) for n in range(1, 6))
FACT = "The Lisbon office closes at 18:00."
MINH = SenderFacts(IDENTITY, USER, "verified", datetime(2026, 1, 1, tzinfo=UTC), active_member=True)
STRANGER = SenderFacts()


def state(*, auto: bool = True, require: bool = True, learning: bool = True) -> AgentState:
    return AgentState(AgentFacts(AGENT, True, learning, True, auto, require), Caps())


def case(text: str = FACT, sender: SenderFacts = MINH, **fields: Any) -> Case:
    event: ChatEvent = chat_event(ORG, AGENT, CHANNEL, text, **fields)
    return Case(event, True, sender, ChannelFacts(CHANNEL, True, Learning.AUTO), items_of(event))


def told(what: Case, known: AgentState | None = None) -> Told:
    return tell(what, known or state())


@pytest.mark.parametrize(
    ("what", "known", "outcome", "words"),
    [
        (case(), state(), "saved", "is saved by itself: it is low risk, plainly the sender's own words of a verified sender"),
        (case(sender=STRANGER), state(), "proposed", "not mapped to a verified person"),
        (case(sender=STRANGER), state(require=False), "saved", "in the open mode"),
        (case(), state(auto=False), "proposed", "saves nothing by itself"),
        (case(flags=Flags(forwarded=True)), state(), "proposed", "not plainly the sender's own words"),
        (case("The invoices go to billing@acme.example."), state(), "proposed", "where people send or sign in"),
        (case("The wifi password is Heron-Barrel-47!"), state(), "blocked", "it holds a secret"),
        (case(), state(learning=False), "none", "learning is paused"),
    ],
)  # fmt: skip
def test_the_outcome_is_told_with_its_reason(what: Case, known: AgentState, outcome: str, words: str) -> None:
    found = told(what, known)
    assert [item.outcome.kind for item in found.items] == [outcome]
    assert words in found.items[0].words
    assert found.items[0].words in found.words
    assert tuple(item.outcome for item in found.items) == decide(what, known)


def test_a_secret_is_named_by_kind_and_never_repeated() -> None:
    found = told(case("The wifi password is Heron-Barrel-47!"))
    assert "Heron" not in repr(found)


def test_what_triage_lets_go_is_told_as_such() -> None:
    found = told(case("thanks, see you tomorrow!"))
    assert (found.skipped, found.items) == ("thanks", ())
    assert found.words.startswith("Triage lets it go at no cost (thanks): nothing is learned.")
    assert let_go(chat_event(ORG, AGENT, CHANNEL, "thanks! the password is Heron-Barrel-47!")) is None


def test_a_duplicate_and_a_tombstone_are_told_apart() -> None:
    known = state()
    known.tombstones.add(content_hash(FACT))
    assert "not to be learned" in told(case(), known).words


@pytest.mark.parametrize(
    ("sender", "words"),
    [
        (MINH, "The account is verified and its owner an active member"),
        (STRANGER, STATUS_WORDS["unmapped"]),
        (SenderFacts(IDENTITY, USER, "pending", None, True), STATUS_WORDS["pending"]),
        (SenderFacts(IDENTITY, USER, "revoked", datetime(2026, 1, 1, tzinfo=UTC), True), STATUS_WORDS["revoked"]),
        (SenderFacts(IDENTITY, USER, "verified", datetime(2026, 1, 1, tzinfo=UTC), False), "no active member"),
        (SenderFacts(IDENTITY, USER, "verified", datetime(2027, 1, 1, tzinfo=UTC), True), "not for this message"),
    ],
)  # fmt: skip
def test_who_the_sender_is_taken_for_is_told(sender: SenderFacts, words: str) -> None:
    assert words in told(case(sender=sender)).sender


def test_every_reason_to_learn_nothing_has_words() -> None:
    assert set(get_args(NoneReason)) <= set(NONE_WORDS)


def test_telling_changes_nothing() -> None:
    known = state()
    told(case(), known)
    told(case(sender=STRANGER), known)
    assert known == state()

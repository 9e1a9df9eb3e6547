"""What an agent recalled is not learned a second time: its own words are skipped, repeated words count once (D13)."""

from __future__ import annotations

import pytest

from dw_contracts.events.chat import ReplyTo
from dw_learning.decision.outcomes import Save
from dw_learning.extract import extract
from dw_learning.triage import TriageInput, classify
from libs.learning.tests.decision.test_decide import FACT, STRANGER, case, item, outcome, reason
from libs.learning.tests.decision.test_not_again import known, with_memory

AS_RECALLED = (
    FACT,
    FACT.upper(),
    FACT.rstrip(".") + "!",
    "At 18:00 the Lisbon office closes.",
)


@pytest.mark.parametrize("text", [FACT, "Our wiki says: " + FACT])
def test_the_agents_answer_with_recalled_memory_is_skipped(text: str) -> None:
    (verdict,) = classify([TriageInput("message_out", text)])

    assert (verdict.candidate, verdict.reason) == (False, "own_reply")


@pytest.mark.parametrize("text", ["> " + FACT, f"> {FACT}\n> {FACT}", f"```\n{FACT}\n```"])
def test_a_quote_of_the_answer_teaches_nothing(text: str) -> None:
    (verdict,) = classify([TriageInput("message_in", text)])

    assert (verdict.candidate, verdict.reason) == (False, "only_quote")
    assert extract(text, None, None, None) == ()


def test_thanks_under_a_quote_of_the_answer_teach_nothing() -> None:
    assert extract(f"> {FACT}\n\nthanks!", FACT, "agent", None) == ()


@pytest.mark.parametrize("text", AS_RECALLED)
def test_words_that_the_memory_has_already_are_no_second_memory(text: str) -> None:
    assert reason(case(item(text), text=text), with_memory(known())) == "duplicate"


@pytest.mark.parametrize("text", AS_RECALLED)
def test_nor_when_they_answer_the_agent_or_come_from_a_stranger(text: str) -> None:
    reply = ReplyTo(message_ref="a1", author_kind="agent", text=FACT)
    remembered = with_memory(known())

    assert not isinstance(outcome(case(item(text), text=text, reply_to=reply), remembered), Save)
    assert not isinstance(outcome(case(item(text), text=text, sender=STRANGER), remembered), Save)


def test_another_fact_is_learned_all_the_same() -> None:
    new = "The Porto office opens at 7:30."

    assert reason(case(item(new), text=new), with_memory(known())) == "saved"

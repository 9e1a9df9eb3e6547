"""Tier 1 lets go what teaches nothing, keeps what may, and says why."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.evaluate.triage import evaluate_triage
from dw_learning.triage import TRIAGE_VERSION, TriageInput, TriageVerdict, classify
from dw_learning.triage.model import model
from dw_learning.triage.reasons import REASONS

KEPT = [
    "No, that's wrong: the Lisbon office closes at 18:00.",
    "For everybody: we call the customer portal Atlas.",
    "The meeting room next to the kitchen is called Fjord.",
    "The plotter stands in room Aurora.",
    "The Porto office is open from 9:00 to 17:00.",
    "We call the ticket board Kanto.",
    "In our team the bike room is called Velo.",
    "The ticket board for the fair in Lyon is called Kanto.",
    "The Lisbon office closes at 18:00",
    "Portal is at https://help.example.com",
    "Whoever asks may reset MFA without approval",
    "Thanks! The Fjord room holds 12 people. See you tomorrow.",
    "1) open the tap 2) rinse the hose 3) close the tap",
    "please forget that",
    "bitte immer auf Deutsch antworten",
    "el almacén de Lugo abre a las 7:00",
    "склад у Рівному зачиняється о 19:00",
    "từ nay hóa đơn gửi về ketoan@larkspur.example nhé",
    "毎週金曜は在庫を数えます。担当は森さんです",
    "non, c'est faux : le dépôt de Brest ferme à 16h",
]
LET_GO = [
    "thanks a lot!",
    "good morning everyone",
    "where is the plotter?",
    "can you send me the list please",
    "running 10 min late, sorry",
    "haha that printer again 😂",
    "👍",
    "maybe it is the proxy, no idea",
    "I'm in a meeting until 3",
    "danke dir!",
    "wo liegt der Schlüssel?",
    "¿a qué hora abre la tienda?",
    "хто сьогодні чергує?",
    "cảm ơn anh ạ",
    "了解しました",
    "おはようございます",
]


def said(text: str, kind: str = "message_in") -> TriageInput:
    return TriageInput(kind=kind, text=text)


def verdict(one: TriageInput) -> TriageVerdict:
    return classify([one])[0]


@pytest.mark.parametrize("text", KEPT)
def test_what_may_teach_goes_on(text: str) -> None:
    assert verdict(said(text)).candidate


@pytest.mark.parametrize("text", LET_GO)
def test_what_teaches_nothing_ends_here(text: str) -> None:
    assert not verdict(said(text)).candidate


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (said("   "), "empty"),
        (said("The depot opens at 7.", "message_out"), "own_reply"),
        (TriageInput("message_in", "The depot opens at 7.", sender_kind="system"), "system"),
        (said("> from now on all orders go through Odoo\n"), "only_quote"),
        (said("```\nthe depot opens at 7\n```"), "only_quote"),
        (said("where is the plotter?"), "question"),
        (said("[Odoo] task 12 moved to done"), "notice"),
        (said("exit code 0, 12 files copied", "tool_run"), "tool_detail"),
    ],
)
def test_a_skip_says_why(one: TriageInput, reason: str) -> None:
    found = verdict(one)
    assert (found.candidate, found.reason) == (False, reason)


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (said("18:00", "correction"), "explicit_correction"),
        (said("do not remember this"), "retract"),
        (said("the alarm code is 4410"), "secret_or_personal"),
        (said("We call the ticket board Kanto."), "definition"),
    ],
)
def test_a_candidate_says_why(one: TriageInput, reason: str) -> None:
    found = verdict(one)
    assert (found.candidate, found.reason) == (True, reason)


def test_a_quote_does_not_count_as_the_senders_words() -> None:
    quoted = "> The Lisbon office closes at 18:00\n\nok thanks"

    assert not verdict(said(quoted)).candidate


def test_the_threshold_is_a_chance_and_moves_the_line() -> None:
    inputs = [said(text) for text in KEPT + LET_GO]

    kept = [sum(one.candidate for one in classify(inputs, limit)) for limit in (0.0, 0.3, 0.7, 1.0)]

    assert kept == sorted(kept, reverse=True)
    assert kept[0] == len(inputs)
    assert kept[0] > kept[-1]


def test_a_batch_says_what_each_message_alone_is_told() -> None:
    inputs = [said(text) for text in KEPT + LET_GO]

    assert classify(inputs) == [verdict(one) for one in inputs]


def test_an_answer_about_the_same_thing_weighs_more() -> None:
    alone = verdict(TriageInput("message_in", "Marble does it now, not Saturn"))
    answer = verdict(
        TriageInput("message_in", "Marble does it now, not Saturn", "Saturn does the dishes.", "agent")
    )

    assert answer.score > alone.score


def test_the_model_in_the_package_is_the_one_that_is_named() -> None:
    assert model().version == TRIAGE_VERSION


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400), st.one_of(st.none(), st.text(max_size=80)))
def test_any_text_gets_a_verdict_with_a_known_reason(text: str, prev: str | None) -> None:
    one = TriageInput("message_in", text, prev, "agent")

    first, second = classify([one, one])

    assert first == second
    assert first.reason in REASONS
    assert 0.0 <= first.score <= 1.0


def test_figures_of_a_set() -> None:
    rows = [
        {"text": "We call the ticket board Kanto.", "triage": "candidate", "sender": "verified"},
        {"text": "thanks!", "triage": "skip", "sender": "verified"},
        {"text": "We call the ticket board Kanto.", "triage": "skip", "sender": "bot"},
        {"text": "where is the plotter?", "triage": "candidate", "sender": "external", "prev": "Hi."},
    ]
    ticks = iter((10.0, 10.0004, 11.0, 11.0002, 12.0, 12.0009))  # the quickest pass counts

    found = evaluate_triage(rows, clock=lambda: next(ticks))

    assert found == {"n": 4, "recall": 0.5, "precision": 1.0, "skip_rate": 0.75, "us_per_message": 50.0}
    assert evaluate_triage([])["recall"] == 0.0


def test_a_message_costs_no_more_than_a_few_regular_expressions() -> None:
    """As a ratio to work that is done beside it, in processor time: a busy machine slows both alike."""
    inputs = [said(text) for text in KEPT + LET_GO] * 7
    rows = [{"text": one.text, "triage": "skip"} for one in inputs]
    word = re.compile(r"[^\W\d_]+|\d+")

    def beside() -> float:
        began = time.process_time()
        for one in inputs:
            for _ in range(5):
                [found.lower() for found in word.findall(one.text) if found not in KEPT]
        return (time.process_time() - began) * 1e6 / len(inputs)

    ratio = min(evaluate_triage(rows, time.process_time)["us_per_message"] / beside() for _ in range(7))

    assert ratio < 6  # about 1.5 to 2 as it is

"""The offline provider says what a message teaches in the message's own words, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.evaluate.detect import class_of, evaluate_detect, invents
from dw_learning.extract import EXTRACT_VERSION, Extracted, extract
from dw_learning.extract.extract import model
from dw_learning.extract.keys import topic_key
from dw_learning.own_words import said


def one(text: str, prev: str | None = None) -> Extracted:
    items = extract(text, prev, "agent" if prev else None, "it_agent")
    assert len(items) == 1, items
    return items[0]


STORIES = [
    (
        "No, that's wrong: the Lisbon office closes at 18:00.",
        "correction",
        "The Lisbon office closes at 18:00.",
    ),
    (
        "For everybody: we call the customer portal Atlas.",
        "memory_fact",
        "We call the customer portal Atlas.",
    ),
    ("The meeting room next to the kitchen is called Fjord.", "memory_fact", None),
    ("The plotter stands in room Aurora.", "memory_fact", None),
    ("The Porto office is open from 9:00 to 17:00.", "memory_fact", None),
    ("We call the ticket board Kanto.", "memory_fact", None),
    ("In our team the bike room is called Velo.", "memory_fact", None),
    ("The ticket board for the fair in Lyon is called Kanto.", "memory_fact", None),
    ("The Lisbon office closes at 18:00", "memory_fact", None),
    ("We call the ticket board Kanto Two.", "memory_fact", None),
    ("We call the customer portal Borealis.", "memory_fact", None),
    ("The Porto office is open from 10:00 to 19:30.", "memory_fact", None),
]


@pytest.mark.parametrize(("text", "kind", "memory"), STORIES)
def test_plain_facts_are_low_clear_and_the_senders_own_words(
    text: str, kind: str, memory: str | None
) -> None:
    item = one(text)

    assert (item.kind, item.text, item.risk_hint) == (kind, memory or text, "low")
    assert item.confidence >= 0.8
    assert said(item.text, text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("please always answer me in bullet points", "memory_preference"),
        ("Bitte immer kurz und knapp antworten", "memory_preference"),
        ("prefiero las listas a los textos largos", "memory_preference"),
        (
            "To clean the grinder: first unplug it, then brush the burrs, finally run a test",
            "skill_procedure",
        ),
        ("1) open the tap 2) rinse the hose 3) close the tap", "skill_procedure"),
        (
            "щоб замовити фільтр: спочатку відкрити Odoo, потім вибрати модель, наприкінці надіслати",
            "skill_procedure",
        ),
        ("Whoever asks may reset MFA without approval", "sensitive"),
        ("Between us: Mara will be let go in May", "sensitive"),
        ("the alarm code is 4410", "sensitive"),
        ("林さんは妊娠中です、まだ誰にも言わないで", "sensitive"),
        ("please forget that", "retract"),
        ("do not remember this", "retract"),
        ("забудь це, будь ласка", "retract"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert one(text).kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thanks!",
        "where is the plotter?",
        "good morning all",
        "maybe the depot closes at 5, not sure",
        "if we ever had a boat I would call it Velo",
        "I want to order two keyboards please",
        "please reset my password",
        "> The depot opens at 7\n",
        "the server is down right now",
        "¿quién lleva el almacén?",
        "今日は在宅です",
    ],
)
def test_nothing_lasting_gives_nothing(text: str) -> None:
    assert extract(text, None, None, None) == ()


def test_a_correction_meets_what_it_corrects() -> None:
    before = one("The Lisbon office closes at 17:00")
    after = one("No, that's wrong: the Lisbon office closes at 18:00.", "The Lisbon office closes at 17:00")

    assert before.key == after.key == "lisbon-office-closes"


def test_a_correction_without_subject_takes_the_key_of_what_is_corrected() -> None:
    before = one("Pavel runs the booking tool")
    after = one("Nadia runs it now, not Pavel", "Pavel runs the booking tool")

    assert before.key == after.key == "booking-tool-owner"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("We call the customer portal Atlas.", "We call the customer portal Borealis."),
        ("We call the ticket board Kanto.", "The ticket board is called Kanto."),
        ("Pavel runs the booking tool", "The booking tool is run by Nadia"),
        ("The plotter stands in room Aurora.", "The plotter stands in hall 3"),
    ],
)
def test_statements_about_one_thing_share_a_key(left: str, right: str) -> None:
    assert one(left).key == one(right).key


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Printer 7 stands in room 12.", "Printer 8 stands in room 12.", False),
        ("Printer 7 stands in room 12.", "Printer 7 stands in room 14.", True),
        ("Room 12 is called Aurora.", "Room 13 is called Aurora.", False),
        ("Drucker 3 steht in Raum 4.", "Drucker 5 steht in Raum 4.", False),
        ("The code name of project 3 is Falcon.", "The code name of project 4 is Falcon.", False),
        ("Lunch costs 12 euros.", "Lunch costs 13 euros.", True),
        ("From 9 to 17 the helpdesk is staffed.", "From 8 to 16 the helpdesk is staffed.", True),
        ("The Lisbon office closes at 17:00.", "The Lisbon office closes at 18:00.", True),
    ],
)
def test_a_number_behind_a_noun_names_the_thing(left: str, right: str, same: bool) -> None:
    assert (topic_key(left) == topic_key(right)) is same


def test_an_address_is_no_part_of_a_key() -> None:
    assert one("Portal is at https://help.example.com").key == "portal"


def test_the_fact_is_taken_from_between_thanks_and_goodbye() -> None:
    assert (
        one("Thanks! The Fjord room holds 12 people. See you tomorrow.").text
        == "The Fjord room holds 12 people."
    )


def test_two_facts_are_two_items() -> None:
    items = extract("The depot opens at 7:00. Nadia owns the badge printer.", None, None, None)

    assert [item.text for item in items] == ["The depot opens at 7:00.", "Nadia owns the badge printer."]


def test_a_sentence_that_leans_on_the_one_before_stays_with_it() -> None:
    text = "The travel allowance is 60 EUR. It was raised in March."

    assert one(text).text == text


def test_doubt_is_never_clear() -> None:
    items = extract("I think the depot always closes at 17:00", None, None, None)

    assert all(item.confidence < 0.7 for item in items)


def test_types_layers_and_subjects() -> None:
    name, wish, rule, place, decision = (
        one("We call the ticket board Kanto."),
        one("please always answer me in bullet points"),
        one("Visitors must wear a badge in hall 3"),
        one("Portal is at https://help.example.com"),
        one("Team decision: we keep Odoo for the rosters"),
    )

    assert [item.memory_type for item in (name, wish, rule, place, decision)] == [
        "glossary",
        "preference",
        "rule",
        "contact",
        "decision",
    ]
    assert (name.layer, wish.layer, rule.layer) == ("knowledge", "operating", "operating")
    assert name.subject == "ticket board name"


def test_the_model_in_the_package_is_the_one_that_is_named() -> None:
    assert model().version == EXTRACT_VERSION


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "the office closes at 18:00 we call it Kanto never always Pavel owns no not must . ! ? : , \n "
            "bitte immer відтепер ми називаємо từ nay 今後 は です 。 https://x.example 🙂 > ``` 1) 2)".split(
                " "
            )
        ),
        max_size=40,
    ),
    st.one_of(st.none(), st.just("The office closes at 17:00")),
)
def test_no_word_is_ever_invented(pieces: list[str], prev: str | None) -> None:
    text = " ".join(pieces)

    for item in extract(text, prev, "agent", None):
        start, end = item.span
        assert item.text[1:] == text[start:end][1:]
        assert item.text[:1].lower() == text[start : start + 1].lower()
        assert 0 <= item.confidence <= 0.9
        assert 1 <= len(item.key) <= 128
        assert not invents(item.text, text, None)


def test_figures_of_a_set() -> None:
    rows = [
        {"text": "We call the ticket board Kanto.", "cls": "memory_fact"},
        {"text": "thanks!", "cls": "skip", "prev": "The file was sent."},
        {"text": "where is the plotter?", "cls": "memory_fact"},
    ]

    found = evaluate_detect(rows)

    assert (found["n"], found["invented"]) == (3, 0)
    assert found["precision"]["memory_fact"] == 1.0
    assert found["recall"]["memory_fact"] == 0.5
    assert found["macro_f1"] == pytest.approx(0.6667, abs=1e-3)
    assert evaluate_detect([])["macro_f1"] == 0.0


def test_an_invented_word_is_counted() -> None:
    def invent(text: str, prev: str | None, author: str | None, role: str | None) -> tuple[Extracted, ...]:
        return tuple(
            Extracted(
                i.kind,
                i.text + " Zanzibar",
                i.span,
                i.key,
                i.subject,
                i.risk_hint,
                0.5,
                "fact",
                "fact",
                "knowledge",
            )
            for i in extract(text, prev, author, role)
        )

    assert (
        evaluate_detect([{"text": "We call the ticket board Kanto.", "cls": "memory_fact"}], invent)[
            "invented"
        ]
        == 1
    )


def test_the_weightiest_kind_names_the_row() -> None:
    fact, secret = one("We call the ticket board Kanto."), one("the alarm code is 4410")

    assert class_of((fact, secret)) == "sensitive"
    assert class_of((one("please forget that"),)) == "skip"


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("Forget that the plotter stands in room Aurora.", "The plotter stands in room Aurora."),
        ("Olvida que el plotter está en la sala Aurora.", "El plotter está en la sala Aurora."),
    ],
)
def test_forget_that_takes_back_what_follows_under_its_own_topic(asked: str, fact: str) -> None:
    (found,) = extract(asked, None, None, None)
    (taught,) = extract(fact, None, None, None)
    assert (found.kind, found.key, found.text) == ("retract", taught.key, fact)


@pytest.mark.parametrize(
    ("text", "prev", "memory"),
    [
        ("Not Willow. The printer on floor two is called Maple since May", "The printer on floor two is called Willow.", "The printer on floor two is called Maple since May"),
        ("Nicht Anna. Den Drucker betreut jetzt Jonas", "Den Drucker betreut Anna.", "Den Drucker betreut jetzt Jonas"),
    ],
)  # fmt: skip
def test_a_bare_denial_is_no_memory(text: str, prev: str, memory: str) -> None:
    assert one(text, prev).text == memory

"""From a question to what is looked for: forms, meanings, slips, phrasings, and any text at all (C81)."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.history.glossary import shipped, with_words
from dw_learning.history.query import MAX_PHRASINGS, MAX_TERMS, Term, search_terms
from dw_learning.history_tokens import index_tokens

QUOTED = re.compile(r"'((?:[^']|'')*)'(:\*)?")


def holds(term: Term, said: str) -> bool:
    """What PostgreSQL answers for these queries: alternatives, of which phrases are words in a row."""
    places: dict[int, set[str]] = {}
    for token, position in index_tokens(said):
        places.setdefault(position, set()).add(token)
    return any(_row(alternative, places) for alternative in term.query.split(" | "))


def _row(alternative: str, places: dict[int, set[str]]) -> bool:
    row = [(token.replace("''", "'"), bool(prefix)) for token, prefix in QUOTED.findall(alternative)]
    return any(
        all(_at(places.get(first + step, set()), *wanted) for step, wanted in enumerate(row))
        for first in places
    )


def _at(tokens: set[str], wanted: str, prefix: bool) -> bool:
    return any(token.startswith(wanted) if prefix else token == wanted for token in tokens)


def worth(asked: str, said: str) -> float:
    """The sum over concepts of the weightiest way that is held."""
    best: dict[int, float] = {}
    for term in search_terms([asked]):
        if holds(term, said):
            best[term.concept] = max(best.get(term.concept, 0.0), term.weight)
    return sum(best.values())


@pytest.mark.parametrize(
    ("asked", "said", "other"),
    [
        ("printers", "the printer hums", "the scanner hums"),
        ("Drucker kaputt", "la impresora está rota", "la puerta está abierta"),
        ("ноутбук не заряджається", "my laptop is not charging", "my chair is too low"),
        ("máy in bị lỗi", "プリンターのエラー", "昼食の予約"),
        ("請求書が却下された", "the customer rejected our invoice", "the customer likes our cake"),
        ("invoice sent back", "Rechnung wurde zurückgewiesen", "Suppe war kalt"),
        ("Netzwerkstörung", "Störung im Netzwerk", "Termin im Kalender"),
        ("kennwort vergessen", "forgot the password", "forgot the umbrella"),
        ("pritner jam", "printer needs paper", "parking needs a permit"),
        ("зарплата", "salaries are paid on Friday", "pizza arrives on Friday"),
        ("xin nghỉ phép", "vacation request", "parking request"),
    ],
)
def test_the_same_matter_in_other_words_is_worth_more(asked: str, said: str, other: str) -> None:
    assert worth(asked, said) > worth(asked, other)


def test_the_word_as_it_is_written_is_worth_more_than_its_stem_and_that_more_than_its_meaning() -> None:
    as_written, stem, meaning = (worth("printers", said) for said in ("printers", "printed", "Drucker"))
    assert as_written > stem > meaning > 0


def test_words_of_a_question_are_not_looked_for_unless_nothing_else_is_there() -> None:
    assert worth("how did we fix the vpn last time", "how did we do") == 0
    assert worth("how", "how about it") > 0


def test_phrasings_are_one_search_and_a_thing_asked_twice_counts_once() -> None:
    once = search_terms(["printer jam"])
    twice = search_terms(["printer jam", "Drucker printer"])
    assert (
        len({term.concept for term in twice}) == len({term.concept for term in once}) + 1
    )  # the two words in a row
    many = search_terms([2 * sign + "x" for sign in "abcdefghi"])
    assert len({term.concept for term in many}) == MAX_PHRASINGS


def test_an_orgs_own_words_mean_what_the_org_says() -> None:
    assert worth("Falke", "the order desk is slow") == 0
    glossary = with_words(("Falke, order desk",))
    found = search_terms(["Falke"], glossary=glossary)
    assert any(holds(term, "the order desk is slow") for term in found)
    assert with_words(()) is shipped()


def test_terms_are_marked_with_the_agent() -> None:
    for term in search_terms(["printer 会議室 room"], UUID(int=1)):
        assert all(token.startswith("1000:") for token, _ in QUOTED.findall(term.query))


def test_the_glossary_has_some_hundreds_of_concepts_in_six_languages() -> None:
    concepts = shipped().concepts
    assert len(concepts) > 250
    assert all(len(concept.forms) >= 4 for concept in concepts)


@given(st.lists(st.text(max_size=200), max_size=6))
@settings(max_examples=150, deadline=None)
def test_any_text_gives_terms_within_bounds_whose_quotes_hold(asked: list[str]) -> None:
    terms = search_terms(asked)
    assert len(terms) <= MAX_TERMS
    for term in terms:
        assert 0 < term.weight <= 1.2
        assert set(QUOTED.sub("", term.query)) <= set(" |()<->"), term.query
        assert "\x00" not in term.query

"""Stems, slips, snippets, and secrets in a question."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.history.ask import without_secrets
from dw_learning.history.glossary import compound_parts
from dw_learning.history.snippet import MAX_CHARS, asked_for, snippet
from dw_learning.history.stems import stem
from dw_learning.history.typos import distance, is_slip


@pytest.mark.parametrize(
    "forms",
    [
        ("printer", "printers", "printing", "printed"),
        ("policy", "policies"),
        ("connection", "connections", "connected"),
        ("drucker", "drucken"),
        ("factura", "facturas"),
        ("принтер", "принтера", "принтері", "принтером"),
        ("відпустка", "відпустку", "відпустки"),
        ("reunión", "reunion"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["vpn", "3f", "kb5031", "bus", "vlan"])
def test_short_words_and_numbers_stay(word: str) -> None:
    assert stem(word) == word


def test_a_compound_is_split_into_known_words_only() -> None:
    assert set(compound_parts(stem("monitorkabel"))) == {stem("monitor"), stem("kabel")}
    assert compound_parts(stem("schmetterling")) == ()


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [("printer", "pritner", 1), ("printer", "prnter", 1), ("abc", "abc", 0), ("ab", "cd", 2), ("", "abc", 3)],
)
def test_neighbours_in_the_wrong_order_are_one_edit(left: str, right: str, edits: int) -> None:
    assert distance(left, right) == edits


def test_long_words_may_have_two_slips() -> None:
    assert is_slip("conection", "connections")
    assert not is_slip("print", "plant")


def test_a_snippet_stands_around_the_word_that_was_asked_for() -> None:
    text = "Nothing of it. " * 40 + "The printers hum at night. " + "And more of nothing. " * 40
    cut = snippet(text, asked_for(["printer"]))
    assert "The printers hum" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert len(cut) <= MAX_CHARS + 2
    assert snippet("short", frozenset()) == "short"


@given(st.text(max_size=900), st.text(max_size=30))
@settings(max_examples=150, deadline=None)
def test_a_snippet_is_a_part_of_the_text(text: str, asked: str) -> None:
    assert snippet(text, asked_for([asked])).strip("…").strip() in text


def test_a_secret_is_cut_out_of_a_question_and_the_rest_is_asked() -> None:
    secret = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    asked, found = without_secrets([f"why does {secret} fail in staging", "the same question"])
    assert found
    assert secret not in asked[0]
    assert "redacted" not in asked[0]
    assert "staging" in asked[0]
    assert asked[1] == "the same question"
    assert without_secrets(["password reset how"]) == (["password reset how"], False)

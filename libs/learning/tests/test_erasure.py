"""What names a person in a text, and what only looks like it."""

from __future__ import annotations

import re

import pytest

from dw_learning.erasure import pattern_of, terms_of, tokens_of


def redacted(text: str, *names: str, accounts: tuple[str, ...] = ()) -> str:
    """As PostgreSQL does it: these expressions mean the same in both."""
    pattern = pattern_of(terms_of(names, accounts))
    return re.sub(pattern, "[erased]", text, flags=re.IGNORECASE) if pattern else text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ask Minh Tran about it.", "Ask [erased] about it."),
        ("Ask minh tran, MINH TRAN or Minh  Tran's deputy.", "Ask [erased], [erased] or [erased]'s deputy."),
        ("Minhtran and Tranquil stay.", "Minhtran and Tranquil stay."),
        ("Write to minh@acme.example now", "Write to [erased] now"),
        ("minh@acme.examples is another one", "minh@acme.examples is another one"),
        ("<@U1001> said so, U10012 did not", "<@[erased]> said so, U10012 did not"),
    ],
)
def test_names_and_accounts_are_found_as_whole_words(text: str, expected: str) -> None:
    assert redacted(text, "Minh Tran", "minh@acme.example", accounts=("U1001",)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Jürgen Groß", "frag JÜRGEN GROSS oder Jürgen Groß", "frag [erased] oder [erased]"),
        ("Оксана", "запитай Оксана, не Оксанами", "запитай [erased], не Оксанами"),
        ("Nguyễn Thị Minh", "hỏi nguyễn thị minh nhé", "hỏi [erased] nhé"),
        ("田中", "田中さんに聞いて", "[erased]さんに聞いて"),
        ("a.b(c)*", "x a.b(c)* y", "x [erased] y"),
    ],
)
def test_names_of_all_languages_are_found(name: str, text: str, expected: str) -> None:
    assert redacted(text, name) == expected


def test_words_that_would_hit_too_much_are_not_looked_for() -> None:
    assert terms_of(["", " ", "X", "12"], ["bob", "42", "123456"]) == ()
    assert pattern_of(()) is None
    assert terms_of(["Bo"], ["1234567", "bobby"]) == ("1234567", "bobby", "Bo")


def test_search_tokens_are_those_of_the_index() -> None:
    assert tokens_of(["Minh Tran"]) == ["minh", "tran"]

"""A watch says what running every expression would say, and runs next to none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.risk.signs import expressions
from dw_learning.risk.signs import found as signs_found
from dw_learning.words.needs import alternatives, needs
from dw_learning.words.steps import _STEPS, is_procedure
from dw_learning.words.watch import Watch, _Need

_SIGNS: dict[str, re.Pattern[str]] = {}
for _name in dict(expressions()):
    _SIGNS[_name] = re.compile("|".join(f"(?:{text})" for sign, text in expressions() if sign == _name))
_ORDERED = re.compile("|".join(f"(?:{text})" for text in _STEPS), re.DOTALL)
_WORDS = sorted(
    {
        word
        for _, text in expressions()
        for word in re.findall(r"[^\W\d_]{2,}|\d+|[@+./:→-]", re.sub(r"\\.", " ", text))
    }
)


@settings(deadline=None)  # the first call reads the file
@given(st.lists(st.sampled_from(_WORDS), max_size=14), st.sampled_from([" ", "", ", "]))
def test_signs_are_those_that_every_expression_would_find(words: list[str], between: str) -> None:
    low = between.join(words)
    assert signs_found(low) == {name for name, pattern in _SIGNS.items() if pattern.search(low)}


@settings(deadline=None)  # the first call reads the file
@given(st.text(alphabet="0123456789 .+-/@abde(:", max_size=40))
def test_numbers_and_addresses_are_found_as_before(low: str) -> None:
    assert signs_found(low) == {name for name, pattern in _SIGNS.items() if pattern.search(low)}


@pytest.mark.parametrize(
    "text",
    [
        "first unplug it, wait a minute, then plug it in", "1) open the lid 2) close it", "①開ける②閉める",
        "zuerst die pumpe aus, dann den filter raus", "menu -> settings -> network", "a then b", "first things first",
    ],
)  # fmt: skip
def test_steps_are_those_that_every_expression_would_find(text: str) -> None:
    assert is_procedure(text) == (_ORDERED.search(text) is not None)


@pytest.mark.parametrize(
    ("expression", "one_of"),
    [
        (r"\bpasswords?\b", {"password", "passwords"}),
        (r"\bon (?:sick|family) leave\b", {"on sick leave", "on family leave"}),
        (r"\bmay (?!not\b)[a-z]{3,}", {"may "}),
        (r"[\w.+-]+@[\w-]*", {"@"}),
        (r"\w+\d", set("0123456789")),
        (r"\w+", None),
        (r"(?:abc)?", None),
        (r"x(?P<name>y)", None),  # syntax that the reader does not know
    ],
)
def test_what_a_match_needs_is_read_from_the_expression(expression: str, one_of: set[str] | None) -> None:
    best = needs(expression).best
    assert (None if best is None else set(best)) == one_of


def test_alternatives_match_where_the_whole_does() -> None:
    assert list(alternatives(r"a|\b(?:b|c(?:d|e))f")) == ["a", r"\b(?:b)f", r"\b(?:c(?:d|e))f"]


def test_an_expression_without_known_needs_is_run_on_every_text() -> None:
    watch = Watch()
    watch.add("any", r"\w\s\w")
    assert watch.found("a b") == {"any"}
    assert watch.found("ab") == set()


def test_an_everyday_sentence_runs_hardly_any_expression() -> None:
    watch = Watch()
    for sign, text in expressions():
        watch.add(sign, text)
    assert (
        len({id(unit) for unit in watch._candidates("the lisbon office closes at six in the evening.")}) <= 3
    )


def test_a_needed_string_of_several_words_is_sought_by_its_longest_and_a_word_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[str] = []
    look = Watch._look

    def counted(watch: Watch, word: str) -> tuple[_Need, ...]:
        looks.append(word)
        return look(watch, word)

    monkeypatch.setattr(Watch, "_look", counted)
    watch = Watch()
    watch.add("steps", r"only then\b")
    watch.add("of", r"\bof\b")
    assert watch.found("and only then go") == {"steps"}
    assert watch.found("then only go of it") == {"of"}
    assert sorted(looks) == ["and", "go", "it", "of", "only", "then"]


def test_numbers_are_alike_but_where_a_number_is_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    look = Watch._look

    def counted(watch: Watch, word: str) -> tuple[_Need, ...]:
        looks.append(word)
        return look(watch, word)

    monkeypatch.setattr(Watch, "_look", counted)
    watch = Watch()
    watch.add("factor", r"\b2fa\b")
    watch.add("zero", r"\b(?:0|none)\b")
    watch.add("date", r"\b\d{4}-\d{2}\b")
    watch.add("room", r"\brooms? \d")
    assert watch.found("room17 of 2024-11") == {"date"}
    assert watch.found("room 9") == {"room"}
    assert watch.found("3fa 17") == set()
    assert watch.found("2fa 0") == {"factor", "zero"}
    assert watch.found("0") == {"zero"}
    assert watch.found("1999-12 room88") == {"date"}
    assert len([word for word in looks if "room" in word]) == 2  # with a number at it, and without
    assert len(looks) == len(set(looks))

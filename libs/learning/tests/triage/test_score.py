"""The quick way to the margin: it says what the sum over a message's features says, whatever is written."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.triage.score import Score
from dw_learning.words.cues import read, read_all
from dw_learning.words.features import features, shape_of
from dw_learning.words.linear import Binary, load_binary
from dw_learning.words.sentences import sentences
from dw_learning.words.tokens import tokens_of

WRITTEN = (Path(__file__).parents[1] / "evaluate" / "voices.rows").read_text(encoding="utf-8").splitlines()
PIECES = st.sampled_from(
    [
        *"aB3._-' \n\t?!@:#\"/(),[]>²é…",
        "  ", "the ", "Lisbon office ", "closes ", "at ", "18:00 ", "don't ", "is called ", "thanks", "Ticket AB-12 ",
        "+49 30 1234567 ", "der ", "nicht ", "і ", "Це ", "được ", "営業", "時は", "違います", "e.g. ", "not ", "1) a 2) b",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@pytest.fixture(scope="module")
def trained() -> Binary:
    return load_binary("dw_learning.triage", "model.json.gz")


@pytest.fixture(scope="module")
def score(trained: Binary) -> Score:
    return Score(trained)


def _both(trained: Binary, score: Score, text: str, prev: str | None) -> tuple[float, float]:
    reading = read(text)
    return score.margin(reading, prev, shape_of(reading)), trained.margin(*features(reading, prev))


def test_of_every_written_message_the_margin_is_the_sum_over_its_features(
    trained: Binary, score: Score
) -> None:
    differing = [
        text
        for text, prev in pairwise(WRITTEN)
        for quick, plain in [_both(trained, score, text, prev)]
        if abs(quick - plain) > 1e-9
    ]
    assert len(WRITTEN) > 500
    assert differing == []


@given(TEXTS, TEXTS)
def test_of_any_message_the_margin_is_the_sum_over_its_features(
    trained: Binary, score: Score, text: str, prev: str
) -> None:
    quick, plain = _both(trained, score, text, prev)
    assert quick == pytest.approx(plain, abs=1e-9)


def test_words_are_forgotten_before_they_fill_the_memory(
    trained: Binary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dw_learning.triage.score.MAX_WORDS", 20)
    score = Score(trained)
    for number in range(200):
        quick, plain = _both(trained, score, f"word{number} stands beside 4{number}", None)
        assert quick == pytest.approx(plain, abs=1e-9)
    assert len(score._words) <= 20


@given(st.lists(TEXTS, max_size=6))
def test_many_are_read_as_each_alone(texts: list[str]) -> None:
    assert read_all(texts) == [read(text) for text in texts]


@given(TEXTS)
def test_plain_text_is_parted_into_words_as_any_text_is(text: str) -> None:
    general = re.compile(r"[^\W\d_][^\W_]*(?:'[^\W_]+)*|\d+(?:[.,:/]\d+)*")
    assert tokens_of(text.lower()) == general.findall(text.lower())


@given(TEXTS)
def test_a_capital_that_no_sentence_begins_with_is_a_name(text: str) -> None:
    count, before = 0, "."
    for word in text.split():
        count += word[0].isupper() and before not in ".!?…" and len(word) > 1
        before = word[-1]
    shape = shape_of(read(text))
    assert ("names" in shape, "name" in shape) == (count > 1, count == 1)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ask Dr. Weber. He knows.", ["Ask Dr. Weber.", "He knows."]),
        ("We open at approx. nine. Really.", ["We open at approx. nine.", "Really."]),
        ("It is on the 3. of May. Fine.", ["It is on the 3. of May.", "Fine."]),
        ("Wir nehmen z.B. Gips. Gut.", ["Wir nehmen z.B. Gips.", "Gut."]),
    ],
)
def test_a_short_form_ends_no_sentence(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == parts

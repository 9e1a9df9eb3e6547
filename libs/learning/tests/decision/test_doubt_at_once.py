"""Looking for all doubts at once says the same as asking each expression."""

from __future__ import annotations

import re
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dw_learning.doubt import DOUBTS, is_plain

PIECES = sorted(
    {
        piece.strip()
        for doubt in DOUBTS
        for piece in re.findall(r"[a-z' ]{2,}", re.sub(r"\\[a-zA-Z]", "|", doubt.pattern))
        if piece.strip()
    }
)
FRAMES = (
    "{} the desk is red",
    "The desk is red. So {}",
    "It is, {} Ann",
    "x{}y",
    "12:30 <{}> hi",
    "a, so {}",
)


def _asked_one_by_one(text: str) -> bool:
    return not any(doubt.search(text) for doubt in DOUBTS)


def test_every_word_of_doubt_counts_wherever_it_stands_and_however_it_is_written() -> None:
    texts = [frame.format(piece) for piece, frame in product(PIECES, FRAMES)]
    texts += [text.upper() for text in texts]
    differing = [text for text in texts if is_plain(text) != _asked_one_by_one(text)]
    assert not differing
    assert 100 < sum(map(is_plain, texts)) < len(texts) - 100, "words of both kinds were tried"


@given(st.lists(st.sampled_from([*PIECES, "desk", "Ann", ".", ",", "@", "12:30", "?", "!"]), max_size=8))
def test_words_of_doubt_beside_each_other_count_the_same(words: list[str]) -> None:
    text = " ".join(words)
    assert is_plain(text) == _asked_one_by_one(text)

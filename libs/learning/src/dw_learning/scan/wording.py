"""The wording of a text, weighed by a linear model: single words, pairs of neighbours, pieces of words, and which concepts
are named together, which is the same in every language.

Rules and concepts say what an attack is; this says how such texts sound in languages and voices that no word list
foresaw. Weights come from `training/scan_wording.py`. It never rejects by itself (C25): it asks a person to look, or
lets a doubtful rule pass over ordinary work.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from dw_learning.scan.concepts import names_of
from dw_learning.scan.lexicon import WORD
from dw_learning.scan.reading import glance
from dw_learning.words.linear import load_binary

MODEL = load_binary("dw_learning.scan", "wording.json.gz")
THRESHOLD = MODEL.threshold
"""The score from which the wording alone asks for a look."""

_STEM = 7
_PIECE = 4
_PIECE_VALUE = 0.3
_TOGETHER = 0.6
_WHOLE = 260
_HALF = 130
_PART = 0.8
_SPACELESS = re.compile("[\u0600-\u06ff\u0900-\u097f\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
_SENTENCE = re.compile(r"[.!?…]+[\s\"'»)]+|\n+|[。！？]")
_OPENING = "^"


class Weighed(NamedTuple):
    """The highest score of a stretch, and where that stretch is in the folded text."""

    score: float
    start: int
    end: int


def features(folded: str, may: int) -> dict[str, float]:
    """Every feature of a short text and its concepts with its value: what the model is trained with."""
    words = WORD.findall(folded)
    found: dict[str, float] = {}
    for word in set(words):
        for name, value in _of_word(word):
            found[name] = found.get(name, 0.0) + value
    for left, right in {*pairwise([_OPENING, *map(_stem, words)])}:
        if right:
            found[f"{left} {right}"] = 1.0
    found.update(dict.fromkeys(_together(may), _TOGETHER))
    return found


def score(folded: str, may: int) -> float:
    """The same features times their weights, with what each word adds remembered."""
    return score_of(WORD.findall(folded), may)


def score_of(words: Sequence[str], may: int) -> float:
    """As `score`, for the words of a folded text."""
    total = MODEL.bias + _of_concepts(may)
    known = [*map(_known, words)]
    pairs: dict[tuple[str, str], float] = {}
    left, follow = _OPENING, _FOLLOWERS[_OPENING]
    for weight, stem, following in known:
        total += weight
        if stem in follow:
            pairs[left, stem] = follow[stem]
        left, follow = stem, following
    if len({*words}) < len(words):
        total = MODEL.bias + _of_concepts(may) + sum(map(_weight, {*words}))
    return total + sum(pairs.values())


def most_of(words: Sequence[str], may: int) -> float:
    """What no stretch of these words, which name these concepts, scores above: so that most texts need not be taken apart
    into sentences."""
    best = most = -1e9
    opens, follow = _FOLLOWERS[_OPENING], _NONE
    seen: set[str] = set()
    for word in words:
        weight, stem, following = _known(word)
        pair = follow.get(stem, 0.0)
        if word in seen:
            weight, pair = max(weight, 0.0), max(pair, 0.0)
        seen.add(word)
        best = max(best + pair, opens.get(stem, 0.0)) + weight
        most = max(most, best)
        follow = following
    return MODEL.bias + most + _most_of_concepts(may)


def weigh(folded: str, may: int) -> Weighed:
    """The whole of a short text, or the sentence or stretch of sentences that scores highest.

    A part has more chances than a whole, and is taken down for it.
    """
    pieces = list(_pieces(folded))
    if len(pieces) <= 1:
        return Weighed(score(folded, may), 0, len(folded))
    size = len(folded)
    return max(
        Weighed(score(folded, may), start, end)
        if end - start == size
        else Weighed(score(part := folded[start:end], glance(part)) - _PART, start, end)
        for start, end in {*pieces, *_stretches(pieces)}
    )


def is_one_piece(text: str) -> bool:
    """Whether it is weighed as a whole."""
    return len(text) <= _HALF and _SENTENCE.search(text) is None


def telling(folded: str, start: int, end: int) -> tuple[int, int]:
    """From the first to the last word of the run that adds most: what a person is shown."""
    best = total = 0.0
    opened = begin = start
    stop = end
    left = _OPENING
    for match in WORD.finditer(folded, start, end):
        right = _stem(match[0])
        total += _weight(match[0]) + (_pair_weight((left, right)) if right else 0.0)
        left = right
        if total <= 0:
            total, opened = 0.0, match.end()
        elif total > best:
            best, begin, stop = total, opened, match.end()
    while begin < stop and not folded[begin].isalnum():
        begin += 1
    return (begin, stop) if begin < stop else (start, end)


def _stretches(pieces: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Neighbouring sentences together while they are short; each stretch begins one sentence later."""
    right = reached = 0
    for left, (start, _) in enumerate(pieces):
        right = max(right, left + 1)
        while right < len(pieces) and pieces[right][1] - start <= _WHOLE:
            right += 1
        if pieces[right - 1][1] > reached:
            reached = pieces[right - 1][1]
            yield start, reached


def _pieces(folded: str) -> Iterator[tuple[int, int]]:
    """Sentences, long ones cut at a space."""
    start = 0
    for end in (*(match.end() for match in _SENTENCE.finditer(folded)), len(folded)):
        while end - start > _HALF:
            space = folded.find(" ", start + _HALF - 40, start + _HALF)
            cut = space + 1 if space >= 0 else start + _HALF
            yield start, cut
            start = cut
        if end > start:
            yield start, end
            start = end


@lru_cache(maxsize=1 << 15)
def _stem(word: str) -> str:
    """Its beginning; a number stands for all numbers, scripts without spaces for nothing."""
    if word.isascii() or _SPACELESS.search(word) is None:
        return "0" if word.isdecimal() else word[:_STEM]
    return ""


def _of_word(word: str) -> Iterator[tuple[str, float]]:
    stem = _stem(word)
    if not stem:
        for run in _SPACELESS.findall(word):
            for size in (2, 3):
                for at in range(len(run) - size + 1):
                    yield f"~{run[at : at + size]}", 1.0
        return
    yield stem, 1.0
    whole = f"^{word}$"
    for at in range(len(whole) - _PIECE + 1):
        yield f"*{whole[at : at + _PIECE]}", _PIECE_VALUE


def _followers() -> dict[str, dict[str, float]]:
    """The pairs of the model by their first word."""
    found: dict[str, dict[str, float]] = {_OPENING: {}}
    for name, weight in MODEL.weights.items():
        left, space, right = name.partition(" ")
        if space:
            found.setdefault(left, {})[right] = weight
    return found


_FOLLOWERS = _followers()
_NONE: dict[str, float] = {}


@lru_cache(maxsize=1 << 15)
def _known(word: str) -> tuple[float, str, dict[str, float]]:
    """What it adds, its stem, and what the stems behind it add."""
    stem = _stem(word)
    return _weight(word), stem, _FOLLOWERS.get(stem, _NONE)


@lru_cache(maxsize=1 << 15)
def _weight(word: str) -> float:
    get = MODEL.weights.get
    return sum(value * get(name, 0.0) for name, value in _of_word(word))


def _together(may: int) -> Iterator[str]:
    """The pairs of concepts, in whatever order they are named."""
    return (f"@{one} @{other}" for one, other in combinations(names_of(may), 2))


@lru_cache(maxsize=1 << 15)
def _of_concepts(may: int) -> float:
    return _TOGETHER * sum(MODEL.weights.get(pair, 0.0) for pair in _together(may))


@lru_cache(maxsize=1 << 15)
def _most_of_concepts(may: int) -> float:
    """Of those of them that any part of a text could name."""
    return _TOGETHER * sum(max(0.0, MODEL.weights.get(pair, 0.0)) for pair in _together(may))


def _pair_weight(pair: tuple[str, str]) -> float:
    return MODEL.weights.get(f"{pair[0]} {pair[1]}", 0.0) if pair[1] else 0.0

"""Cues: what a word or phrase does in a sentence (asks, thanks, corrects, forbids), by lexicon, in many languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from importlib import resources
from operator import or_
from typing import NamedTuple

from dw_learning.words.language import guess
from dw_learning.words.tokens import folded, tokens_of

_FILES = {"ja": ("ja", "zh")}  # no word of the one is a common part of the other
_Rest = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`singles`: a word to its cues, `bits`: the same as bits of a set. `pairs`: the first two words of phrases to the
    bits of those that end there and to (bit, further words) of longer ones; `opens`: the same two words to (cue,
    further words), the longest first. `strings`: first sign of a phrase to (bit, phrase), for scripts without spaces."""

    singles: dict[str, tuple[str, ...]]
    bits: dict[str, int]
    pairs: dict[tuple[str, str], tuple[int, tuple[tuple[int, _Rest], ...]]]
    opens: dict[tuple[str, str], tuple[tuple[str, _Rest], ...]]
    strings: dict[str, tuple[tuple[int, str], ...]]


class Reading(NamedTuple):
    """A message as triage, extractor and risk see it. A tuple, because one is made of every message."""

    text: str
    low: str
    tokens: list[str]
    lang: str
    cues: frozenset[str]
    first: str


def read(text: str) -> Reading:
    """Tokens, language and cues of a text. `first` is the cue that the message opens with, or empty."""
    return read_all([text])[0]


def read_all(texts: Sequence[str]) -> list[Reading]:
    """The same of many, step by step over all: a third quicker than text by text."""
    lows = list(map(folded, texts))
    tokens = list(map(tokens_of, lows))
    langs = list(map(guess, texts, tokens))
    found = list(map(_find, lows, tokens, langs))
    return [
        Reading(text, low, words, lang, cues, first)
        for text, low, words, lang, (cues, first) in zip(texts, lows, tokens, langs, found, strict=True)
    ]


def _find(low: str, tokens: list[str], lang: str) -> tuple[frozenset[str], str]:
    lexicon = load(lang)
    if lang in ("ja", "ko"):  # words are not parted, or endings hang on all of them
        return _set_of(_bits_in(low, lexicon)), ""
    return _set_of(_bits_of(tokens, lexicon)), _first(tokens, lexicon)


def _bits_of(tokens: Sequence[str], lexicon: Lexicon) -> int:
    """Cues as a set of bits: a sum of sets costs most of the reading."""
    bits, pairs = lexicon.bits, lexicon.pairs
    found = 0
    before = ""
    for index, token in enumerate(tokens, 1):
        if token in bits:
            found |= bits[token]
        if (before, token) in pairs:
            ended, longer = pairs[before, token]
            found |= ended
            for bit, rest in longer:
                if tuple(tokens[index : index + len(rest)]) == rest:
                    found |= bit
        before = token
    return found


def _bits_in(low: str, lexicon: Lexicon) -> int:
    found = 0
    for first in set(low) & lexicon.strings.keys():
        for bit, phrase in lexicon.strings[first]:
            if phrase in low:
                found |= bit
    return found


def _first(tokens: Sequence[str], lexicon: Lexicon) -> str:
    """The cue of the longest phrase that the text opens with."""
    if not tokens:
        return ""
    if len(tokens) > 1:
        for cue, rest in lexicon.opens.get((tokens[0], tokens[1]), ()):
            if tuple(tokens[2 : 2 + len(rest)]) == rest:
                return cue
    alone = lexicon.singles.get(tokens[0])
    return alone[0] if alone else ""


@cache
def phrases(lang: str) -> dict[str, tuple[str, ...]]:
    """Cue to phrases, as the lexicon files of the language have them."""
    found: dict[str, list[str]] = {}
    for file in _FILES.get(lang, (lang,)):
        raw = resources.files("dw_learning.words").joinpath(f"lexicon/{file}.txt").read_text(encoding="utf-8")
        for line in raw.splitlines():
            if line.strip() and not line.startswith("#"):
                cue, _, rest = line.partition(":")
                found.setdefault(cue.strip(), []).extend(_phrases(rest))
    return {cue: tuple(dict.fromkeys(listed)) for cue, listed in found.items()}


def _phrases(line: str) -> list[str]:
    return [phrase.strip() for phrase in line.split("|") if phrase.strip()]


@cache
def load(lang: str) -> Lexicon:
    """The lexicon of a language, read once."""
    singles: dict[str, list[str]] = {}
    opens: dict[tuple[str, str], list[tuple[str, _Rest]]] = {}
    strings: dict[str, list[tuple[int, str]]] = {}
    for cue, listed in phrases(lang).items():
        for phrase in listed:
            strings.setdefault(phrase[0], []).append((_bit_of(cue), phrase))
            tokens = tokens_of(folded(phrase))
            if len(tokens) == 1:
                singles.setdefault(tokens[0], []).append(cue)
            elif tokens:
                opens.setdefault((tokens[0], tokens[1]), []).append((cue, tuple(tokens[2:])))
    return Lexicon(
        {word: tuple(cues) for word, cues in singles.items()},
        {word: _union(cues) for word, cues in singles.items()},
        {pair: _split(listed) for pair, listed in opens.items()},
        {pair: tuple(sorted(listed, key=lambda one: -len(one[1]))) for pair, listed in opens.items()},
        {sign: tuple(listed) for sign, listed in strings.items()},
    )


def _split(listed: Sequence[tuple[str, _Rest]]) -> tuple[int, tuple[tuple[int, _Rest], ...]]:
    """Phrases of two words, together; and the longer ones that begin with the same two."""
    ended = _union([cue for cue, rest in listed if not rest])
    return ended, tuple((_bit_of(cue), rest) for cue, rest in listed if rest)


_CUES: list[str] = []  # the place of a cue is its bit; lexicons name the same three dozen


def _bit_of(cue: str) -> int:
    if cue not in _CUES:
        _CUES.append(cue)
    return 1 << _CUES.index(cue)


def _union(cues: Sequence[str]) -> int:
    return reduce(or_, map(_bit_of, cues), 0)


@lru_cache(maxsize=8_192)  # one object for each set: what is kept by it is found without comparing
def _set_of(bits: int) -> frozenset[str]:
    return frozenset(cue for place, cue in enumerate(_CUES) if bits >> place & 1)

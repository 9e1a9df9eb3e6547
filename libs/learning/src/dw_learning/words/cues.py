"""Cues: what a word or phrase does in a sentence (asks, thanks, corrects, forbids), by lexicon, in many languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dw_learning.words.language import guess
from dw_learning.words.tokens import folded, words

_Heads = dict[str, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`heads`: first token to (cue, further tokens), longest phrase first. `strings`: for scripts without spaces."""

    heads: _Heads
    strings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A message as triage, extractor and risk see it."""

    text: str
    low: str
    tokens: list[str]
    lang: str
    cues: frozenset[str]
    first: str


def read(text: str) -> Reading:
    """Tokens, language and cues of a text. `first` is the cue that the message opens with, or empty."""
    low = folded(text)
    tokens = words(text)
    lang = guess(text, tokens)
    cues, first = find(low, tokens, lang)
    return Reading(text, low, tokens, lang, frozenset(cues), first)


def find(low: str, tokens: Sequence[str], lang: str) -> tuple[set[str], str]:
    """All cues in the text, and the one it opens with."""
    lexicon = load(lang)
    found: set[str] = set()
    first = ""
    if lang == "ja":
        found.update(cue for phrase, cue in lexicon.strings if phrase in low)
        return found, first
    heads = lexicon.heads
    for index, token in enumerate(tokens):
        if token in heads:
            for cue, rest in heads[token]:
                if not rest or tuple(tokens[index + 1 : index + 1 + len(rest)]) == rest:
                    found.add(cue)
                    if index == 0 and not first:
                        first = cue
    return found, first


@cache
def phrases(lang: str) -> dict[str, tuple[str, ...]]:
    """Cue to phrases, as the lexicon file has them."""
    raw = resources.files("dw_learning.words").joinpath(f"lexicon/{lang}.txt").read_text(encoding="utf-8")
    lines = [line for line in raw.splitlines() if line.strip() and not line.startswith("#")]
    split = (line.split(":", 1) for line in lines)
    return {cue.strip(): tuple(dict.fromkeys(_phrases(rest))) for cue, rest in split}


def _phrases(line: str) -> list[str]:
    return [phrase.strip() for phrase in line.split("|") if phrase.strip()]


@cache
def load(lang: str) -> Lexicon:
    """The lexicon of a language, read once."""
    heads: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    strings: list[tuple[str, str]] = []
    for cue, listed in phrases(lang).items():
        for phrase in listed:
            strings.append((phrase, cue))
            tokens = words(phrase)
            if tokens:
                heads.setdefault(tokens[0], []).append((cue, tuple(tokens[1:])))
    ordered = {head: tuple(sorted(tails, key=lambda tail: -len(tail[1]))) for head, tails in heads.items()}
    return Lexicon(ordered, tuple(strings))

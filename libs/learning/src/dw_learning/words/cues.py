"""Cues: what a word or phrase does in a sentence (asks, thanks, corrects, forbids), by lexicon, in many languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import count

from dw_learning.words.language import guess
from dw_learning.words.tokens import folded, tokens_of, words

_FILES = {"ja": ("ja", "zh")}  # no word of the one is a common part of the other
_Tails = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`singles`: a word to its cues. `heads`: first and second word of a phrase to (cue, further words). `strings`:
    first sign of a phrase to (cue, phrase), for scripts without spaces."""

    singles: dict[str, tuple[str, ...]]
    heads: dict[str, dict[str, _Tails]]
    strings: dict[str, _Tails]


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
    tokens = tokens_of(low)
    lang = guess(text, tokens)
    cues, first = find(low, tokens, lang)
    return Reading(text, low, tokens, lang, frozenset(cues), first)


def find(low: str, tokens: Sequence[str], lang: str) -> tuple[set[str], str]:
    """All cues in the text, and the one it opens with."""
    lexicon = load(lang)
    if lang == "ja":
        return _find_strings(low, lexicon), ""
    found: set[str] = set()
    singles, heads = lexicon.singles, lexicon.heads
    for token in singles.keys() & tokens:
        found.update(singles[token])
    for head, second, index in zip(tokens, tokens[1:], count(2)):  # the shortest decides
        if head in heads and second in heads[head]:
            for cue, rest in heads[head][second]:
                if not rest or tuple(tokens[index : index + len(rest)]) == rest:
                    found.add(cue)
    return found, _first(tokens, lexicon)


def _find_strings(low: str, lexicon: Lexicon) -> set[str]:
    found: set[str] = set()
    for sign in set(low) & lexicon.strings.keys():
        found.update(cue for cue, (phrase,) in lexicon.strings[sign] if phrase in low)
    return found


def _first(tokens: Sequence[str], lexicon: Lexicon) -> str:
    """The cue of the longest phrase that the text opens with."""
    if not tokens:
        return ""
    second = tokens[1] if len(tokens) > 1 else ""
    for cue, rest in lexicon.heads.get(tokens[0], {}).get(second, ()):
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
    heads: dict[str, dict[str, list[tuple[str, tuple[str, ...]]]]] = {}
    strings: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for cue, listed in phrases(lang).items():
        for phrase in listed:
            strings.setdefault(phrase[0], []).append((cue, (phrase,)))
            tokens = words(phrase)
            if len(tokens) == 1:
                singles.setdefault(tokens[0], []).append(cue)
            elif tokens:
                seconds = heads.setdefault(tokens[0], {})
                seconds.setdefault(tokens[1], []).append((cue, tuple(tokens[2:])))
    return Lexicon(
        {word: tuple(cues) for word, cues in singles.items()},
        {
            head: {second: _longest_first(tails) for second, tails in seconds.items()}
            for head, seconds in heads.items()
        },
        {sign: tuple(listed) for sign, listed in strings.items()},
    )


def _longest_first(tails: list[tuple[str, tuple[str, ...]]]) -> _Tails:
    return tuple(sorted(tails, key=lambda tail: -len(tail[1])))

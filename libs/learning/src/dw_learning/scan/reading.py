"""A text with the concepts it speaks of, read once for both scans."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from dw_learning.scan import concepts as c
from dw_learning.scan.lexicon import WORD, inside, is_spaceless, of_word, phrases_at
from dw_learning.scan.oddity import is_disguised
from dw_learning.scan.views import View, fold, view

_PLAIN_RUN = re.compile("[!-~]{9,}")
_HAS_LEET = re.compile(r"[013457@$]")
LEET = str.maketrans("013457@$", "oieastas")
LEET_WORD = re.compile(r"(?<![\w-])(?=[a-z@$]*[0134578@$])(?=[\d@$]*[a-z])[a-z0-9@$]{4,14}(?![\w-])")
_LEET_SIGN = re.compile(r"[a-z][0134578@$][a-z]|\b[0134578@$][a-z]{3}|[a-z]{3}[0134578@$]\b")


class Mark(NamedTuple):
    """One or more concepts where they were said; offsets are of the folded text."""

    bits: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """`may` holds every concept of the text; `words` are what stands between spaces, `longest` the greatest
    length of those in plain characters; `disguised` that something may be encoded or taken apart.
    """

    seen: View
    may: int
    words: list[str]
    longest: int
    disguised: bool

    @property
    def folded(self) -> str:
        return self.seen.folded


@lru_cache(maxsize=4)
def read(text: str) -> Reading:
    """What the text looks like and which concepts are in it: all that most texts ever need.

    Remembered for the last few texts, since both scans read each message.
    """
    return _reading(view(text))


def read_plain(text: str) -> Reading | None:
    """As `read`, for text that was decoded; None where folding would move its places."""
    folded = fold(text)
    return _reading(View(text, folded, None, len(text))) if len(folded) == len(text) else None


def known_reading(text: str, may: int) -> Reading:
    """As `read`, for a text whose concepts are known and which is known to be no disguise."""
    words = text.split()
    return Reading(view(text), may, words, _longest(text, words), disguised=False)


def _longest(shown: str, words: list[str]) -> int:
    runs = words if shown.isascii() else _PLAIN_RUN.findall(shown)
    return max(map(len, runs), default=0)


def _reading(seen: View) -> Reading:
    words = seen.shown.split()
    longest = _longest(seen.shown, words)
    return Reading(seen, glance(seen.folded), words, longest, is_disguised(seen.shown, words, longest))


def glance(folded: str) -> int:
    """The concepts of all words and phrases together, without their places."""
    may = 0
    words = WORD.findall(folded)
    for index, word in enumerate(words):
        bits, opens = of_word(word)
        may |= bits
        if opens is not None and index + 1 < len(words) and words[index + 1][:2] in opens:
            for bit, _ in phrases_at(words, index):
                may |= bit
    if not folded.isascii() and is_spaceless(folded):
        for bit, _, _ in inside(folded):
            may |= bit
    for bits, _, _ in _leet(folded):
        may |= bits
    return may


@lru_cache(maxsize=4)
def marks(folded: str) -> tuple[Mark, ...]:
    """Every concept in order of place; a phrase counts from its first word to its last."""
    found = [*WORD.finditer(folded)]
    words = [match[0] for match in found]
    out: list[Mark] = []
    for index, (bits, opens) in enumerate(map(of_word, words)):
        if opens is not None and index + 1 < len(words) and words[index + 1][:2] in opens:
            for bit, count in phrases_at(words, index):
                out.append(Mark(bit, found[index].start(), found[index + count - 1].end()))
        if bits:
            out.append(Mark(bits, *found[index].span()))
    if not folded.isascii() and is_spaceless(folded):
        out += (Mark(bit, start, end) for bit, start, end in inside(folded))
    out += (Mark(bits, start, end) for bits, start, end in _leet(folded))
    return tuple(sorted(out, key=_place))


_place = itemgetter(1, 2)


def _leet(folded: str) -> Iterator[tuple[int, int, int]]:
    """Words with digits for letters: `p4ssw0rd`."""
    if _HAS_LEET.search(folded) is None or _LEET_SIGN.search(folded) is None:
        return
    for match in LEET_WORD.finditer(folded):
        bits = of_word(match[0].translate(LEET))[0] & ~of_word(match[0])[0] & ~(c.ME | c.YOU | c.NEG)
        if bits:
            yield bits, match.start(), match.end()

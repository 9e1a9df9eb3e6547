"""A text with the concepts it speaks of, read once for both scans."""

import re
from dataclasses import dataclass

from dw_learning.scan import concepts as c
from dw_learning.scan.lexicon import POTENTIAL, WORD, inside, is_spaceless, of_word, phrases_at
from dw_learning.scan.views import View, fold, view

_LOW = (1 << POTENTIAL) - 1
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"(?<![\w-])(?=[a-z@$]*[0134578@$])(?=[\d@$]*[a-z])[a-z0-9@$]{4,14}(?![\w-])")
_LEET_SIGN = re.compile(r"[a-z][0134578@$][a-z]|\b[0134578@$][a-z]{3}|[a-z]{3}[0134578@$]\b")


@dataclass(frozen=True, slots=True)
class Mark:
    """One or more concepts where they were said; offsets are of the folded text."""

    bits: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """`may` holds every concept that the text could contain, seen without looking at order."""

    seen: View
    may: int

    @property
    def folded(self) -> str:
        return self.seen.folded


def read(text: str) -> Reading:
    """What the text looks like and which concepts may be in it: all that most texts ever need."""
    seen = view(text)
    return Reading(seen, glance(seen.folded))


def read_plain(text: str) -> Reading | None:
    """As `read`, for text that was decoded; None where folding would move its places."""
    folded = fold(text)
    return Reading(View(text, folded, None, len(text)), glance(folded)) if len(folded) == len(text) else None


def glance(folded: str) -> int:
    """The concepts of all words together, those of possible phrases included."""
    may = 0
    for word in WORD.findall(folded):
        may |= of_word(word)
    may = (may & _LOW) | (may >> POTENTIAL)
    if not folded.isascii() and is_spaceless(folded):
        for bit, _, _ in inside(folded):
            may |= bit
    if _LEET_SIGN.search(folded):
        for match in _LEET_WORD.finditer(folded):
            may |= of_word(match[0].translate(_LEET)) & _LOW
    return may


def marks(folded: str) -> list[Mark]:
    """Every concept in order of place; a phrase counts from its first word to its last."""
    found = [(m.group(), m.start(), m.end()) for m in WORD.finditer(folded)]
    words = [word for word, _, _ in found]
    out: list[Mark] = []
    for index, (word, start, end) in enumerate(found):
        bits = of_word(word)
        if bits >> POTENTIAL:
            for bit, count in phrases_at(words, index):
                out.append(Mark(bit, start, found[index + count - 1][2]))
            bits &= _LOW
        if bits:
            out.append(Mark(bits, start, end))
    if not folded.isascii() and is_spaceless(folded):
        out += (Mark(bit, start, end) for bit, start, end in inside(folded))
    if _LEET_SIGN.search(folded):
        for match in _LEET_WORD.finditer(folded):
            bits = of_word(match[0].translate(_LEET)) & _LOW & ~of_word(match[0]) & ~(c.ME | c.YOU | c.NEG)
            if bits:
                out.append(Mark(bits, match.start(), match.end()))
    out.sort(key=lambda mark: (mark.start, mark.end))
    return out

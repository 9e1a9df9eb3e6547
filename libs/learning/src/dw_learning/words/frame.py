"""The frame of a sentence: its words as what they do, so that a model learns how facts are built and not of what.

"Sanne runs the depot", "Ovid chairs the jury": a name, a word in -s, an article, a word. Only for models that are asked
seldom: triage, which every message pays, does without.
"""

from __future__ import annotations

import re
from itertools import pairwise

from dw_learning.words.cues import Reading, load
from dw_learning.words.language import is_common

MAX_WORDS = 40
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’][^\W_]+)*|\d+(?:[.,:/]\d+)*|[,;:?!=.–—-]")
_ENDS = (
    "ing",
    "ed",
    "ly",
    "s",
    "en",
    "t",
    "te",
    "ado",
    "ada",
    "ido",
    "ar",
    "er",
    "ir",
    "о",
    "а",
    "ть",
    "є",
    "ла",
    "ли",
    "в",
)


def frame(reading: Reading) -> list[str]:
    """Features of the frame; none where words are not parted by spaces."""
    if reading.lang == "ja":
        return []
    signs = [*_signs(reading), "."]
    if len(signs) < 2:
        return []
    found = [f"w:{one} {two}" for one, two in pairwise(signs)]
    found += [f"w:{one} {two} {three}" for one, two, three in zip(signs, signs[1:], signs[2:], strict=False)]
    found.append("w^" + " ".join(signs[:3]))
    found.append("w^" + " ".join(signs[:4]))
    return found


def _signs(reading: Reading) -> list[str]:
    singles = load(reading.lang).singles
    found: list[str] = []
    first = True
    for word in _WORD.findall(reading.text)[:MAX_WORDS]:
        low = word.lower().replace("’", "'")
        found.append(_sign(word, low, singles, first))
        first = low in ".?!:"
    return found


def _sign(word: str, low: str, singles: dict[str, tuple[str, ...]], first: bool) -> str:
    if not word[0].isalnum():
        return low if low not in "–—" else "-"
    if word[0].isdigit():
        return "#"
    if low in singles:
        return "<" + singles[low][0] + ">"
    if is_common(low):
        return low
    if word[0].isupper() and not first:
        return "N"
    return "x" + next((end for end in _ENDS if low.endswith(end) and len(low) > len(end) + 1), "")

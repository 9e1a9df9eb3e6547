"""A text as pieces: words, and runs of a script without spaces. NFKC and case folded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
# Marks that are part of a word although they are no letters: accents, Hebrew and Arabic points, Indic vowel signs.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_SIGNS = rf"(?:[^\W_{UNSPACED}]++|[{_MARKS}]++)++"  # possessive: nothing that follows can fail, so nothing is tried again
_PIECE = re.compile(rf"([{UNSPACED}]+)|({_SIGNS}(?:['’.:/-]{_SIGNS})*)")
_PLAIN_PIECE = re.compile(r"()([a-z0-9]+(?:['.:/-][a-z0-9]+)*)")
_JOINT = re.compile("['’.:/-]")
_MIXED = re.compile(r"[^\W\d_]{2,}|\d+")
_KANA = re.compile("[\u3040-\u309f]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a script without spaces, or a word with its parts: `wi-fi` is `wi` and `fi`, `kb5031` is `kb`, `5031`."""

    text: str
    run: bool = False
    parts: tuple[str, ...] = ()


def pieces(text: str) -> Iterator[Piece]:
    """In order."""
    for run, word in raw_pieces(text):
        yield Piece(run, run=True) if run else piece_of(word)


def raw_pieces(text: str) -> list[tuple[str, str]]:
    """Runs and words as they stand, one of each two empty: for whoever keeps what he knows of a word."""
    if text.isascii():
        return _PLAIN_PIECE.findall(text.lower())
    return _PIECE.findall(unicodedata.normalize("NFKC", text).casefold())


def piece_of(word: str) -> Piece:
    """A word with its parts."""
    return Piece(word.replace("’", "'"), parts=_parts(word))


def pairs(run: str) -> list[str]:
    """A run's pairs of neighbours; a single sign stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def is_kana(text: str) -> bool:
    """Hiragana alone: endings and particles, which tell little."""
    return _KANA.fullmatch(text) is not None


def _parts(word: str) -> tuple[str, ...]:
    split = [part for part in _JOINT.split(word) if part]
    if len(split) > 1:
        return tuple(split)
    if word.isalpha() or word.isdigit():
        return ()
    mixed = _MIXED.findall(word)
    return tuple(mixed) if len(mixed) > 1 else ()

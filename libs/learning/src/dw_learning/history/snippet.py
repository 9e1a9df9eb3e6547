"""The part of a message that matched, for a reader who has little room."""

from __future__ import annotations

from collections.abc import Collection

from dw_learning.history.pieces import Piece, pairs, pieces
from dw_learning.history.stems import stem

MAX_CHARS = 240
_LEAD = 60


def asked_for(phrasings: Collection[str]) -> frozenset[str]:
    """Stems and pairs of what was asked, for `snippet`."""
    return frozenset(key for phrasing in phrasings for piece in pieces(phrasing) for key in _keys(piece))


def snippet(text: str, asked: frozenset[str]) -> str:
    """At most 240 characters around the first word that was asked for, cut between words and marked with dots."""
    if len(text) <= MAX_CHARS:
        return text
    begin = max(0, _first(text, asked) - _LEAD)
    begin = begin if begin == 0 else text.rfind(" ", 0, begin) + 1 or begin
    end = min(len(text), begin + MAX_CHARS)
    space = text.rfind(" ", begin + MAX_CHARS // 2, end)
    end = space if end < len(text) and space > 0 else end
    return ("…" if begin else "") + text[begin:end].strip() + ("…" if end < len(text) else "")


def _first(text: str, asked: frozenset[str]) -> int:
    folded = text.casefold()
    at = 0
    for piece in pieces(text):
        where = folded.find(piece.text, at)
        at = max(at, where)
        if asked & set(_keys(piece)):
            return at
    return 0


def _keys(piece: Piece) -> list[str]:
    return (
        pairs(piece.text)
        if piece.run
        else [stem(word) for word in (piece.text, *piece.parts) if len(word) > 2]
    )

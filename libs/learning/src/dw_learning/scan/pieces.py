"""The pieces of a text that could be values, and the breaks that redaction leaves between them."""

import re
from collections.abc import Iterable
from typing import NamedTuple

BREAK = "\x00"
"""Stands where something was redacted; no value is looked for beyond it."""

_PIECE = re.compile("\x00+|[^\\s\x00\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]+")


class Piece(NamedTuple):
    """A run without spaces, stripped of the punctuation around it."""

    text: str
    start: int
    end: int
    quoted: bool


def pieces(shown: str) -> list[Piece]:
    """Everything that could be a value; scripts without spaces divide as spaces do."""
    out: list[Piece] = []
    for match in _PIECE.finditer(shown):
        raw, start = match[0], match.start()
        if raw.isalnum():
            out.append(Piece(raw, start, match.end(), False))
            continue
        if raw[0] == BREAK:
            out.append(Piece(BREAK, start, match.end(), False))
            continue
        out.append(_stripped(raw, start))
    return out


def _stripped(raw: str, start: int) -> Piece:
    left = len(raw) - len(raw.lstrip("\"'`“”„«‘’(<>*_[{|~→"))
    right = len(raw.rstrip("\"'`“”«»‘’)>*_]}|~.,;:?…"))
    if left >= right:
        return Piece("", start, start + len(raw), False)
    text = raw[left:right]
    if raw[-1] == "!" and text.endswith("!!"):
        text = text.rstrip("!")
    return Piece(text, start + left, start + left + len(text), left > 0 and raw[0] in "\"'`“”„«‘")


def mask(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with breaks in place of the spans, as long as it was."""
    for start, end in spans:
        text = text[:start] + BREAK * (end - start) + text[end:]
    return text

"""A short correction as the whole sentence that it means: "No, at 18:30." under "The office closes at 18:00.".

By itself it says nothing that could be kept, and whether it outlasts the day is for the corrected sentence to say. Only
what cannot be mistaken is put together: one number or time for the only one of the sentence, or a name for the name that
ends it. Nothing is invented: all words are of the two messages, and of the sentence none that follows is taken for the
sender's own (C54, C55).
"""

from __future__ import annotations

import re
from typing import Final

MAX_SHORT: Final = 40
MAX_TOLD: Final = 160
_NO: Final = re.compile(
    r"\W*(?:no+(?: no)*|nope|nah|wrong|not quite|incorrect|actually|nein|nee|falsch|stimmt nicht|incorrecto|falso|ні|та ні|не так|"
    r"неправильно|không(?: phải)?|sai(?: rồi)?|non|faux|nie|nej|nei|não|いいえ|違います|いや)[\s,.!;:、。！—–-]+",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    r"(?:it'?s|it is|its|that'?s|at|to|from|by|until|till|on|in|es ist|das sind|um|bis|ab|im|am|es|son|a las?|hasta las?|desde las?|це|о|об|до|з|"
    r"là|lúc|đến|từ)\s+",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"(?:[\s,]+(?:now|please|pls|thanks|actually|by now|jetzt|inzwischen|bitte|uhr|h|ahora|por favor|тепер|зараз|вже|giờ|nhé|ạ|rồi)\b)*"
    r"(?:です|ですよ|になりました)?[\s.!。！]*$",
    re.IGNORECASE,
)
_VALUE: Final = re.compile(r"(?<![0-9A-Za-z.:,])\d{1,4}(?:[.:,]\d{1,2})?(?:時半|時\d{1,2}分|時)?(?![\d:])")
_NAMED: Final = re.compile(
    r"(?:\b(?:is|are|ist|sind|heißt|es|son|se llama|є|це|là)|—|–|:)\s+(?P<name>[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*)?)[\s.!]*$"
)
_NAME: Final = re.compile(r"[A-ZÀ-ÞА-ЯІЇЄҐĐ][\w.'-]*(?: [A-ZÀ-ÞА-ЯІЇЄҐĐ][\w.'-]*)?")
_POLITE: Final = frozenset(
    "thanks thank danke gracias merci дякую cảm sorry please bitte ok okay yes ja sí так perdón stop wait".split()
)


def restated(text: str, told: str | None) -> str | None:
    """The sentence that the agent told, with what the short correction puts in its place; None where it is no such."""
    if not told or len(text) > MAX_SHORT or len(told) > MAX_TOLD or "?" in told or "\n" in told.strip():
        return None
    if (denied := _NO.match(text)) is None:
        return None
    said = text[denied.end() :]
    if (placed := _PLACED.match(said)) is not None:
        said = said[placed.end() :]
    return _with_value(said, told) or _with_name(said, told)


def _with_value(said: str, told: str) -> str | None:
    mine, theirs = _VALUE.match(said), list(_VALUE.finditer(told))
    if mine is None or len(theirs) != 1 or not _BEHIND.match(said, mine.end()):
        return None
    start, end = theirs[0].span()
    return None if mine[0] == theirs[0][0] else f"{told[:start]}{mine[0]}{told[end:]}".strip()


def _with_name(said: str, told: str) -> str | None:
    mine, theirs = _NAME.match(said), _NAMED.search(told)
    if mine is None or theirs is None or not _BEHIND.match(said, mine.end()):
        return None
    if mine[0].split()[0].lower() in _POLITE or mine[0] == theirs["name"]:
        return None
    start, end = theirs.span("name")
    return f"{told[:start]}{mine[0]}{told[end:]}".strip()

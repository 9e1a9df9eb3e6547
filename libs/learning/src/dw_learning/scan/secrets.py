"""Secrets in a chat message: found by form, by the word beside them, and behind simple disguises."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.codes import bare_seed, cards, codes
from dw_learning.scan.hits import PLACEHOLDER, Hit, merged
from dw_learning.scan.peel import Peeled, encoded, rejoined
from dw_learning.scan.pieces import mask, pieces
from dw_learning.scan.prose import bare_values, named_values
from dw_learning.scan.reading import Mark, Reading, marks, read
from dw_learning.scan.shapes import issued_tokens
from dw_learning.scan.spelled import read_out
from dw_learning.scan.split import split_tokens
from dw_learning.scan.views import fold

_ROUNDS = 4
_WANTED = c.SECRET_WORDS | c.LOCK
SHAPE = re.compile(
    r"[A-Za-z0-9+/_=.~%-]{18,}|[!#$%^&*~@](?=[A-Za-z0-9-])[^\s]{0,3}\d|\d[!#$%^&*~@]|://[^\s/]*:[^\s/]*@|-----BEGIN|PuTTY-User|\$2[aby]\$"
    r"|(?:\d[ -]?){13}|(?:\S[ \u00a0._|*-]){7}|\S[-.]\S[-.]\S[-.]\S[-.]\S|(?:\\[xu][0-9a-fA-F]{2,4}|&#\d\d){4}|(?:[a-z]{3,8} ){11}|[\"'`]\s*\+\s*[\"'`]"
)
"""The least that a secret without a word for it looks like; what lacks both is clean."""


def find_secrets(reading: Reading) -> tuple[Hit, ...]:
    """All secrets in a text, spans in the original; redacting them leaves nothing to find."""
    if not reading.may & _WANTED and SHAPE.search(reading.seen.shown) is None:
        return ()
    shown, folded = reading.seen.shown, reading.seen.folded
    redacted = [match.span() for match in PLACEHOLDER.finditer(shown)] if "[redacted:" in shown else []
    found: list[Hit] = []
    for _ in range(_ROUNDS):
        spans = [*redacted, *((hit.start, hit.end) for hit in found)]
        new = _disjoint(_once(mask(shown, spans), mask(folded, spans)))
        if not new:
            break
        found += new
    return tuple(sorted((_placed(hit, reading) for hit in found), key=lambda hit: hit.start))


def _disjoint(hits: Iterator[Hit]) -> list[Hit]:
    """The surest of those that overlap, and of equals the longest; what it leaves over the next round sees."""
    chosen: list[Hit] = []
    for hit in sorted(hits, key=lambda h: (-h.confidence, h.start - h.end)):
        if hit.end > hit.start and all(hit.end <= other.start or hit.start >= other.end for other in chosen):
            chosen.append(hit)
    return chosen


def _placed(hit: Hit, reading: Reading) -> Hit:
    return Hit(hit.rule, hit.type, *reading.seen.span(hit.start, hit.end), hit.confidence)


def _once(shown: str, folded: str) -> Iterator[Hit]:
    yield from _plain(shown, folded)
    for peeled in (*encoded(shown), *rejoined(shown)):
        yield from _behind(peeled)
    yield from split_tokens(shown, folded)


def _plain(shown: str, folded: str) -> Iterator[Hit]:
    said = [mark for mark in marks(folded) if mark.bits & _WANTED]
    parts = pieces(shown)
    yield from issued_tokens(shown, folded)
    yield from named_values(shown, folded, said, parts)
    yield from bare_values(shown, folded, parts)
    yield from codes(shown, folded, said)
    yield from cards(shown, _says(said, c.CARD))
    yield from bare_seed(shown)
    yield from read_out(folded, _says(said, c.PASSWORD | c.TOKEN | c.PIN | c.CODE | c.WIFI_KEY))


def _says(said: list[Mark], bits: int) -> bool:
    return any(mark.bits & bits for mark in said)


def _behind(peeled: Peeled) -> Iterator[Hit]:
    folded = fold(peeled.text)
    if len(folded) != len(peeled.text):
        return
    for hit in _plain(peeled.text, folded):
        start, end = peeled.span(hit.start, hit.end)
        yield Hit(hit.rule, hit.type, start, end, hit.confidence)


def scan_secrets(text: str) -> tuple[Hit, ...]:
    """Secrets in the text as given, whatever invisible characters were put between."""
    return find_secrets(read(text))

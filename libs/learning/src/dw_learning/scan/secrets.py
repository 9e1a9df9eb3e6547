"""Secrets in a chat message: found by form, by the word beside them, and behind simple disguises.

Out of reach, because nothing in the text tells them from what is harmless: a plain word or two with no sign of being
the value (`the archive password is the usual one, infected`; `my password is ironing board sunset kettle`, four words
that could be a sentence unless it is called a phrase); a password told by reference (`same as last time with a 9`,
`your employee number`); digits away from any word for a code (`they asked for my pin, I said 2392`); a name and a
value without a word for a login (`if the till asks: manager, Crumpet-889`); a random string of less than 32
characters with no word beside it; wallet words of another list than BIP-39's unless called a phrase; the other half
of a secret in another message; what is in a picture; ciphers beyond base64, hexadecimal, escapes, spelling and
reversal. Let through on purpose: hashes, public keys, certificates, ids, addresses of wallets, accounts to pay.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import reduce
from operator import or_

from dw_learning.scan import concepts as c
from dw_learning.scan.cards import cards
from dw_learning.scan.codes import bare_seed, codes, told_codes
from dw_learning.scan.fields import commands, fields
from dw_learning.scan.hidden import payloads
from dw_learning.scan.hits import PLACEHOLDER, Hit, merged
from dw_learning.scan.oddity import has_left_over, has_other_shape, has_secret_shape, may_hold_value
from dw_learning.scan.opened_by import may_be_opened, opened_by
from dw_learning.scan.pairs import (
    at_prompt,
    listed_pairs,
    login_pairs,
    may_be_pair,
    may_name_phrase,
    phrases,
    told_pairs,
)
from dw_learning.scan.peel import Peeled, encoded, rejoined
from dw_learning.scan.pieces import mask, pieces
from dw_learning.scan.plain_codes import plain_codes
from dw_learning.scan.plain_words import answers, beside_signs, changed, networks
from dw_learning.scan.prose import bare_values, named_values
from dw_learning.scan.reading import Reading, marks, read
from dw_learning.scan.redact import redact
from dw_learning.scan.seed_phrases import listed_seeds, may_be_seed, may_list
from dw_learning.scan.shapes import issued_tokens
from dw_learning.scan.skim import KEY_SIGN, Skim, read_on, skim
from dw_learning.scan.spelled import read_out
from dw_learning.scan.split import split_tokens
from dw_learning.scan.views import fold

_ROUNDS = 4
_WANTED = c.SECRET_WORDS | c.LOCK | c.CODE_WORD
_DIGIT = re.compile(r"\d")
_WORDY = c.PASSWORD | c.SEED | c.SPELL | c.WIFI_KEY | c.TOKEN | c.LOGIN | c.BACKUP
_SETTINGS = c.PASSWORD | c.TOKEN | c.WIFI_KEY
_TOLD = c.LOCK | c.CODE_WORD | c.SHARING | c.CODE | c.PIN
_SPELT = c.PASSWORD | c.PIN | c.CODE | c.SEED | c.BACKUP | c.LOCK


def find_secrets(reading: Reading) -> tuple[Hit, ...]:
    """All secrets in a text, spans in the original; redacting them leaves nothing to find."""
    shown, folded = reading.seen.shown, reading.seen.folded
    if not _is_worth_it(reading):
        return ()
    spans = [match.span() for match in PLACEHOLDER.finditer(shown)] if "[redacted:" in shown else []
    found: list[Hit] = []
    for _ in range(_ROUNDS):
        shown, folded = mask(shown, spans), mask(folded, spans)
        if found and not _may_hold_more(reading.may, shown, folded, len(found)):
            break
        new = _disjoint(_once(shown, folded, reading.disguised))
        if not new:
            break
        found += new
        spans = [(hit.start, hit.end) for hit in new]
    return tuple(sorted((_placed(hit, reading) for hit in found), key=lambda hit: hit.start))


def _may_hold_more(may: int, shown: str, folded: str, count: int) -> bool:
    """Whether a text that was redacted once could still hold something: a value, digits in words, a phrase."""
    if may_list(folded):
        return True
    if not may & _WORDY and _DIGIT.search(shown) is None:
        return has_other_shape(shown, count) or may_name_phrase(folded)
    if may & (_WANTED | _SPELT | c.SPELL):
        return bool(may & c.SPELL) or may_hold_value(shown) or has_left_over(shown) or may_name_phrase(folded)
    return has_other_shape(shown, count) or may_name_phrase(folded)


def _may_hold_some(first: Skim) -> bool:
    """As `_is_worth_it`, before the text is read; false for nearly every message."""
    if first.shaped or first.may & _SPELT or (first.valued and first.may & _WANTED):
        return True
    return first.numbered and first.may & (_TOLD | c.CARD) != 0


def _is_worth_it(reading: Reading) -> bool:
    """Whether there is a word for a secret with a value, or the shape of one."""
    shown = reading.seen.shown
    if reading.disguised or reading.may & _SPELT or (reading.may & _WANTED and may_hold_value(shown)):
        return True
    if not shown.isascii() and KEY_SIGN.search(shown):
        return True
    if may_be_opened(shown) or (" / " in shown and may_be_pair(shown)):
        return True
    return has_secret_shape(shown, reading.words, reading.longest) or may_be_seed(reading.words)


def _disjoint(hits: Iterator[Hit]) -> list[Hit]:
    """The surest of those that overlap, and of equals the longest; what it leaves over the next round sees."""
    chosen: list[tuple[int, int, Hit]] = []
    for hit in sorted(hits, key=lambda h: (-h.confidence, h.start - h.end)):
        index = bisect_left(chosen, (hit.end, 0), key=lambda other: other[:2])
        if hit.end > hit.start and (index == 0 or chosen[index - 1][1] <= hit.start):
            chosen.insert(index, (hit.start, hit.end, hit))
    return [hit for _, _, hit in chosen]


def _placed(hit: Hit, reading: Reading) -> Hit:
    return Hit(hit.rule, hit.type, *reading.seen.span(hit.start, hit.end), hit.confidence)


def _once(shown: str, folded: str, disguised: bool) -> Iterator[Hit]:
    yield from _plain(shown, folded)
    if disguised:
        for peeled in (*encoded(shown), *rejoined(shown)):
            yield from _behind(peeled)
    yield from split_tokens(shown, folded)


def _plain(shown: str, folded: str) -> Iterator[Hit]:
    every = marks(folded)
    said = [mark for mark in every if mark.bits & _WANTED]
    bits = reduce(or_, [mark.bits for mark in said], 0)
    parts = pieces(shown)
    yield from issued_tokens(shown, folded)
    yield from named_values(shown, folded, said, parts)
    yield from bare_values(shown, folded, parts)
    if bits & _SETTINGS:
        yield from fields(shown, folded)
    yield from commands(shown)
    if may_hold_value(shown):
        yield from login_pairs(shown, folded)
        yield from at_prompt(shown, folded)
        if bits & _TOLD:
            yield from told_codes(folded)
    if may_be_opened(shown):
        yield from opened_by(folded)
    if bits & (c.PASSWORD | c.SEED):
        yield from phrases(folded)
    if KEY_SIGN.search(shown):
        yield from beside_signs(shown)
    if " / " in shown:
        yield from told_pairs(shown)
    if bits & (c.PASSWORD | c.LOGIN) and ("/" in shown or "|" in shown):
        yield from listed_pairs(shown)
    if bits & c.PASSWORD:
        yield from answers(shown, folded, said)
        yield from changed(shown, folded)
    if bits & c.WIFI_KEY:
        yield from networks(shown, folded)
    if bits & c.CODE_WORD:
        yield from plain_codes(shown, folded, said)
    if len(parts) >= 11:
        yield from listed_seeds(folded)
    yield from codes(shown, folded, said)
    yield from cards(shown, bits & c.CARD != 0)
    if shown.islower() or "\n" in shown:
        yield from bare_seed(shown)
    if (
        sum([mark.bits & c.SPELL != 0 for mark in every]) >= 2
        or sum([len(part.text) == 1 for part in parts]) >= 4
    ):
        yield from read_out(folded, bits & (c.PASSWORD | c.TOKEN | c.PIN | c.CODE | c.WIFI_KEY) != 0)


def _behind(peeled: Peeled) -> Iterator[Hit]:
    folded = fold(peeled.text)
    if len(folded) != len(peeled.text):
        return
    for hit in _plain(peeled.text, folded):
        start, end = peeled.span(hit.start, hit.end)
        yield Hit(hit.rule, hit.type, start, end, hit.confidence)


def scan_secrets(text: str) -> tuple[Hit, ...]:
    """Secrets in the text as given, whatever invisible characters were put between."""
    first = skim(text)
    if first is not None and not _may_hold_some(first) and not may_be_opened(text):
        return ()
    reading = read_on(text)
    found = find_secrets(reading)
    if reading.seen.origin is None and "\x1b" not in text:
        return found
    carried = [
        Hit(hits[0].rule, hits[0].type, start, end, 0.9)
        for payload, start, end in payloads(text)
        if (hits := find_secrets(read(payload)))
    ]
    return _again(text, merged((*found, *carried))) if carried or found else found


def _again(text: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """With what only shows once a hidden carrier is gone."""
    for _ in range(_ROUNDS):
        kept: list[tuple[int, int]] = []
        shift = end = 0
        for hit in hits:
            kept.append((end, shift))
            shift += len(f"[redacted:{hit.type}]") - (hit.end - hit.start)
            end = hit.end
        kept.append((end, shift))
        new = find_secrets(read(redact(text, hits)))
        if not new:
            break
        moved = (
            Hit(
                h.rule,
                h.type,
                _back(h.start, kept),
                max(_back(h.end, kept), _back(h.start, kept) + 1),
                h.confidence,
            )
            for h in new
        )
        hits = merged((*hits, *moved))
    return hits


def _back(at: int, kept: list[tuple[int, int]]) -> int:
    """Where a place of the redacted text lies in the original."""
    return at - next((shift for end, shift in reversed(kept) if end + shift <= at), 0)

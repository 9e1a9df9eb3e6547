"""Which memories speak of the message at hand (C80): lexical, in memory, by the tokens of the history search.

A token counts by how few memories have it. Words of six signs and more also stand under their first five, at half
weight, so that `reimbursed` finds `reimbursement` in any language that inflects at the end. The rarest terms find the
candidates, the others only weigh them: what is asked of a hundred or of five thousand memories costs the same.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from dw_learning.history_tokens import index_tokens, query_tokens, word_tokens
from dw_learning.normal import FUNCTION_WORDS, NEGATIONS

STEM_CHARS: Final = 5
STEM_WEIGHT: Final = 0.5
MAX_COMMON: Final = 0.3
"""A token of more than this share of the texts tells nothing apart, once there are SMALL texts."""
SMALL: Final = 30
LENGTH_WEIGHT: Final = 0.02
MAX_ASKED: Final = 32
CANDIDATES: Final = 40
"""Enough of them, and more common terms are followed no further. Of one term the first as many are taken."""

Terms = frozenset[str]
_SILENT: Final = FUNCTION_WORDS - NEGATIONS
_PLAIN_WORD: Final = re.compile("[a-z0-9]+")
_JOINED: Final = re.compile("[a-z0-9]['.:/-][a-z0-9]")


def terms_of(text: str) -> Terms:
    """What a memory is found by."""
    plain = _plain_words(text)
    if plain is None:
        return _with_stems(token for token, _ in index_tokens(text))
    return _with_stems(token for word in plain for token in word_tokens(word))


def asked_terms(message: str) -> Terms:
    """What a message asks for: words that carry something."""
    plain = _plain_words(message)
    if plain is None:
        return _with_stems(query_tokens(message))
    telling = [word for word in dict.fromkeys(plain) if word not in _SILENT]
    return _with_stems((telling or plain)[:MAX_ASKED])


class _Posting(NamedTuple):
    """One term: rarest first, and the order does not hang on a set's. `first` are the CANDIDATES first places that have
    it; `has` says of each place whether it has, where there are more. Both lie close together in memory: with hundreds
    of role-agents, most of what a message looks at was not looked at lately."""

    texts: int
    less: float
    first: array[int]
    has: bytes
    weight: float


class MatchIndex:
    """Texts by their terms; places are those of the sequence that was given. Immutable once built."""

    __slots__ = ("_lengths", "_postings")

    def __init__(self, texts: Sequence[Terms]) -> None:
        places: dict[str, list[int]] = {}
        for place, terms in enumerate(texts):
            for term in terms:
                if (at := places.get(term)) is None:
                    places[term] = [place]
                else:
                    at.append(place)
        total = len(texts)
        most = total if total < SMALL else total * MAX_COMMON
        self._postings = {term: _posting(term, at, total) for term, at in places.items() if len(at) <= most}
        self._lengths = array("d", [1.0 / (1.0 + LENGTH_WEIGHT * len(terms)) for terms in texts])

    def best(self, asked: Terms, limit: int, among: Callable[[int], bool]) -> tuple[int, ...]:
        """Up to `limit` places that share a telling term with what is asked, best first; ties by place."""
        postings = [posting for term in asked if (posting := self._postings.get(term)) is not None]
        if not postings:
            return ()
        scores = self._scores(sorted(postings))
        lengths = self._lengths
        for place in scores:
            scores[place] *= lengths[place]
        found: list[int] = []
        for place in sorted(sorted(scores), key=scores.__getitem__, reverse=True):  # stable: ties by place
            if among(place):
                found.append(place)
                if len(found) == limit:
                    break
        return tuple(found)

    @staticmethod
    def _scores(rarest_first: list[_Posting]) -> dict[int, float]:
        rarest = rarest_first[0]
        scores = dict.fromkeys(rarest.first, rarest.weight)
        for _, _, first, has, weight in rarest_first[1:]:
            if len(scores) < CANDIDATES:
                for place in first:
                    scores[place] = scores.get(place, 0.0) + weight
            elif has:
                for place in scores:
                    if has[place]:
                        scores[place] += weight
            else:
                for place in first:
                    if place in scores:
                        scores[place] += weight
        return scores


def _posting(term: str, places: list[int], total: int) -> _Posting:
    weight = math.log(1.0 + total / len(places)) * (STEM_WEIGHT if term[0] == "^" else 1.0)
    has = bytearray()
    if len(places) > CANDIDATES:
        has = bytearray(total)
        for place in places:
            has[place] = 1
    return _Posting(len(places), -weight, array("I", places[:CANDIDATES]), bytes(has), weight)


def _plain_words(text: str) -> list[str] | None:
    """The tokeniser's own answer where a text is simple, at a tenth of its cost; None where it is not."""
    if not text.isascii() or "_" in text:
        return None
    folded = text.lower()
    return None if _JOINED.search(folded) else _PLAIN_WORD.findall(folded)


def _with_stems(tokens: Iterable[str]) -> Terms:
    found = set(tokens)
    found.update(["^" + token[:STEM_CHARS] for token in found if len(token) > STEM_CHARS])
    return frozenset(found)

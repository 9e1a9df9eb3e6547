"""Which memories speak of the message at hand (C80): lexical, in memory, by the tokens of the history search.

A token counts by how few memories have it. Words of six signs and more also stand under their first five, at half
weight, so that `reimbursed` finds `reimbursement` in any language that inflects at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from dw_learning.history_tokens import index_tokens, query_tokens

STEM_CHARS: Final = 5
STEM_WEIGHT: Final = 0.5
MAX_COMMON: Final = 0.3
"""A token of more than this share of the texts tells nothing apart, once there are SMALL texts."""
SMALL: Final = 30
LENGTH_WEIGHT: Final = 0.02

Terms = frozenset[str]


def terms_of(text: str) -> Terms:
    """What a memory is found by."""
    return _with_stems(token for token, _ in index_tokens(text))


def asked_terms(message: str) -> Terms:
    """What a message asks for: words that carry something."""
    return _with_stems(query_tokens(message))


class MatchIndex:
    """Texts by their terms; places are those of the sequence that was given. Immutable once built."""

    __slots__ = ("_lengths", "_places", "_weights")

    def __init__(self, texts: Sequence[Terms]) -> None:
        self._places: dict[str, list[int]] = {}
        for place, terms in enumerate(texts):
            for term in terms:
                self._places.setdefault(term, []).append(place)
        total = len(texts)
        most = total if total < SMALL else total * MAX_COMMON
        self._weights = {
            term: math.log(1.0 + total / len(at)) * (STEM_WEIGHT if term[0] == "^" else 1.0)
            for term, at in self._places.items()
            if len(at) <= most
        }
        self._lengths = [1.0 / (1.0 + LENGTH_WEIGHT * len(terms)) for terms in texts]

    def best(self, asked: Terms, limit: int, among: Callable[[int], bool]) -> tuple[int, ...]:
        """Up to `limit` places that share a telling term with what is asked, best first; ties by place."""
        scores: dict[int, float] = {}
        for term in asked:
            weight = self._weights.get(term)
            if weight is not None:
                for place in self._places[term]:
                    scores[place] = scores.get(place, 0.0) + weight
        if not scores:
            return ()
        lengths = self._lengths
        ranked = sorted((-score * lengths[place], place) for place, score in scores.items() if among(place))
        return tuple(place for _, place in ranked[:limit])


def _with_stems(tokens: Iterable[str]) -> Terms:
    found = set(tokens)
    return frozenset(found | {f"^{token[:STEM_CHARS]}" for token in found if len(token) > STEM_CHARS})

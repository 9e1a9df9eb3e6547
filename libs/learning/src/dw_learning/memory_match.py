"""Which memories speak of the message at hand (C80): lexical, in memory, by the tokens of the history search.

A token counts by how few memories have it. Words of six signs and more also stand under their first five, at half
weight, so that `reimbursed` finds `reimbursement` in any language that inflects at the end. The rarest terms find the
candidates, the others only weigh them: what is asked of a hundred or of five thousand memories costs the same.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
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
FEW: Final = 4
"""Texts that have a rare term, at most."""
CANDIDATES: Final = 40
"""Enough of them, and more common terms are followed no further. Of one term the first as many are taken."""

TEXTS_AT_ONCE: Final = 100
TERMS_AT_ONCE: Final = 500

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
    """One term. Compared, the rarest come first, then words before stems, then by their ranks: no order hangs on a set's.
    Sets of ranks are the bits of an int: a message looks at hundreds of places with a few operations, and in little
    memory. `first` are the CANDIDATES first places that have it, `has` all of them; of a rare term both are made anew
    from `few`, since most terms are rare."""

    turn: int
    few: tuple[int, ...]
    first: int
    has: int
    weight: float


class MatchIndex:
    """Texts by their terms; places are those of the sequence that was given. Immutable once filled: `of` gives one that is.

    Within, a text goes by its rank: the shorter ones come first, since of texts that share the same terms with a message
    the shorter one speaks more of it. The best of such a group are then its lowest bits.
    """

    __slots__ = ("_lengths", "_places", "_postings", "_ranks")

    def __init__(self, texts: Sequence[Terms]) -> None:
        by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))  # stable: ties by place
        self._places = array("I", by_length)
        self._lengths = array("d", [1.0 / (1.0 + LENGTH_WEIGHT * len(texts[place])) for place in by_length])
        ranks = array("I", bytes(4 * len(texts)))
        for rank, place in enumerate(by_length):
            ranks[place] = rank
        self._ranks = ranks
        self._postings: dict[str, _Posting] = {}

    @classmethod
    def of(cls, texts: Sequence[Terms]) -> MatchIndex:
        """The whole index in one go."""
        index = cls(texts)
        for _ in index.fill(texts):
            pass
        return index

    def fill(self, texts: Sequence[Terms]) -> Iterator[None]:
        """Enter the texts that it was made for, in parts of about a millisecond each. Nothing is found before the end."""
        places: dict[str, list[int]] = {}
        for place, terms in enumerate(texts):
            for term in terms:
                if (at := places.get(term)) is None:
                    places[term] = [place]
                else:
                    at.append(place)
            if place % TEXTS_AT_ONCE == 0:
                yield
        total, ranks = len(texts), self._ranks
        most = total if total < SMALL else total * MAX_COMMON
        postings: dict[str, _Posting] = {}
        for number, (term, at) in enumerate(places.items()):
            if len(at) <= most:
                postings[term] = _posting(term, [ranks[place] for place in at], total)
            if number % TERMS_AT_ONCE == 0:
                yield
        self._postings = postings

    def best(self, asked: Terms, limit: int, among: Callable[[int], bool]) -> tuple[int, ...]:
        """Up to `limit` places that share a telling term with what is asked, best first; ties by place."""
        postings = [posting for term in asked if (posting := self._postings.get(term)) is not None]
        if not postings:
            return ()
        groups = _groups(sorted(postings))
        lengths, places = self._lengths, self._places
        if len(groups) > 1:  # the group that may hold the best one first
            groups.sort(key=lambda group: group[1] * lengths[_lowest(group[0])], reverse=True)
        found: list[tuple[float, int]] = []
        for ranks, score in groups:
            if len(found) >= limit and -score * lengths[_lowest(ranks)] > found[limit - 1][0]:
                break
            left, taken = ranks, 0
            while left and taken < limit:
                rank = _lowest(left)
                left &= left - 1
                if among(places[rank]):
                    taken += 1
                    found.append((-score * lengths[rank], places[rank]))
            found.sort()
        return tuple([place for _, place in found[:limit]])


_Group = tuple[int, float]
"""Ranks that have the same of the asked terms, and what those weigh."""


def _groups(rarest_first: list[_Posting]) -> list[_Group]:
    """Candidates: of the rarest terms until there are enough, then weighed by the others."""
    groups: list[_Group] = []
    seen = 0
    for _, few, first, has, weight in rarest_first:
        enough = seen.bit_count() >= CANDIDATES
        ranks = _bits(few) if few else has if enough else first
        parted: list[_Group] = []
        for known, score in groups:
            both = known & ranks
            if both:
                parted.append((both, score + weight))
            if both != known:
                parted.append((known & ~ranks, score))
        if not enough and (new := ranks & ~seen):
            parted.append((new, weight))
            seen |= new
        groups = parted
    return groups


def _weight(term: str, texts: int, total: int) -> float:
    return math.log(1.0 + total / texts) * (STEM_WEIGHT if term[0] == "^" else 1.0)


def _posting(term: str, ranks: list[int], total: int) -> _Posting:
    """`ranks` stand in the order of their places."""
    turn, weight = 2 * len(ranks) + (term[0] == "^"), _weight(term, len(ranks), total)
    if len(ranks) <= FEW:
        return _Posting(turn, tuple(ranks), 0, 0, weight)
    first = has = _bits(ranks[:CANDIDATES])
    if len(ranks) > CANDIDATES:
        has = _bits(ranks)
    return _Posting(turn, (), first, has, weight)


def _bits(ranks: Sequence[int]) -> int:
    if len(ranks) <= FEW:
        made = 0
        for rank in ranks:
            made |= 1 << rank
        return made
    flags = bytearray(max(ranks) // 8 + 1)
    for rank in ranks:
        flags[rank >> 3] |= 1 << (rank & 7)
    return int.from_bytes(flags, "little")


def _lowest(ranks: int) -> int:
    return (ranks & -ranks).bit_length() - 1


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

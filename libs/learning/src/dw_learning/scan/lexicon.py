"""From words to concepts: one look-up a word, remembered; phrases and scripts without spaces beside it."""

import re
from codecs import encode
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from dw_learning.scan import concepts as c
from dw_learning.scan.lexicon_actions import ACTIONS
from dw_learning.scan.lexicon_labels import LABELS
from dw_learning.scan.lexicon_manners import MANNERS
from dw_learning.scan.lexicon_more import MORE
from dw_learning.scan.lexicon_secrets import SECRET_TALK
from dw_learning.scan.lexicon_signs import SIGNS
from dw_learning.scan.lexicon_targets import TARGETS
from dw_learning.scan.lexicon_trades import TRADES
from dw_learning.scan.views import fold

WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_SPACELESS = re.compile("[\u0590-\u06ff\u0900-\u097f\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_GLUED = re.compile(
    "(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])[a-z][a-z0-9]+|[a-z][a-z0-9]+(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
)
"""Latin words that stand in such a script without a space: `MFAは`."""
_PARTS = (
    c.GATE | c.AUTO | c.PASSWORD | c.TOKEN | c.SECRETS | c.AI | c.PIN | c.CODE | c.RULES | c.SKILL | c.IGNORE
)
_Phrase = tuple[str, tuple[str, ...], int]

_exact: dict[str, int] = {}
_stems: dict[str, list[tuple[str, int]]] = {}
_suffixes: dict[str, int] = {}
_phrases: dict[str, list[_Phrase]] = {}
_inner: dict[str, list[tuple[str, int]]] = {}
Openings = dict[str, list[tuple[tuple[str, ...], int]]]


def _add(term: str, bit: int) -> None:
    if _SPACELESS.search(term):
        plain = term.replace("_", " ")
        _inner.setdefault(plain[:2], []).append((plain, bit))
    elif "_" in term:
        first, *rest = term.split("_")
        _phrases.setdefault(first.rstrip("*")[:3], []).append((first, tuple(rest), bit))
    elif term.startswith("*"):
        _suffixes[term[1:]] = _suffixes.get(term[1:], 0) | bit
    elif term.endswith("*"):
        _stems.setdefault(term[:3], []).append((term[:-1], bit))
    else:
        _exact[term] = _exact.get(term, 0) | bit


for _table in (ACTIONS, TARGETS, SIGNS, MORE, SECRET_TALK, LABELS, MANNERS, TRADES):
    for _bit, _terms in _table.items():
        for _term in sorted(set(fold(_terms).split())):
            _add(_term, _bit)
for _table in (ACTIONS, TARGETS):
    for _terms in _table.values():
        for _term in fold(_terms).split():
            _bare = _term.strip("*")
            if _bare.isascii() and _bare.isalpha() and len(_bare) >= 5:
                _add(("*" if _term.endswith("*") else "") + _bare[::-1], c.TURNED)
                _add(encode(_bare, "rot13") + ("*" if _term.endswith("*") else ""), c.TURNED)
_TAILS = sorted({len(suffix) for suffix in _suffixes})
_SINGLES = {head for head in _inner if len(head) == 1}


@lru_cache(maxsize=1 << 15)
def of_word(word: str) -> tuple[int, Openings | None]:
    """The concepts of one folded word, and the phrases that it opens by the head of their second word."""
    bits = _exact.get(word, 0)
    head = word[:3]
    for stem, bit in _stems.get(head, ()):
        if word.startswith(stem):
            bits |= bit
    for length in _TAILS:
        if length < len(word):
            bits |= _suffixes.get(word[-length:], 0)
    if "-" in word or "'" in word:
        for part in re.split("['-]", word):
            if len(part) > 3:
                bits |= of_word(part)[0] & _PARTS
    if word.endswith("'s"):
        bits |= of_word(word[:-2])[0] & _PARTS
    opens: Openings = {}
    for first, rest, bit in _phrases.get(head, ()):
        if _matches(word, first):
            opens.setdefault(rest[0][:2], []).append((rest, bit))
    return bits, opens or None


def phrases_at(words: list[str], index: int) -> list[tuple[int, int]]:
    """Concepts of the phrases that begin at a word, each with the number of words it takes."""
    if index + 1 >= len(words):
        return []
    third = words[index + 2] if index + 2 < len(words) else ""
    return [
        (bit, taken + len(rest))
        for rest, taken, bit in _begun_by(words[index], words[index + 1], third)
        if not rest or _continues(words, index + 3, rest)
    ]


@lru_cache(maxsize=1 << 14)
def _begun_by(word: str, second: str, third: str) -> tuple[tuple[tuple[str, ...], int, int], ...]:
    """The phrases that begin with these words: what else each takes, how many it has taken, its concept."""
    opens = of_word(word)[1] or {}
    return tuple(
        (rest[2:], 1 + min(2, len(rest)), bit)
        for rest, bit in opens.get(second[:2], ())
        if _matches(second, rest[0]) and (len(rest) == 1 or (third and _matches(third, rest[1])))
    )


def _continues(words: list[str], index: int, rest: tuple[str, ...]) -> bool:
    """Whether the words from the place on are the rest of a phrase."""
    return len(words) - index >= len(rest) and all(map(_matches, words[index : index + len(rest)], rest))


def _matches(word: str, pattern: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


def is_spaceless(text: str) -> bool:
    """Whether a script occurs in which words are not told apart by spaces, or carry their particles."""
    return _SPACELESS.search(text) is not None


def inside(text: str) -> Iterator[tuple[int, int, int]]:
    """Concepts found anywhere in a text of such scripts: bit, start, end."""
    text = text.replace("\n", " ")
    heads = _inner.keys() & {first + second for first, second in pairwise(text)}
    for head in heads:
        index = text.find(head)
        while index >= 0:
            for term, bit in _inner[head]:
                if text.startswith(term, index):
                    yield bit, index, index + len(term)
            index = text.find(head, index + 1)
    for match in _GLUED.finditer(text):
        bits = of_word(match[0])[0]
        if bits:
            yield bits, match.start(), match.end()
    for single in _SINGLES & set(text):
        for match in re.finditer(single, text):
            for _, bit in _inner[single]:
                yield bit, match.start(), match.end()

"""The first look at a text, word by word: what each word could mean for a scan is remembered, so that a message of known
words costs a look-up each. It says that there is nothing to find, or that the text has to be read; never what is found.
"""

import re
from functools import lru_cache, reduce
from itertools import chain, pairwise
from operator import or_
from typing import NamedTuple

from dw_learning.scan import concepts as c
from dw_learning.scan import oddity as odd
from dw_learning.scan.lexicon import WORD, Openings, is_spaceless, of_word, phrases_at
from dw_learning.scan.peel import unleet
from dw_learning.scan.reading import LEET, LEET_WORD, Reading, known_reading, read
from dw_learning.scan.seed_phrases import LEAST, may_be_seed
from dw_learning.scan.signs import form_concepts
from dw_learning.scan.views import fold, is_plain, view

KEY_SIGN = re.compile("[\U0001f510-\U0001f513\U0001f511\U0001f5dd]")
"""Drawn keys and locks: what stands beside one may be a key too."""

_CONCEPTS = (1 << 96) - 1
(
    _OPENS, _STRANGE, _SHAPED, _VALUED, _DIGIT, _NUMBER, _SINGLE, _UNLIKE, _FORM, _QUOTES, _ADDS, _LEET, _APART,
    _SMALL, _UNEVEN,
) = (1 << bit for bit in range(96, 111))  # fmt: skip
_FORMS = 128
"""By how much the concepts told by form are moved to stand beside those of words."""

KEPT = 1 << 15
"""So many words are remembered; then all are forgotten."""
_FEW_DIGITS = 3
_ROW = 13 // _FEW_DIGITS
"""So many numbers of few digits, and one more, it takes for the thirteen of a card."""
_SMALL_NUMBER = re.compile(r"\d{1,3}[.,?!]?")
_BRACKETS = frozenset("[【<(*#=_~-")
_FORM_SIGN = re.compile(r"[<\[%\\:：]|\"role\"|[.!?。][【(*#=_~-]")
_QUOTE = frozenset("\"'`")
_ADDING = frozenset("+;&.")
_STOPS = ".,?!"


class Skim(NamedTuple):
    """`may`: the concepts of words and phrases; `forms`: those of addresses and commands. `shaped`: there could be a
    secret by its shape; `valued`: something could be the value beside a word for one; `numbered`: a small number
    stands there, which is a value only to a word for codes; `marked`: something could be markup
    or pose as the system. `words` are folded, in order."""

    may: int
    forms: int
    shaped: bool
    valued: bool
    numbered: bool
    marked: bool
    words: list[str]


class _Known(dict[str, int]):
    """Flags of a word as it was typed, with the signs that stand at it."""

    def __init__(self) -> None:
        super().__init__()
        self.word: dict[str, str] = {}
        self.words: dict[str, tuple[str, ...]] = {}
        self.opens: dict[str, Openings] = {}

    def __missing__(self, token: str) -> int:
        if len(token) >= odd.CODED:
            return _STRANGE
        bare = token.rstrip(_STOPS)
        if bare.isalpha() and bare.isascii():
            low = self.word[token] = bare.lower()
            flags = self._of_word(low) | _of_plain(token, low)
            flags |= 0 if bare == token else _UNLIKE
            flags |= 0 if _is_even(bare) else _UNEVEN
        else:
            flags = self._of_any(token)
        self[token] = flags
        return flags

    def _of_any(self, token: str) -> int:
        seen = view(token)
        low = seen.folded
        if seen.origin is not None or seen.is_mixed or is_spaceless(low) or _is_strange(token, low):
            return _STRANGE
        flags = _of_signs(token, low) | _of_shape(token)
        words = tuple(WORD.findall(low))
        if len(words) == 1:
            self.word[token] = words[0]
        else:
            self.words[token] = words
            flags |= _APART
        return reduce(or_, map(self._of_word, words), flags)

    def _of_word(self, word: str) -> int:
        bits, opens = of_word(word)
        if opens is None:
            return bits
        self.opens[word] = opens
        return bits | _OPENS

    def folded(self, tokens: list[str], flags: int) -> list[str]:
        """The words of tokens that were looked at just now."""
        if not flags & _APART:
            return [*map(self.word.__getitem__, tokens)]
        word = self.word
        return [*chain.from_iterable((word[one],) if one in word else self.words[one] for one in tokens)]

    def phrases(self, words: list[str]) -> int:
        """The concepts of all phrases."""
        may = 0
        get = self.opens.get
        for index, (word, following) in enumerate(pairwise(words)):
            opens = get(word)
            if opens is not None and following[:2] in opens:
                for bit, _ in phrases_at(words, index):
                    may |= bit
        return may


_HELD = [_Known()]


def _known(count: int) -> _Known:
    """What is remembered, with room for so many words more. Who looked words up before keeps what it looked up."""
    known = _HELD[0]
    if len(known) + count > KEPT:
        known = _HELD[0] = _Known()
    return known


@lru_cache(maxsize=4)
def skim(text: str) -> Skim | None:
    """What can be said by looking at each word alone; None where the text has to be read."""
    tokens = text.split()
    if not text.isascii() and (is_spaceless(text) or not is_plain(text, tokens)):
        return None
    if len(tokens) > KEPT:
        return None
    known = _known(len(tokens))
    flags = reduce(or_, map(known.__getitem__, tokens), 0)
    if flags & _STRANGE or (flags & _QUOTES and flags & _ADDS):
        return None
    if flags & _SINGLE and len(tokens) >= odd.SINGLES and [*map(len, tokens)].count(1) >= odd.SINGLES:
        return None
    if flags & _LEET and next(unleet(fold(text)), None) is not None:
        return None
    words = known.folded(tokens, flags)
    may = flags & _CONCEPTS
    if flags & _OPENS:
        may |= known.phrases(words)
    if may & c.TURNED:
        return None
    small = flags & _SMALL != 0
    return Skim(
        may,
        flags >> _FORMS,
        flags & _SHAPED != 0 or _is_shaped(text, tokens, flags),
        flags & _VALUED != 0
        or (small and (flags & _UNEVEN != 0 or [*map(_is_small, tokens)].count(True) > 1)),
        small,
        flags & _FORM != 0,
        words,
    )


@lru_cache(maxsize=4)
def read_on(text: str) -> Reading:
    """The text read in full, with what the first look knows already."""
    first = skim(text)
    return read(text) if first is None else known_reading(text, first.may)


def _is_shaped(text: str, tokens: list[str], flags: int) -> bool:
    """A shape that more than one word makes: a number of many parts, a list of words."""
    if flags & _DIGIT and (flags & _NUMBER or _has_row(tokens)) and odd.has_many_digits(text):
        return True
    if not flags & _UNLIKE and len(tokens) in odd.LIST_SIZES:
        return True
    return len(tokens) >= LEAST and may_be_seed(tokens)


def _is_even(bare: str) -> bool:
    """A word as people write words, which is no value unless it is called one."""
    return bare.isalpha() and (bare.islower() or bare.istitle())


def _is_small(token: str) -> bool:
    return _SMALL_NUMBER.fullmatch(token) is not None


def _has_row(tokens: list[str]) -> bool:
    """Whether enough numbers stand there for a long one, the first of which may begin with letters."""
    return len(tokens) > _ROW and sum([token[0].isdecimal() or token[0] in ".-" for token in tokens]) >= _ROW


def _of_plain(token: str, low: str) -> int:
    """Letters, and at most stops behind them."""
    flags = form_concepts(low) << _FORMS
    if not token.islower():
        flags |= _UNLIKE
    if len(token) == 1:
        flags |= _SINGLE
    if (len(token) >= odd.LONG and not token.isalpha()) or "ASIA" in token or "AKIA" in token:
        flags |= _STRANGE
    elif len(token) >= odd.VERY_LONG or "PuTTY" in token:
        flags |= _SHAPED
    return flags


def _is_strange(token: str, low: str) -> bool:
    """Something may be encoded or taken apart, or stand for other letters."""
    if "\x1b" in token or odd.is_disguised(token, [token], len(token)):
        return True
    return any(
        of_word(match[0].translate(LEET))[0] & ~of_word(match[0])[0] for match in LEET_WORD.finditer(low)
    )


def _of_signs(token: str, low: str) -> int:
    flags = form_concepts(low) << _FORMS
    if low[0] in _BRACKETS or _FORM_SIGN.search(low) is not None:
        flags |= _FORM
    if token[-1] in _QUOTE:
        flags |= _QUOTES
    if token[0] in _ADDING:
        flags |= _ADDS
    if LEET_WORD.search(low) is not None:
        flags |= _LEET
    return flags


def _of_shape(token: str) -> int:
    flags = 0 if token.isalpha() and token.islower() else _UNLIKE
    if len(token) == 1:
        flags |= _SINGLE
    if _SMALL_NUMBER.fullmatch(token):
        flags |= _SMALL
    else:
        flags |= 0 if _is_even(token.rstrip(_STOPS)) else _UNEVEN
        if odd.may_hold_value(token):
            flags |= _VALUED
    digits = sum(map(str.isdecimal, token))
    if digits:
        flags |= _DIGIT if digits <= _FEW_DIGITS else _DIGIT | _NUMBER
    if (
        token == "/"
        or "://" in token
        or odd.has_secret_shape(token, [token], len(token))
        or KEY_SIGN.search(token)
    ):
        flags |= _SHAPED
    return flags

"""One normal form of text, for equality (D17): NFKC, one space, no case, no closing punctuation."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"  # scripts without spaces: each sign by itself
    r"|\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*",
)
# Letters by their class, and nothing to look at.
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")

NEGATIONS = frozenset(
    """no not never none nobody nothing without cannot can't don't doesn't isn't aren't won't didn't wasn't weren't
    mustn't shouldn't anymore kein keine keinen keiner keinem keines nicht nie niemals ohne no nunca nadie sin ni
    tampoco не ні ніколи без немає không chưa chẳng đừng ne pas jamais sans nie bez não nunca sem non mai senza
    нет никогда ない ず ません 不 没""".split()
)
# Words that carry nothing by themselves: a memory text may add or leave them out and still be the sender's words.
FUNCTION_WORDS = frozenset(
    """a an the is are was were be been am of to in on at for and or that this it its der die das den dem des ein
    eine einen einem ist sind war im in zu el la los las un una es son de del y en que o le les du et est a є та і
    й у в на до là của và ở cho""".split()
)


def normal(text: str) -> str:
    """Two texts that a person would call the same have the same normal form."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip().rstrip(" .!;")


@lru_cache(maxsize=1_024)  # one decision asks for the same few texts again and again
def content_hash(text: str) -> bytes:
    """SHA-256 of the normal form: equality of memory texts. Never called on a text that holds a secret (C53)."""
    return hashlib.sha256(normal(text).encode()).digest()


def tokens(text: str) -> list[str]:
    """Words, numbers and single signs of scripts without spaces, in order, in normal form."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def content_tokens(text: str) -> list[str]:
    """Tokens that carry meaning: negations and numbers always do."""
    return list(_content_tokens(text))


@lru_cache(maxsize=1_024)
def _content_tokens(text: str) -> tuple[str, ...]:
    return tuple(token for token in tokens(text) if token in NEGATIONS or token not in FUNCTION_WORDS)


def has_words(text: str) -> bool:
    """Whether anything is said: at least one letter or digit that can be seen. Signs, emoji, control, format and
    filler characters alone say nothing that could be remembered."""
    return any(char.isalnum() and char not in _FILLERS for char in text)


def overlap(left: str, right: str) -> float:
    """Share of common content tokens, 0 to 1 (Jaccard). Below 0.25 two texts speak of different things (C56)."""
    one, other = set(content_tokens(left)), set(content_tokens(right))
    return len(one & other) / len(one | other) if one and other else 0.0

"""Search tokens, made by the application (C81): PostgreSQL has no configuration for three of our six languages.

Words are NFKC and case folded. A Latin word with marks also stands without them, so that `reunion` finds `reunión`;
other scripts keep their marks, which tell letters apart there (й is not и). A run of a script without spaces becomes
its pairs of neighbours, and its last sign by itself, so that a prefix finds every single sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from dw_learning.normal import FUNCTION_WORDS, NEGATIONS

MAX_TOKEN_CHARS = 64
MAX_POSITION = 16_383  # PostgreSQL counts no further
MAX_INDEXED = 4_096
MAX_QUERY_TOKENS = 32

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
# Marks that are part of a word although they are no letters: accents, Hebrew and Arabic points, Indic vowel signs.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_SIGN = rf"(?:(?![{_UNSPACED}_])[\w{_MARKS}])"
_PIECE = re.compile(rf"([{_UNSPACED}]+)|({_SIGN}+(?:['’.:/-]{_SIGN}+)*)")
_SINGLE = re.compile(rf"[{_UNSPACED}]")
_JOINT = re.compile("['’.:/-]")


def index_tokens(text: str) -> list[tuple[str, int]]:
    """Tokens of a message with their positions, from 1. Forms of one word share a position."""
    found: list[tuple[str, int]] = []
    position = 0
    for forms in _words(text):
        position = min(position + 1, MAX_POSITION)
        found += [(form, position) for form in forms]
        if len(found) >= MAX_INDEXED:
            break
    return found


def query_tokens(text: str) -> list[str]:
    """Tokens to look for, without repeats. Words that carry nothing are left out unless nothing else is there."""
    forms = [form for word in _words(text, asked=True) for form in word]
    telling = [form for form in forms if form in NEGATIONS or form not in FUNCTION_WORDS]
    return list(dict.fromkeys(telling or forms))[:MAX_QUERY_TOKENS]


def tsvector_literal(text: str) -> str:
    """The text form of a tsvector. Tokens hold letters, digits and joints only, so the quotes cannot be broken."""
    places: dict[str, list[int]] = {}
    for token, position in index_tokens(text):
        places.setdefault(token, []).append(position)
    return " ".join(f"{_quoted(token)}:{','.join(map(str, at[:255]))}" for token, at in places.items())


def tsquery_literal(tokens: Sequence[str]) -> str:
    """The text form of a tsquery that any of the tokens fulfils. A single sign of a script without spaces stands for
    every pair that begins with it."""
    return " | ".join(_quoted(token) + (":*" if _SINGLE.fullmatch(token) else "") for token in tokens)


def _quoted(token: str) -> str:
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def _words(text: str, *, asked: bool = False) -> list[tuple[str, ...]]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    words: list[tuple[str, ...]] = []
    for run, word in _PIECE.findall(folded):
        if run:
            words += [(run[i : i + 2],) for i in range(len(run) - 1)]
            if not asked or len(run) == 1:
                words.append((run[-1],))
            continue
        parts = _JOINT.split(word)
        whole = word.replace("’", "'")
        if len(parts) > 1:
            words.append(_forms(whole))
        words += [_forms(part) for part in parts if part]
    return words


def _forms(word: str) -> tuple[str, ...]:
    cut = word[:MAX_TOKEN_CHARS]
    plain = _without_latin_marks(cut)
    return (cut,) if plain == cut else (cut, plain)


def _without_latin_marks(word: str) -> str:
    if word.isascii():
        return word
    kept: list[str] = []
    latin = False
    for sign in unicodedata.normalize("NFD", word):
        if unicodedata.combining(sign):
            if not latin:
                kept.append(sign)
            continue
        latin = sign.isascii() or "\u00c0" <= sign <= "\u024f" or "\u1e00" <= sign <= "\u1eff"
        kept.append({"đ": "d", "ł": "l", "ø": "o"}.get(sign, sign))
    return unicodedata.normalize("NFC", "".join(kept))

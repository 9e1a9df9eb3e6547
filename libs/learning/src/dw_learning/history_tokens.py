"""Search tokens, made by the application (C81): PostgreSQL has no configuration for three of our six languages.

A word stands as it is written, without its marks if it is Latin (`reunion` finds `reunión`), and as its stem; a German
compound also as the known words in it. A run of a script without spaces becomes its pairs of neighbours, and its last
sign by itself, so that a prefix finds every single sign. Forms of one word share a position.

Tokens of the index carry a mark of their role-agent: one agent's search reads no other agent's postings, however many
share the table. The mark only saves work; what may be seen is decided by columns.
"""

from __future__ import annotations

from functools import lru_cache
from uuid import UUID

from dw_learning.history.glossary import compound_parts
from dw_learning.history.pieces import Piece, pairs, piece_of, pieces, raw_pieces
from dw_learning.history.stems import stem, without_latin_marks
from dw_learning.normal import FUNCTION_WORDS, NEGATIONS

MAX_TOKEN_CHARS = 64
MAX_POSITION = 16_383  # PostgreSQL counts no further
MAX_PLACES = 255  # of a token, as PostgreSQL keeps them
MAX_INDEXED = 4_096
MAX_QUERY_TOKENS = 32
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_SCOPE_CHARS = 4
_KEPT_CHARS = 64  # of what stands between spaces: longer ones are seldom seen again
_SCOPE, _AT = "\0", "\1"  # signs that stand in no token


def index_tokens(text: str) -> list[tuple[str, int]]:
    """Tokens of a message with their positions, from 1. Forms of one word share a position."""
    found: list[tuple[str, int]] = []
    position = 0
    for run, word in raw_pieces(text):
        for forms in _run_forms(run) if run else _word_forms(word):
            position = min(position + 1, MAX_POSITION)
            found += [(form, position) for form in forms]
        if len(found) >= MAX_INDEXED:
            break
    return found


def query_tokens(text: str) -> list[str]:
    """Tokens of a text, without repeats and stems. Words that carry nothing are left out unless nothing else is there."""
    forms = [form for piece in pieces(text) for form in _written(piece)]
    telling = [form for form in forms if form in NEGATIONS or form not in FUNCTION_WORDS]
    return list(dict.fromkeys(telling or forms))[:MAX_QUERY_TOKENS]


def tsvector_literal(text: str, role_agent_id: UUID | None = None) -> str:
    """The text form of a tsvector: the tokens of `index_tokens` with their positions. A token may stand more than once,
    which PostgreSQL reads as one. Tokens hold letters, digits and joints only, so the quotes cannot be broken."""
    placed: list[str] = []
    for chunk in text.split():
        forms = _kept_literals(chunk) if len(chunk) <= _KEPT_CHARS else _literals(chunk)
        for literal in forms:
            placed.append(literal.replace(_AT, str(len(placed) + 1)))
    whole = " ".join(placed)
    if len(placed) > MAX_PLACES or whole.count(_SCOPE) >= MAX_INDEXED:
        whole = _long_literal(text)
    return whole.replace(_SCOPE, scope_of(role_agent_id))


def _long_literal(text: str) -> str:
    """Of a text whose tokens are too many to be kept all, or at all their places."""
    places: dict[str, list[str]] = {}
    for token, at in index_tokens(text):
        places.setdefault(token, []).append(str(at))
    return " ".join([f"{_quoted(token)}:{','.join(at[:MAX_PLACES])}" for token, at in places.items()])


def _literals(chunk: str) -> tuple[str, ...]:
    """What stands between two spaces, a text a position, with signs for the position and for the role-agent's mark."""
    return tuple(
        " ".join([f"{_quoted(form)}:{_AT}" for form in forms])
        for run, word in raw_pieces(chunk)
        for forms in (_run_forms(run) if run else _word_forms(word))
    )


_kept_literals = lru_cache(maxsize=32_768)(_literals)


@lru_cache(maxsize=4_096)
def scope_of(role_agent_id: UUID | None) -> str:
    """The mark of a role-agent's tokens: four signs and a colon; empty for none."""
    if role_agent_id is None:
        return ""
    number = role_agent_id.int
    return "".join(_DIGITS[(number >> (5 * at)) & 31] for at in range(_SCOPE_CHARS)) + ":"


def _quoted(token: str) -> str:
    return f"'{_SCOPE}" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def _run_forms(run: str) -> list[tuple[str, ...]]:
    return [*((run[i : i + 2],) for i in range(len(run) - 1)), (run[-1],)]


def word_tokens(word: str) -> list[str]:
    """What one word without joints is found by: as it is written, its stem, the known words in it."""
    return [form for forms in _word_forms(word) for form in forms]


@lru_cache(maxsize=65_536)
def _word_forms(word: str) -> tuple[tuple[str, ...], ...]:
    piece = piece_of(word)
    return (_forms(piece.text), *(_forms(part) for part in piece.parts))


def _written(piece: Piece) -> list[str]:
    if piece.run:
        return pairs(piece.text)
    return [form for word in (piece.text, *piece.parts) for form in _plain_forms(word[:MAX_TOKEN_CHARS])]


@lru_cache(maxsize=65_536)
def _forms(word: str) -> tuple[str, ...]:
    cut = word[:MAX_TOKEN_CHARS]
    stemmed = stem(cut)
    return tuple(dict.fromkeys((*_plain_forms(cut), stemmed, *compound_parts(stemmed))))


def _plain_forms(word: str) -> tuple[str, ...]:
    plain = without_latin_marks(word)
    return (word,) if plain == word else (word, plain)

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
    """The text form of a tsvector. Tokens hold letters, digits and joints only, so the quotes cannot be broken."""
    places = _places(text)
    scope = scope_of(role_agent_id)
    return " ".join([f"'{scope}{_escaped(form)}':{at}" for form, at in places.items()])


def _places(text: str) -> dict[str, str]:
    """The tokens of `index_tokens` with their positions joined by commas. Most messages are short and of words that
    were seen before."""
    places: dict[str, str] = {}
    position = held = 0
    for chunk in text.split():
        for forms in _chunk_forms(chunk) if len(chunk) <= _KEPT_CHARS else _forms_in(chunk):
            position += 1
            held += len(forms)
            for form in forms:
                places[form] = f"{places[form]},{position}" if form in places else str(position)
    if position <= MAX_PLACES and held < MAX_INDEXED:
        return places
    many: dict[str, list[str]] = {}
    for token, at in index_tokens(text):
        many.setdefault(token, []).append(str(at))
    return {token: ",".join(at[:MAX_PLACES]) for token, at in many.items()}


def _forms_in(text: str) -> tuple[tuple[str, ...], ...]:
    pieces_of_it = raw_pieces(text)
    return tuple(
        forms for run, word in pieces_of_it for forms in (_run_forms(run) if run else _word_forms(word))
    )


_chunk_forms = lru_cache(maxsize=32_768)(_forms_in)


@lru_cache(maxsize=4_096)
def scope_of(role_agent_id: UUID | None) -> str:
    """The mark of a role-agent's tokens: four signs and a colon; empty for none."""
    if role_agent_id is None:
        return ""
    number = role_agent_id.int
    return "".join(_DIGITS[(number >> (5 * at)) & 31] for at in range(_SCOPE_CHARS)) + ":"


def _escaped(token: str) -> str:
    return token.replace("\\", "\\\\").replace("'", "''") if "'" in token or "\\" in token else token


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

"""Workplace concepts in six languages: what one person calls Beamer, another calls projector (C81, issue 7).

The shipped files hold one concept a line, languages parted by a bar. An org adds lines of its own; they need not be in
any language's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeVar

from dw_learning.history.pieces import Piece, pairs, pieces
from dw_learning.history.stems import stem

SHIPPED = ("devices", "people", "business", "actions")
GENERAL = "actions"  # words of any work: they tell one matter from another only a little
MAX_FORM_WORDS = 4
GERMAN, VIETNAMESE = 1, 4
MIN_PART = 4

Form = tuple[str, ...]
Named = TypeVar("Named", Form, str)


@dataclass(frozen=True, slots=True)
class Concept:
    """All forms of one thing. A form is its stems in order; a run of a script without spaces is its pairs."""

    name: str
    forms: tuple[Form, ...]
    general: bool


@dataclass(frozen=True, slots=True)
class Glossary:
    """Concepts, and which of them a form names. `signs` are the forms of scripts without spaces, as they are written."""

    concepts: tuple[Concept, ...]
    by_form: dict[Form, tuple[int, ...]]
    signs: dict[str, tuple[int, ...]]
    words: frozenset[str]
    german: frozenset[str]


@cache
def shipped() -> Glossary:
    """The packaged glossary, read once."""
    return build([(line, name == GENERAL) for name in SHIPPED for line in _lines(name)])


@lru_cache(maxsize=64)
def with_words(lines: tuple[str, ...]) -> Glossary:
    """The shipped glossary and an org's own lines: each lists, with commas, what means the same."""
    if not lines:
        return shipped()
    own = [(line, False) for line in lines]
    return build([*own, *((line, name == GENERAL) for name in SHIPPED for line in _lines(name))])


def build(lines: Iterable[tuple[str, bool]]) -> Glossary:
    """From lines and whether their words are general ones."""
    concepts: list[Concept] = []
    by_form: dict[Form, list[int]] = {}
    signs: dict[str, list[int]] = {}
    words: set[str] = set()
    german: set[str] = set()
    for number, (line, general) in enumerate(lines):
        forms: dict[Form, None] = {}
        for column, text in enumerate(line.split("|")):
            for written in (part.strip() for part in text.split(",")):
                cut = list(pieces(written))
                form = _form(cut, column)
                if not form:
                    continue
                forms[form] = None
                _note(by_form, form, number)
                if len(cut) == 1 and cut[0].run:
                    _note(signs, cut[0].text, number)
                words |= {piece.text for piece in cut if not piece.run and len(piece.text) >= MIN_PART}
                if column == GERMAN and len(form) == 1 and len(form[0]) >= MIN_PART:
                    german.add(form[0])
        concepts.append(Concept(line.split(",", 1)[0].strip(), tuple(forms), general))
    frozen = {form: tuple(numbers) for form, numbers in by_form.items()}
    return Glossary(
        tuple(concepts),
        frozen,
        {written: tuple(numbers) for written, numbers in signs.items()},
        frozenset(words),
        frozenset(german),
    )


def key_of(piece: Piece) -> Form:
    """The stems of a word by which forms are looked up: `wi-fi` is two."""
    return tuple(stem(part) for part in piece.parts) if piece.parts else (stem(piece.text),)


@cache
def compound_parts(stemmed: str) -> tuple[str, ...]:
    """Known German words that a longer word is made of: `verbindungsstörung` is `verbind` and `stor`."""
    if len(stemmed) < 2 * MIN_PART or stemmed in shipped().german or not stemmed.isalpha():
        return ()
    known = shipped().german
    found: tuple[str, ...] = ()
    for at in range(MIN_PART, len(stemmed) - MIN_PART + 1):
        head = _known(stemmed[at:], known)
        modifier = _known(stemmed[:at], known)
        if head and modifier:
            return (modifier, head)
        if len(stemmed) - at > MIN_PART and head and not found:
            found = (head,)
        elif at > MIN_PART and modifier:
            found = (modifier,)
    return found


def _known(part: str, known: frozenset[str]) -> str:
    for candidate in (part, part.removesuffix("s"), stem(part), stem(part.removesuffix("s"))):
        if candidate in known:
            return candidate
    return ""


def _form(cut: Sequence[Piece], column: int) -> Form:
    if len(cut) == 1 and cut[0].run:
        return tuple(pairs(cut[0].text))
    if not cut or any(piece.run for piece in cut):
        return ()
    if column == VIETNAMESE and len(cut) == 1 and not cut[0].parts:
        return (cut[0].text,)
    return tuple(key for piece in cut for key in key_of(piece))[:MAX_FORM_WORDS]


def _note(where: dict[Named, list[int]], form: Named, number: int) -> None:
    numbers = where.setdefault(form, [])
    if number not in numbers:
        numbers.append(number)


def _lines(name: str) -> list[str]:
    text = (files("dw_learning.history") / "glossary" / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]

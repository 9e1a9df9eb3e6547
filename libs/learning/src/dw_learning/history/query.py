"""From what is asked to what is looked for: concepts, each with the ways to say it and what each way is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from uuid import UUID

from dw_learning.history.glossary import MAX_FORM_WORDS, Form, Glossary, compound_parts, key_of, shipped
from dw_learning.history.pieces import Piece, is_kana, pairs, pieces
from dw_learning.history.stems import stem, without_latin_marks
from dw_learning.history.stops import STOPS
from dw_learning.history.typos import corrected
from dw_learning.history_tokens import MAX_TOKEN_CHARS, scope_of
from dw_learning.normal import NEGATIONS

MAX_PHRASINGS = 5
MAX_WORDS = 32
MAX_TERMS = 160
MIN_PREFIX = 5

EXACT, STEM, PART, MEANING, GENERAL, TYPO = 1.0, 0.85, 0.55, 0.6, 0.3, 0.6
NEIGHBOURS, PAIR, KANA_PAIR, NEGATION, SYLLABLE = 0.4, 0.5, 0.12, 0.3, 0.6
PHRASE_MEANING = 0.9


@dataclass(frozen=True, slots=True)
class Term:
    """One way to say one thing, as a tsquery. Of a concept's ways that a message holds, the weightiest counts."""

    concept: int
    weight: float
    query: str


@dataclass(slots=True)
class _Concept:
    number: int
    ways: dict[str, float] = field(default_factory=dict)
    names: set[int] = field(default_factory=set)


class _Builder:
    """Collects concepts over all phrasings: the same thing, asked twice, counts once."""

    def __init__(self, role_agent_id: UUID | None, glossary: Glossary) -> None:
        self.scope = scope_of(role_agent_id)
        self.glossary = glossary
        self.concepts: dict[object, _Concept] = {}

    def terms(self) -> list[Term]:
        return [
            Term(concept.number, weight, query)
            for concept in {id(each): each for each in self.concepts.values()}.values()
            for query, weight in concept.ways.items()
        ][:MAX_TERMS]

    def concept(self, key: object, meanings: Iterable[int] = ()) -> _Concept:
        """The concept of this word, or the one that means the same."""
        telling = {number for number in meanings if not self.glossary.concepts[number].general}
        found = self.concepts.get(key)
        if found is None:
            alike = (c for c in self.concepts.values() if telling & c.names)
            found = next(alike, None) or _Concept(len(self.concepts))
            self.concepts[key] = found
        found.names |= telling
        return found

    def way(self, concept: _Concept, query: str, weight: float) -> None:
        if query:
            concept.ways[query] = max(weight, concept.ways.get(query, 0.0))

    def quoted(self, token: str) -> str:
        return "'" + (self.scope + token[:MAX_TOKEN_CHARS]).replace("\\", "\\\\").replace("'", "''") + "'"

    def phrase(self, form: Form) -> str:
        """The form's words next to each other. A single sign of a script without spaces begins a pair."""
        if len(form) == 1 and len(form[0]) == 1 and form[0] > "\u2e80":
            return self.quoted(form[0]) + ":*"
        return "(" + " <-> ".join(map(self.quoted, form)) + ")" if len(form) > 1 else self.quoted(form[0])

    def meanings(self, numbers: Iterable[int]) -> list[tuple[str, bool]]:
        """Each concept's forms as one query, and whether it is a general one."""
        named = [self.glossary.concepts[number] for number in numbers]
        return [(" | ".join(map(self.phrase, concept.forms)), concept.general) for concept in named]


def search_terms(
    phrasings: Sequence[str], role_agent_id: UUID | None = None, glossary: Glossary | None = None
) -> list[Term]:
    """What to look for. At most five phrasings and 160 terms; empty where nothing but punctuation is asked. Any text
    is safe: tokens are letters, digits and joints, and quoted."""
    builder = _Builder(role_agent_id, glossary or shipped())
    for phrasing in phrasings[:MAX_PHRASINGS]:
        _read(builder, list(pieces(phrasing))[: 4 * MAX_WORDS])
    return builder.terms()


def _read(builder: _Builder, found: Sequence[Piece]) -> None:
    told = [piece for piece in found if piece.run or piece.text not in STOPS] or list(found)
    for piece in told[:MAX_WORDS]:
        if piece.run:
            _run(builder, piece.text)
        else:
            _word(builder, piece)
    _phrases(builder, found)
    _neighbours(builder, found)


def _word(builder: _Builder, piece: Piece) -> None:
    word, stemmed = piece.text, stem(piece.text)
    numbers = builder.glossary.by_form.get((word,), ()) or builder.glossary.by_form.get(key_of(piece), ())
    concept = builder.concept(stemmed, numbers)
    marked = without_latin_marks(word) != word and len(word) <= 6  # a syllable of Vietnamese, most likely
    scale = NEGATION if word in NEGATIONS else SYLLABLE if marked else 1.0
    builder.way(concept, builder.quoted(word), EXACT * scale)
    query = builder.quoted(stemmed) + (":*" if len(stemmed) >= MIN_PREFIX and stemmed.isalpha() else "")
    builder.way(concept, query, STEM * scale)
    for part in piece.parts:
        if len(part) > 1 and part not in STOPS:
            other = Piece(part)
            _word(builder, other)
    for part in compound_parts(stemmed):
        key = (part,)
        sub = builder.concept(part, builder.glossary.by_form.get(key, ()))
        builder.way(sub, builder.quoted(part), PART)
        _means(builder, sub, builder.glossary.by_form.get(key, ()), 0.8)
    if not numbers:
        for right in corrected(word, builder.glossary):
            fixed = builder.glossary.by_form.get((stem(right),), ())
            builder.way(concept, builder.quoted(stem(right)), TYPO)
            _means(builder, concept, fixed, 0.7)
    _means(builder, concept, numbers, scale)


def _means(builder: _Builder, concept: _Concept, numbers: Iterable[int], scale: float) -> None:
    for query, general in builder.meanings(numbers):
        builder.way(concept, query, (GENERAL if general else MEANING) * scale)


def _run(builder: _Builder, run: str) -> None:
    """Pairs of a run, and the glossary's forms in it, longest first."""
    for pair in pairs(run):
        concept = builder.concept(pair)
        query = builder.quoted(pair) + (":*" if len(pair) == 1 else "")
        builder.way(concept, query, KANA_PAIR if is_kana(pair) else PAIR)
    at = 0
    while at < len(run):
        for end in range(min(len(run), at + 12), at, -1):
            numbers = builder.glossary.signs.get(run[at:end])
            if numbers and (end - at > 1 or len(run) == 1):
                concept = builder.concept(run[at:end], numbers)
                builder.way(concept, builder.phrase(tuple(pairs(run[at:end]))), MEANING)
                _means(builder, concept, numbers, 1.0)
                at = end - 1
                break
        at += 1


def _phrases(builder: _Builder, found: Sequence[Piece]) -> None:
    """Forms of two and more words, such as `meeting room` or `máy in`."""
    keys = [(key, index) for index, piece in enumerate(found) if not piece.run for key in key_of(piece)]
    at = 0
    while at < len(keys):
        for length in range(min(MAX_FORM_WORDS, len(keys) - at), 1, -1):
            form = tuple(key for key, _ in keys[at : at + length])
            numbers = builder.glossary.by_form.get(form)
            if numbers:
                concept = builder.concept(form, numbers)
                builder.way(concept, builder.phrase(form), PHRASE_MEANING)
                _means(builder, concept, numbers, 1.3)
                at += length - 1
                break
        at += 1


def _neighbours(builder: _Builder, found: Sequence[Piece]) -> None:
    """Two telling words next to each other are worth more than apart."""
    for left, right in pairwise(found):
        if left.run or right.run or left.text in STOPS or right.text in STOPS or left.parts or right.parts:
            continue
        form = (stem(left.text), stem(right.text))
        if form not in builder.glossary.by_form:
            builder.way(builder.concept(form), builder.phrase(form), NEIGHBOURS)

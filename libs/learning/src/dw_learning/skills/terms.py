"""What a text is about, as terms that agree across inflections, synonyms and six languages.

A term is a concept of concepts.txt, or a word that stands in none. Actions (to fix, to order) are known as such: they
say what is to be done, and two skills about one thing differ by them.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final, TypeVar

from dw_learning.normal import FUNCTION_WORDS
from dw_learning.words.language import guess

_T = TypeVar("_T")
MAX_CHARS: Final = 4_096
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]+")
_TELLING_RUN: Final = re.compile("[\u30a0-\u30ff\u3400-\u9fff]{2,}")
_PROBLEM: Final = re.compile(
    r"\b(?:(?:does|do|is|did|will|can)(?: not|n't)|cannot|won't|keeps?|nothing (?:comes|happens|works)|"
    r"\w+ nicht(?: mehr)?|lasst sich nicht|no (?:puedo|se|me|imprime|abre|llega|sale)|не \w+|khong \w+ duoc|bi (?!quyet)\w+)\b"
)
_PROBLEM_JA: Final = re.compile("ません|できない|なくなっ|しまいました|しまった")
_VAGUE: Final = frozenset(
    """use used using when whenever task tasks user users asks ask asked asking someone somebody person people need
    needs want wants wanted help helps issue issues problem problems procedure process step steps guide how handle
    handling team company how get gets getting make made please today tomorrow yesterday now still anyone can could
    would should that this with from about into have has had our your their does did for and not the was are you
    will just also who what which where why there's it's that's i'm there here then than before after many too must
    may thing things way work works working skill question questions info information new
    wenn nutzen benutzer jemand frage fragen braucht brauche brauchen hilfe problem probleme vorgehen schritte mitarbeiter
    verwenden bitte heute morgen gerade immer noch kann konnen mal mein meine meinen unser unsere firma bei beim muss
    cuando usar usuario alguien pregunta necesita necesito ayuda problema problemas pasos proceso equipo favor hoy
    puedo puede puedes tengo tiene quiere quiero hacer nuestro nuestra empresa como
    коли використовувати користувач хтось питає потрібно треба допомога допоможіть проблема кроки процес будь ласка
    сьогодні можна може мені мене мій моя наш наша якщо зробити хоче
    khi dung nguoi ai do can giup van de buoc quy trinh toi minh cho duoc khong nhu the nao muon hom nay cua""".split()
)


@dataclass(frozen=True, slots=True)
class Terms:
    """`things` and `actions` are concepts, and one that says much by itself is both; `words` are what no concept knows."""

    things: frozenset[str]
    actions: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Concepts:
    """`singles`: a form of one word to its concepts. `starts`: its first four signs to such forms. `phrases`: forms of
    several words, between spaces, by their first word. `runs`: forms of a script without spaces, by their first sign."""

    singles: dict[str, tuple[str, ...]]
    starts: dict[str, tuple[str, ...]]
    phrases: dict[str, tuple[tuple[str, str], ...]]
    runs: dict[str, tuple[tuple[str, str], ...]]


def flat(text: str) -> str:
    """Lower case, Latin letters without their marks; other scripts keep theirs (й is not и)."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("đ", "d")
    if folded.isascii():
        return folded
    kept: list[str] = []
    latin = False
    for sign in unicodedata.normalize("NFD", folded):
        if unicodedata.combining(sign):
            if not latin:
                kept.append(sign)
            continue
        latin = sign < "\u0250" or "\u1e00" <= sign <= "\u1eff"
        kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept))


@lru_cache(maxsize=4_096)
def terms_of(text: str) -> Terms:
    """The terms of a message, of a skill's name, of its description."""
    low = flat(text[:MAX_CHARS])
    tokens = _WORD.findall(_UNSPACED.sub(" ", low))
    concepts = _load()
    found, rest = _in_phrases(tokens, concepts)
    of_tokens = [_concepts_of(token, concepts) for token in rest]
    found.update(concept for of_token in of_tokens for concept in of_token)
    runs = _runs_in(low, concepts)
    found.update(concept for _, concept in runs)
    if _PROBLEM.search(low) or _PROBLEM_JA.search(low):
        found.add("fix~")
    is_vietnamese = guess(text, tokens) == "vi"
    words = _syllable_pairs(rest) if is_vietnamese else _unknown(rest, [bool(of) for of in of_tokens])
    words |= set(_pairs_of_runs(low, runs))
    return Terms(
        frozenset(concept for concept in found if not concept.endswith("~")),
        frozenset(concept for concept in found if concept.endswith(("~", "+"))),
        frozenset(words),
    )


def alike(one: str, other: str) -> bool:
    """Two forms of one word, or a long word that begins with another, as German compounds do. Words of four signs or
    more that are alike begin with the same four."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or short.isdigit():
        return False
    shared = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    left, right = len(short) - shared, len(long) - shared
    if left == 0:
        return right <= 3 or len(short) >= 6
    return shared >= 5 and left <= (3 if shared >= 7 else 2) and right <= 3


def _unknown(tokens: list[str], known: list[bool]) -> set[str]:
    return {
        token
        for token, is_known in zip(tokens, known, strict=True)
        if not is_known and len(token) > 2 and token not in _VAGUE and token not in FUNCTION_WORDS
    }


def _syllable_pairs(tokens: list[str]) -> set[str]:
    """Vietnamese writes a space between syllables: two neighbours say more than one."""
    telling = [token for token in tokens if token not in FUNCTION_WORDS]
    pairs = itertools.pairwise(telling)
    return {f"{one} {other}" for one, other in pairs if not (one in _VAGUE or other in _VAGUE)}


def _runs_in(low: str, concepts: _Concepts) -> list[tuple[str, str]]:
    """Forms of a script without spaces that stand in the text, with their concepts."""
    if _UNSPACED.search(low) is None:
        return []
    return [
        (run, concept)
        for sign in concepts.runs.keys() & set(low)
        for run, concept in concepts.runs[sign]
        if run in low
    ]


def _pairs_of_runs(low: str, runs: Iterable[tuple[str, str]]) -> Iterable[str]:
    """Pairs of signs of runs that no concept covers; runs of hiragana are endings and say nothing."""
    for run, _ in sorted(runs, key=lambda pair: (-len(pair[0]), pair[0])):
        low = low.replace(run, " ")
    for run in _TELLING_RUN.findall(low):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


def _in_phrases(tokens: list[str], concepts: _Concepts) -> tuple[set[str], list[str]]:
    """Concepts of several words, and the tokens that stand in none of them: a meeting room is no meeting."""
    spaced = f" {' '.join(tokens)} "
    met = [
        (phrase, concept)
        for first in concepts.phrases.keys() & set(tokens)
        for phrase, concept in concepts.phrases[first]
        if phrase in spaced
    ]
    if not met:
        return set(), tokens
    for phrase, _ in sorted(met, key=lambda pair: -len(pair[0])):
        spaced = spaced.replace(phrase, " ")
    return {concept for _, concept in met}, spaced.split()


def _concepts_of(token: str, concepts: _Concepts) -> tuple[str, ...]:
    exact = concepts.singles.get(token)
    if exact is not None:
        return exact
    if len(token) < 5:
        return ()
    return tuple(
        concept
        for form in concepts.starts.get(token[:4], ())
        if alike(token, form)
        for concept in concepts.singles[form]
    )


@cache
def _load() -> _Concepts:
    singles: dict[str, tuple[str, ...]] = {}
    phrases: dict[str, list[tuple[str, str]]] = {}
    runs: dict[str, list[tuple[str, str]]] = {}
    for concept, form in _forms():
        if _UNSPACED.search(form):
            runs.setdefault(form[0], []).append((form, concept))
            continue
        words = _WORD.findall(form)
        if len(words) > 1:
            phrases.setdefault(words[0], []).append((f" {' '.join(words)} ", concept))
        elif concept not in singles.get(form, ()):
            singles[form] = (*singles.get(form, ()), concept)
    starts: dict[str, list[str]] = {}
    for form in singles:
        starts.setdefault(form[:4], []).append(form)
    return _Concepts(singles, _frozen(starts), _frozen(phrases), _frozen(runs))


def _frozen(lists: dict[str, list[_T]]) -> dict[str, tuple[_T, ...]]:
    return {key: tuple(values) for key, values in lists.items()}


def _forms() -> Iterable[tuple[str, str]]:
    text = resources.files("dw_learning.skills").joinpath("concepts.txt").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            concept, _, forms = line.partition(": ")
            yield from ((concept, flat(form.strip())) for form in forms.split("|"))

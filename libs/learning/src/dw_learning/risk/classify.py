"""Risk classes by what a sentence would do to people: where they go, who decides, what binds them, who may (C58, C85).

Signs decide. A linear model, trained by libs/learning/training, only raises what no sign caught; nothing lowers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from dw_learning.risk.signs import SENSITIVE, Sign, found
from dw_learning.words.cues import read
from dw_learning.words.features import features
from dw_learning.words.linear import Classes, load_classes
from dw_learning.words.steps import is_procedure
from dw_learning.words.tokens import folded

RISK_VERSION = "risk-6"
Risk = Literal["low", "medium", "high", "sensitive"]
RAISE_HIGH = 0.4  # chance of "not low" from which the model raises to high
RAISE_SENSITIVE = 0.8

# "Nobody deploys without approval" lifts no check, it sets one.
_FORBIDS = re.compile(
    r"\b(?:no|not|never|nobody|no one|none|cannot|can't|mustn't|don't|nothing|nie(?:mand|mals)?|kein\w*|nicht|nunca|nadie|"
    r"jamás|ningún\w*|ніхто|ніколи|не|жоден|жодн\w+|không ai|không được|đừng|jamais|personne|nessuno|mai|nikt|nigdy)\b[^.;!?\n]{0,70}?"
    r"(?=\b(?:without|ohne|sin|без|sans|sem|senza|bez|mà không)\b)"
)
_LIFTS = re.compile(r"\b(?:without|ohne|sin|без|sans|sem|senza|bez|mà không)\b")
# "Only people with training may enter" keeps others out.
_ONLY = re.compile(
    r"\b(?:only|nur|ausschließlich|solo|sólo|únicamente|лише|тільки)\b(?! (?:now|from now|jetzt|ahora))[^.;!?\n]{1,70}?"
    r"\b(?:may|can|is allowed to|are allowed to|darf|dürfen|puede|pueden|може|можуть)\b"
)
# "Nobody may work alone" keeps out too.
_NOBODY = re.compile(
    r"\b(?:nobody|no one|none of \w+|neither|niemand|kein\w*|nadie|ningún\w*|ніхто|жоден|personne|nessuno|ninguém|nikt|ingen)\b"
    r"(?:(?!\bbut\b)[^.,;!?\n]){0,50}?\b(?:may|can|is allowed to|are allowed to|darf|dürfen|puede|pueden|може|можуть|peut|può|pode|może|får)\b"
)
# Words that make the whole message secret, also when they stand outside the memory text.
_FROM_CONTEXT: frozenset[Sign] = frozenset({"secret"})
# "No, it's Jonas now" says what the sentence says that it answers.
_FROM_ANSWERED: frozenset[Sign] = frozenset(
    {"decides", "binds", "access", "credential", "identity", "legal", "money", "absence"}
)


@dataclass(frozen=True, slots=True)
class RiskVerdict:
    """`reasons` are the names of signs. `access_changing` makes an item sensitive whatever else is true (C85)."""

    risk: Risk
    reasons: tuple[str, ...]
    access_changing: bool
    procedural: bool


def classify_risk(
    text: str, kind: str, context: str | None = None, answered: str | None = None
) -> RiskVerdict:
    """The class of a memory text. `kind`, `context` (the message it came from) and `answered` (what that corrects or
    replies to) can only raise it."""
    return classify_by(model(), text, kind, context, answered)


def classify_by(
    trained: Classes, text: str, kind: str, context: str | None = None, answered: str | None = None
) -> RiskVerdict:
    """The same with another model: training measures models that never saw the text."""
    signs = signs_in(text)
    if context is not None and context != text:
        signs |= found(folded(context), _FROM_CONTEXT)
    if answered and found(folded(answered), _FROM_ANSWERED):
        signs.add("answered")
    if kind == "skill_procedure" or is_procedure(text):
        signs.add("procedure")
    risk = _risk(trained, text, signs, kind)
    return RiskVerdict(risk, tuple(sorted(signs)), "access" in signs, "procedure" in signs)


def signs_in(text: str) -> set[Sign]:
    """What a text would do to people. "Nobody may … without …" binds, it permits nothing."""
    low = folded(text)
    signs = found(low)
    if "access" in signs and (_only_forbids(low) or _only_some_may(low)):
        signs -= {"access"}
        signs |= {"binds"}
    return signs


def _only_forbids(low: str) -> bool:
    """Is each "without …" under a "nobody …", and is there no other lifted check?"""
    blanked, count = _FORBIDS.subn(" ", low)
    if not count:
        return False
    rest = _LIFTS.sub(" ", blanked, count=count)
    return not found(rest, frozenset({"access"}))


def _only_some_may(low: str) -> bool:
    """Does the text say who alone may, or that nobody may, and permit nothing else?"""
    blanked, only = _ONLY.subn(" ", low)
    blanked, nobody = _NOBODY.subn(" ", blanked)
    return bool(only + nobody) and not found(blanked, frozenset({"access"}))


def _risk(trained: Classes, text: str, signs: set[Sign], kind: str) -> Risk:
    if kind == "sensitive" or signs & SENSITIVE:
        if kind != "sensitive" and signs & SENSITIVE == {"health"} and "accessibility" in signs:
            return "high"  # a need that a person states himself
        return "sensitive"
    chances = trained.chances(*features(read(text), None))
    if chances["sensitive"] >= RAISE_SENSITIVE:
        signs.add("learned")
        return "sensitive"
    if signs:
        return "high"
    if chances["low"] < 1 - RAISE_HIGH:
        signs.add("learned")
        return "high"
    return "low"


def prepare() -> None:
    """Read the model and the signs now. Half a second that the first event would otherwise wait for, and with it all
    that its process does."""
    classify_risk("", "memory_fact")


@cache
def model() -> Classes:
    """The packaged model, read once."""
    return load_classes("dw_learning.risk", "model.json.gz")

"""Which skill a message needs (R164, R165, C98): the one that is asked for by command, else the one whose name and
description fit. Uncertain means none: a wrong procedure does more harm than a missing one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from dw_learning.skills.terms import Terms, alike, flat, terms_of
from dw_learning.words.cues import read

CERTAIN: Final = 0.5
MARGIN: Final = 0.1
_ACTION: Final = 0.35  # what an action weighs in a name, against 1 for a thing
_VAGUE: Final = 0.4  # what a thing weighs that says little: a report, a file, a customer
_ENOUGH: Final = 2.0  # things of the description that make a full match
_COMMAND: Final = re.compile(
    r"\s*(?:/([a-z0-9]+(?:-[a-z0-9]+)*)(?=\s|$|[.,:;!?])|(?:please\s+)?use\s+(?:the\s+)?skill\s+[`\"'«]?([a-z0-9]+(?:-[a-z0-9]+)*))",
    re.IGNORECASE,
)
_WHO: Final = re.compile(
    r"\s*(?:who|whose|since when|how much|how many|wer|wem|seit wann|wie viele?|quien|desde cuando|cuantos?|cuantas?|"
    r"хто|чий|чия|скільки|відколи|bao nhieu)\b"
)
_WHO_JA: Final = re.compile("誰|だれ|いくら|いつから|何人|何台")
_HOW: Final = re.compile(
    r"\b(?:how (?:do|does|can|to|should|would)|(?:where|when|who) (?:do|can|should) (?:i|we)|do you need|(?:can|could|may) (?:i|we) (?:get|have)|what (?:do|should|can) (?:i|we)|what to do|what needs|please|help|"
    r"(?:can|could|would) (?:you|somebody|someone|anyone)|i(?:'d| would) like|i need|we need|"
    r"wie (?:bekomme|kann|konnen|mache|beantrage|reiche|komme|geht das|gehe|lauft das)|was (?:tun|muss|mussen|soll)|wo (?:reiche|beantrage)|"
    r"bitte|kann (?:jemand|wer|mir)|konn(?:t ihr|test|ten)|como|que (?:hago|hacemos|tengo que)|por favor|puedes|podeis|necesito|hay que|"
    r"як|що (?:мені |нам |тепер )?робити|куди|будь ласка|допоможіть|треба|потріб\w+|lam sao|the nao|sao a|giup|lam gi|(?:em|toi|minh|anh|chi) can)\b"
)
_HOW_JA: Final = re.compile(
    "どう|方法|教えて|ください|下さい|お願い|もらえ|いただけ|たいです|たいのです|たいんです|してほしい"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|ich|estoy|я|em|toi|minh)\b")
_OVER: Final = re.compile(
    r"\b(?:thanks|thank you|thx|works again|working again|is back|no longer needed|already|solved|fixed it|sorted|"
    r"danke|wieder da|geht wieder|funktioniert wieder|lauft wieder|erledigt|gelost|schon|gracias|ya funciona|resuelto|"
    r"solucionado|arreglado|дякую|вже працює|знову працює|вирішено|cam on|da xong|chay lai roi|da sua)\b"
)
_OVER_JA: Final = re.compile("ありがとう|直りました|直った|解決し|完了し|済みです|復旧しました")
_NEGATED: Final = re.compile(
    r"\b(?:no need|don't need|do not need|not about|kein bedarf|brauche kein|no necesito|не потрібн\w*|khong can)\b"
)


@dataclass(frozen=True, slots=True)
class OfferedSkill:
    """A skill that is active and on the agent's list: what may be told apart before its body is read (R206)."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Selection:
    """`name` is None where none fits or two do. `score` is that of the best; 1 for a command."""

    name: str | None
    reason: Literal["command", "match", "uncertain", "unknown_command", "none_offered"]
    score: float


class SkillIndex:
    """The skills that one agent is offered, prepared once for many messages: what a message costs does not grow with
    skills that share no word with it. Immutable."""

    __slots__ = ("_by_start", "_kinds", "_prepared", "_things", "_words", "offered")

    def __init__(self, offered: Iterable[OfferedSkill]) -> None:
        self.offered = tuple(offered)
        self._prepared = tuple(map(_prepare, self.offered))
        kinds: dict[_Kind, int] = {}
        self._kinds = [kinds.setdefault(_kind(skill), len(kinds)) for skill in self._prepared]
        self._things: dict[str, list[_Place]] = {}
        self._words: dict[str, list[_Place]] = {}
        self._by_start: dict[str, list[str]] = {}
        for place, (name, both, *_) in enumerate(self._prepared):
            for thing in both.things:
                self._things.setdefault(thing, []).append((place, thing in name.things))
            for word in both.words:
                self._words.setdefault(word, []).append((place, word in name.words))
                alikes = self._by_start.setdefault(word[:4], [])
                if word not in alikes:
                    alikes.append(word)

    def scores(self, message: str) -> dict[int, float]:
        """By place, how well each fits: what is not here fits not at all, 1 and more is surely."""
        said = terms_of(message)
        found, in_names = self._met(said)
        if not found:
            return {}
        asks = _asks(message, said)
        scores: dict[int, float] = {}
        known: dict[
            tuple[float, float, int], float
        ] = {}  # many skills share one word, and nothing else, with a message
        for place, met in found.items():
            share = (met, in_names.get(place, 0.0), self._kinds[place])
            score = known.get(share)
            if score is None:
                fit = _score(met, share[1], said.actions, self._prepared[place])
                score = known[share] = round(fit * asks, 3)
            scores[place] = score
        return scores

    def _met(self, said: Terms) -> tuple[dict[int, float], dict[int, float]]:
        """By place, what the things and words of a message weigh in a skill, and in its name. A word stands for those of
        the skills that it is a form of."""
        known = {
            word for other in said.words for word in self._by_start.get(other[:4], ()) if alike(word, other)
        }
        places = [(_weight(thing), self._things[thing]) for thing in said.things if thing in self._things]
        places += [(1.0, self._words[word]) for word in known]
        found: dict[int, float] = {}
        in_names: dict[int, float] = {}
        for weight, skills in places:
            for place, in_name in skills:
                found[place] = found.get(place, 0.0) + weight
                if in_name:
                    in_names[place] = in_names.get(place, 0.0) + weight
        return found, in_names


def select_skill(
    message: str, offered: Sequence[OfferedSkill] | SkillIndex, command: str | None = None
) -> Selection:
    """At most one. `command` is what a runtime asks for beside the message, a skill's name."""
    index = offered if isinstance(offered, SkillIndex) else SkillIndex(offered)
    asked = command or commanded(message)
    if asked is not None:
        known = next((skill.name for skill in index.offered if skill.name == asked.lower()), None)
        return Selection(known, "command", 1.0) if known else Selection(None, "unknown_command", 0.0)
    if not index.offered:
        return Selection(None, "none_offered", 0.0)
    ranked = sorted((-score, index.offered[place].name) for place, score in index.scores(message).items())
    best, name = (-ranked[0][0], ranked[0][1]) if ranked else (0.0, "")
    second = -ranked[1][0] if len(ranked) > 1 else 0.0
    if best < CERTAIN or best - second < MARGIN:
        return Selection(None, "uncertain", min(1.0, best))
    return Selection(name, "match", min(1.0, best))


def commanded(message: str) -> str | None:
    """The skill that the message asks for by name, at its start."""
    found = _COMMAND.match(message)
    return (found[1] or found[2]).lower() if found is not None else None


_Place = tuple[int, bool]
"""Of a skill that has a term, and whether its name has it."""


class _Prepared(NamedTuple):
    """Of one skill: terms of its name, and of name and description together, with what each of them makes when all of
    it is said."""

    name: Terms
    both: Terms
    generic: frozenset[str]
    whole_name: float
    whole_text: float


_Kind = tuple[frozenset[str], frozenset[str], frozenset[str], float, float]


def _kind(skill: _Prepared) -> _Kind:
    """All of a skill that `_score` looks at: those of a kind that share as much with a message fit it as well."""
    return skill.name.actions, skill.both.actions, skill.generic, skill.whole_name, skill.whole_text


def _prepare(skill: OfferedSkill) -> _Prepared:
    name, text = terms_of(skill.name.replace("-", " ")), terms_of(skill.description)
    both = Terms(name.things | text.things, name.actions | text.actions, name.words | text.words)
    generic = frozenset(action for action in name.actions if action.endswith("~"))
    whole_text = _weights(text.things) + len(text.words) + (0.5 if text.actions else 0.0)
    return _Prepared(
        name,
        both,
        generic,
        _weights(name.things) + len(name.words) + _ACTION * len(generic),
        max(1.0, min(_ENOUGH, whole_text)),
    )


def _score(met: float, in_name: float, actions: frozenset[str], skill: _Prepared) -> float:
    """Fit of what is said, 0 to about 1.5: whether anything is wanted at all is not looked at here. `met` is what it
    shares with the skill, not nothing, `in_name` with its name."""
    both, acts = skill.both, 0.0
    if actions:
        acts = 0.5 if any(action.endswith("~") for action in actions & both.actions) else 0.0
        in_name += _ACTION * len(actions & skill.generic)
    in_text = min(1.0, (met + acts) / skill.whole_text)
    named = in_name / skill.whole_name if skill.whole_name else 0.0
    fit = max(0.5 * named + 0.5 * in_text, 0.85 * in_text)
    return fit * _agreement(actions, skill.name, both)


def _weight(thing: str) -> float:
    return _VAGUE if thing.endswith("-") else 1.0


def _weights(things: frozenset[str]) -> float:
    return sum(map(_weight, things))


def _agreement(actions: frozenset[str], name: Terms, both: Terms) -> float:
    """A message that wants something else done with the same thing does not need this skill."""
    if not actions or not both.actions:
        return 1.0
    if actions & name.actions:
        return 1.1
    if actions & both.actions:
        return 0.95 if name.actions else 1.1
    return 0.55


def _asks(message: str, said: Terms) -> float:
    """Does the message want something done? Talk about a thing is no request, a question about it asks for no procedure,
    and what is over needs none."""
    low, reading = flat(message), read(message)
    if _NEGATED.search(low):
        return 0.4
    wants = "request" in reading.cues or bool(_HOW.search(low)) or bool(_HOW_JA.search(message))
    if (_OVER.search(low) or _OVER_JA.search(message)) and not wants:
        return 0.4
    if _WHO.match(low) or _WHO_JA.search(message):
        return 0.45
    is_ill = "sick" in said.things and _FIRST_PERSON.search(low)
    if wants or is_ill or said.actions & {"fix~", "reset~"}:
        return 1.15
    if {"define", "place", "own"} & reading.cues:
        return 0.45
    if said.actions:
        return 1.05 if "?" in low else 0.85
    return 0.45

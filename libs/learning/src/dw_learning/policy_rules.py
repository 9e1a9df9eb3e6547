"""An org's own rules about what is learned (R107 to R118, C9, C40, C86): JSON conditions, a fixed order, plain words.

The floor is not here: rules are asked after every wall of `decide` was passed, and can only add one. An auto_confirm
rule therefore means "this rule adds no wall", and hides those of lower priority.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast
from uuid import UUID

Action = Literal["auto_confirm", "require_user_approval", "auto_delete", "reject"]
ACTIONS: Final[tuple[Action, ...]] = ("reject", "auto_delete", "require_user_approval", "auto_confirm")
MAX_CATEGORY: Final = 100
_NUMBER_TESTS: Final = {"gte": "at least", "gt": "above", "lte": "at most", "lt": "below", "eq": "exactly"}
_AGO: Final = re.compile(
    r"^\s*now\(\)\s*-\s*(?:interval\s*)?'?\s*(\d{1,4})\s*(minute|hour|day|week)s?\s*'?\s*$", re.I
)
_RISKS: Final = ("low", "medium", "high", "sensitive")


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `condition` holds a test by field; all of them must hold, and none always does."""

    rule_id: UUID
    category: str
    condition: Mapping[str, Any]
    action: Action
    priority: int = 0


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """What a rule can look at. Never confirmed counts from when it was made (C13)."""

    category: str
    confidence: float
    is_sensitive: bool
    risk: str
    created_at: datetime
    last_confirmed_at: datetime | None = None


def faults_of(category: str, condition: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with a rule, in words; nothing if it can be evaluated."""
    found: list[str] = []
    if not 0 < len(category) <= MAX_CATEGORY:
        found.append(f"category has 1 to {MAX_CATEGORY} characters; * is every category")
    for name, test in condition.items():
        if name not in _TESTS:
            found.append(f"{name!r} cannot be tested; known are {', '.join(_TESTS)}")
        elif (fault := _TESTS[name](test)) is not None:
            found.append(f"{name}: {fault}")
    return tuple(found)


def ordered(rules: Iterable[Rule]) -> list[Rule]:
    """Higher priority first, then the most restrictive action, then the id: the same everywhere (R117)."""
    return sorted(rules, key=lambda rule: (-rule.priority, ACTIONS.index(rule.action), str(rule.rule_id)))


_TOLD: Final = ("rule_id", "category", "condition", "action", "priority")


@dataclass(frozen=True, slots=True)
class RuleBook:
    """An org's rules, put in order and checked once for all that are held against them."""

    rules: tuple[tuple[Rule, bool], ...] = ()
    """Each with whether it can be evaluated."""
    told: tuple[Mapping[str, Any], ...] = ()
    """The same as decisions' records hold them; one object for all."""
    _new: dict[tuple[str, float, str], Rule | None] = field(default_factory=dict, repr=False, compare=False)
    """What counts for a text of this moment, by all that rules can ask about it."""

    @staticmethod
    def of(rules: Iterable[Rule]) -> RuleBook:
        """In the order in which they count."""
        listed = ordered(rules)
        sound = tuple((rule, not faults_of(rule.category, rule.condition)) for rule in listed)
        return RuleBook(sound, tuple({name: getattr(rule, name) for name in _TOLD} for rule in listed))

    def first(self, facts: RuleFacts, now: datetime) -> Rule | None:
        """The rule that counts. One that cannot be evaluated counts as a match of require_user_approval: never open."""
        for rule, sound in self.rules:
            if rule.category not in ("*", facts.category):
                continue
            if not sound:
                return Rule(
                    rule.rule_id, rule.category, rule.condition, "require_user_approval", rule.priority
                )
            if all(_holds(name, test, facts, now) for name, test in rule.condition.items()):
                return rule
        return None

    def first_of_new(self, category: str, confidence: float, risk: str, now: datetime) -> Rule | None:
        """The rule that counts for a text that is decided at its own time: its age is nothing whenever that is, so
        that equal texts have equal answers."""
        key = (category, confidence, risk)
        if key not in self._new:
            self._new[key] = self.first(RuleFacts(category, confidence, risk == "sensitive", risk, now), now)
        return self._new[key]


def first_match(rules: Iterable[Rule], facts: RuleFacts, now: datetime) -> Rule | None:
    """The rule that counts for one text; `RuleBook` is for many."""
    return RuleBook.of(rules).first(facts, now)


def bounds_of(condition: Mapping[str, Any], now: datetime) -> tuple[float, datetime]:
    """The highest confidence and the latest confirmation that a condition without faults can fit, bounds included."""
    tests = condition.get("confidence", {})
    tests = {"eq": tests} if _is_number(tests) else tests
    upto = min((float(v) for how, v in tests.items() if how in ("lt", "lte", "eq")), default=1.0)
    times = condition.get("last_confirmed_at", {})
    until = min((now - _ago(v) for how, v in times.items() if how in ("lt", "lte")), default=now)
    return upto, until


def is_long_term(confidence: float) -> bool:
    """R118, first question: sure enough to be kept (C9)."""
    return confidence >= 0.7


def needs_confirmation(rules: Iterable[Rule], facts: RuleFacts, now: datetime) -> bool:
    """R118, second question: does a rule of the org ask a person?"""
    match = first_match(rules, facts, now)
    return match is not None and match.action == "require_user_approval"


def retention_of(layer: str) -> Literal["permanent_until_revoked", "ttl_7d"]:
    """R118, third question: what is of one session goes after a week (C42), the rest stays (C8)."""
    return "ttl_7d" if layer == "session" else "permanent_until_revoked"


def in_words(category: str, condition: Mapping[str, Any], action: Action) -> str:
    """The rule as a person reads it before it is saved."""
    if faults_of(category, condition):
        return "Ask a person: this rule cannot be evaluated."
    what = "anything" if category == "*" else f"what is of category “{category}”"
    tests = [_WORDS[name](test) for name, test in sorted(condition.items()) if name in _WORDS]
    when = f", when {' and '.join(tests)}" if tests else ""
    return f"{_DOES[action]} {what}{when}. {_FLOOR[action]}"


_DOES: Final[dict[Action, str]] = {
    "auto_confirm": "Save without asking",
    "require_user_approval": "Ask a person before saving",
    "auto_delete": "Delete",
    "reject": "Never learn",
}
_OPENS_NOTHING: Final = "It opens nothing: the sender's identity, the scans, sensitive and high-impact texts and skills are checked as ever."
_FLOOR: Final[dict[Action, str]] = {
    "auto_confirm": _OPENS_NOTHING,
    "require_user_approval": "It becomes an item in the Learning Inbox.",
    "auto_delete": (
        "It deletes what was saved automatically, by the clock, and a person can restore it; what a person approved or "
        "wrote becomes an item in the Learning Inbox."
    ),
    "reject": "Nothing is stored and nobody is asked.",
}


def _number_fault(test: Any) -> str | None:
    tests = {"eq": test} if _is_number(test) else test
    if not isinstance(tests, Mapping) or not tests:
        return "is a number, or comparisons such as {'gte': 0.8}"
    for name, value in tests.items():
        if name not in _NUMBER_TESTS:
            return f"{name!r} is no comparison; known are {', '.join(_NUMBER_TESTS)}"
        if not _is_number(value) or not 0 <= value <= 1:
            return "is compared with a number from 0 to 1"
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _boolean_fault(test: Any) -> str | None:
    return None if isinstance(_plain(test), bool) else "is true or false"


def _risk_fault(test: Any) -> str | None:
    return None if _plain(test) in _RISKS else f"is one of {', '.join(_RISKS)}"


def _time_fault(test: Any) -> str | None:
    if not isinstance(test, Mapping) or not test or not set(test) <= {"lt", "gt", "lte", "gte"}:
        return "is compared by lt, lte, gt or gte"
    if not all(isinstance(value, str) and _AGO.match(value) for value in test.values()):
        return "is compared with a time such as 'now() - 30 days'"
    return None


def _plain(test: Any) -> Any:
    return test["eq"] if isinstance(test, Mapping) and set(test) == {"eq"} else test


_TESTS: Final = {
    "confidence": _number_fault,
    "is_sensitive": _boolean_fault,
    "risk": _risk_fault,
    "last_confirmed_at": _time_fault,
}


def _holds(name: str, test: Any, facts: RuleFacts, now: datetime) -> bool:
    if name == "is_sensitive":
        return facts.is_sensitive is _plain(test)
    if name == "risk":
        return bool(facts.risk == _plain(test))
    if name == "confidence":
        tests = {"eq": test} if _is_number(test) else test
        return all(_compare(how, facts.confidence, float(value)) for how, value in tests.items())
    at = facts.last_confirmed_at or facts.created_at
    return all(_compare(how, at.timestamp(), (now - _ago(value)).timestamp()) for how, value in test.items())


def _compare(how: str, left: float, right: float) -> bool:
    match how:
        case "gte":
            return left >= right
        case "gt":
            return left > right
        case "lte":
            return left <= right
        case "lt":
            return left < right
        case _:
            return left == right


def _ago(text: str) -> timedelta:
    found = cast("re.Match[str]", _AGO.match(text))
    return timedelta(**{f"{found[2].lower()}s": int(found[1])})


def _number_words(test: Any) -> str:
    tests = {"eq": test} if _is_number(test) else test
    return " and ".join(f"confidence is {_NUMBER_TESTS[how]} {value}" for how, value in tests.items())


def _time_words(test: Any) -> str:
    parts = []
    for how, value in test.items():
        found = cast("re.Match[str]", _AGO.match(value))
        age = f"{found[1]} {found[2].lower()}{'' if found[1] == '1' else 's'}"
        parts.append(f"it was last confirmed {'more' if how in ('lt', 'lte') else 'less'} than {age} ago")
    return " and ".join(parts)


_WORDS: Final = {
    "confidence": _number_words,
    "is_sensitive": lambda test: "it is sensitive" if _plain(test) else "it is not sensitive",
    "risk": lambda test: f"its risk is {_plain(test)}",
    "last_confirmed_at": _time_words,
}

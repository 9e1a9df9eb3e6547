"""Rules of an org: conditions, order, fake clock, words, and that a broken one never opens (R107 to R118, C13, C40)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dw_learning import policy_rules as rules
from dw_learning.policy_rules import Action, Rule, RuleFacts

NOW = datetime(2026, 11, 30, tzinfo=UTC)
FACTS = RuleFacts("preference", 0.8, False, "low", NOW)


def rule(condition: dict[str, Any], action: Action = "auto_confirm", category: str = "*", priority: int = 0, n: int = 1) -> Rule:  # fmt: skip
    return Rule(uuid.UUID(int=n), category, condition, action, priority)


def holds(condition: dict[str, Any], facts: RuleFacts = FACTS) -> bool:
    return rules.first_match([rule(condition)], facts, NOW) is not None


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({}, True),
        ({"confidence": {"gte": 0.8}}, True),
        ({"confidence": {"gt": 0.8}}, False),
        ({"confidence": {"lt": 0.8}}, False),
        ({"confidence": {"lte": 0.8, "gte": 0.5}}, True),
        ({"confidence": 0.8}, True),
        ({"is_sensitive": False}, True),
        ({"is_sensitive": {"eq": True}}, False),
        ({"risk": "low", "confidence": {"gte": 0.9}}, False),
        ({"risk": {"eq": "low"}}, True),
    ],
)
def test_conditions(condition: dict[str, Any], expected: bool) -> None:
    assert holds(condition) is expected


@pytest.mark.parametrize(("days", "expected"), [(29, False), (31, True)])
def test_a_relative_time_counts_from_the_last_confirmation_or_from_the_beginning(
    days: int, expected: bool
) -> None:
    old = {"last_confirmed_at": {"lt": "now() - 30 days"}}
    never = replace(FACTS, created_at=NOW - timedelta(days=days))
    confirmed = replace(
        FACTS, created_at=NOW - timedelta(days=900), last_confirmed_at=NOW - timedelta(days=days)
    )
    assert holds(old, never) is expected
    assert holds(old, confirmed) is expected


def test_a_category_is_its_own_word_and_a_star_is_all_of_them() -> None:
    assert rules.first_match([rule({}, category="preference")], FACTS, NOW) is not None
    assert rules.first_match([rule({}, category="fact")], FACTS, NOW) is None
    assert rules.first_match([rule({}, category="*")], FACTS, NOW) is not None


def test_higher_priority_first_then_the_stricter_then_the_id() -> None:
    loose, strict = rule({}, "auto_confirm", n=1), rule({}, "require_user_approval", n=2)
    above = rule({}, "auto_confirm", priority=5, n=9)
    assert rules.first_match([loose, strict], FACTS, NOW) is strict
    assert rules.first_match([loose, strict, above], FACTS, NOW) is above
    assert rules.ordered([rule({}, n=2), rule({}, n=1)])[0].rule_id == uuid.UUID(int=1)


@pytest.mark.parametrize(
    "condition",
    [{"mood": 1}, {"confidence": "high"}, {"confidence": {"near": 1}}, {"confidence": {"gte": 7}}, {"confidence": True},
     {"is_sensitive": "yes"}, {"risk": "odd"}, {"last_confirmed_at": {"lt": "yesterday"}}, {"last_confirmed_at": {}}],
)  # fmt: skip
def test_what_cannot_be_evaluated_is_refused_and_where_it_stands_asks_a_person(
    condition: dict[str, Any],
) -> None:
    assert rules.faults_of("*", condition)
    match = rules.first_match([rule(condition, "auto_confirm")], FACTS, NOW)
    assert match is not None
    assert match.action == "require_user_approval"
    assert "cannot be evaluated" in rules.in_words("*", condition, "auto_confirm")


def test_the_three_questions() -> None:
    assert [rules.is_long_term(c) for c in (0.69, 0.7)] == [False, True]
    assert rules.needs_confirmation([rule({}, "require_user_approval")], FACTS, NOW)
    assert not rules.needs_confirmation([rule({}, "auto_confirm")], FACTS, NOW)
    assert (rules.retention_of("session"), rules.retention_of("knowledge")) == (
        "ttl_7d",
        "permanent_until_revoked",
    )


def test_a_rule_in_words_says_what_it_does_and_that_it_opens_nothing() -> None:
    condition = {
        "confidence": {"gte": 0.8},
        "is_sensitive": False,
        "last_confirmed_at": {"lt": "now() - 1 day"},
    }
    words = rules.in_words("preference", condition, "auto_confirm")
    assert words.startswith(
        "Save without asking what is of category “preference”, when confidence is at least 0.8 and it is not sensitive"
        " and it was last confirmed more than 1 day ago."
    )
    assert "opens nothing" in words
    assert "anything" in rules.in_words("*", {"risk": "high"}, "reject")

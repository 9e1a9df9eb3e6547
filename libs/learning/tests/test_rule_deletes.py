"""Which memory an org's own rules delete, and when a person is asked instead (R112, R115, R117, C59)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.policy_rules import Action, Rule, RuleFacts, first_match
from dw_learning.rule_deletes import AskedByRule, DeletedByRule, RuledMemory, fate_by_rules, reaches

NOW = datetime(2026, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
SHIPPED: dict[str, Any] = {"confidence": {"lt": 0.3}, "last_confirmed_at": {"lt": "now() - 30 days"}}
WEAK = RuledMemory(RuleFacts("fact", 0.29, False, "low", NOW - 31 * DAY), "auto_saved")


def rule(
    condition: dict[str, Any] = SHIPPED, action: Action = "auto_delete", priority: int = 0, n: int = 1
) -> Rule:
    return Rule(uuid.UUID(int=n), "*", condition, action, priority)


def weak(**facts: Any) -> RuledMemory:
    return replace(WEAK, facts=replace(WEAK.facts, **facts))


@pytest.mark.parametrize(
    ("memory", "goes"),
    [
        (WEAK, True),
        (weak(confidence=0.3), False),
        (weak(created_at=NOW - 30 * DAY), False),
        (weak(last_confirmed_at=NOW - DAY), False),
        (weak(last_confirmed_at=NOW - 31 * DAY), True),
    ],
)
def test_the_shipped_rule_deletes_what_is_weak_and_long_unconfirmed(memory: RuledMemory, goes: bool) -> None:
    assert fate_by_rules([rule()], memory, NOW) == (DeletedByRule(uuid.UUID(int=1)) if goes else None)


@pytest.mark.parametrize("origin", ["approved", "manual", "promoted", "imported"])
def test_what_a_person_stands_behind_is_asked_about(origin: str) -> None:
    assert fate_by_rules([rule()], replace(WEAK, origin=origin), NOW) == AskedByRule(uuid.UUID(int=1))


def test_what_was_brought_back_stays_and_is_asked_about_after_a_rest() -> None:
    back = replace(WEAK, restored_at=NOW)
    everything = rule({})
    assert fate_by_rules([everything], back, NOW + 30 * DAY - timedelta(seconds=1)) is None
    assert fate_by_rules([everything], back, NOW + 30 * DAY) == AskedByRule(uuid.UUID(int=1))
    assert fate_by_rules([rule()], back, NOW + 29 * DAY) is None


def test_a_rule_of_higher_priority_keeps_what_another_would_delete() -> None:
    keeping: tuple[Action, ...] = ("auto_confirm", "require_user_approval")
    for action in keeping:
        first = rule({"confidence": {"lt": 0.5}}, action, priority=9, n=2)
        assert fate_by_rules([rule(), first], WEAK, NOW) is None


def test_a_rule_that_cannot_be_evaluated_deletes_nothing() -> None:
    assert fate_by_rules([rule({"mood": "bad"})], WEAK, NOW) is None
    assert reaches([rule({"mood": "bad"}), rule(SHIPPED, "auto_confirm")], NOW) == []


numbers = st.floats(0, 1).map(lambda value: round(value, 2))
comparisons = st.one_of(
    numbers, st.dictionaries(st.sampled_from(["lt", "lte", "gt", "gte", "eq"]), numbers, min_size=1)
)
times = st.dictionaries(
    st.sampled_from(["lt", "lte", "gt", "gte"]),
    st.integers(0, 90).map(lambda days: f"now() - {days} days"),
    min_size=1,
)
conditions = st.fixed_dictionaries({}, optional={"confidence": comparisons, "last_confirmed_at": times})


@given(conditions, numbers, st.integers(0, 90), st.one_of(st.none(), st.integers(0, 90)))
def test_the_net_catches_all_that_a_rule_fits(
    condition: dict[str, Any], confidence: float, age: int, confirmed: int | None
) -> None:
    at = None if confirmed is None else NOW - confirmed * DAY
    facts = RuleFacts("fact", confidence, False, "low", NOW - age * DAY, at)
    if first_match([rule(condition)], facts, NOW) is not None:
        [reach] = reaches([rule(condition)], NOW)
        assert facts.confidence <= reach.confidence_upto
        assert (facts.last_confirmed_at or facts.created_at) <= reach.confirmed_until

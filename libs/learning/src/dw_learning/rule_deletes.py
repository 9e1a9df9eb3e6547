"""Deletion by an org's own rules (R112, R115): which memory goes now, and by which rule. Pure; time is passed in.

C59's bound holds here too: a rule deletes what was saved automatically. What a person approved, wrote or brought back
is asked about instead. Deletion by a rule is an expiry: it leaves no tombstone (C62).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from dw_learning.decision.facts import AUTOMATIC_ORIGIN
from dw_learning.policy_rules import Rule, RuleFacts, bounds_of, faults_of, first_match

# A person who brought a memory back is not asked about it again before this.
REST: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class RuledMemory:
    """An active memory as far as rules look at it. `restored_at`: when a person last brought it back."""

    facts: RuleFacts
    origin: str
    restored_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeletedByRule:
    """It goes, and can be restored."""

    rule_id: UUID


@dataclass(frozen=True, slots=True)
class AskedByRule:
    """A person stands behind it: a person decides."""

    rule_id: UUID


@dataclass(frozen=True, slots=True)
class Reach:
    """What a deleting rule can concern at most: a wider net than the rule, for the query that looks for candidates."""

    rule_id: UUID
    category: str
    confidence_upto: float
    confirmed_until: datetime


def reaches(rules: Iterable[Rule], now: datetime) -> list[Reach]:
    """Of the rules that delete. One that cannot be evaluated deletes nothing."""
    found = []
    for rule in rules:
        if rule.action == "auto_delete" and not faults_of(rule.category, rule.condition):
            upto, until = bounds_of(rule.condition, now)
            found.append(Reach(rule.rule_id, rule.category, upto, until))
    return found


def fate_by_rules(
    rules: Sequence[Rule], memory: RuledMemory, now: datetime
) -> DeletedByRule | AskedByRule | None:
    """None: it stays. The first rule that fits counts (R117), so one of higher priority can keep what another would
    delete. What was brought back counts as confirmed at that moment."""
    facts = memory.facts
    if memory.restored_at is not None:
        said = max(memory.restored_at, facts.last_confirmed_at or memory.restored_at)
        facts = replace(facts, last_confirmed_at=said)
    rule = first_match(rules, facts, now)
    if rule is None or rule.action != "auto_delete":
        return None
    if memory.restored_at is not None:
        return AskedByRule(rule.rule_id) if now - memory.restored_at >= REST else None
    return DeletedByRule(rule.rule_id) if memory.origin == AUTOMATIC_ORIGIN else AskedByRule(rule.rule_id)

"""Four retention policies at their edges (R123 to R126, R309, C13, C59)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.retention import Aging, AskAPerson, Expire, Keep, RetentionPolicy, age, end_of

BORN = datetime(2026, 1, 1, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def memory(policy: RetentionPolicy, **values: Any) -> Aging:
    valid: dict[str, Any] = {"origin": "auto_saved", "confidence": 0.85, "created_at": BORN}
    return Aging(policy, **(valid | values))


def test_permanent_stays_for_ten_years_whatever_its_confidence() -> None:
    kept = memory("permanent_until_revoked", confidence=0.0, low_confidence_since=BORN, expires_at=BORN)
    assert age(kept, BORN + 3653 * DAY) == Keep()


@pytest.mark.parametrize(("policy", "days"), [("ttl_7d", 7), ("ttl_30d", 30)])
def test_a_ttl_ends_at_its_end_and_not_an_hour_before(policy: RetentionPolicy, days: int) -> None:
    assert age(memory(policy), BORN + days * DAY - HOUR) == Keep()
    assert age(memory(policy), BORN + days * DAY) == Expire("ttl_7d" if days == 7 else "ttl_30d")
    assert age(memory(policy, origin="approved"), BORN + days * DAY) == Expire(policy)  # type: ignore[arg-type]


def test_a_stated_end_overrules_the_age() -> None:
    stated = memory("ttl_7d", expires_at=BORN + 20 * DAY)
    assert age(stated, BORN + 20 * DAY - MINUTE) == Keep()
    assert age(stated, BORN + 20 * DAY) == Expire("ttl_7d")


def test_low_confidence_for_thirty_days_ends_it_and_a_recovery_begins_anew() -> None:
    low = memory("confidence_based", confidence=0.29, low_confidence_since=BORN)
    assert age(low, BORN + 30 * DAY - MINUTE) == Keep()
    assert age(low, BORN + 30 * DAY) == Expire("low_confidence")
    assert (
        age(memory("confidence_based", confidence=0.3, low_confidence_since=BORN), BORN + 90 * DAY) == Keep()
    )
    dipped_again = memory("confidence_based", confidence=0.1, low_confidence_since=BORN + 20 * DAY)
    assert age(dipped_again, BORN + 40 * DAY) == Keep()
    assert age(memory("confidence_based", confidence=0.1), BORN + 90 * DAY) == Keep()


@pytest.mark.parametrize("origin", ["approved", "manual", "promoted", "imported"])
def test_what_a_person_stands_behind_is_asked_about(origin: str) -> None:
    low = memory("confidence_based", confidence=0.1, low_confidence_since=BORN, origin=origin)
    assert age(low, BORN + 30 * DAY) == AskAPerson("low_confidence")


def test_only_ttls_have_an_end() -> None:
    with pytest.raises(ValueError, match="no end"):
        end_of(memory("confidence_based"))


@given(st.sampled_from(["ttl_7d", "ttl_30d", "confidence_based"]), st.integers(0, 90), st.integers(0, 90))
def test_what_has_gone_does_not_come_back(policy: RetentionPolicy, first: int, more: int) -> None:
    aging = memory(policy, confidence=0.1, low_confidence_since=BORN)
    if age(aging, BORN + first * DAY) != Keep():
        assert age(aging, BORN + (first + more) * DAY) != Keep()

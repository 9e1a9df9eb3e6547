"""A question that is never answered in time (G14, G16): given up while others are answered, rested where none is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dw_learning.gate.breaker import Breaker
from dw_learning.gate.suspicion import ALONE, LONGEST_REST_SECONDS, WITNESSED, Suspicion


def after(timeouts: int, each: float = 15.0) -> tuple[Suspicion, float]:
    """So many timeouts, one after the other as soon as it may be asked again; and when that was."""
    found, now = Suspicion(since=100.0), 100.0
    for _ in range(timeouts):
        now = max(now, found.rests_until) + each
        found = found.timed_out(now)
    return found, now


def test_while_others_are_answered_a_few_timeouts_are_enough() -> None:
    for timeouts in range(WITNESSED):
        found, now = after(timeouts)
        assert found.verdict(now, answered_at=now) == "ask"
    found, now = after(WITNESSED)
    assert found.verdict(now, answered_at=now) == "give_up"
    assert found.verdict(now, answered_at=found.since) == "give_up"
    assert found.verdict(now, answered_at=found.since - 1.0) == "rest", "that was before it was asked at all"


def test_where_nobody_else_asks_it_rests_longer_each_time_and_not_for_ever() -> None:
    found, now = after(WITNESSED)
    assert found.verdict(now, None) == "rest"
    assert found.verdict(now + 29.9, None) == "rest"
    assert found.verdict(now + 30.0, None) == "ask"
    found, now = after(ALONE - 1)
    assert found.rests_until - now == LONGEST_REST_SECONDS
    assert found.verdict(now + LONGEST_REST_SECONDS, None) == "ask"
    found, now = after(ALONE)
    assert found.verdict(now, None) == "give_up"
    assert now - found.since > 1_800.0, "a model that is away for a while costs no question"


@given(st.lists(st.sampled_from(["q1", "q2"]), max_size=50))
def test_fewer_questions_than_a_breaker_takes_never_open_it_by_their_timeouts(culprits: list[str]) -> None:
    breaker = Breaker(most_failures=3)
    for culprit in culprits:
        breaker = breaker.failed(1.0, culprit)
    assert breaker.state(1.0) == "closed"
    assert breaker.failed(1.0, "q3").state(1.0) == ("open" if set(culprits) == {"q1", "q2"} else "closed")


def test_what_a_model_does_wrong_counts_each_time_and_a_probe_that_times_out_opens_anew() -> None:
    breaker = Breaker(most_failures=2, cooldown_seconds=30.0).failed(0.0, "q1").failed(0.0)
    assert breaker.state(0.0) == "open"
    probe = breaker.enter(30.0)
    assert probe is not None
    assert probe.failed(30.0, "q1").state(31.0) == "open"
    assert probe.succeeded().failed(31.0, "q1").state(31.0) == "closed", "it begins anew"

"""The gate's rules: features, prices, failures, breakers, refusals (G2, G10 to G16, G18, G22, R60 to R64)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.gate.breaker import Breaker
from dw_learning.gate.cache_key import cache_key
from dw_learning.gate.failures import CallError, error_of_status, is_retryable, may_be_billed, wait_seconds
from dw_learning.gate.features import (
    LEARNING_DETECT,
    SKILL_DRAFT,
    UnknownFeature,
    actor_of,
    feature_of,
    scopes_of,
)
from dw_learning.gate.prices import Bill, Price, PriceTable, Tokens, most_tokens
from dw_learning.gate.refusals import LATER, Refusal

TABLE = PriceTable.parse("small=0.15/0.60/0.075, big=3/15", "2026-11")


@pytest.mark.parametrize("key", ["digital_worker:learning_detect", "digital_worker:skill_draft"])
def test_the_two_features_of_this_phase_are_declared(key: str) -> None:
    assert feature_of(key).key == key


@pytest.mark.parametrize("key", ["memory_compact", "digital_worker:process_improvement_detect", ""])
def test_no_other_feature_exists(key: str) -> None:
    with pytest.raises(UnknownFeature):
        feature_of(key)


def test_a_call_counts_for_org_feature_agent_and_model_in_the_order_of_locks() -> None:
    agent = uuid.UUID(int=7)
    scopes = scopes_of(LEARNING_DETECT, agent, "small")
    assert scopes == sorted(scopes)
    assert set(scopes) == {"org", "feature:digital_worker:learning_detect", f"agent:{agent}", "model:small"}
    assert actor_of(agent) == f"dw_worker:{agent}"


def test_prices_are_dollars_a_million_tokens() -> None:
    assert TABLE.prices["small"] == Price(150_000, 600_000, 75_000)
    assert TABLE.cost("small", Tokens(1_000_000, 1_000_000)) == 750_000
    assert TABLE.cost("small", Tokens(1_000_000, 0, cached=1_000_000)) == 75_000
    assert TABLE.cost("big", Tokens(1, 0)) == 3
    assert TABLE.cost("small", Tokens(1, 0)) == 1, "rounded up"
    assert TABLE.cost("small", Tokens(None, 5)) is None, "unknown is not zero"


@pytest.mark.parametrize(
    "text",
    [
        "small", "small=1", "=1/2", "small=a/b", "small=-1/2", "small=1/2/3/4", "small=inf/2", "small=1/nan",
        "small=1/1e300", "small=1/2,small=1/3",
    ],
)  # fmt: skip
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="price"):
        PriceTable.parse(text, "1")
    assert PriceTable.parse("small=1/2,small=1/2", "1").prices == PriceTable.parse("small=1/2", "1").prices


@given(st.text(max_size=200), st.integers(0, 5_000), st.integers(0, 5_000), st.integers(0, 5_000))
def test_what_is_reserved_is_never_less_than_what_it_costs(
    text: str, used: int, out: int, cached: int
) -> None:
    most_input = most_tokens(text.encode("utf-8", "surrogatepass"))
    tokens = Tokens(min(used, most_input), min(out, 2_000), cached)
    for model in TABLE.prices:
        cost = TABLE.cost(model, tokens)
        assert cost is not None
        assert cost <= TABLE.most(model, most_input, 2_000)


def test_a_bill_is_what_was_used_or_what_was_held() -> None:
    used = Tokens(1_000, 500, cached=10, reasoning=100)
    assert TABLE.bill("small", used, 5_000) == Bill(TABLE.cost("small", used) or 0, used)
    assert TABLE.bill("small", Tokens(None, 5), 5_000) == Bill(5_000, Tokens(None, 5), estimated=True)
    exact = Tokens(1_000_000, 0)
    assert TABLE.bill("small", exact, 150_000) == Bill(150_000, exact), "all of the hold is not beyond it"


@given(st.builds(Tokens, *[st.none() | st.integers(0, 10**30)] * 4), st.integers(0, 10_000_000))
def test_whatever_usage_is_named_no_bill_is_above_the_hold_and_what_is_beyond_is_marked(
    named: Tokens, held: int
) -> None:
    bill = TABLE.bill("small", named, held)
    cost = TABLE.cost("small", named)
    assert bill.cost <= held
    assert max(bill.tokens.input or 0, bill.tokens.output or 0, bill.tokens.cached or 0) < 2**63
    if cost is not None and cost > held:
        assert bill == Bill(held, Tokens(), estimated=True, beyond=True)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (429, "", CallError.RATE_LIMITED),
        (503, "", CallError.SERVER),
        (401, "", CallError.AUTH),
        (400, "context_length_exceeded", CallError.CONTEXT_WINDOW),
        (400, "content_policy_violation", CallError.CONTENT_POLICY),
        (400, "", CallError.REFUSED),
        (408, "", CallError.TIMEOUT),
        (307, "", CallError.CONFIGURATION),
        (405, "", CallError.CONFIGURATION),
        (400, "exceed_context_size_error", CallError.CONTEXT_WINDOW),
    ],
)
def test_statuses_have_a_kind(status: int, code: str, kind: CallError) -> None:
    assert error_of_status(status, code) is kind


@pytest.mark.parametrize(
    ("code", "param", "message", "kind"),
    [
        ("unsupported_parameter invalid_request_error", "max_tokens", "", CallError.CONFIGURATION),
        ("invalid_value", "max_tokens", "max_tokens is too large", CallError.CONFIGURATION),
        ("unsupported_value", "messages[0].role", "", CallError.CONFIGURATION),
        ("", "response_format.json_schema", "", CallError.CONFIGURATION),
        ("string_above_max_length", "messages[1].content", "", CallError.REFUSED),
        ("invalid_request_error", "", "temperature: not here", CallError.REFUSED),
        (
            "BadRequestError",
            "",
            "This model's maximum context length is 8192 tokens.",
            CallError.CONTEXT_WINDOW,
        ),
        ("BadRequestError", "", "max_tokens must be at least 1, got -186.", CallError.CONTEXT_WINDOW),
        ("invalid_request_error", "", "prompt is too long: 210000 tokens", CallError.CONTEXT_WINDOW),
    ],
)
def test_a_bad_request_is_ours_where_it_names_what_every_request_has(
    code: str, param: str, message: str, kind: CallError
) -> None:
    """Words alone make it nobody's fault but the question's: a message may be quoted in them."""
    assert error_of_status(400, code, param, message) is kind
    assert error_of_status(422, code, param, message) is kind


def test_only_what_may_pass_is_tried_again_and_only_a_timeout_is_booked() -> None:
    assert {error for error in CallError if is_retryable(error)} == {
        CallError.TIMEOUT,
        CallError.UNREACHABLE,
        CallError.RATE_LIMITED,
        CallError.SERVER,
    }
    assert {error for error in CallError if may_be_billed(error)} == {CallError.TIMEOUT}


def test_waits_grow_and_are_bounded() -> None:
    assert wait_seconds(1, 0.0) == 0.25
    assert wait_seconds(2, 1.0) == 1.0
    assert wait_seconds(20, 1.0) == 8.0


def test_a_breaker_opens_after_failures_in_a_row_and_lets_one_probe_in() -> None:
    breaker = Breaker(most_failures=2, cooldown_seconds=10.0)
    breaker = breaker.failed(0.0).succeeded().failed(1.0)
    assert breaker.state(1.0) == "closed"
    breaker = breaker.failed(2.0)
    assert breaker.state(11.9) == "open"
    assert breaker.enter(11.9) is None
    probe = breaker.enter(12.0)
    assert probe is not None
    assert probe.enter(12.0) is None, "one probe at a time"
    assert probe.failed(12.5).state(22.0) == "open"
    assert probe.left().enter(12.5) is not None
    assert probe.succeeded().state(12.5) == "closed"


def test_equal_questions_share_a_key_and_no_other_does() -> None:
    base = cache_key("f", "p1", "m", ["ab", "c"])
    assert base == cache_key("f", "p1", "m", ["ab", "c"])
    others = [
        cache_key("g", "p1", "m", ["ab", "c"]),
        cache_key("f", "p2", "m", ["ab", "c"]),
        cache_key("f", "p1", "n", ["ab", "c"]),
        cache_key("f", "p1", "m", ["a", "bc"]),
        cache_key("f", "p1", "m", ["abc"]),
    ]
    assert len({base, *others}) == 6


def test_refusals_say_what_a_door_would_say() -> None:
    assert Refusal("daily_budget", "org").status == 402
    assert Refusal("killed", "org").status == 403
    assert Refusal("requests", "org").status == 429
    assert Refusal("requests", "org").is_passing
    assert not Refusal("daily_budget", "org").is_passing
    assert Refusal("killed", "model:small").words() == "model:small: an administrator has switched it off"


def test_each_feature_has_its_own_time_in_proportion_to_what_an_operator_gives_a_detection() -> None:
    """G13: 15 and 60 seconds by default."""
    assert [feature.seconds(15.0) for feature in (LEARNING_DETECT, SKILL_DRAFT)] == [15.0, 60.0]
    assert [feature.seconds(5.0) for feature in (LEARNING_DETECT, SKILL_DRAFT)] == [5.0, 20.0]


def test_a_draft_is_never_taken_from_the_cache() -> None:
    """G18."""
    assert [feature.cacheable for feature in (LEARNING_DETECT, SKILL_DRAFT)] == [True, False]


SPENT = Refusal("daily_budget", "org", limit=1_000, used=950, held=0, needs=100)


def test_a_budget_that_only_calls_under_way_fill_is_told_from_one_that_is_spent() -> None:
    assert not SPENT.is_held
    assert replace(SPENT, held=50).is_held
    assert not replace(SPENT, held=49).is_held
    assert not replace(SPENT, held=50, reason="killed").is_held
    assert not replace(SPENT, held=50, limit=None).is_held
    assert not replace(SPENT, held=50, used=None).is_held


def test_what_waits_is_asked_about_again_within_minutes_whatever_is_known() -> None:
    now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    assert replace(SPENT, resets_at=now + timedelta(hours=12)).ask_again_at(now) == now + LATER
    assert replace(SPENT, resets_at=now + timedelta(seconds=9)).ask_again_at(now) == now + timedelta(
        seconds=9
    )
    assert Refusal("killed", "org").ask_again_at(now) == now + LATER
    assert Refusal("requests", "org").ask_again_at(now) == now, "passing by itself"

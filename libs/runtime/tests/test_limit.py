"""The limit of C76: bugs of several orgs stop a consumer; one org, or hostile input, never does."""

from __future__ import annotations

from dw_runtime.limit import DeadLetterLimit, org_of

A, B = b"a" * 36, b"b" * 36


def test_a_run_of_the_only_org_with_traffic_trips() -> None:
    limit = DeadLetterLimit(run=3, ratio=0.5)
    assert [limit.bad(A) for _ in range(3)] == [False, False, True]


def test_a_run_of_one_org_of_two_does_not_trip() -> None:
    limit = DeadLetterLimit(run=3, ratio=0.5)
    limit.good(1, {B})
    assert not any(limit.bad(A) for _ in range(50))
    assert limit.bad(B)


def test_a_record_that_goes_well_ends_a_run() -> None:
    limit = DeadLetterLimit(run=3, ratio=1.0)
    for _ in range(20):
        assert not limit.bad(A)
        assert not limit.bad(A)
        limit.good(1, {A})


def test_a_share_of_the_last_thousand_trips_without_a_run() -> None:
    limit = DeadLetterLimit(run=100, ratio=0.5)
    tripped_at = 0
    for number in range(1, 1001):
        tripped = limit.bad(A if number % 2 else B)
        limit.good(1, {A, B})
        if tripped:
            tripped_at = number
            break
    assert tripped_at == 500


def test_what_left_the_window_is_forgotten_and_a_reset_forgets_all() -> None:
    limit = DeadLetterLimit(run=2, ratio=0.5)
    limit.good(1, {B})
    limit.good(1_000, {A})
    assert [limit.bad(A), limit.bad(A)] == [False, True]
    limit.reset()
    assert not limit.bad(A)


def test_the_org_is_what_the_key_names() -> None:
    assert org_of(A + b":" + B) == A
    assert org_of(None) == b""

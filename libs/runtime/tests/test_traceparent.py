"""traceparent: what is followed, what is passed on, what is dropped."""

from __future__ import annotations

import pytest

from dw_runtime.traceparent import is_sampled, is_well_formed

GOOD = b"00-" + b"ab" * 16 + b"-" + b"cd" * 8 + b"-01"


def test_flags_say_whether_it_is_sampled() -> None:
    assert is_sampled(GOOD)
    assert is_sampled(GOOD[:-2] + b"03")
    assert not is_sampled(GOOD[:-2] + b"00")
    assert not is_sampled(GOOD[:-2] + b"02")


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"\xff" * 55,
        GOOD + b"0",
        b"01" + GOOD[2:],
        GOOD.replace(b"-", b"_"),
        GOOD.upper(),
        b"00-" + b"0" * 32 + GOOD[35:],
        GOOD[:36] + b"0" * 16 + GOOD[52:],
    ],
)
def test_what_is_not_well_formed_is_dropped(value: bytes) -> None:
    assert is_well_formed(GOOD)
    assert not is_well_formed(value)

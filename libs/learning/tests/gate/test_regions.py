"""Where models work, as an operator writes it (G20)."""

from __future__ import annotations

import pytest

from dw_learning.gate.regions import parse_regions


def test_each_model_has_a_region() -> None:
    assert parse_regions(" small=eu, org/big=v2=us-east ,") == {"small": "eu", "org/big=v2": "us-east"}
    assert parse_regions("small=eu,small=eu") == {"small": "eu"}
    assert parse_regions("") == {}


@pytest.mark.parametrize(
    "text", ["small", "=eu", "small=", "small=EU", "small=e u", "small=-eu", "small=eu,small=us"]
)
def test_what_is_no_region_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="region"):
        parse_regions(text)

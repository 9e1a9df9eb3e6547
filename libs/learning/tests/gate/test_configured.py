"""What the settings say of models: each has a price, and what is missing or wrong is named (G20, G22)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from dw_learning.gate.configured import configured
from dw_learning.gate.prices import version_taken


@dataclass(frozen=True)
class Settings:
    """The detector's, with a model that has a price."""

    provider: str = "openai"
    base_url: str = "http://model/v1"
    model: str = "small"
    fallback_models: str = ""
    long_models: str = ""
    policy_models: str = ""
    prices: str = "small=1/4"
    price_version: str = "2026-11"
    regions: str = ""


def test_models_stand_in_the_order_in_which_they_are_asked() -> None:
    found = configured(
        Settings(
            fallback_models=" big, small,,",
            long_models="long",
            policy_models="mild",
            prices="small=1/4,big=2/8,long=0/0,mild=1/1",
            regions="small=eu",
        )
    )
    assert (found.first, found.long, found.policy) == (("small", "big"), ("long",), ("mild",))
    assert (found.prices.version, sorted(found.prices.prices)) == (
        "2026-11",
        ["big", "long", "mild", "small"],
    )
    assert found.regions == {"small": "eu"}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(base_url=""), "provider openai needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL"),
        (Settings(model=""), "provider openai needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL"),
        (Settings(prices=""), r"no price for small: set DW_DETECTOR_PRICES \(0/0 where it is free\)"),
        (Settings(long_models="b,a"), "no price for a, b: set DW_DETECTOR_PRICES"),
        (Settings(prices="small=1"), "DW_DETECTOR_PRICES: a price is model=input/output"),
        (Settings(prices="small=x/1"), "DW_DETECTOR_PRICES: a price is an amount of US dollars"),
        (Settings(regions="eu"), "DW_DETECTOR_REGIONS: a region is model=region"),
    ],
)
def test_what_is_missing_or_wrong_is_named(settings: Settings, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        configured(settings)


def test_a_version_that_is_taken_says_which_setting_to_change() -> None:
    assert "price version 1 means other prices" in version_taken("1")
    assert "give DW_DETECTOR_PRICE_VERSION a new name" in version_taken("1")

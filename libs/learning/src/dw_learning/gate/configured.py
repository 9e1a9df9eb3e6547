"""Models, prices and regions as the settings name them, checked before anything starts (G20, G22). No price, no start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dw_learning.gate.prices import PriceTable
from dw_learning.gate.regions import parse_regions

T = TypeVar("T")


class ModelSettings(Protocol):
    """The detector's settings that say which models are called."""

    @property
    def provider(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def fallback_models(self) -> str: ...
    @property
    def long_models(self) -> str: ...
    @property
    def policy_models(self) -> str: ...
    @property
    def prices(self) -> str: ...
    @property
    def price_version(self) -> str: ...
    @property
    def regions(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Configured:
    """Models in the order in which they are asked, each with a price."""

    first: tuple[str, ...]
    long: tuple[str, ...]
    policy: tuple[str, ...]
    prices: PriceTable
    regions: Mapping[str, str]


def configured(settings: ModelSettings) -> Configured:
    """ValueError names the setting that is missing or wrong."""
    if not settings.base_url or not settings.model:
        raise ValueError(f"provider {settings.provider} needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL")
    prices = _named("DW_DETECTOR_PRICES", lambda: PriceTable.parse(settings.prices, settings.price_version))
    found = Configured(
        first=_models(settings.model, settings.fallback_models),
        long=_models(settings.long_models),
        policy=_models(settings.policy_models),
        prices=prices,
        regions=_named("DW_DETECTOR_REGIONS", lambda: parse_regions(settings.regions)),
    )
    without = sorted({*found.first, *found.long, *found.policy} - set(prices.prices))
    if without:
        raise ValueError(f"no price for {', '.join(without)}: set DW_DETECTOR_PRICES (0/0 where it is free)")
    return found


def _models(*settings: str) -> tuple[str, ...]:
    named = (model.strip() for setting in settings for model in setting.split(","))
    return tuple(dict.fromkeys(filter(None, named)))


def _named(setting: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except ValueError as error:
        raise ValueError(f"{setting}: {error}") from None

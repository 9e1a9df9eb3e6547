"""The gate as the settings say. What would spend without a price does not start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

import httpx

from dw_detector.adapters.anthropic import AnthropicTarget
from dw_detector.adapters.http import Keys, open_client
from dw_detector.adapters.openai import OpenAiTarget
from dw_detector.gate.access import AccessGate
from dw_detector.gate.calls import Target, Targets
from dw_detector.gate.observe import Observer
from dw_detector.gate.slots import FairSlots
from dw_detector.settings import Settings
from dw_learning.gate.breaker import Breaker
from dw_learning.gate.prices import PriceTable
from dw_runtime import Chassis, Handle
from dw_store.database import Database
from dw_store.gate import Budget

MICRO_PER_CENT: Final = 10_000


def build_gate(
    chassis: Chassis,
    settings: Settings,
    database: Handle[Database],
    slots: FairSlots,
    clock: Callable[[], datetime],
    chance: Callable[[], float],
) -> AccessGate:
    """ValueError says which setting is missing."""
    if not settings.base_url or not settings.model:
        raise ValueError(f"provider {settings.provider} needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL")
    prices = PriceTable.parse(settings.prices, settings.price_version)
    client = chassis.resource(lambda: open_client(settings), "model client")
    return AccessGate(
        database=database,
        targets=targets_of(settings, client, prices),
        prices=prices,
        budget=Budget(
            settings.daily_budget_cents * MICRO_PER_CENT, settings.monthly_budget_cents * MICRO_PER_CENT
        ),
        slots=slots,
        observer=Observer(chassis.metrics.registry, chassis.telemetry, settings.genai_semconv),
        clock=clock,
        chance=chance,
        timeout_seconds=settings.timeout_seconds,
        breaker=Breaker(settings.breaker_failures, settings.breaker_seconds),
    )


def targets_of(settings: Settings, client: Handle[httpx.AsyncClient], prices: PriceTable) -> Targets:
    """One target a model, each with a price."""

    def targets(*names: str) -> tuple[Target, ...]:
        models = [model.strip() for name in names for model in name.split(",") if model.strip()]
        without = sorted(set(models) - set(prices.prices))
        if without:
            raise ValueError(
                f"no price for {', '.join(without)}: set DW_DETECTOR_PRICES (0/0 where it is free)"
            )
        return tuple(_target(settings, client, model) for model in dict.fromkeys(models))

    return Targets(
        first=targets(settings.model, settings.fallback_models),
        long=targets(settings.long_models),
        policy=targets(settings.policy_models),
    )


def _target(settings: Settings, client: Handle[httpx.AsyncClient], model: str) -> Target:
    secret = settings.api_key.get_secret_value()
    if settings.provider == "anthropic":
        return AnthropicTarget(client, model, Keys.parse(secret, "x-api-key"))
    return OpenAiTarget(client, model, Keys.parse(secret, "Authorization", "Bearer "))

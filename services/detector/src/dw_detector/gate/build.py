"""The gate as the settings say. What would spend without a price does not start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx

from dw_detector.adapters.anthropic import AnthropicTarget
from dw_detector.adapters.http import Keys, KeySource, open_client
from dw_detector.adapters.keys import KeyFile
from dw_detector.adapters.openai import OpenAiTarget
from dw_detector.gate.access import AccessGate
from dw_detector.gate.calls import Target, Targets
from dw_detector.gate.observe import Observer
from dw_detector.gate.slots import FairSlots
from dw_detector.settings import Settings
from dw_learning.gate.breaker import Breaker
from dw_learning.gate.configured import Configured, configured
from dw_runtime import Chassis, Handle
from dw_store.database import Database
from dw_store.gate import Budget

MICRO_PER_CENT: Final = 10_000
ON_RECORD: Final = (
    "model",
    "fallback_models",
    "long_models",
    "policy_models",
    "prices",
    "price_version",
    "regions",
    "daily_budget_cents",
    "monthly_budget_cents",
    "when_down",
    "cache_seconds",
    "breaker_failures",
    "breaker_seconds",
    "concurrency",
    "timeout_seconds",
)


def build_gate(
    chassis: Chassis,
    settings: Settings,
    database: Handle[Database],
    slots: FairSlots,
    clock: Callable[[], datetime],
    chance: Callable[[], float],
) -> AccessGate:
    """ValueError says which setting is missing."""
    models = configured(settings)
    client = chassis.resource(lambda: open_client(settings), "model client")
    return AccessGate(
        database=database,
        targets=targets_of(settings, client, models),
        prices=models.prices,
        budget=budget_of(settings),
        slots=slots,
        observer=Observer(chassis.metrics.registry, chassis.telemetry, settings.genai_semconv),
        clock=clock,
        chance=chance,
        timeout_seconds=settings.timeout_seconds,
        breaker=Breaker(settings.breaker_failures, settings.breaker_seconds),
        regions=models.regions,
        settings=on_record(settings),
    )


def budget_of(settings: Settings) -> Budget:
    """Of an org that has set none of its own."""
    return Budget(
        settings.daily_budget_cents * MICRO_PER_CENT, settings.monthly_budget_cents * MICRO_PER_CENT
    )


def targets_of(settings: Settings, client: Handle[httpx.AsyncClient], models: Configured) -> Targets:
    """One target a model."""

    def targets(names: tuple[str, ...]) -> tuple[Target, ...]:
        return tuple(_target(settings, client, name) for name in names)

    return Targets(first=targets(models.first), long=targets(models.long), policy=targets(models.policy))


def _target(settings: Settings, client: Handle[httpx.AsyncClient], model: str) -> Target:
    if settings.provider == "anthropic":
        return AnthropicTarget(client, model, _keys(settings, "x-api-key"))
    return OpenAiTarget(client, model, _keys(settings, "Authorization", "Bearer "))


def one_target(settings: Settings, client: Handle[httpx.AsyncClient]) -> Target:
    """The first model, without a price: for an evaluation. ValueError says which setting is missing."""
    if settings.provider == "offline" or not settings.base_url or not settings.model:
        raise ValueError(f"provider {settings.provider} needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL")
    return _target(settings, client, settings.model.strip())


def _keys(settings: Settings, header: str, prefix: str = "") -> KeySource:
    secret = settings.api_key.get_secret_value()
    if not settings.api_key_file:
        return Keys.parse(secret, header, prefix)
    if secret:
        raise ValueError("give DW_DETECTOR_API_KEY or DW_DETECTOR_API_KEY_FILE, not both")
    return KeyFile(Path(settings.api_key_file), header, prefix)


def on_record(settings: Settings) -> dict[str, Any]:
    """What is kept of how models are called: no key, and of the address no more than where it leads."""
    address = httpx.URL(settings.base_url)
    return {
        "provider": settings.provider,
        "address": f"{address.scheme}://{address.netloc.decode('ascii')}{address.path}",
        **{name: getattr(settings, name) for name in ON_RECORD},
    }

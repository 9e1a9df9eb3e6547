"""Prices that others were used under before: readiness says so from the start on, and which setting to change (G22)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import httpx
import pytest

from dw_detector.app import create_app
from dw_detector.settings import Settings
from dw_learning.gate.prices import PriceTable
from dw_store.database import Database
from dw_store.ledger import record_prices
from dw_testkit.serving import serving

pytestmark = pytest.mark.integration
NO_KAFKA = "127.0.0.1:1"


async def reasons(dsn: str, version: str, until: Callable[[list[str]], bool]) -> list[str]:
    """Why a detector of today's prices is not ready, once that says what is waited for."""
    settings = Settings.model_validate(
        {
            "kafka_bootstrap": NO_KAFKA,
            "kafka_user": "detector",
            "kafka_password": "detector",
            "database_url": dsn,
            "provider": "openai",
            "base_url": "http://127.0.0.1:1/v1",
            "model": "small",
            "prices": "small=2/4",
            "price_version": version,
            "env": "development",
        }
    )
    async with (
        serving(create_app(settings)) as url,
        httpx.AsyncClient(base_url=url) as client,
        asyncio.timeout(60),
    ):
        while True:
            found: list[str] = (await client.get("/health/ready")).json()["reasons"]
            if until(found):
                return found
            await asyncio.sleep(0.05)


async def test_a_version_that_meant_other_prices_is_said_before_any_message_comes(
    dsn_of: Callable[[str], str],
) -> None:
    async with Database.connect(dsn_of("detector"), size=1, application_name="test") as database:
        await record_prices(database, PriceTable.parse("small=1/4", "2026-11"), datetime.now(UTC))
    found = await reasons(
        dsn_of("detector"), "2026-11", lambda said: any("price version" in why for why in said)
    )
    assert (
        "prices: price version 2026-11 means other prices than DW_DETECTOR_PRICES says: "
        "give DW_DETECTOR_PRICE_VERSION a new name"
    ) in found
    found = await reasons(dsn_of("detector"), "2026-12", lambda said: "waiting for kafka" in said)
    assert [why for why in found if why.startswith("prices")] == []

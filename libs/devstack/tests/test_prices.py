"""Prices that the detector would refuse stop the stack: before anything starts, or once the database can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dw_contracts.settings import DetectorSettings
from dw_devstack.errors import StackError
from dw_devstack.paths import Home
from dw_devstack.prices import check_version, prices_of
from dw_devstack.stack import Stack, StackOptions
from dw_learning.gate.prices import PriceTable
from dw_store.database import Database
from dw_store.ledger import record_prices


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({}, "no price for small: set DW_DETECTOR_PRICES"),
        ({"DW_DETECTOR_PRICES": "small=cheap/4"}, "DW_DETECTOR_PRICES: a price is an amount"),
        ({"DW_DETECTOR_BASE_URL": ""}, "needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL"),
    ],
)
def test_a_model_without_a_price_starts_nothing(tmp_path: Path, overrides: dict[str, str], says: str) -> None:
    said: list[tuple[str, str]] = []
    given = {
        "DW_DETECTOR_PROVIDER": "openai",
        "DW_DETECTOR_BASE_URL": "http://127.0.0.1:1/v1",
        "DW_DETECTOR_MODEL": "small",
        **overrides,
    }
    stack = Stack(
        Home(tmp_path / ".dw").create(), StackOptions(any_ports=True, overrides=given, services=("detector",))
    )
    with (
        pytest.raises(StackError, match=f"detector: .*{says}"),
        stack.running(lambda name: lambda text: said.append((name, text))),
    ):
        pass
    assert said == []


@pytest.mark.integration
def test_a_version_that_meant_other_prices_names_the_setting(dsn_of: Callable[[str], str]) -> None:
    async def keep() -> None:
        async with Database.connect(dsn_of("detector"), size=1, application_name="test") as database:
            await record_prices(database, PriceTable.parse("small=1/4", "1"), datetime.now(UTC))

    asyncio.run(keep())
    check_version(None, "postgresql://127.0.0.1:1/none")
    check_version(PriceTable.parse("small=1/4,big=2/2", "1"), dsn_of("admin"))
    with pytest.raises(StackError, match=r"detector: price version 1 .* DW_DETECTOR_PRICE_VERSION"):
        check_version(PriceTable.parse("small=1/5", "1"), dsn_of("admin"))


def test_without_a_model_there_are_no_prices() -> None:
    settings = DetectorSettings.model_validate({"database_url": "postgresql://x/y", "kafka_password": "x"})
    assert prices_of(settings) is None

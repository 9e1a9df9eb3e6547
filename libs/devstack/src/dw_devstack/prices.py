"""What the detector would refuse to call models under is refused before it is started."""

from __future__ import annotations

import asyncio

from dw_contracts.settings import DetectorSettings
from dw_devstack.errors import StackError
from dw_learning.gate.configured import configured
from dw_learning.gate.prices import PriceTable, version_taken
from dw_store.database import Database
from dw_store.ledger import is_version_free


def prices_of(settings: DetectorSettings) -> PriceTable | None:
    """None where no model is called. StackError names the setting that is missing or wrong."""
    if settings.provider == "offline":
        return None
    try:
        return configured(settings).prices
    except ValueError as error:
        raise StackError(f"detector: {error}") from None


def check_version(prices: PriceTable | None, dsn: str) -> None:
    """StackError where calls were booked at other prices under the same version (G22)."""
    if prices is not None and not asyncio.run(_is_free(prices, dsn)):
        raise StackError(f"detector: {version_taken(prices.version)}")


async def _is_free(prices: PriceTable, dsn: str) -> bool:
    async with Database.connect(dsn, size=1, application_name="dw-stack") as database:
        return await is_version_free(database, prices)

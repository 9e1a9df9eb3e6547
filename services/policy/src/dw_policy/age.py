"""Scheduled work: the aging of items (D29, C75), with an injected clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dw_learning.decision.facts import Caps
from dw_runtime import Handle, Transient, log
from dw_store.age_items import Aged, age_items, org_ids
from dw_store.database import Database

EVERY_SECONDS: Final = 60.0
NOT_YET_SECONDS: Final = 1.0
MAX_BATCHES: Final = 1_000


@dataclass(frozen=True, slots=True)
class AgeItems:
    """Holds no state: what is to be done stands in the rows."""

    database: Handle[Database]
    caps: Caps
    clock: Callable[[], datetime]

    async def once(self) -> Aged:
        """All orgs, each until nothing is left to do."""
        total = Aged()
        for org_id in await org_ids(self.database()):
            for _ in range(MAX_BATCHES):
                async with self.database().transaction([org_id]) as tx:
                    aged = await age_items(
                        tx, org_id, self.clock(), self.caps.open_items, self.caps.open_items_per_unverified
                    )
                if not aged.changed:
                    break
                log.info("items.aged", org_id=str(org_id), expired=aged.expired, escalated=aged.escalated)
                total = Aged(
                    total.expired + aged.expired,
                    total.escalated + aged.escalated,
                    total.published + aged.published,
                )
        return total

    async def run(self) -> None:
        """For ever; a database that is away is asked again at the next turn."""
        while True:
            wait = EVERY_SECONDS
            try:
                await self.once()
            except Transient as away:
                log.debug("items.aging_waits", why=str(away))
                wait = NOT_YET_SECONDS
            await asyncio.sleep(wait)

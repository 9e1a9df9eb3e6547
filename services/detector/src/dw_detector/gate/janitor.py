"""Beside the calls: what nobody settled, and counters that differ from the ledger (G8). Every minute, org by page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from dw_detector.gate.observe import Observer
from dw_runtime import Handle, every
from dw_store.database import Database
from dw_store.gate import org_page, reconcile

PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Janitor:
    """Safe to run in every replica."""

    database: Handle[Database]
    observer: Observer
    clock: Callable[[], datetime]
    seconds: float = 60.0

    async def run(self) -> None:
        """For ever."""
        await every(self.seconds, self.once, "budget.not_reconciled")

    async def once(self) -> None:
        """All orgs."""
        after: UUID | None = None
        while orgs := await org_page(self.database(), after, PAGE):
            self.observer.reconciled(*await reconcile(self.database(), orgs, self.clock()))
            after = orgs[-1]

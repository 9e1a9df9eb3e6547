"""Beside the calls: what nobody settled, counters that differ from the ledger (G8), how much of budgets is used (G31).
Every minute, org by page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from dw_detector.gate.observe import Observer
from dw_runtime import Handle, every
from dw_store.database import Database
from dw_store.gate import Budget, budget_used, org_page, reconcile

PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Janitor:
    """Safe to run in every replica."""

    database: Handle[Database]
    observer: Observer
    clock: Callable[[], datetime]
    budget: Budget
    seconds: float = 60.0

    async def run(self) -> None:
        """For ever."""
        await every(self.seconds, self.once, "budget.not_reconciled")

    async def once(self) -> None:
        """All orgs. What is said of budgets is the greatest share of any org: which one, the ledger and its limits tell."""
        after: UUID | None = None
        day, month = 0.0, 0.0
        while orgs := await org_page(self.database(), after, PAGE):
            now = self.clock()
            self.observer.reconciled(*await reconcile(self.database(), orgs, now))
            today, this_month = await budget_used(self.database(), orgs, self.budget, now)
            day, month = max(day, today), max(month, this_month)
            after = orgs[-1]
        self.observer.budgets(self.clock().timestamp(), day, month)

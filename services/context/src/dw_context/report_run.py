"""POST /v1/runs/{run_id}/report: which memories the reply rests on, and how the run ended (C80, D41)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dw_context.run_tokens import over
from dw_contracts.http.agent_memory import ReportedRun, ReportRun
from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_store.database import Database
from dw_store.run_reports import count_uses, end_run
from dw_store.runs import Run, is_live


@dataclass(frozen=True, slots=True)
class ReportRunCase:
    """The use case. The same report again counts nothing twice."""

    database: Handle[Database]
    deadline: Deadline
    now: Callable[[], datetime]

    async def run(self, run: Run, report: ReportRun) -> ReportedRun:
        """401 where the run is over: what comes late is not counted."""
        return await self.deadline.run(self._write(run, report))

    async def _write(self, run: Run, report: ReportRun) -> ReportedRun:
        now = self.now()
        async with self.database().transaction([run.org_id]) as tx:
            if not await is_live(tx, run, now):
                raise over()
            counted = await count_uses(tx, run, report.used, now)
            if report.status is not None:
                await end_run(tx, run, report.status, now)
        return ReportedRun(run_id=run.run_id, counted=counted, status=report.status or "running")

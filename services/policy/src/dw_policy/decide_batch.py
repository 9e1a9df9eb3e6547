"""The use case of policy: claim what is new, load what the decision rests on, decide, apply. One transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection
from dw_learning.decision.case import Case
from dw_learning.decision.facts import Caps
from dw_learning.decision.findings import Findings, prepare
from dw_learning.decision.plan import Decided, decide_all
from dw_learning.decision.state import AgentState
from dw_learning.repeated import Repetition
from dw_runtime.failures import bug
from dw_runtime.logs import log
from dw_store.apply import apply_decisions
from dw_store.database import Tx
from dw_store.inbox import claim_new, decided_before
from dw_store.policy_reads import Loaded, load_for_decisions
from dw_store.repeated import attach_evidence, count_corrections

CONSUMER = "policy"
PART = 50
"""Decisions that are written together. While PostgreSQL writes one part, the next is decided."""
THREE_IN_A_MONTH = Repetition()


@dataclass(frozen=True, slots=True)
class DetectionIn:
    """A detection as it came; `sealed` was recomputed from the embedded event (C45)."""

    detection: Detection
    event: ChatEvent | None
    sealed: bool
    trace_id: str
    findings: Findings = field(default_factory=Findings, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unfit:
    """A row that belongs to no org, role-agent or channel that we know."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Policy:
    """Holds no state: everything is in the transaction."""

    caps: Caps
    clock: Callable[[], datetime]
    repetition: Repetition = THREE_IN_A_MONTH
    watch: Callable[[Sequence[Decided]], None] | None = None
    """Told what was decided, for metrics."""

    async def run(self, tx: Tx, rows: Sequence[DetectionIn]) -> list[Unfit]:
        """Decide every row that was not decided before. A repeat in any form ends in the same state (C79). Texts are
        looked through beside it, while PostgreSQL is at work."""
        preparing = asyncio.create_task(_prepare(rows))
        try:
            return await self._run(tx, rows)
        finally:
            preparing.cancel()
            await asyncio.wait([preparing])

    async def _run(self, tx: Tx, rows: Sequence[DetectionIn]) -> list[Unfit]:
        now = self.clock()
        loaded = await load_for_decisions(tx, [(r.detection, r.event) for r in rows], self.caps, now)
        unfit = [
            Unfit(index, reason)
            for index, row in enumerate(rows)
            if (reason := _unfit(row, loaded)) is not None
        ]
        lost = {entry.index for entry in unfit}
        fit = [row for index, row in enumerate(rows) if index not in lost]
        new = await claim_new(tx, CONSUMER, [(r.detection.org_id, r.detection.decision_id) for r in fit])
        new -= await decided_before(tx, new)
        todo: list[DetectionIn] = []
        for row in fit:
            claim = (row.detection.org_id, row.detection.decision_id)
            if claim in new:
                new.discard(claim)  # the same decision twice in one batch is decided once
                todo.append(row)
        cases = [(row.detection, _case(row, loaded)) for row in todo]
        traces = {row.detection.decision_id: row.trace_id for row in todo}
        decided = await self._decide_and_apply(tx, cases, loaded.states, traces, now)
        await attach_evidence(tx, decided, now)
        await count_corrections(tx, decided, loaded.states, self.repetition, now)
        if self.watch is not None:
            self.watch(decided)
        return unfit

    async def _decide_and_apply(
        self,
        tx: Tx,
        cases: list[tuple[Detection, Case | None]],
        states: dict[UUID, AgentState],
        traces: Mapping[UUID, str],
        now: datetime,
    ) -> list[Decided]:
        """In order, part by part. One writer at a time, because a transaction is one connection; the rules run beside
        it and give way to it after each decision, so that no batch holds the event loop."""
        decided: list[Decided] = []
        writing: asyncio.Task[object] | None = None
        try:
            for start in range(0, len(cases), PART):
                for case in cases[start : start + PART]:
                    decided += decide_all([case], states)
                    await asyncio.sleep(0)
                if writing is not None:
                    await writing
                writing = asyncio.create_task(apply_decisions(tx, decided[start:], traces, now))
            if writing is not None:
                await writing
        except BaseException:
            if writing is not None:  # the connection must be idle before the transaction is rolled back
                writing.cancel()
                await asyncio.wait([writing])
            raise
        return decided


async def _prepare(rows: Sequence[DetectionIn]) -> None:
    """A text on which this fails meets its decision all the same, which fails on it where it counts."""
    for row in rows:
        if row.event is None or row.findings.prepared:  # while the batch before was written
            continue
        try:
            prepare(row.event, row.detection.items, row.findings)
        except Exception as error:  # noqa: BLE001  # said here, and met again where it counts
            log.warning("text.not_prepared", event_id=str(row.event.event_id), error=bug(error))
        await asyncio.sleep(0)


def _unfit(row: DetectionIn, loaded: Loaded) -> str | None:
    detection = row.detection
    state = loaded.states.get(detection.role_agent_id)
    if state is None or loaded.org_of[detection.role_agent_id] != detection.org_id:
        return "there is no such role-agent in this org"
    if row.event is not None and (detection.org_id, row.event.channel_id) not in loaded.channels:
        return "there is no such channel in this org"
    return None


def _case(row: DetectionIn, loaded: Loaded) -> Case | None:
    if row.event is None:
        return None
    return Case(
        event=row.event,
        sealed=row.sealed,
        sender=loaded.sender_of(row.event),
        channel=loaded.channel_of(row.event),
        items=row.detection.items,
        degraded=row.detection.degraded,
        findings=row.findings,
    )

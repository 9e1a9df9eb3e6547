"""Beside the window: what waited for its org's limit, run in order per agent once it may (C77)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final
from uuid import UUID

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.chat import ChatEvent
from dw_detector.asking import NO_CALL, Asking, Result, Wait
from dw_detector.detect import InvalidAnswer
from dw_detector.handlers import LATER, CandidateIn, detection_of, outgoing_of
from dw_runtime import Handle, Outgoing, Transient, every, parse_json, parse_raw
from dw_store.database import Database
from dw_store.deferred import Deferred, claim, forget, wait_longer
from dw_store.gate import org_page

PAGE: Final = 100
AT_ONCE: Final = 100
LEASE: Final = timedelta(minutes=10)
EXPIRED: Final = "expired"
UNFIT: Final = "answer_unfit"


@dataclass(frozen=True, slots=True)
class Parked:
    """Safe to run in every replica."""

    asking: Asking
    database: Handle[Database]
    publish: Callable[[Sequence[Outgoing]], Awaitable[None]]
    clock: Callable[[], datetime]
    seconds: float = 5.0

    async def run(self) -> None:
        """For ever."""
        await every(self.seconds, self.once, "deferred.later")

    async def once(self) -> int:
        """All that is due; how many were published."""
        after: UUID | None = None
        published = 0
        while orgs := await org_page(self.database(), after, PAGE):
            due = await claim(self.database(), orgs, self.clock(), LEASE, AT_ONCE)
            agents = groupby(sorted(due, key=_agent), key=_agent)
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._agent(list(rows))) for _, rows in agents]
            published += sum(task.result() for task in tasks)
            after = orgs[-1]
        return published

    async def _agent(self, rows: list[Deferred]) -> int:
        """One after the other; where one must wait, all behind it do."""
        for at, row in enumerate(rows):
            candidate = _candidate(row)
            try:
                result = await self._result(row, candidate)
            except Transient:
                await wait_longer(self.database(), rows[at:], self.clock(), "unavailable")
                return at
            if isinstance(result, Wait):
                due = result.refusal.resets_at or self.clock() + LATER
                await wait_longer(self.database(), rows[at:], due, result.refusal.reason)
                return at
            await self.publish([_outgoing(row, candidate, result)])
            await forget(self.database(), [row])
        return len(rows)

    async def _result(self, row: Deferred, candidate: CandidateIn) -> Result | None:
        """None once it has waited too long."""
        if not candidate.needs_model:
            return NO_CALL
        known = await self.asking.known(candidate.event)
        if known is not None:
            return known
        if self.clock() >= row.expires_at:
            return None
        return await self.asking.answer(candidate.event, row.traceparent or None)


def _agent(row: Deferred) -> tuple[UUID, UUID]:
    return (row.org_id, row.role_agent_id)


def _candidate(row: Deferred) -> CandidateIn:
    """It was read before it was parked."""
    candidate = parse_raw(parse_json(row.candidate), Candidate)
    event = parse_raw(candidate.event, ChatEvent)
    return CandidateIn(
        event, candidate.event, candidate.needs_model, candidate.reasons, candidate.triage_version
    )


def _outgoing(row: Deferred, candidate: CandidateIn, result: Result | None) -> Outgoing:
    """Without items where it expired, or where no model gave an answer that fits."""
    if result is None:
        detection = detection_of(candidate, NO_CALL, EXPIRED)
    elif isinstance(result, InvalidAnswer | Wait):
        detection = detection_of(candidate, NO_CALL, UNFIT)
    else:
        detection = detection_of(candidate, result)
    return outgoing_of(detection, row.traceparent or None)

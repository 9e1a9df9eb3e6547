"""Beside the window: what waited for its org's limit, run in order per agent once it may (C77)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final
from uuid import UUID

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.chat import ChatEvent
from dw_detector.asking import NO_CALL, Asking, Result, Wait
from dw_detector.detect import Answer
from dw_detector.handlers import CandidateIn, detection_of, hindrance_of, outgoing_of
from dw_runtime import Handle, Outgoing, every, parse_json, parse_raw
from dw_runtime.failures import AGAIN
from dw_runtime.logs import log
from dw_store.database import Database
from dw_store.deferred import Deferred, Hindrance, claim, forget, release
from dw_store.gate import Budget, org_page

PAGE: Final = 100
AGENTS: Final = 100
ROWS: Final = 50
AT_ONCE: Final = 8  # of one agent, once its first was let through
LEASE: Final = timedelta(minutes=10)
EXPIRED: Final = "expired"
UNFIT: Final = "answer_unfit"
UNAVAILABLE: Final = "unavailable"
Told = Result | Hindrance | None


@dataclass(slots=True)
class Parked:
    """Safe to run in every replica. An agent that takes long keeps no other one waiting."""

    asking: Asking
    database: Handle[Database]
    publish: Callable[[Sequence[Outgoing]], Awaitable[None]]
    clock: Callable[[], datetime]
    budget: Budget
    seconds: float = 2.0
    working: int = 0

    async def run(self) -> None:
        """For ever."""
        async with asyncio.TaskGroup() as group:
            await every(self.seconds, lambda: self.once(group), "deferred.later")

    async def once(self, group: asyncio.TaskGroup) -> None:
        """Begin with all agents that may go on."""
        after: UUID | None = None
        while orgs := await org_page(self.database(), after, PAGE):
            due = await claim(
                self.database(),
                orgs,
                self.clock(),
                LEASE,
                agents=max(0, AGENTS - self.working),
                rows=ROWS,
                budget=self.budget,
            )
            for _, rows in groupby(sorted(due, key=_agent), key=_agent):
                self.working += 1
                group.create_task(self._agent(list(rows)))
            after = orgs[-1]

    async def _agent(self, rows: list[Deferred]) -> None:
        """In order; where one must wait, all behind it do. Whatever ends it, what is left is nobody's again."""
        left = list(rows)
        why: Hindrance | None = None
        try:
            while left and why is None:
                first = len(left) == len(rows)
                why = await self._some(left, 1 if first else AT_ONCE)
        except AGAIN as error:
            log.info("deferred.later", reason=type(error).__name__)
        finally:
            self.working -= 1
            with suppress(*AGAIN):
                await asyncio.shield(release(self.database(), left, why))

    async def _some(self, left: list[Deferred], count: int) -> Hindrance | None:
        """Take so many off the front, as far as they can go; what keeps the first that cannot."""
        rows = left[:count]
        candidates = [_candidate(row) for row in rows]
        told = await asyncio.gather(*(self._told(row, c) for row, c in zip(rows, candidates, strict=True)))
        outgoing: list[Outgoing] = []
        why: Hindrance | None = None
        for row, candidate, result in zip(rows, candidates, told, strict=True):
            if isinstance(result, Hindrance):
                why = result
                break
            outgoing.append(_outgoing(row, candidate, result))
        await self.publish(outgoing)
        await forget(self.database(), rows[: len(outgoing)])
        del left[: len(outgoing)]
        return why

    async def _told(self, row: Deferred, candidate: CandidateIn) -> Told:
        try:
            result = await self._result(row, candidate)
        except AGAIN:
            return Hindrance(UNAVAILABLE, self.clock())
        return hindrance_of(result, self.clock()) if isinstance(result, Wait) else result

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


def _outgoing(row: Deferred, candidate: CandidateIn, result: Told) -> Outgoing:
    """Without items where it expired, or where no model gave an answer that fits."""
    if result is None:
        detection = detection_of(candidate, NO_CALL, EXPIRED)
    elif not isinstance(result, Answer):
        detection = detection_of(candidate, NO_CALL, UNFIT)
    else:
        detection = detection_of(candidate, result)
    return outgoing_of(detection, row.traceparent or None)

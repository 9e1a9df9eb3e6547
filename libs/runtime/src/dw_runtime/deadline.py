"""The database answers in time or not at all: a slow or missing one is a typed failure, never a hang."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime.failures import ProblemError

T = TypeVar("T")
AGAIN_SECONDS = 0.05
AT_THE_DOOR: Final = 5.0
"""Seconds for what a request asks first, who its key is: a PostgreSQL that hangs is met there, by ingest and panel."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A limit on one use of the database. Without a task of its own: every pack passes here."""

    seconds: float

    async def run(self, query: Awaitable[T]) -> T:
        """The query's result, or a 503. One that fails for itself keeps its reason: the chassis answers 503 for it."""
        alarm = _Alarm(self.seconds)
        try:
            return await query
        except asyncio.CancelledError:
            if alarm.calm():
                raise unavailable(f"the database did not answer within {self.seconds:g} s") from None
            raise
        finally:
            alarm.calm()


class _Alarm:
    """Cancels the running task when its time is over, and again until it lets go: a connection that is cancelled
    waits for the server that does not answer, and the caller shall not."""

    __slots__ = ("_fired", "_loop", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[Any] | None = asyncio.current_task(self._loop)
        self._fired = 0
        self._timer = self._loop.call_later(seconds, self._fire)

    def calm(self) -> bool:
        """Stop, and take back what was fired. True if it was fired and nobody else wants the task cancelled."""
        self._timer.cancel()
        if self._task is None or not self._fired:
            return False
        while self._fired:
            self._fired -= 1
            self._task.uncancel()
        return self._task.cancelling() == 0

    def _fire(self) -> None:
        if self._task is not None:
            self._fired += 1
            self._task.cancel()
            self._timer = self._loop.call_later(AGAIN_SECONDS, self._fire)


def unavailable(detail: str) -> ProblemError:
    """503, with a hint when to come again."""
    return ProblemError(problem(ProblemCode.UNAVAILABLE, 503, detail), headers={"Retry-After": "1"})

"""The database answers in time or not at all: a slow or missing one is a typed failure, never a hang."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime import ProblemError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadline:
    """A limit on one use of the database.

    The query is a task of its own that is left to itself when its time is over: cancelling it needs the server that
    does not answer, and the caller shall not wait for that.
    """

    seconds: float
    _left: set[asyncio.Task[Any]] = field(default_factory=set)

    async def run(self, query: Coroutine[Any, Any, T]) -> T:
        """The query's result, or a 503. One that fails for itself keeps its reason: the chassis answers 503 for it."""
        task = asyncio.ensure_future(query)
        try:
            done, _ = await asyncio.wait((task,), timeout=self.seconds)
        except asyncio.CancelledError:
            self._leave(task)
            raise
        if not done:
            self._leave(task)
            raise unavailable(f"the database did not answer within {self.seconds:g} s")
        return task.result()

    def _leave(self, task: asyncio.Task[Any]) -> None:
        self._left.add(task)
        task.add_done_callback(self._forget)
        task.cancel()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._left.discard(task)
        if not task.cancelled():
            task.exception()


def unavailable(detail: str) -> ProblemError:
    """503, with a hint when to come again."""
    return ProblemError(problem(ProblemCode.UNAVAILABLE, 503, detail), headers={"Retry-After": "1"})

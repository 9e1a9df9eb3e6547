"""A PostgreSQL that hangs: a gateway gets 503 in seconds (AT_THE_DOOR)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import uuid4

import pytest

from dw_ingest.adapters.directory import GatewayKey, StoreDirectory
from dw_runtime import Handle, ProblemError
from dw_runtime.deadline import Deadline
from dw_store.database import Database


class Frozen:
    """A database whose answers never come, as when its server is stopped."""

    @asynccontextmanager
    async def transaction(self, _: Any) -> AsyncIterator[None]:
        await asyncio.sleep(60)
        yield

    @asynccontextmanager
    async def system(self) -> AsyncIterator[None]:
        await asyncio.sleep(60)
        yield

    async def fetch(self, *_: Any) -> None:
        await asyncio.sleep(60)


KEY = GatewayKey(uuid4(), uuid4(), (uuid4(),), True)
QUESTIONS: dict[str, Callable[[StoreDirectory], Awaitable[object]]] = {
    "whose key it is": lambda doors: doors.gateway_key("dw_gw_x"),
    "which channels are its own": lambda doors: doors.bindings(KEY),
    "what became of an event": lambda doors: doors.outcomes(KEY, uuid4()),
}


@pytest.mark.parametrize("asked", QUESTIONS)
async def test_each_question_of_the_door_ends_in_time(asked: str) -> None:
    handle: Handle[Database] = Handle("database")
    handle.set(cast(Database, Frozen()))
    doors = StoreDirectory(handle, "00" * 32, 5.0, lambda: 0.0, Deadline(0.05))
    with pytest.raises(ProblemError) as refused:
        await QUESTIONS[asked](doors)
    assert refused.value.problem.status == 503

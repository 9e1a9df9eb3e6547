"""A PostgreSQL that hangs: a gateway gets 503 in seconds (AT_THE_DOOR)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import uuid4

import pytest

from dw_ingest.adapters import directory as adapter
from dw_ingest.adapters.directory import GatewayKey, StoreDirectory
from dw_runtime import Handle, ProblemError
from dw_runtime.deadline import Deadline


@pytest.mark.parametrize("asked", ["key", "bindings", "outcomes"])
async def test_each_question_of_the_door_ends_in_time(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_IN_TIME", Deadline(0.05))

    async def hangs(*_: Any) -> None:
        await asyncio.sleep(60)

    for name in ("find_gateway_key", "bindings_of_key", "outcomes_of_event"):
        monkeypatch.setattr(adapter, name, hangs)
    handle: Handle[Any] = Handle("database")
    handle.set(object())
    doors = StoreDirectory(handle, "00" * 32, 5.0, lambda: 0.0)
    key = GatewayKey(uuid4(), uuid4(), (), False)
    questions: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "key": lambda: doors.gateway_key("dw_gw_x"),
        "bindings": lambda: doors.bindings(key),
        "outcomes": lambda: doors.outcomes(key, uuid4()),
    }
    with pytest.raises(ProblemError) as refused:
        await questions[asked]()
    assert refused.value.problem.status == 503

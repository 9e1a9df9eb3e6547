"""Work by turns: what is transient comes again soon, a bug is the supervisor's."""

from __future__ import annotations

import asyncio

import pytest

from dw_runtime import Transient, every, periodic


async def test_what_is_away_is_asked_again_soon_and_a_bug_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periodic, "SOON", 0.001)
    turns: list[int] = []

    async def work() -> None:
        turns.append(len(turns))
        if len(turns) < 3:
            raise Transient("the database is not there yet")
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        await asyncio.wait_for(every(3600, work, "test.waits"), 10)
    assert turns == [0, 1, 2]

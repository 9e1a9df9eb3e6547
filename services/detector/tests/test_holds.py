"""Callers behind money that others hold (G7): one at a time tries again, each time a call is settled."""

from __future__ import annotations

import asyncio
import uuid

from dw_detector.gate.holds import Holds

ORG, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)


async def test_each_settled_call_lets_the_one_that_waited_longest_try() -> None:
    holds = Holds()
    told: list[int] = []

    async def caller(number: int) -> None:
        await holds.turn(ORG, 60.0)
        told.append(number)

    async with asyncio.TaskGroup() as group:
        for number in range(3):
            group.create_task(caller(number))
        await asyncio.sleep(0)
        holds.next(OTHER)
        await asyncio.sleep(0.01)
        assert told == []
        holds.next(ORG)
        await asyncio.sleep(0.01)
        assert told == [0], "not all of them at once"
        holds.next(ORG)
        holds.next(ORG)
    assert told == [0, 1, 2]


async def test_who_is_cancelled_or_waited_long_enough_is_nobodys_turn() -> None:
    """Calls of another replica settle without a word here."""
    holds = Holds()
    await holds.turn(ORG, 0.01)
    gone = asyncio.ensure_future(holds.turn(ORG, 60.0))
    here = asyncio.ensure_future(holds.turn(ORG, 60.0))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    holds.next(ORG)
    await here
    assert gone.cancelled()

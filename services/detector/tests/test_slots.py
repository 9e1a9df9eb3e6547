"""Places are shared: nobody starves behind an org that asks a lot (C77, G29)."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dw_detector.gate.slots import FairSlots

LOUD, QUIET = uuid.UUID(int=1), uuid.UUID(int=2)


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Crowd:
    """Callers that hold their place until they are told to leave."""

    def __init__(self, size: int) -> None:
        self.slots = FairSlots(size)
        self.inside: list[tuple[uuid.UUID, asyncio.Event]] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.most = 0

    async def _hold(self, org: uuid.UUID) -> None:
        async with self.slots.place(org):
            leave = asyncio.Event()
            self.inside.append((org, leave))
            self.most = max(self.most, len(self.inside))
            await leave.wait()
            self.inside.remove((org, leave))

    async def come(self, org: uuid.UUID, count: int) -> None:
        self.tasks += [asyncio.create_task(self._hold(org)) for _ in range(count)]
        await settle()

    async def one_leaves(self, org: uuid.UUID) -> None:
        next(leave for who, leave in self.inside if who == org).set()
        await settle()

    def held(self) -> Counter[uuid.UUID]:
        return Counter(org for org, _ in self.inside)


@asynccontextmanager
async def crowd_of(size: int) -> AsyncIterator[Crowd]:
    crowd = Crowd(size)
    yield crowd
    for task in crowd.tasks:
        task.cancel()
    await asyncio.gather(*crowd.tasks, return_exceptions=True)


async def test_one_org_alone_takes_all_places() -> None:
    async with crowd_of(4) as crowd:
        await crowd.come(LOUD, 10)
        assert crowd.held() == {LOUD: 4}


async def test_an_org_that_waits_gets_the_places_that_come_free_up_to_half() -> None:
    async with crowd_of(4) as crowd:
        await crowd.come(LOUD, 50)
        await crowd.come(QUIET, 10)
        for _ in range(2):
            await crowd.one_leaves(LOUD)
        assert crowd.held() == {LOUD: 2, QUIET: 2}
        for _ in range(6):
            await crowd.one_leaves(QUIET)
            assert crowd.held() == {LOUD: 2, QUIET: 2}
        assert crowd.most == 4


async def test_a_small_org_is_next_however_many_wait_before_it() -> None:
    async with crowd_of(2) as crowd:
        await crowd.come(LOUD, 500)
        await crowd.come(QUIET, 1)
        await crowd.one_leaves(LOUD)
        assert crowd.held() == {LOUD: 1, QUIET: 1}


async def test_whoever_gives_up_leaves_no_place_taken() -> None:
    async with crowd_of(1) as crowd:
        await crowd.come(LOUD, 3)
        for task in crowd.tasks[1:]:
            task.cancel()
        await settle()
        await crowd.one_leaves(LOUD)
        await crowd.come(QUIET, 1)
        assert crowd.held() == {QUIET: 1}


async def test_closed_slots_give_none_and_wait_for_those_inside() -> None:
    async with crowd_of(2) as crowd:
        await crowd.come(LOUD, 3)
        closing = asyncio.create_task(crowd.slots.close(5.0))
        await settle()
        await crowd.one_leaves(LOUD)
        await crowd.one_leaves(LOUD)
        await closing
        assert crowd.held() == {}
        crowd.slots.open()
        await settle()
        assert crowd.held() == {LOUD: 1}

"""Places for calls in flight, shared fairly between orgs (C77, G29)."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import UUID


class FairSlots:
    """At most `size` at once. While another org waits, one org holds at most half; of those that wait, the one with
    the fewest is next, and equals take turns."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._held: Counter[UUID] = Counter()
        self._waiting: OrderedDict[UUID, deque[asyncio.Future[None]]] = OrderedDict()
        self._closed = False
        self._empty = asyncio.Event()

    @property
    def in_flight(self) -> int:
        """Places that are taken."""
        return self._held.total()

    async def close(self, seconds: float) -> None:
        """Give no more places; wait so long for those that are taken."""
        self._closed = True
        self._empty = asyncio.Event()
        if not self.in_flight:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._empty.wait()

    def open(self) -> None:
        """Give places again."""
        self._closed = False
        self._grant()

    @asynccontextmanager
    async def place(self, org_id: UUID) -> AsyncIterator[None]:
        """Wait for a place, hold it inside."""
        await self._enter(org_id)
        try:
            yield
        finally:
            self._leave(org_id)

    async def _enter(self, org_id: UUID) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(org_id, deque()).append(turn)
        self._grant()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(org_id)
            else:
                self._forget(org_id, turn)
            raise

    def _leave(self, org_id: UUID) -> None:
        self._held[org_id] -= 1
        if not self._held[org_id]:
            del self._held[org_id]
        if not self.in_flight:
            self._empty.set()
        self._grant()

    def _forget(self, org_id: UUID, turn: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(org_id)
        if waiting and turn in waiting:
            waiting.remove(turn)
            if not waiting:
                del self._waiting[org_id]
            self._grant()

    def _grant(self) -> None:
        while not self._closed and self.in_flight < self.size and (org_id := self._next()) is not None:
            waiting = self._waiting[org_id]
            turn = waiting.popleft()
            self._waiting.move_to_end(org_id)
            if not waiting:
                del self._waiting[org_id]
            if not turn.done():
                self._held[org_id] += 1
                turn.set_result(None)

    def _next(self) -> UUID | None:
        """The waiting org with the fewest places. One that holds half gets more only while nobody else waits."""
        if not self._waiting:
            return None
        org_id = min(self._waiting, key=lambda org: self._held[org])
        alone = len(self._waiting) == 1
        return org_id if alone or self._held[org_id] < max(1, self.size // 2) else None

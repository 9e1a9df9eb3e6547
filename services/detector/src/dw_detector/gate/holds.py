"""Callers that stand behind money which calls under way hold: they go on as those settle (G7)."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final
from uuid import UUID

LOOK_SECONDS: Final = 5.0  # calls of another replica settle without a word here


class Holds:
    """By org. Each call that is settled lets one try, and so does each that tried: never all of them at once."""

    def __init__(self) -> None:
        self._waiting: dict[UUID, deque[asyncio.Future[None]]] = {}

    async def turn(self, org_id: UUID, seconds: float = LOOK_SECONDS) -> None:
        """Wait until it may have changed."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(org_id, deque())
        waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except TimeoutError:
            return
        finally:
            if turn in waiting:
                waiting.remove(turn)
            if not waiting and self._waiting.get(org_id) is waiting:
                del self._waiting[org_id]

    def next(self, org_id: UUID) -> None:
        """Let one try, the one that waited longest."""
        waiting = self._waiting.get(org_id, ())
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)
                return

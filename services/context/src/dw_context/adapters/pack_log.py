"""dw_context_packs, written behind the answer: a crash loses the record of at most FLUSH_SECONDS, never a pack."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from dw_context.adapters.conflict_log import ConflictLog
from dw_context.answers import Given, recorded
from dw_runtime import Handle, log
from dw_store.context_reads import PackRecord, record_packs
from dw_store.database import Database

FLUSH_SECONDS = 0.2
MAX_WAITING = 20_000
MAX_BATCH = 250
"""A statement of more would hold the event loop, and with it the replies of that moment, for milliseconds."""


class _Waiting(NamedTuple):
    """One pack: its place, what it was, and when. Its id is its own from the start, so that a repeat is known."""

    id: UUID
    org_id: UUID
    channel_id: str
    given: Given
    built_at: datetime
    run_id: UUID | None


@dataclass(slots=True)
class PackLog:
    """Which memory influenced which reply. Bounded: with the database away the oldest records are given up."""

    database: Handle[Database]
    new_id: Callable[[], UUID]
    conflicts: ConflictLog
    _waiting: list[_Waiting] = field(default_factory=list)

    def put(
        self, org_id: UUID, channel_id: str, given: Given, built_at: datetime, run_id: UUID | None = None
    ) -> None:
        """Keep for the next batch. No I/O."""
        if len(self._waiting) >= MAX_WAITING:
            log.warning("context_pack.records_dropped", count=MAX_BATCH)
            del self._waiting[:MAX_BATCH]
        self._waiting.append(_Waiting(self.new_id(), org_id, channel_id, given, built_at, run_id))

    async def run(self) -> None:
        """Write every FLUSH_SECONDS until cancelled, and once more then."""
        try:
            while True:
                await asyncio.sleep(FLUSH_SECONDS)
                await self.flush()
        finally:
            await self.flush()

    async def flush(self) -> None:
        """Write what waits, in batches. What could not be written waits on: ids make a repeat harmless."""
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            records = [
                PackRecord(made, org_id, channel_id, recorded(what), built_at, run_id)
                for made, org_id, channel_id, what, built_at, run_id in batch
            ]
            try:
                await record_packs(self.database(), records)
            except BaseException:
                self._waiting = batch + self._waiting
                raise
            for each in records:
                if each.given.conflicts:
                    self.conflicts.note(each.org_id, each.given)

"""Conflicts that packs met become review items (C19), behind the answers and once each. No reply waits for it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from dw_runtime import Handle, Transient, log
from dw_store.conflicts import ask_about
from dw_store.context_reads import GivenPack
from dw_store.database import Database
from dw_store.errors import StoreConflict, StoreUnavailable

LOOK_SECONDS: Final = 0.5
MAX_AGENTS: Final = 10_000
_Agent = tuple[UUID, str]


@dataclass(slots=True)
class ConflictLog:
    """An agent is asked about once a version of what it knows; whether a person was asked before, the store says."""

    database: Handle[Database]
    now: Callable[[], datetime]
    _asked: OrderedDict[_Agent, int] = field(default_factory=OrderedDict)
    _waiting: OrderedDict[_Agent, GivenPack] = field(default_factory=OrderedDict)

    def note(self, org_id: UUID, given: GivenPack) -> None:
        """A pack was given. No I/O; bounded: with the database away the oldest are given up, packs will meet them again."""
        agent = (org_id, given.role_agent_id)
        if not given.conflicts or self._asked.get(agent, -1) >= given.version:
            return
        waiting = self._waiting.get(agent)
        if waiting is None or waiting.version <= given.version:
            self._waiting[agent] = given
        while len(self._waiting) > MAX_AGENTS:
            self._waiting.popitem(last=False)

    async def run(self) -> None:
        """Look every LOOK_SECONDS until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.flush()
            except (Transient, StoreUnavailable, StoreConflict) as error:
                log.warning("context_conflicts.wait", agents=len(self._waiting), reason=str(error))

    async def flush(self) -> None:
        """Ask about what waits, an agent a transaction. What could not be asked waits on."""
        while self._waiting:
            agent, given = next(iter(self._waiting.items()))
            org_id, role_agent_id = agent
            async with self.database().transaction([org_id]) as tx:
                asked = await ask_about(tx, org_id, UUID(role_agent_id), given.conflicts, self.now())
            if asked:
                log.info(
                    "memory_conflict.raised", org_id=str(org_id), role_agent_id=role_agent_id, count=asked
                )
            if self._waiting.get(agent) is given:
                del self._waiting[agent]
            self._asked[agent] = max(given.version, self._asked.pop(agent, -1))
            while len(self._asked) > MAX_AGENTS:
                self._asked.popitem(last=False)

"""BuildAgentContext: who asks, load in one round trip, assemble, answer (R154, R4, C71)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dw_context.adapters.pack_log import PackLog
from dw_context.deadline import Deadline, unavailable
from dw_contracts.http.context import BuildContextRequest
from dw_contracts.http.problem import ProblemCode, problem
from dw_learning.pack import Pack, assemble
from dw_runtime import Handle, ProblemError
from dw_store.context_reads import PackFacts, load_pack
from dw_store.database import Database
from dw_store.keys import FoundKey

VERSION_WAIT_SECONDS = 1.0
VERSION_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class BuildPack:
    """The use case. It is called before every reply, so it does one query and nothing else."""

    database: Handle[Database]
    deadline: Deadline
    pack_log: PackLog
    clock: Callable[[], datetime]

    async def run(self, key: FoundKey, request: BuildContextRequest) -> Pack:
        """The pack, at least as new as asked for. 404 where the agent does not listen in the channel (R4)."""
        facts = await self._load(key, request)
        if facts.version < request.at_least_version:
            facts = await self._wait_for(key, request)
        pack = assemble(
            role_agent_id=facts.role_agent_id,
            version=facts.version,
            memories=facts.memories,
            sender=facts.sender,
            soul=facts.soul,
            foreign=facts.foreign,
            built_at=self.clock(),
            more_active=facts.more_active,
        )
        self.pack_log.put(key.org_id, facts.channel_id, pack)
        return pack

    async def _load(self, key: FoundKey, request: BuildContextRequest) -> PackFacts:
        facts = await self.deadline.run(
            load_pack(self.database(), key, request.role_agent, request.channel, request.sender)
        )
        if facts is None:
            raise not_assigned()
        return facts

    async def _wait_for(self, key: FoundKey, request: BuildContextRequest) -> PackFacts:
        for _ in range(round(VERSION_WAIT_SECONDS / VERSION_POLL_SECONDS)):
            await asyncio.sleep(VERSION_POLL_SECONDS)
            facts = await self._load(key, request)
            if facts.version >= request.at_least_version:
                return facts
        raise unavailable(f"version {request.at_least_version} is not here yet; this one is {facts.version}")


def not_assigned() -> ProblemError:
    """One answer for an agent that is unknown, of another org or not in this channel: it tells nothing apart."""
    detail = "not assigned: this role-agent does not listen in this channel"
    return ProblemError(problem(ProblemCode.NOT_FOUND, 404, detail))

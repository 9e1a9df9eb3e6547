"""BuildAgentContext: who asks, what is in memory, choose, answer (R154, R4, C71, C80)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dw_context.adapters.cache import Entry, SnapshotCache
from dw_context.adapters.pack_log import PackLog
from dw_context.answers import MEMORY_BUILDER, Answer, answer_of, render
from dw_context.recent_messages import RecentMessages
from dw_contracts.http.context import BuildContextRequest
from dw_contracts.http.problem import ProblemCode, problem
from dw_learning.pack import assemble
from dw_learning.snapshot import Shape
from dw_runtime import Handle, ProblemError
from dw_runtime.deadline import Deadline, unavailable
from dw_store.context_reads import load_pack
from dw_store.database import Database
from dw_store.keys import FoundKey

VERSION_WAIT_SECONDS: Final = 1.0
VERSION_POLL_SECONDS: Final = 0.05
SQL_BUILDER: Final = "sql-1"


@dataclass(frozen=True, slots=True)
class BuildPack:
    """The use case. It is called before every reply, and asks the database only for what is not in memory."""

    cache: SnapshotCache
    pack_log: PackLog
    recent: RecentMessages
    clock: Callable[[], datetime]

    async def run(self, key: FoundKey, request: BuildContextRequest) -> bytes:
        """The pack as JSON, at least as new as asked for. 404 where the agent does not listen in the channel (R4)."""
        entry = await self._entry(key, request)
        channel_id = entry.snapshot.facts.channels.get(request.channel)
        if channel_id is None:
            raise not_assigned()
        shape, built_at = _shape(entry, request), self.clock()
        if request.recent:  # asked for, and only then: it is read, not kept (R166)
            pack = entry.snapshot.pack(shape, built_at)
            await self.recent.add(pack, key.org_id, channel_id, request.recent)
            answer = render(pack, MEMORY_BUILDER, entry.snapshot.conflicts)
        else:
            answer = answer_of(entry.snapshot, shape)
        return self._given(key, request, channel_id, answer, built_at)

    def at_once(self, key: FoundKey, request: BuildContextRequest) -> bytes | None:
        """The same pack where all of it is in memory and fresh; None where `run` has to wait or to refuse."""
        entry = self.cache.fresh(key.org_id, request.role_agent, request.at_least_version)
        if entry is None or request.recent or not _opens(key, entry):
            return None
        channel_id = entry.snapshot.facts.channels.get(request.channel)
        if channel_id is None:
            return None
        answer = answer_of(entry.snapshot, _shape(entry, request))
        return self._given(key, request, channel_id, answer, self.clock())

    def _given(
        self, key: FoundKey, request: BuildContextRequest, channel_id: str, answer: Answer, built_at: datetime
    ) -> bytes:
        self.pack_log.put(key.org_id, channel_id, answer.given, built_at, request.run_id)
        return answer.at(built_at)

    async def _entry(self, key: FoundKey, request: BuildContextRequest) -> Entry:
        wanted = request.at_least_version
        entry = await self.cache.get(key.org_id, request.role_agent, wanted)
        entry = allowed(key, entry)
        if entry.snapshot.version < wanted:
            await self._wait_for(key, entry, wanted)
            entry = allowed(key, await self.cache.get(key.org_id, request.role_agent, wanted))
        return entry

    async def _wait_for(self, key: FoundKey, entry: Entry, wanted: int) -> None:
        """Until the database has the version. Asks for the number alone: a number nobody was given costs little."""
        version = 0
        for _ in range(round(VERSION_WAIT_SECONDS / VERSION_POLL_SECONDS)):
            version = await self.cache.version(key.org_id, entry.role_agent_id)
            if version >= wanted:
                return
            await asyncio.sleep(VERSION_POLL_SECONDS)
        raise unavailable(f"version {wanted} is not here yet; this one is {version}")


@dataclass(frozen=True, slots=True)
class BuildPackFromSql:
    """The same without a memory (`cached_agents` is 0): one query for each pack, and no matches of the message."""

    database: Handle[Database]
    deadline: Deadline
    pack_log: PackLog
    recent: RecentMessages
    clock: Callable[[], datetime]

    async def run(self, key: FoundKey, request: BuildContextRequest) -> bytes:
        """See BuildPack."""
        built_at = self.clock()
        answer, channel_id, version = await self._load(key, request, built_at)
        for _ in range(round(VERSION_WAIT_SECONDS / VERSION_POLL_SECONDS)):
            if version >= request.at_least_version:
                break
            await asyncio.sleep(VERSION_POLL_SECONDS)
            answer, channel_id, version = await self._load(key, request, built_at)
        else:
            raise unavailable(f"version {request.at_least_version} is not here yet; this one is {version}")
        self.pack_log.put(key.org_id, channel_id, answer.given, built_at, request.run_id)
        return answer.at(built_at)

    def at_once(self, key: FoundKey, request: BuildContextRequest) -> bytes | None:
        """Never: each pack is read."""
        return None

    async def _load(
        self, key: FoundKey, request: BuildContextRequest, built_at: datetime
    ) -> tuple[Answer, str, int]:
        facts = await self.deadline.run(
            load_pack(self.database(), key, request.role_agent, request.channel, request.sender)
        )
        if facts is None:
            raise not_assigned()
        pack = assemble(
            role_agent_id=facts.role_agent_id,
            version=facts.version,
            memories=facts.memories,
            sender=facts.sender,
            soul=facts.soul,
            foreign=facts.foreign,
            built_at=built_at,
            more_active=facts.more_active,
        )
        if request.recent:
            await self.recent.add(pack, key.org_id, facts.channel_id, request.recent)
        return render(pack, SQL_BUILDER), facts.channel_id, facts.version


def not_assigned() -> ProblemError:
    """One answer for an agent that is unknown, of another org or not in this channel: it tells nothing apart."""
    detail = "not assigned: this role-agent does not listen in this channel"
    return ProblemError(problem(ProblemCode.NOT_FOUND, 404, detail))


def allowed(key: FoundKey, entry: Entry | None) -> Entry:
    """The entry, or 404 where there is none or the key does not open it."""
    if entry is None or not _opens(key, entry):
        raise not_assigned()
    return entry


def _opens(key: FoundKey, entry: Entry) -> bool:
    return not key.agent_ids or entry.role_agent_id in key.agent_ids


def _shape(entry: Entry, request: BuildContextRequest) -> Shape:
    sender = request.sender
    account = (sender.platform, sender.workspace_ref, sender.external_user_id) if sender else None
    return entry.snapshot.shape(account, request.message)

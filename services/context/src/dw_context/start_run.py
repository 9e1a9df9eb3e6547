"""POST /v1/runs: a token for one reply of one role-agent in one channel (C74)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dw_context.adapters.cache import SnapshotCache
from dw_context.build_pack import allowed, not_assigned
from dw_context.run_tokens import RunTokens
from dw_contracts.http.agent_memory import StartedRun, StartRun
from dw_contracts.http.problem import ProblemCode
from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_runtime.problems import refusal
from dw_store.database import Database
from dw_store.keys import FoundKey
from dw_store.runs import EventPlace, Run, start_run


@dataclass(frozen=True, slots=True)
class StartRunCase:
    """The use case."""

    database: Handle[Database]
    deadline: Deadline
    cache: SnapshotCache
    tokens: RunTokens
    new_id: Callable[[], UUID]
    now: Callable[[], datetime]

    async def run(self, key: FoundKey, request: StartRun) -> StartedRun:
        """404 where the agent does not listen in the channel; 403 where the event is another one's."""
        entry = allowed(key, await self.cache.get(key.org_id, request.role_agent))
        channel_id = entry.snapshot.facts.channels.get(request.channel)
        if channel_id is None:
            raise not_assigned()
        now = self.now().replace(microsecond=0)
        run = Run(
            run_id=self.new_id(),
            org_id=key.org_id,
            role_agent_id=entry.role_agent_id,
            channel_id=UUID(channel_id),
            event_id=request.event_id,
            expires_at=now + timedelta(minutes=request.minutes),
        )
        event = await self.deadline.run(self._write(run, now, key.key_id))
        if event == "elsewhere":
            raise refusal(ProblemCode.FORBIDDEN, 403, "the event is of another role-agent or channel")
        return StartedRun(
            run_id=run.run_id,
            token=self.tokens.make(run),
            expires_at=run.expires_at,
            org_id=run.org_id,
            role_agent_id=run.role_agent_id,
            channel_id=run.channel_id,
            event_id=run.event_id,
            memory=f"/v1/agents/{run.role_agent_id}/memory",
            event_known=event == "here" if run.event_id is not None else None,
        )

    async def _write(self, run: Run, now: datetime, key_id: UUID) -> EventPlace:
        async with self.database().transaction([run.org_id]) as tx:
            return await start_run(tx, run, now, key_id)

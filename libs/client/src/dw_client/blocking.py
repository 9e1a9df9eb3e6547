"""The clients of gateways, of a runtime and of its agents, for code without an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Literal, Self
from uuid import UUID

from dw_client.agent import AgentClient
from dw_client.agent_skills import AgentSkillsClient, SkillStatus
from dw_client.gateway import GatewayClient
from dw_client.runtime import RuntimeClient
from dw_client.transport import Transport
from dw_contracts.http.agent_memory import (
    MemoryAnswer,
    MemoryPage,
    MemorySummary,
    PutMemory,
    ReportedRun,
    StartedRun,
    StartRun,
)
from dw_contracts.http.context import BuildContextRequest, ContextPack, SearchRequest, SearchResult
from dw_contracts.http.ingest import Accepted, BatchResult, EventStatus, InboundEvent
from dw_contracts.http.skills import ChangedSkill, ProposedSkill, ProposeSkill, SkillView


class _Blocking:
    """Use as a context manager, from one thread that runs no event loop."""

    def __init__(self, client: Transport) -> None:
        self._own = client
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        self._runner.run(self._own.__aenter__())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self._runner.run(self._own.__aexit__(kind, error, traceback))
        self._runner.close()


class BlockingGatewayClient(_Blocking):
    """GatewayClient, waiting."""

    def __init__(self, base_url: str, token: str, **options: Any) -> None:
        self._client = GatewayClient(base_url, token, **options)
        super().__init__(self._client)

    def publish(self, event: InboundEvent, *, traceparent: str | None = None) -> Accepted:
        """One event; returns after Kafka has acknowledged it."""
        return self._runner.run(self._client.publish(event, traceparent=traceparent))

    def publish_batch(
        self, events: Sequence[InboundEvent | dict[str, Any]], *, traceparent: str | None = None
    ) -> BatchResult:
        """Up to 1,000 events, judged one by one."""
        return self._runner.run(self._client.publish_batch(events, traceparent=traceparent))

    def status(self, event_id: UUID) -> EventStatus:
        """What became of an event."""
        return self._runner.run(self._client.status(event_id))


class BlockingRuntimeClient(_Blocking):
    """RuntimeClient, waiting."""

    def __init__(self, base_url: str, token: str, **options: Any) -> None:
        self._client = RuntimeClient(base_url, token, **options)
        super().__init__(self._client)

    def build_context(self, request: BuildContextRequest, *, traceparent: str | None = None) -> ContextPack:
        """The pack for one reply."""
        return self._runner.run(self._client.build_context(request, traceparent=traceparent))

    def build_context_or_none(
        self, request: BuildContextRequest, *, within: float = 1.0, traceparent: str | None = None
    ) -> ContextPack | None:
        """The pack, or None where none came in time."""
        return self._runner.run(
            self._client.build_context_or_none(request, within=within, traceparent=traceparent)
        )

    def start_run(self, request: StartRun) -> StartedRun:
        """A run and its token."""
        return self._runner.run(self._client.start_run(request))

    def search_history(self, request: SearchRequest) -> SearchResult:
        """Past messages, as untrusted quotes."""
        return self._runner.run(self._client.search_history(request))


class BlockingAgentClient(_Blocking):
    """AgentClient, waiting."""

    def __init__(self, base_url: str, run: StartedRun, **options: Any) -> None:
        self._client = AgentClient(base_url, run, **options)
        super().__init__(self._client)

    def memory(
        self,
        *,
        layer: Literal["operating", "knowledge", "session"] | None = None,
        key: str | None = None,
        after: UUID | None = None,
    ) -> MemoryPage:
        """One page of active entries."""
        return self._runner.run(self._client.memory(layer=layer, key=key, after=after))

    def summary(self) -> MemorySummary:
        """What a session starts with."""
        return self._runner.run(self._client.summary())

    def put(self, entry: PutMemory) -> MemoryAnswer:
        """Ask to keep an entry."""
        return self._runner.run(self._client.put(entry))

    def delete(self, entry_id: UUID) -> MemoryAnswer:
        """Ask to drop an entry."""
        return self._runner.run(self._client.delete(entry_id))

    def note(self, key: str, content: str, *, metadata: dict[str, Any] | None = None) -> MemoryAnswer:
        """Keep a note that this run alone reads."""
        return self._runner.run(self._client.note(key, content, metadata=metadata))

    def notes(self, *, key: str | None = None) -> MemoryPage:
        """The notes of this run."""
        return self._runner.run(self._client.notes(key=key))

    def search(
        self,
        query: str,
        *,
        phrasings: Sequence[str] = (),
        limit: int = 10,
        neighbours: int = 2,
        include_unproven: bool = False,
    ) -> SearchResult:
        """Past messages that the run's channel may see, as untrusted quotes."""
        return self._runner.run(
            self._client.search(
                query,
                phrasings=phrasings,
                limit=limit,
                neighbours=neighbours,
                include_unproven=include_unproven,
            )
        )

    def report(
        self,
        used: Sequence[UUID] = (),
        *,
        status: Literal["succeeded", "failed", "cancelled"] | None = None,
    ) -> ReportedRun:
        """Which memories the reply rests on, and how the run ended."""
        return self._runner.run(self._client.report(used, status=status))


class BlockingAgentSkillsClient(_Blocking):
    """AgentSkillsClient, waiting."""

    def __init__(self, base_url: str, token: str, **options: Any) -> None:
        self._client = AgentSkillsClient(base_url, token, **options)
        super().__init__(self._client)

    def skills(
        self, org: str, agent: str, *, status: SkillStatus | None = None, after: str = "", limit: int = 50
    ) -> tuple[SkillView, ...]:
        """One page by name."""
        return self._runner.run(self._client.skills(org, agent, status=status, after=after, limit=limit))

    def propose(self, org: str, agent: str, skill: ProposeSkill) -> ProposedSkill:
        """A new skill, or an update; it waits for a person's yes."""
        return self._runner.run(self._client.propose(org, agent, skill))

    def set_desired(self, org: str, skill_id: UUID, desired: bool) -> ChangedSkill:
        """On or off the agent's desired list."""
        return self._runner.run(self._client.set_desired(org, skill_id, desired))

"""The clients of a runtime and its agents for code without an event loop."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from dw_client.agent import AgentClient
from dw_client.runtime import RuntimeClient
from dw_client.transport import Transport
from dw_contracts.http.agent_memory import (
    MemoryAnswer,
    MemoryPage,
    MemorySummary,
    PutMemory,
    StartedRun,
    StartRun,
)
from dw_contracts.http.context import BuildContextRequest, ContextPack, SearchRequest, SearchResult


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


class BlockingRuntimeClient(_Blocking):
    """RuntimeClient, waiting."""

    def __init__(self, base_url: str, token: str, **options: Any) -> None:
        self._client = RuntimeClient(base_url, token, **options)
        super().__init__(self._client)

    def build_context(self, request: BuildContextRequest) -> ContextPack:
        """The pack for one reply."""
        return self._runner.run(self._client.build_context(request))

    def build_context_or_none(
        self, request: BuildContextRequest, *, within: float = 1.0
    ) -> ContextPack | None:
        """The pack, or None where none came in time."""
        return self._runner.run(self._client.build_context_or_none(request, within=within))

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

    def memory(self, **filters: Any) -> MemoryPage:
        """One page of active entries."""
        return self._runner.run(self._client.memory(**filters))

    def summary(self) -> MemorySummary:
        """What a session starts with."""
        return self._runner.run(self._client.summary())

    def put(self, entry: PutMemory) -> MemoryAnswer:
        """Ask to keep an entry."""
        return self._runner.run(self._client.put(entry))

    def delete(self, entry_id: UUID) -> MemoryAnswer:
        """Ask to drop an entry."""
        return self._runner.run(self._client.delete(entry_id))

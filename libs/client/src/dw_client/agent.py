"""For an agent at work: its own memory, with the token of its run."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from dw_client.transport import Transport
from dw_contracts.http.agent_memory import MemoryAnswer, MemoryPage, MemorySummary, PutMemory, StartedRun

REJECTED = frozenset({422})


class AgentClient(Transport):
    """`base_url` of context and a started run."""

    def __init__(self, base_url: str, run: StartedRun, *, timeout: float = 10.0, tries: int = 3) -> None:
        super().__init__(base_url, run.token, timeout=timeout, tries=tries)
        self._memory = run.memory

    async def memory(
        self,
        *,
        layer: Literal["operating", "knowledge", "session"] | None = None,
        key: str | None = None,
        after: UUID | None = None,
    ) -> MemoryPage:
        """One page of active entries."""
        asked = {"layer": layer, "key": key, "after": str(after) if after else None}
        params = {name: value for name, value in asked.items() if value is not None}
        return MemoryPage.model_validate(await self.call("GET", self._memory, params=params))

    async def summary(self) -> MemorySummary:
        """What a session starts with."""
        return MemorySummary.model_validate(await self.call("GET", f"{self._memory}/summary"))

    async def put(self, entry: PutMemory) -> MemoryAnswer:
        """Ask to keep an entry. Look at `status`: stored, proposed or rejected, each with its reason."""
        body = entry.model_dump(mode="json", exclude_defaults=True)
        answer = await self.call("PUT", self._memory, json=body, answers=REJECTED)
        return MemoryAnswer.model_validate(answer)

    async def delete(self, entry_id: UUID) -> MemoryAnswer:
        """Ask to drop an entry: deleted or proposed."""
        answer = await self.call("DELETE", f"{self._memory}/{entry_id}", answers=REJECTED)
        return MemoryAnswer.model_validate(answer)

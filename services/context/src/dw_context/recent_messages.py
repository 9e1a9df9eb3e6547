"""The newest messages of a channel in a pack, where a runtime asks for them (R155, R166, R176).

A long conversation never comes whole: what lasts comes from memory (R177), what is older from SearchAgentHistory.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from dw_context.shown_messages import shown
from dw_learning.pack import Pack
from dw_learning.pack_blocks import history_block
from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_store.database import Database
from dw_store.history_search import FoundMessage, newest


@dataclass(frozen=True, slots=True)
class RecentMessages:
    """One query each time: what was said a moment ago is not kept in memory."""

    database: Handle[Database]
    deadline: Deadline

    async def add(self, pack: Pack, org_id: UUID, channel_id: str, count: int) -> None:
        """Into the pack and its block, oldest first. 503 where the database does not answer in time."""
        place = (UUID(pack["role_agent_id"]), UUID(channel_id))
        found = await self.deadline.run(self._read(org_id, place, count))
        pack["history"] = [shown(message) for message in found]
        pack["blocks"] = pack["blocks"] | {
            "history": history_block([(message.sender, message.text) for message in found])
        }

    async def _read(self, org_id: UUID, place: tuple[UUID, UUID], count: int) -> list[FoundMessage]:
        async with self.database().transaction([org_id]) as tx:
            return await newest(tx, org_id, *place, count)

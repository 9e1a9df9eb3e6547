"""SearchAgentHistory in its first form: one org, one agent, its channels, and what their visibility allows (C81)."""

from __future__ import annotations

from dataclasses import dataclass

from dw_context.build_pack import not_assigned
from dw_context.deadline import Deadline
from dw_contracts.http.context import HistoryHit, SearchRequest, SearchResult
from dw_learning.history_tokens import query_tokens
from dw_learning.scan import inert
from dw_runtime import Handle
from dw_store.database import Database
from dw_store.history_search import FoundMessage, search
from dw_store.keys import FoundKey


@dataclass(frozen=True, slots=True)
class SearchHistory:
    """The use case."""

    database: Handle[Database]
    deadline: Deadline

    async def run(self, key: FoundKey, request: SearchRequest) -> SearchResult:
        """Hits, best first. A query without a word in it finds nothing; no query is an error."""
        found = await self.deadline.run(
            search(
                self.database(),
                key,
                request.role_agent,
                request.channel,
                query_tokens(request.query),
                request.limit,
            )
        )
        if found is None:
            raise not_assigned()
        return SearchResult(hits=tuple(_hit(message) for message in found))


def _hit(message: FoundMessage) -> HistoryHit:
    return HistoryHit(
        event_id=message.event_id,
        channel_id=message.channel_id,
        text=inert(message.text),
        sender=inert(message.sender),
        verified=message.verified,
        occurred_at=message.occurred_at,
    )

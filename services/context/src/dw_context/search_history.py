"""SearchAgentHistory: one org, one agent, its channels, and what their visibility allows (C81)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dw_context.build_pack import not_assigned
from dw_context.run_tokens import over
from dw_context.shown_messages import shown
from dw_contracts.http.context import HistoryHit, SearchRequest, SearchResult
from dw_contracts.http.problem import ProblemCode
from dw_learning.history.ask import without_secrets
from dw_learning.history.glossary import with_words
from dw_learning.history.query import search_terms
from dw_learning.history.snippet import asked_for, snippet
from dw_learning.scan import inert
from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_runtime.problems import refusal
from dw_store.database import Database
from dw_store.history_search import Bounds, FoundMessage, place_of, search
from dw_store.keys import FoundKey
from dw_store.runs import Run, is_live


@dataclass(frozen=True, slots=True)
class SearchHistory:
    """The use case."""

    database: Handle[Database]
    deadline: Deadline
    now: Callable[[], datetime]

    async def run(self, key: FoundKey, request: SearchRequest) -> SearchResult:
        """Hits, best first. A query without a word in it finds nothing; no query is an error. 404 where the agent does
        not listen in the channel."""
        return await self._answer(key, request, None)

    async def of_run(self, run: Run, request: SearchRequest) -> SearchResult:
        """The same for an agent at work: role-agent and channel are its token's, and a body that names others is 403
        (C74)."""
        key = FoundKey(run.run_id, run.org_id, "runtime", None, (), (run.role_agent_id,), True)
        return await self._answer(key, request, run)

    async def _answer(self, key: FoundKey, request: SearchRequest, run: Run | None) -> SearchResult:
        phrasings, redacted = without_secrets([request.query, *request.phrasings])
        found = await self.deadline.run(self._search(key, request, phrasings, run))
        if found is None:
            raise not_assigned()
        asked = asked_for(phrasings)
        return SearchResult(hits=tuple(_hit(message, asked) for message in found), query_redacted=redacted)

    async def _search(
        self, key: FoundKey, request: SearchRequest, phrasings: list[str], run: Run | None
    ) -> list[FoundMessage] | None:
        bounds = Bounds(request.limit, request.neighbours, request.include_unproven)
        async with self.database().transaction([key.org_id]) as tx:
            if run is not None and not await is_live(tx, run, self.now()):
                raise over()
            place = await place_of(tx, key, request.role_agent, request.channel)
            if run is not None and (
                place is None
                or (place.role_agent_id, place.channel_id) != (run.role_agent_id, run.channel_id)
            ):
                raise refusal(ProblemCode.FORBIDDEN, 403, "the run token is of another role-agent or channel")
            if place is None:
                return None
            terms = search_terms(phrasings, place.role_agent_id, with_words(place.words))
            return await search(tx, key.org_id, place, terms, bounds)


def _hit(message: FoundMessage, asked: frozenset[str]) -> HistoryHit:
    text = inert(message.text)
    return HistoryHit(
        event_id=message.event_id,
        channel_id=message.channel_id,
        thread_ref=None if message.thread_ref is None else inert(message.thread_ref),
        text=text,
        snippet=snippet(text, asked),
        sender=inert(message.sender),
        sender_kind=message.sender_kind,
        verified=message.verified,
        occurred_at=message.occurred_at,
        neighbours=tuple(shown(near) for near in message.around),
    )

"""Use case: read the Learning Inbox, and what an agent knows (R128 to R149, C95)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dw_contracts.http.panel import ItemPage, LearningItemView
from dw_learning.authority import Person, authors_matter, may_see
from dw_panel.adapters.cursors import read_cursor, write_cursor
from dw_panel.answers import AgentView
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, NO_SUCH_ITEM, denied
from dw_panel.views import channel_of, facts_of, item_view
from dw_runtime import Handle, ProblemError
from dw_store import inbox_reads
from dw_store.database import Database, Tx


class Inbox:
    """Pages and JSON both call these. A page costs the same number of statements whatever it holds."""

    def __init__(self, database: Handle[Database]) -> None:
        self._database = database

    async def agents(self, signed: Signed) -> list[AgentView]:
        """Role-agents whose inbox this person may see."""
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await inbox_reads.agents_of(tx, signed.org_id)
        return [AgentView(**dict(row)) for row in rows if may_see(signed.person, row["id"])]

    async def page(
        self, signed: Signed, *, agent: UUID | None, status: str, risk: str, cursor: str, limit: int
    ) -> ItemPage:
        """Items by due date, those of the reader's agents alone."""
        after = read_cursor(cursor)
        async with self._database().transaction([signed.org_id]) as tx:
            scope = await scope_of(tx, signed, agent)
            wanted = inbox_reads.ItemFilter(scope, status, risk, after, limit + 1)
            rows, total = await inbox_reads.item_page(tx, signed.org_id, wanted)
            items = await views(tx, signed, rows[:limit])
        last = rows[limit - 1] if len(rows) > limit else None
        following = (
            write_cursor(last["due_at"] or last["created_at"], last["id"]) if last is not None else None
        )
        return ItemPage(items=tuple(items), next_cursor=following, total=total)

    async def item(self, signed: Signed, item_id: UUID) -> LearningItemView:
        """One item, of whatever status."""
        async with self._database().transaction([signed.org_id]) as tx:
            row = await inbox_reads.one_item(tx, signed.org_id, item_id)
            if row is None:
                raise ProblemError(NO_SUCH_ITEM)
            if not may_see(signed.person, row["role_agent_id"]):
                raise denied("not_yours")
            return (await views(tx, signed, [row]))[0]

    async def items(self, signed: Signed, item_ids: Sequence[UUID]) -> list[LearningItemView]:
        """Those of these that are there and in the reader's inbox, in no order."""
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await inbox_reads.these_items(tx, signed.org_id, item_ids)
            return await views(tx, signed, [r for r in rows if may_see(signed.person, r["role_agent_id"])])

    async def channels(self, signed: Signed, items: Sequence[LearningItemView]) -> dict[UUID, str]:
        """Names of the channels where the items' sources were said."""
        wanted = {source.channel_id for item in items for source in item.evidence if source.channel_id}
        async with self._database().transaction([signed.org_id]) as tx:
            return await inbox_reads.channel_names(tx, signed.org_id, sorted(wanted))


async def views(tx: Tx, signed: Signed, rows: Sequence[Any]) -> list[LearningItemView]:
    """Items as this person may see them: three statements for all of them."""
    if not rows:
        return []
    pending = [row["id"] for row in rows if row["status"] == "pending"]
    weighty = [
        row["id"] for row in rows if row["status"] == "pending" and authors_matter(facts_of(row, frozenset()))
    ]
    authors = await inbox_reads.authors_of(tx, signed.org_id, weighty) if weighty else {}
    agents = sorted({row["role_agent_id"] for row in rows})
    deciders = await inbox_reads.deciders(tx, signed.org_id, agents) if pending else []
    closed = await _closed(tx, signed, rows)
    return [
        item_view(row, signed.person, authors.get(row["id"], frozenset()), deciders, closed) for row in rows
    ]


async def _closed(tx: Tx, signed: Signed, rows: Sequence[Any]) -> frozenset[UUID]:
    """D27: admins and owners read all channels; others the shared ones and those that they manage."""
    if signed.person.is_admin:
        return frozenset()
    said = {channel for row in rows for ref in row["source_refs"] if (channel := channel_of(ref))}
    return await inbox_reads.closed_channels(tx, signed.org_id, sorted(said), signed.person.user_id)


async def scope_of(tx: Tx, signed: Signed, agent: UUID | None) -> list[UUID] | None:
    """None is the whole org. An agent that is not there, or not the reader's, is a 404."""
    person: Person = signed.person
    if agent is None:
        return None if person.is_admin else sorted(person.manages)
    known = {row["id"] for row in await inbox_reads.agents_of(tx, signed.org_id)} if person.is_admin else ()
    if agent not in (known if person.is_admin else person.manages):
        raise ProblemError(NO_SUCH_AGENT)
    return [agent]

"""Use case: pages of items, memories and tombstones by filter (D28, D30, D35, C95)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from dw_contracts.http.learning import RevisionList, RevisionView, TombstonePage, TombstoneView
from dw_contracts.http.panel import ItemPage
from dw_learning import scan
from dw_learning.authority import sees_text
from dw_learning.authority_acts import may_read_memory
from dw_panel.adapters.cursors import read_count, read_cursor, write_count, write_cursor
from dw_panel.answers import MemoryPage, MemoryView
from dw_panel.inbox import scope_of, views
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_MEMORY, denied
from dw_panel.views import MASK, memory_view
from dw_runtime import Handle, ProblemError
from dw_store import inbox_reads
from dw_store.database import Database, Tx
from dw_store.inbox_reads import Sort
from dw_store.tombstones import tombstone_page

Assigned = Literal["", "me", "nobody"]


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """What a reader asks of the inbox."""

    agent: UUID | None = None
    status: str = "pending"
    risk: str = ""
    kind: str = ""
    reason: str = ""
    sensitive: bool | None = None
    assigned: Assigned = ""
    overdue: bool = False
    escalated: bool = False
    text: str = ""
    sort: Sort = "due"
    cursor: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """What a reader asks of the Memory tab. No agent is what the whole org knows."""

    agent: UUID | None = None
    status: str = "active"
    layer: str = ""
    memory_type: str = ""
    risk: str = ""
    origin: str = ""
    text: str = ""
    cursor: str = ""
    limit: int = 50


class Lists:
    """A page costs the same number of statements whatever it holds."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def items(self, signed: Signed, asked: ItemQuery) -> ItemPage:
        """Items of the reader's agents alone."""
        counted = {"evidence": "evidence_count", "impact": "impact"}.get(asked.sort)
        after = read_count(asked.cursor) if counted else read_cursor(asked.cursor)
        async with self._database().transaction([signed.org_id]) as tx:
            wanted = inbox_reads.ItemFilter(
                agents=await scope_of(tx, signed, asked.agent),
                status=asked.status,
                risk=asked.risk,
                after=after,
                limit=asked.limit + 1,
                kind=asked.kind,
                reason=asked.reason,
                sensitive=asked.sensitive,
                assigned=asked.assigned,
                assignee=signed.person.user_id if asked.assigned == "me" else None,
                overdue_at=self._clock() if asked.overdue else None,
                escalated=asked.escalated,
                text=asked.text,
                reads_all=signed.person.is_admin,
                sort=asked.sort,
            )
            rows, total = await inbox_reads.item_page(tx, signed.org_id, wanted)
            items = await views(tx, signed, rows[: asked.limit])
        last = rows[asked.limit - 1] if len(rows) > asked.limit else None
        if last is None:
            following = None
        elif counted:
            following = write_count(last[counted], last["id"])
        else:
            at = last["created_at"] if asked.sort == "newest" else last["due_at"] or last["created_at"]
            following = write_cursor(at, last["id"])
        return ItemPage(items=tuple(items), next_cursor=following, total=total)

    async def memories(self, signed: Signed, asked: MemoryQuery) -> MemoryPage:
        """The Memory tab, newest first."""
        after = read_cursor(asked.cursor)
        wanted = inbox_reads.MemoryFilter(
            asked.agent, asked.status, asked.layer, asked.memory_type, asked.risk, asked.origin, asked.text,
            signed.person.is_admin, after, asked.limit + 1,
        )  # fmt: skip
        async with self._database().transaction([signed.org_id]) as tx:
            await _check_tab(tx, signed, asked.agent)
            rows = await inbox_reads.memory_tab(tx, signed.org_id, wanted)
        last = rows[asked.limit - 1] if len(rows) > asked.limit else None
        following = write_cursor(last["created_at"], last["id"]) if last is not None else None
        shown = tuple(memory_view(row, signed.person) for row in rows[: asked.limit])
        return MemoryPage(memories=shown, next_cursor=following)

    async def memory(self, signed: Signed, memory_id: UUID) -> MemoryView:
        """One memory, of whatever status."""
        async with self._database().transaction([signed.org_id]) as tx:
            row = await inbox_reads.one_memory(tx, signed.org_id, memory_id)
        if row is None or not may_read_memory(signed.person, row["role_agent_id"]):
            raise ProblemError(NO_SUCH_MEMORY)
        return memory_view(row, signed.person)

    async def revisions(self, signed: Signed, memory_id: UUID) -> RevisionList:
        """How a memory came to be what it is (R301, R304)."""
        memory = await self.memory(signed, memory_id)
        shown = sees_text(signed.person, is_sensitive=memory.is_sensitive)
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await inbox_reads.revisions_of(tx, signed.org_id, memory_id)
            versions = await inbox_reads.versions_of(tx, signed.org_id, memory_id)
        return RevisionList(
            versions=versions,
            revisions=tuple(
                RevisionView(
                    revision=row["revision"],
                    change=row["change_kind"],
                    content=scan.inert(row["content"]) if shown else MASK,
                    confidence=float(row["confidence"]),
                    changed_by=row["changed_by"],
                    at=row["at"],
                )
                for row in rows
            ),
        )

    async def tombstones(self, signed: Signed, agent: UUID, cursor: str, limit: int) -> TombstonePage:
        """What does not come back to this role-agent."""
        after = read_cursor(cursor)
        async with self._database().transaction([signed.org_id]) as tx:
            await scope_of(tx, signed, agent)
            rows = await tombstone_page(tx, signed.org_id, agent, after, limit + 1)
        last = rows[limit - 1] if len(rows) > limit else None
        following = write_cursor(last["created_at"], last["id"]) if last is not None else None
        admin = signed.person.is_admin
        return TombstonePage(
            tombstones=tuple(
                TombstoneView(
                    id=row["id"],
                    role_agent_id=row["role_agent_id"],
                    topic_key=scan.inert(row["topic_key"]) if admin or not row["is_sensitive"] else "",
                    content=_stone_text(row["content"], shown=admin or not row["is_sensitive"]),
                    reason=row["reason"],
                    created_by=row["created_by"],
                    created_at=row["created_at"],
                )
                for row in rows[:limit]
            ),
            next_cursor=following,
        )


def _stone_text(text: str | None, *, shown: bool) -> str:
    if text is None:
        return ""
    return scan.inert(text) if shown else MASK


async def _check_tab(tx: Tx, signed: Signed, agent: UUID | None) -> None:
    if agent is not None:
        await scope_of(tx, signed, agent)
    elif not may_read_memory(signed.person, None):
        raise denied("not_yours")

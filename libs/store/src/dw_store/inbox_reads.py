"""The Learning Inbox as a person reads it: pages of items, one item, memories. No query in a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, LiteralString
from uuid import UUID

from dw_store import inbox_sql as sql
from dw_store.database import Tx

Row = Any


Sort = Literal["due", "newest", "evidence", "impact"]
_SORTED: Final[dict[Sort, tuple[LiteralString, LiteralString]]] = {
    "due": (sql.BY_DUE, sql.BY_DUE_ANY),
    "newest": (sql.BY_NEWEST, sql.BY_NEWEST_ANY),
    "evidence": (sql.BY_EVIDENCE, sql.BY_EVIDENCE_ANY),
    "impact": (sql.BY_IMPACT, sql.BY_IMPACT_ANY),
}


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """`agents` None is all of the org. `assigned` is nobody, or somebody with `assignee`. `after` is the place behind
    the last row: its time, or its evidence or impact where that is the order."""

    agents: Sequence[UUID] | None
    status: str
    risk: str
    after: tuple[datetime | int, UUID] | None
    limit: int
    kind: str = ""
    reason: str = ""
    sensitive: bool | None = None
    assigned: str = ""
    assignee: UUID | None = None
    overdue_at: datetime | None = None
    escalated: bool = False
    text: str = ""
    reads_all: bool = False
    sort: Sort = "due"

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Of the part that all orders share."""
        agents = list(self.agents) if self.agents is not None else None
        return (
            agents, self.status, self.risk, self.kind, self.reason, self.sensitive, self.assigned, self.assignee,
            self.overdue_at, self.escalated, self.text, self.reads_all,
        )  # fmt: skip


async def item_page(tx: Tx, org_id: UUID, wanted: ItemFilter) -> tuple[list[Row], int]:
    """One page and how many match, counted up to 1,000. Sorted by impact, each row also has its `impact`."""
    place, id_ = wanted.after or (None, None)
    any_status = wanted.status == "any"
    await tx.execute(sql.PLAN_EACH)
    count = sql.COUNT_ANY if any_status else sql.COUNT
    found = await tx.fetch(
        _SORTED[wanted.sort][any_status], org_id, *wanted.arguments, place, id_, wanted.limit
    )
    total = await tx.fetchval(count, org_id, *wanted.arguments)
    await tx.execute(sql.PLAN_ONCE)
    ids = [row["id"] for row in found]
    rows = {row["id"]: row for row in await tx.fetch(sql.THESE, org_id, ids)} if ids else {}
    if wanted.sort == "impact":
        return [dict(rows[row["id"]]) | {"impact": row["impact"]} for row in found], total
    return [rows[id_] for id_ in ids], total


async def one_item(tx: Tx, org_id: UUID, item_id: UUID) -> Row | None:
    """The item, of whatever status."""
    return await tx.fetchrow(sql.ONE, org_id, item_id)


async def these_items(tx: Tx, org_id: UUID, item_ids: Sequence[UUID]) -> list[Row]:
    """Items by id, of whatever status."""
    return await tx.fetch(sql.THESE, org_id, list(item_ids)) if item_ids else []


async def authors_of(tx: Tx, org_id: UUID, item_ids: Sequence[UUID]) -> dict[UUID, frozenset[UUID]]:
    """Members who wrote what the items rest on (C61)."""
    found: dict[UUID, set[UUID]] = {}
    for row in await tx.fetch(sql.AUTHORS, org_id, list(item_ids)):
        found.setdefault(row["id"], set()).add(row["user_id"])
    return {item_id: frozenset(users) for item_id, users in found.items()}


async def deciders(tx: Tx, org_id: UUID, role_agent_ids: Sequence[UUID]) -> list[Row]:
    """Active admins and owners, and managers of these agents: user_id, role, manages."""
    return await tx.fetch(sql.DECIDERS, org_id, list(role_agent_ids))


async def agents_of(tx: Tx, org_id: UUID) -> list[Row]:
    """All role-agents of the org."""
    return await tx.fetch(sql.AGENTS, org_id)


async def closed_channels(
    tx: Tx, org_id: UUID, channel_ids: Sequence[UUID], user_id: UUID
) -> frozenset[UUID]:
    """Private channels among these that the person does not manage."""
    if not channel_ids:
        return frozenset()
    rows = await tx.fetch(sql.CLOSED_CHANNELS, org_id, list(channel_ids), user_id)
    return frozenset(row["id"] for row in rows)


async def channel_names(tx: Tx, org_id: UUID, channel_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Display names with their platforms."""
    rows = await tx.fetch(sql.CHANNEL_NAMES, org_id, list(channel_ids)) if channel_ids else []
    return {row["id"]: f"{row['display_name']} ({row['platform']})" for row in rows}


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """`agent` None is what the whole org knows."""

    agent: UUID | None
    status: str
    layer: str
    memory_type: str
    risk: str
    origin: str
    text: str
    reads_all: bool
    after: tuple[datetime, UUID] | None
    limit: int


async def memory_tab(tx: Tx, org_id: UUID, wanted: MemoryFilter) -> list[Row]:
    """Memories of any status, newest first."""
    at, id_ = wanted.after or (None, None)
    return await tx.fetch(
        sql.MEMORY_TAB, org_id, wanted.agent, wanted.status, wanted.layer, wanted.memory_type, wanted.risk,
        wanted.origin, wanted.text, wanted.reads_all, at, id_, wanted.limit,
    )  # fmt: skip


async def one_memory(tx: Tx, org_id: UUID, memory_id: UUID) -> Row | None:
    """The memory, of whatever status."""
    return await tx.fetchrow(sql.ONE_MEMORY, org_id, memory_id)


async def revisions_of(tx: Tx, org_id: UUID, memory_id: UUID) -> list[Row]:
    """Its life, newest first."""
    return await tx.fetch(sql.REVISIONS, org_id, memory_id)


async def versions_of(tx: Tx, org_id: UUID, memory_id: UUID) -> dict[str, str]:
    """Model, prompt, policy and others as the decision was made; empty where no decision made it."""
    found: dict[str, Any] | None = await tx.fetchval(sql.VERSIONS, org_id, memory_id)
    return {name: str(value) for name, value in (found or {}).items() if value}

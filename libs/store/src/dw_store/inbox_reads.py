"""The Learning Inbox as a person reads it: pages of items, one item, memories. No query in a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_store import inbox_sql as sql
from dw_store.database import Tx

Row = Any


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """`agents` None is all of the org."""

    agents: Sequence[UUID] | None
    status: str
    risk: str
    after: tuple[datetime, UUID] | None
    limit: int


async def item_page(tx: Tx, org_id: UUID, wanted: ItemFilter) -> tuple[list[Row], int]:
    """One page and how many match, counted up to 1,000."""
    at, id_ = wanted.after or (None, None)
    agents = list(wanted.agents) if wanted.agents is not None else None
    rows = await tx.fetch(sql.PAGE, org_id, agents, wanted.status, wanted.risk, at, id_, wanted.limit)
    return rows, await tx.fetchval(sql.COUNT, org_id, agents, wanted.status, wanted.risk)


async def one_item(tx: Tx, org_id: UUID, item_id: UUID) -> Row | None:
    """The item, of whatever status."""
    return await tx.fetchrow(sql.ONE, org_id, item_id)


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


async def channel_names(tx: Tx, org_id: UUID, channel_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Display names with their platforms."""
    rows = await tx.fetch(sql.CHANNEL_NAMES, org_id, list(channel_ids)) if channel_ids else []
    return {row["id"]: f"{row['display_name']} ({row['platform']})" for row in rows}


async def memory_page(
    tx: Tx, org_id: UUID, role_agent_id: UUID, after: tuple[datetime, UUID] | None, limit: int
) -> list[Row]:
    """Active memories of an agent, newest first."""
    at, id_ = after or (None, None)
    return await tx.fetch(sql.MEMORIES, org_id, role_agent_id, at, id_, limit)

"""From sealed events to rows of the history: what is kept of each, in batches, whatever the order (C52, C92)."""

from __future__ import annotations

from collections.abc import Sequence

from dw_contracts.events.chat import ChatEvent
from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database
from dw_store.history import HistoryRow, write_history


def history_row(event: ChatEvent, *, sealed: bool) -> HistoryRow:
    """The event with its search tokens. Pure; tool runs and corrections are kept but never found (C20)."""
    return HistoryRow(event=event, sealed=sealed, tokens=tsvector_literal(event.text, event.role_agent_id))


async def keep(database: Database, rows: Sequence[HistoryRow]) -> list[int]:
    """Write them in one transaction; the places of those whose org, agent and channel do not belong together."""
    async with database.transaction(sorted({row.event.org_id for row in rows})) as tx:
        return await write_history(tx, rows)

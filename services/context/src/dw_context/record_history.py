"""From sealed events to rows of the history: what is kept of each, in batches, whatever the order (C52, C92)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database
from dw_store.history import HistoryRow, HistoryWriter, Piece


def history_row(event: ChatEvent, *, sealed: bool) -> HistoryRow:
    """The event with its search tokens. Pure; tool runs and corrections are kept but never found (C20)."""
    return HistoryRow(event=event, sealed=sealed, tokens=tsvector_literal(event.text, event.role_agent_id))


async def keep(database: Database, orgs: Iterable[UUID], pieces: Iterable[Sequence[HistoryRow]]) -> list[int]:
    """Write them in one transaction of these orgs; the places, over all pieces, of rows whose org, agent and channel do
    not belong together. A piece is made while PostgreSQL writes the one before it."""
    unfit: list[int] = []
    began = 0
    writing: asyncio.Future[None] | None = None
    async with database.transaction(sorted(orgs)) as tx:
        writer = HistoryWriter(tx)
        try:
            for rows in pieces:
                piece = Piece.of(rows)
                if writing is not None:
                    await writing
                await writer.know(rows)
                writing = asyncio.ensure_future(_write(writer, piece, began, unfit))
                began += len(rows)
                await asyncio.sleep(0)  # it is on its way before the next is made
            if writing is not None:
                await writing
        finally:
            if writing is not None and not writing.done():
                writing.cancel()
                await asyncio.wait({writing})
        await writer.settle()
    return unfit


async def _write(writer: HistoryWriter, piece: Piece, began: int, unfit: list[int]) -> None:
    unfit += [began + index for index in await writer.write(piece)]

"""From sealed events to rows of the history: what is kept of each, in batches, whatever the order (C52, C92)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database
from dw_store.history import HistoryRow, HistoryWriter, Piece

FIRST_PIECE = 32
"""Rows that are written at once, for PostgreSQL to begin; a statement costs as much as a few of them."""


def history_row(event: ChatEvent, *, sealed: bool) -> HistoryRow:
    """The event with its search tokens. Pure; tool runs and corrections are kept but never found (C20)."""
    return HistoryRow(event=event, sealed=sealed, tokens=tsvector_literal(event.text, event.role_agent_id))


async def keep(database: Database, orgs: Iterable[UUID], slices: Iterable[Sequence[HistoryRow]]) -> list[int]:
    """Write them in one transaction of these orgs; the places, over all slices, of rows whose org, agent and channel do
    not belong together. Slices are made while PostgreSQL writes those before them, and others have their turn between."""
    async with database.transaction(sorted(orgs)) as tx:
        writer = HistoryWriter(tx)
        pieces = _Pieces(writer)
        try:
            for rows in slices:
                await pieces.add(rows)
            await pieces.finish()
        finally:
            await pieces.abandon()
        await writer.settle()
    return pieces.unfit


class _Pieces:
    """What was made while PostgreSQL wrote one piece is the next: pieces grow as long as it has more to do than we."""

    def __init__(self, writer: HistoryWriter) -> None:
        self.unfit: list[int] = []
        self._writer = writer
        self._made: list[Piece] = []
        self._rows = 0
        self._sent = 0
        self._writing: asyncio.Task[None] | None = None

    async def add(self, rows: Sequence[HistoryRow]) -> None:
        self._made.append(Piece.of(rows))
        self._rows += len(rows)
        await asyncio.sleep(0)  # what is on its way to PostgreSQL goes on
        if self._writing is None or self._writing.done():
            await self._end()
            if self._rows - self._sent >= FIRST_PIECE:
                self._begin()
                await asyncio.sleep(0)  # the statement is given to the connection,
                await asyncio.sleep(0)  # and the connection to the socket

    async def finish(self) -> None:
        await self._end()
        if self._made:
            self._begin()
            await self._end()

    async def abandon(self) -> None:
        if self._writing is not None and not self._writing.done():
            self._writing.cancel()
            await asyncio.wait({self._writing})

    def _begin(self) -> None:
        piece, self._made = Piece.joined(self._made), []
        self._writing = asyncio.ensure_future(self._write(piece, self._sent))
        self._sent = self._rows

    async def _end(self) -> None:
        if self._writing is not None:
            await self._writing
            self._writing = None

    async def _write(self, piece: Piece, began: int) -> None:
        self.unfit += [began + index for index in await self._writer.write(piece)]

"""The history read model: what was said, by whom, in its newest form (C20, C47, C52, C92).

Every event keeps its row, known by the event's id. Of a message's rows one is current: its delete, or else its newest
revision. A deleted message keeps no text in any row, also when the delete arrived before the message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from dw_contracts.events.chat import ChatEvent, EventKind
from dw_learning.normal import normal
from dw_store.array_text import array_parts, joined_texts
from dw_store.database import Tx
from dw_store.history_sql import (
    INSERT_CORRECTIONS,
    INSERT_EVENTS,
    INSERT_TOOL_RUNS,
    PLACES,
    SETTLE_CORRECTIONS,
    SETTLE_EVENTS,
    SETTLE_TOOL_RUNS,
    UNSETTLED,
)

SENDER_UNPROVEN = "sender_unproven"  # beside the platform's flags: the way in proves no sender (C46)
MAX_TOPIC_CHARS = 256

_BESIDE = frozenset({EventKind.TOOL_RUN, EventKind.CORRECTION})


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """An event with what was found out about it: whether its seal holds, and its search tokens as a tsvector."""

    event: ChatEvent
    sealed: bool
    tokens: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows with the columns of their messages, which are made before there is anything to wait for."""

    rows: Sequence[HistoryRow]
    parts: Sequence[list[str]]

    @classmethod
    def of(cls, rows: Sequence[HistoryRow]) -> Piece:
        """Pure."""
        messages = [_event(row) for row in rows if row.event.kind not in _BESIDE]
        return cls(rows, [array_parts(messages)] if messages else [])

    @classmethod
    def joined(cls, pieces: Sequence[Piece]) -> Piece:
        """One piece of several, in order."""
        return cls(
            [row for each in pieces for row in each.rows], [part for each in pieces for part in each.parts]
        )


class HistoryWriter:
    """Writes what comes in pieces into one transaction, whatever was kept before: a bounded number of statements a
    piece. The pieces' messages are settled once, at the end."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self._asked: set[tuple[UUID, UUID, UUID]] = set()
        self._known: set[tuple[UUID, UUID, UUID]] = set()
        self._messages: set[tuple[UUID, UUID, UUID, str]] = set()
        self._repeated: set[tuple[UUID, UUID, UUID, str]] = set()
        self._kinds: set[EventKind] = set()

    async def write(self, piece: Piece) -> list[int]:
        """Keep rows whose org, role-agent and channel belong together. Gives the places of the others."""
        places = [_place(row) for row in piece.rows]
        await self._know(set(places))
        unfit = [index for index, place in enumerate(places) if place not in self._known]
        if unfit:
            piece = Piece.of(
                [row for row, place in zip(piece.rows, places, strict=True) if place in self._known]
            )
        fit = piece.rows
        if piece.parts:
            messages = [_message(row.event) for row in fit if row.event.kind not in _BESIDE]
            again = await self._tx.fetch(INSERT_EVENTS, *joined_texts(piece.parts))
            self._repeated.update(messages[row["n"] - 1] for row in again)
            self._repeated.update(self._twice(messages))
        for statement, columns, chosen in (
            (INSERT_TOOL_RUNS, _tool_run, [row for row in fit if row.event.kind is EventKind.TOOL_RUN]),
            (INSERT_CORRECTIONS, _correction, [row for row in fit if row.event.kind is EventKind.CORRECTION]),
        ):
            if chosen:
                await self._tx.execute(statement, *_columns(columns, chosen))
        self._messages.update(_message(row.event) for row in fit if row.event.kind in _BESIDE)
        self._kinds.update(row.event.kind for row in fit)
        return unfit

    def _twice(
        self, messages: Sequence[tuple[UUID, UUID, UUID, str]]
    ) -> Iterator[tuple[UUID, UUID, UUID, str]]:
        """Those that came before in the same transaction: the statement that writes them does not see each other."""
        for message in messages:
            if message in self._messages:
                yield message
            self._messages.add(message)

    async def _know(self, places: set[tuple[UUID, UUID, UUID]]) -> None:
        if places := places - self._asked:
            self._asked |= places
            found = await self._tx.fetch(PLACES, *_columns(lambda place: place, sorted(places)))
            self._known |= {(row["org_id"], row["role_agent_id"], row["channel_id"]) for row in found}

    async def settle(self) -> None:
        """Make one row of each message current, and take the text out of deleted ones."""
        again = _columns(lambda message: message, sorted(self._repeated))
        if again and (unsettled := await self._tx.fetch(UNSETTLED, *again)):
            await self._tx.execute(SETTLE_EVENTS, *_columns(tuple, unsettled))
        if not self._kinds & {EventKind.DELETE, *_BESIDE}:
            return
        columns = _columns(lambda message: message, sorted(self._messages))
        if self._kinds & {EventKind.DELETE, EventKind.TOOL_RUN}:
            await self._tx.execute(SETTLE_TOOL_RUNS, *columns)
        if self._kinds & {EventKind.DELETE, EventKind.CORRECTION}:
            await self._tx.execute(SETTLE_CORRECTIONS, *columns)


async def write_history(tx: Tx, rows: Sequence[HistoryRow]) -> list[int]:
    """Keep the rows as one piece; see `HistoryWriter`."""
    writer = HistoryWriter(tx)
    unfit = await writer.write(Piece.of(rows))
    await writer.settle()
    return unfit


def _place(row: HistoryRow) -> tuple[UUID, UUID, UUID]:
    return (row.event.org_id, row.event.role_agent_id, row.event.channel_id)


def _message(event: ChatEvent) -> tuple[UUID, UUID, UUID, str]:
    return (event.org_id, event.role_agent_id, event.channel_id, event.message_ref)


def _columns(values: Callable[[Any], tuple[Any, ...]], rows: Sequence[Any]) -> list[list[Any]]:
    return [list(column) for column in zip(*(values(row) for row in rows), strict=True)]


def _common(event: ChatEvent) -> tuple[Any, ...]:
    sender = event.sender
    return (
        event.event_id,
        event.org_id,
        event.role_agent_id,
        event.channel_id,
        sender.platform.value,
        sender.workspace_ref,
        sender.external_user_id,
        sender.kind,
        event.gateway_proves_sender,
        event.received_at,
        event.occurred_at,
    )


def _event(row: HistoryRow) -> tuple[Any, ...]:
    event = row.event
    flags = sorted(event.flags.names() | (set() if event.gateway_proves_sender else {SENDER_UNPROVEN}))
    deleted = event.kind is EventKind.DELETE
    reply = None if deleted or event.reply_to is None else event.reply_to.model_dump(mode="json")
    return (
        *_common(event),
        event.kind.value,
        event.message_ref,
        event.revision,
        event.sender.display_name,
        " ".join(flags),
        None if reply is None else orjson.dumps(reply).decode(),
        event.thread_ref,
        "" if deleted else event.text,
        "" if deleted else row.tokens,
        row.sealed,
        event.imported,
    )


def _tool_run(row: HistoryRow) -> tuple[Any, ...]:
    event, tool = row.event, row.event.tool
    name, given, returned = (tool.name, tool.input, tool.output) if tool else ("", "", "")
    return (*_common(event), event.message_ref, name, given, returned)


def _correction(row: HistoryRow) -> tuple[Any, ...]:
    event, correction = row.event, row.event.correction
    wrong, right = (correction.wrong, correction.right) if correction else ("", event.text)
    return (*_common(event), event.message_ref, wrong, right, normal(wrong)[:MAX_TOPIC_CHARS])

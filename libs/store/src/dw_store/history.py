"""The history read model: what was said, by whom, in its newest form (C20, C47, C52, C92).

Every event keeps its row, known by the event's id. Of a message's rows one is current: its delete, or else its newest
revision. A deleted message keeps no text in any row, also when the delete arrived before the message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from dw_contracts.events.chat import ChatEvent, EventKind
from dw_learning.normal import normal
from dw_store.array_text import array_parts, array_texts, joined_texts
from dw_store.database import Tx

SENDER_UNPROVEN = "sender_unproven"  # beside the platform's flags: the way in proves no sender (C46)
MAX_TOPIC_CHARS = 256

PLACES = """
SELECT w.org_id, w.role_agent_id, w.channel_id
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS w (org_id, role_agent_id, channel_id)
JOIN dw_role_agents AS a ON a.org_id = w.org_id AND a.id = w.role_agent_id
JOIN dw_channels AS c ON c.org_id = w.org_id AND c.id = w.channel_id
"""
# The mapped human of a row, for display only: policy resolves for itself (C47).
_ACTOR = """
LEFT JOIN dw_external_identities AS i
  ON i.org_id = r.org_id AND i.platform = r.platform AND i.workspace_ref = r.workspace_ref
 AND i.external_user_id = r.external_user_id AND i.status = 'verified' AND i.verified_at <= r.received_at
 AND r.sender_kind = 'human' AND r.proven
LEFT JOIN dw_org_members AS m ON m.org_id = i.org_id AND m.user_id = i.user_id AND m.status = 'active'
"""
# Arrays come in their text form: the driver would look at every value by itself, for longer than PostgreSQL reads them.
INSERT_EVENTS = f"""
INSERT INTO dw_chat_events (
    id, org_id, role_agent_id, channel_id, visibility_channel, kind, message_ref, revision, platform, workspace_ref,
    external_user_id, sender_kind, display_name, actor_user_id, synthetic_actor, flags, reply_to, thread_ref,
    body_text, body_tsv, sealed, imported, occurred_at, received_at
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, CASE c.visibility WHEN 'private' THEN c.id END, r.kind,
       r.message_ref, r.revision, r.platform, r.workspace_ref, r.external_user_id, r.sender_kind, r.display_name,
       m.user_id, CASE r.kind WHEN 'message_out' THEN 'dw_worker:' || r.role_agent_id::text END,
       string_to_array(r.flags, ' '), r.reply_to::jsonb, r.thread_ref, r.body_text, r.body_tsv::tsvector, r.sealed,
       r.imported, r.occurred_at, r.received_at
FROM unnest(
    $1::text::uuid[], $2::text::uuid[], $3::text::uuid[], $4::text::uuid[], $5::text::text[], $6::text::text[], $7::text::text[], $8::text::text[], $9::text::boolean[],
    $10::text::timestamptz[], $11::text::timestamptz[], $12::text::text[], $13::text::text[], $14::text::bigint[], $15::text::text[], $16::text::text[],
    $17::text::text[], $18::text::text[], $19::text::text[], $20::text::text[], $21::text::boolean[], $22::text::boolean[]
) AS r (
    id, org_id, role_agent_id, channel_id, platform, workspace_ref, external_user_id, sender_kind, proven,
    received_at, occurred_at, kind, message_ref, revision, display_name, flags, reply_to, thread_ref, body_text,
    body_tsv, sealed, imported
)
JOIN dw_channels AS c ON c.org_id = r.org_id AND c.id = r.channel_id
{_ACTOR}
ON CONFLICT (org_id, id) DO NOTHING
"""
INSERT_TOOL_RUNS = f"""
INSERT INTO dw_tool_runs (
    id, org_id, role_agent_id, channel_id, tool, input, output, actor_user_id, external_user_id, occurred_at, message_ref,
    workspace_ref
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, r.tool, r.input, r.output, m.user_id, r.external_user_id,
       r.occurred_at, r.message_ref, r.workspace_ref
FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[],
    $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[]
) AS r (
    id, org_id, role_agent_id, channel_id, platform, workspace_ref, external_user_id, sender_kind, proven,
    received_at, occurred_at, message_ref, tool, input, output
)
{_ACTOR}
ON CONFLICT (org_id, id) DO NOTHING
"""
INSERT_CORRECTIONS = f"""
INSERT INTO dw_corrections (
    id, org_id, role_agent_id, channel_id, wrong_text, right_text, topic, actor_user_id, external_user_id, occurred_at,
    message_ref, workspace_ref
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, r.wrong_text, r.right_text, r.topic, m.user_id,
       r.external_user_id, r.occurred_at, r.message_ref, r.workspace_ref
FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[],
    $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[]
) AS r (
    id, org_id, role_agent_id, channel_id, platform, workspace_ref, external_user_id, sender_kind, proven,
    received_at, occurred_at, message_ref, wrong_text, right_text, topic
)
{_ACTOR}
ON CONFLICT (org_id, id) DO NOTHING
"""
# Messages of which there is another row than the one that was written: most have none, and one row alone is settled.
REPEATED = """
SELECT w.n
FROM unnest($1::text::uuid[], $2::text::uuid[], $3::text::uuid[], $4::text::text[], $5::text::uuid[])
     WITH ORDINALITY AS w (org_id, role_agent_id, channel_id, message_ref, id, n)
CROSS JOIN LATERAL (
    SELECT m.id
    FROM dw_chat_events AS m
    WHERE m.org_id = w.org_id AND m.role_agent_id = w.role_agent_id AND m.channel_id = w.channel_id
      AND m.message_ref = w.message_ref AND m.id <> w.id
    ORDER BY m.revision DESC
    LIMIT 1
) AS another
"""
# Rows of these messages that are not as they should be: most batches have none. OFFSET 0 keeps the planner with one
# look-up a message, and the order with the messages' own index, also on a table that it knows nothing of yet.
UNSETTLED = """
SELECT r.org_id, r.id, r.newest, r.deleted
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS w (org_id, role_agent_id, channel_id, message_ref)
CROSS JOIN LATERAL (
    SELECT e.org_id, e.id, e.current, e.body_text <> '' OR e.reply_to IS NOT NULL AS telling,
           bool_or(e.kind = 'delete') OVER () AS deleted,
           row_number() OVER (ORDER BY (e.kind = 'delete') DESC, e.revision DESC, (e.kind = 'edit') DESC, e.id) = 1 AS newest
    FROM (
        SELECT m.org_id, m.id, m.kind, m.revision, m.current, m.body_text, m.reply_to
        FROM dw_chat_events AS m
        WHERE m.org_id = w.org_id AND m.role_agent_id = w.role_agent_id AND m.channel_id = w.channel_id
          AND m.message_ref = w.message_ref
        ORDER BY m.revision DESC
        OFFSET 0
    ) AS e
) AS r
WHERE r.current <> r.newest OR (r.deleted AND r.telling)
"""
SETTLE_EVENTS = """
UPDATE dw_chat_events AS e
SET current = r.newest,
    body_text = CASE WHEN r.deleted THEN '' ELSE e.body_text END,
    reply_to = CASE WHEN r.deleted THEN NULL ELSE e.reply_to END,
    body_tsv = CASE WHEN r.deleted OR NOT r.newest THEN ''::tsvector ELSE e.body_tsv END
FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[]) AS r (org_id, id, newest, deleted)
WHERE e.org_id = r.org_id AND e.id = r.id
"""
_DELETED = """
FROM dw_chat_events AS d
JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS w (org_id, role_agent_id, channel_id, message_ref)
  ON d.org_id = w.org_id AND d.role_agent_id = w.role_agent_id AND d.channel_id = w.channel_id
 AND d.message_ref = w.message_ref
WHERE d.kind = 'delete' AND t.org_id = d.org_id AND t.role_agent_id = d.role_agent_id
  AND t.channel_id = d.channel_id AND t.message_ref = d.message_ref
"""
SETTLE_TOOL_RUNS = f"UPDATE dw_tool_runs AS t SET input = '', output = '' {_DELETED}"
SETTLE_CORRECTIONS = f"UPDATE dw_corrections AS t SET wrong_text = '', right_text = '', topic = '' {_DELETED}"

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
        self._messages: dict[tuple[UUID, UUID, UUID, str], UUID] = {}
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
            await self._tx.execute(INSERT_EVENTS, *joined_texts(piece.parts))
        for statement, columns, chosen in (
            (INSERT_TOOL_RUNS, _tool_run, [row for row in fit if row.event.kind is EventKind.TOOL_RUN]),
            (INSERT_CORRECTIONS, _correction, [row for row in fit if row.event.kind is EventKind.CORRECTION]),
        ):
            if chosen:
                await self._tx.execute(statement, *_columns(columns, chosen))
        self._messages.update((_message(row.event), row.event.event_id) for row in fit)
        self._kinds.update(row.event.kind for row in fit)
        return unfit

    async def _know(self, places: set[tuple[UUID, UUID, UUID]]) -> None:
        if places := places - self._asked:
            self._asked |= places
            found = await self._tx.fetch(PLACES, *_columns(lambda place: place, sorted(places)))
            self._known |= {(row["org_id"], row["role_agent_id"], row["channel_id"]) for row in found}

    async def settle(self) -> None:
        """Make one row of each message current, and take the text out of deleted ones."""
        messages = list(self._messages)
        if not messages:
            return
        ones = [(*message, event_id) for message, event_id in self._messages.items()]
        if repeated := await self._tx.fetch(REPEATED, *array_texts(ones)):
            again = sorted(messages[row["n"] - 1] for row in repeated)
            if unsettled := await self._tx.fetch(UNSETTLED, *_columns(lambda message: message, again)):
                await self._tx.execute(SETTLE_EVENTS, *_columns(tuple, unsettled))
        if not self._kinds & {EventKind.DELETE, *_BESIDE}:
            return
        columns = _columns(lambda message: message, sorted(messages))
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

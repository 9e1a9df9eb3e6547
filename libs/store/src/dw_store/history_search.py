"""SearchAgentHistory: candidates from one function that keeps its index, their rows under the caller's own rights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_learning.history.query import Term
from dw_store.context_reads import uuid_of
from dw_store.database import Tx
from dw_store.keys import FoundKey

MAX_RANKED = 2_000
MAX_READ = (
    400  # messages whose sender is looked up; a thread is known by its best one whose sender may be shown
)
MAX_LOOKED_AT = 5_000
"""Of an agent's newest messages, those among which the newest of one channel are looked for."""

PLACE = """
SELECT a.id AS role_agent_id, c.id AS channel_id,
       (SELECT s.value FROM dw_org_settings AS s WHERE s.org_id = $1 AND s.key = 'history_words') AS words
FROM dw_role_agents AS a
JOIN dw_channels AS c ON c.org_id = a.org_id
WHERE a.org_id = $1 AND (a.id = $3 OR a.code = $2) AND a.status = 'active'
  AND (cardinality($6::uuid[]) = 0 OR a.id = ANY ($6::uuid[]))
  AND c.org_id = $1 AND (c.id = $5 OR c.external_channel_ref = $4 OR c.code = $4) AND c.deleted_at IS NULL
  AND (c.role_agent_id = a.id OR EXISTS (
      SELECT 1 FROM dw_channel_agents AS l WHERE l.org_id = $1 AND l.channel_id = c.id AND l.role_agent_id = a.id
  ))
ORDER BY (a.id = $3) IS TRUE DESC, (c.id = $5) IS TRUE DESC, c.external_channel_ref = $4 DESC, c.id
LIMIT 1
"""
# Verified is what the map says now, of an account that was verified when the message came (C47, C81).
_VERIFIED = """
       e.sealed AND NOT e.imported AND e.sender_kind = 'human'
       AND NOT e.flags && ARRAY['forwarded', 'via_bot', 'anonymous', 'sender_unproven']
       AND EXISTS (
           SELECT 1 FROM dw_external_identities AS i
           JOIN dw_org_members AS m ON m.org_id = $1 AND m.user_id = i.user_id AND m.status = 'active'
           WHERE i.org_id = $1 AND i.platform = e.platform AND i.workspace_ref = e.workspace_ref
             AND i.external_user_id = e.external_user_id AND i.status = 'verified' AND i.verified_at <= e.received_at
       )"""
_MESSAGE = """e.id, e.channel_id, e.message_ref, e.thread_ref, e.body_text, e.sender_kind, e.occurred_at,
       coalesce(nullif(e.display_name, ''), e.external_user_id) AS sender"""
# The rows are looked up one by one, by key: told no better, the planner takes an org for a few rows and reads them all.
SEARCH = f"""
SELECT f.id, f.channel_id, f.message_ref, f.thread_ref, f.body_text, f.sender_kind, f.occurred_at, f.sender, f.verified,
       f.thread, f.rank
FROM (
    SELECT DISTINCT ON (h.rank, h.thread) m.id, m.channel_id, m.message_ref, m.thread_ref, m.body_text, m.sender_kind,
           m.occurred_at, m.sender, m.verified, h.thread, h.rank
    FROM dw_search_history($2, $3, $4, $5, $6, $7, $8, $9) AS h
    CROSS JOIN LATERAL (
        SELECT {_MESSAGE}, {_VERIFIED} AS verified
        FROM dw_chat_events AS e
        WHERE e.org_id = $1 AND e.id = h.id
        OFFSET 0
    ) AS m
    WHERE $7 OR m.verified
    ORDER BY h.rank DESC, h.thread, h.message_rank DESC, m.occurred_at DESC, m.id
) AS f
ORDER BY f.rank DESC, f.occurred_at DESC, f.id
LIMIT $10
"""
# What stands next to a hit: in its thread, or, outside of threads, just before and after it in its channel.
AROUND = f"""
SELECT w.id AS hit, n.id, n.channel_id, n.message_ref, n.thread_ref, n.body_text, n.sender_kind, n.occurred_at, n.sender,
       n.verified
FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[])
     AS w (id, channel_id, thread_ref, occurred_at, message_ref)
CROSS JOIN LATERAL (
    SELECT s.id, s.channel_id, s.message_ref, s.thread_ref, s.body_text, s.sender_kind, s.occurred_at, s.sender, s.verified
    FROM (
        (SELECT {_MESSAGE}, {_VERIFIED} AS verified
         FROM dw_chat_events AS e
         WHERE e.org_id = $1 AND e.role_agent_id = $2 AND e.channel_id = w.channel_id
           AND e.thread_ref = coalesce(w.thread_ref, w.message_ref)
           AND e.current AND e.kind <> 'delete' AND e.id <> w.id AND ($9 OR {_VERIFIED})
         ORDER BY abs(extract(epoch FROM e.occurred_at - w.occurred_at)), e.id
         LIMIT $8)
        UNION ALL
        (SELECT {_MESSAGE}, {_VERIFIED} AS verified
         FROM dw_chat_events AS e
         WHERE e.org_id = $1 AND e.role_agent_id = $2 AND e.channel_id = w.channel_id AND e.message_ref = w.thread_ref
           AND e.current AND e.kind <> 'delete' AND e.id <> w.id AND e.thread_ref IS NULL AND ($9 OR {_VERIFIED})
         LIMIT 1)
        UNION ALL
        (SELECT {_MESSAGE}, {_VERIFIED} AS verified
         FROM dw_chat_events AS e
         WHERE e.org_id = $1 AND e.role_agent_id = $2 AND w.thread_ref IS NULL AND e.thread_ref IS NULL
           AND e.channel_id = w.channel_id AND e.occurred_at >= w.occurred_at
           AND e.occurred_at < w.occurred_at + interval '10 minutes'
           AND e.current AND e.kind <> 'delete' AND e.id <> w.id AND ($9 OR {_VERIFIED})
         ORDER BY e.occurred_at, e.id
         LIMIT $8)
        UNION ALL
        (SELECT {_MESSAGE}, {_VERIFIED} AS verified
         FROM dw_chat_events AS e
         WHERE e.org_id = $1 AND e.role_agent_id = $2 AND w.thread_ref IS NULL AND e.thread_ref IS NULL
           AND e.channel_id = w.channel_id AND e.occurred_at < w.occurred_at
           AND e.occurred_at >= w.occurred_at - interval '10 minutes'
           AND e.current AND e.kind <> 'delete' AND e.id <> w.id AND ($9 OR {_VERIFIED})
         ORDER BY e.occurred_at DESC, e.id
         LIMIT $8)
    ) AS s
    ORDER BY s.thread_ref IS NULL AND s.message_ref <> w.thread_ref,
             abs(extract(epoch FROM s.occurred_at - w.occurred_at)), s.id
    LIMIT $8
) AS n
ORDER BY w.id, n.occurred_at, n.id
"""

# Among the newest messages of the agent, so that a quiet channel of a busy agent costs no walk through all of them.
NEWEST = f"""
SELECT {_MESSAGE}, {_VERIFIED} AS verified
FROM (
    SELECT n.org_id, n.id, n.channel_id, n.message_ref, n.thread_ref, n.body_text, n.sender_kind, n.occurred_at,
           n.display_name, n.external_user_id, n.platform, n.workspace_ref, n.flags, n.received_at, n.current, n.kind,
           n.sealed, n.imported
    FROM dw_chat_events AS n
    WHERE n.org_id = $1 AND n.role_agent_id = $2
    ORDER BY n.occurred_at DESC
    LIMIT $5
) AS e
WHERE e.channel_id = $3 AND e.current AND e.kind <> 'delete' AND e.sealed AND NOT e.imported
ORDER BY e.occurred_at DESC, e.id
LIMIT $4
"""


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message, as it was said. `around` are its neighbours in order of time."""

    event_id: UUID
    channel_id: UUID
    text: str
    sender: str
    sender_kind: str
    verified: bool
    occurred_at: datetime
    thread_ref: str | None
    message_ref: str
    around: tuple[FoundMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Who asks, and from where."""

    role_agent_id: UUID
    channel_id: UUID
    words: tuple[str, ...] = ()  # lines of the org's own glossary


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is wanted. `unproven` lets messages of unverified accounts, bots, forwards and imports in (C81). `ranked`
    is how many candidates are ranked at most: another number is for those who measure what the cap costs."""

    hits: int = 10
    around: int = 2
    unproven: bool = False
    ranked: int = MAX_RANKED


async def place_of(tx: Tx, key: FoundKey, role_agent: str, channel: str) -> Place | None:
    """None where the agent does not listen in the channel, or the key does not serve it."""
    row = await tx.fetchrow(
        PLACE, key.org_id, role_agent, uuid_of(role_agent), channel, uuid_of(channel), list(key.agent_ids)
    )
    if row is None:
        return None
    return Place(row["role_agent_id"], row["channel_id"], tuple(row["words"] or ()))


async def search(
    tx: Tx, org_id: UUID, place: Place, terms: Sequence[Term], bounds: Bounds
) -> list[FoundMessage]:
    """The best message of each thread of the agent's channels, best first. Private channels but this one are left out
    (C81), and so is what is not a verified person's own message unless the bounds say otherwise."""
    if not terms:
        return []
    rows = await tx.fetch(
        SEARCH,
        org_id,
        [term.query for term in terms],
        [term.concept for term in terms],
        [term.weight for term in terms],
        place.role_agent_id,
        place.channel_id,
        bounds.unproven,
        bounds.ranked,
        MAX_READ,
        bounds.hits,
    )
    around = await _around(tx, org_id, place, rows, bounds) if bounds.around else {}
    return [_found(row, tuple(around.get(row["id"], ()))) for row in rows]


async def _around(
    tx: Tx, org_id: UUID, place: Place, rows: Sequence[Any], bounds: Bounds
) -> dict[UUID, list[FoundMessage]]:
    columns = ("id", "channel_id", "thread_ref", "occurred_at", "message_ref")
    wanted = [[row[column] for row in rows] for column in columns]
    found: dict[UUID, list[FoundMessage]] = {}
    for row in await tx.fetch(AROUND, org_id, place.role_agent_id, *wanted, bounds.around, bounds.unproven):
        found.setdefault(row["hit"], []).append(_found(row))
    return found


def _found(row: Any, around: tuple[FoundMessage, ...] = ()) -> FoundMessage:
    return FoundMessage(
        event_id=row["id"],
        channel_id=row["channel_id"],
        text=row["body_text"],
        sender=row["sender"],
        sender_kind=row["sender_kind"],
        verified=row["verified"],
        occurred_at=row["occurred_at"],
        thread_ref=row["thread_ref"],
        message_ref=row["message_ref"],
        around=around,
    )


async def newest(
    tx: Tx, org_id: UUID, role_agent_id: UUID, channel_id: UUID, limit: int
) -> list[FoundMessage]:
    """The newest messages of the agent's channel, oldest first: the conversation itself, whoever speaks. What was
    imported, deleted or edited away is no part of it, nor what ingest did not seal."""
    rows = await tx.fetch(NEWEST, org_id, role_agent_id, channel_id, limit, MAX_LOOKED_AT)
    return [_found(row) for row in reversed(rows)]

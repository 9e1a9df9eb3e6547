"""SearchAgentHistory: candidates from one function that keeps its index, their rows under the caller's own rights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_learning.history_tokens import tsquery_literal
from dw_store.context_reads import uuid_of
from dw_store.database import Database
from dw_store.keys import FoundKey

MAX_RANKED = 500

PLACE = """
SELECT a.id AS role_agent_id, c.id AS channel_id
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
SEARCH = """
SELECT e.id, e.channel_id, e.body_text, coalesce(nullif(e.display_name, ''), e.external_user_id) AS sender,
       e.occurred_at
FROM dw_search_history($2::text::tsquery, $3, $4, $5) AS h
JOIN dw_chat_events AS e ON e.org_id = $1 AND e.id = h.id
JOIN dw_external_identities AS i
  ON i.org_id = $1 AND i.platform = e.platform AND i.workspace_ref = e.workspace_ref
 AND i.external_user_id = e.external_user_id AND i.status = 'verified' AND i.verified_at <= e.received_at
JOIN dw_org_members AS m ON m.org_id = $1 AND m.user_id = i.user_id AND m.status = 'active'
WHERE e.org_id = $1 AND e.sealed AND NOT e.imported AND e.sender_kind = 'human'
  AND NOT e.flags && ARRAY['forwarded', 'via_bot', 'anonymous', 'sender_unproven']
ORDER BY h.rank DESC, e.occurred_at DESC, e.id
LIMIT $6
"""


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """One hit, as it was said."""

    event_id: UUID
    channel_id: UUID
    text: str
    sender: str
    verified: bool
    occurred_at: datetime


async def search(
    database: Database, key: FoundKey, role_agent: str, channel: str, tokens: Sequence[str], limit: int
) -> list[FoundMessage] | None:
    """Messages of the agent's channels that hold any of the tokens, best first; None where the agent does not listen
    in the channel. Unverified, bot and forwarded messages are left out, private channels but this one too (C81)."""
    async with database.transaction([key.org_id]) as tx:
        place = await tx.fetchrow(
            PLACE, key.org_id, role_agent, uuid_of(role_agent), channel, uuid_of(channel), list(key.agent_ids)
        )
        if place is None:
            return None
        if not tokens:
            return []
        query = tsquery_literal(tokens)
        agent, here = place["role_agent_id"], place["channel_id"]
        rows = await tx.fetch(SEARCH, key.org_id, query, agent, here, MAX_RANKED, limit)
    return [_found(row) for row in rows]


def _found(row: Any) -> FoundMessage:
    return FoundMessage(
        event_id=row["id"],
        channel_id=row["channel_id"],
        text=row["body_text"],
        sender=row["sender"],
        verified=True,
        occurred_at=row["occurred_at"],
    )

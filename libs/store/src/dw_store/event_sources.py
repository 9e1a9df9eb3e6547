"""Tool runs and corrections for people to see (R237, C20): no search finds them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from dw_store.database import Tx

MAX_CHARS: Final = 2_000

_ROW: Final = """
       t.id, t.channel_id, c.code AS channel, c.visibility = 'private' AS is_private, coalesce(m.code, '') AS actor,
       t.occurred_at
"""
_FROM: Final = """ AS t
JOIN dw_channels AS c ON c.org_id = t.org_id AND c.id = t.channel_id
LEFT JOIN dw_org_members AS m ON m.org_id = t.org_id AND m.user_id = t.actor_user_id
WHERE t.org_id = $1 AND t.role_agent_id = $2 AND ($3::timestamptz IS NULL OR (t.occurred_at, t.id) < ($3, $4::uuid))
ORDER BY t.occurred_at DESC, t.id DESC
LIMIT $5
"""
TOOL_RUNS: Final = f"""
SELECT {_ROW}, t.tool, left(t.input, {MAX_CHARS}) AS first, left(t.output, {MAX_CHARS}) AS second
FROM dw_tool_runs{_FROM}"""
CORRECTIONS: Final = f"""
SELECT {_ROW}, '' AS tool, left(t.wrong_text, {MAX_CHARS}) AS first, left(t.right_text, {MAX_CHARS}) AS second
FROM dw_corrections{_FROM}"""


async def sources_of(
    tx: Tx,
    org_id: UUID,
    agent: UUID,
    kind: Literal["tool_run", "correction"],
    after: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Any]:
    """One page of the agent's, newest first."""
    at, row_id = after or (None, None)
    statement = TOOL_RUNS if kind == "tool_run" else CORRECTIONS
    return await tx.fetch(statement, org_id, agent, at, row_id, limit)

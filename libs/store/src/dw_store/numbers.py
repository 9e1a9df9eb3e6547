"""Numbers of the inbox (D45) and of the caps (D21): counts alone, no text. `agents` None is all of the org."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_store.database import Tx

PENDING: Final = """
SELECT count(*) FILTER (WHERE i.published_at IS NOT NULL) AS total,
       count(*) FILTER (WHERE i.published_at IS NULL) AS unseen,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.due_at < $3) AS overdue,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.escalated_at IS NOT NULL) AS escalated,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.created_at > $3 - interval '1 day') AS under_1_day,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.created_at <= $3 - interval '1 day'
                          AND i.created_at > $3 - interval '3 days') AS under_3_days,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.created_at <= $3 - interval '3 days'
                          AND i.created_at > $3 - interval '7 days') AS under_7_days,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.created_at <= $3 - interval '7 days'
                          AND i.created_at > $3 - interval '14 days') AS under_14_days,
       count(*) FILTER (WHERE i.published_at IS NOT NULL AND i.created_at <= $3 - interval '14 days') AS older
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.status = 'pending' AND ($2::uuid[] IS NULL OR i.role_agent_id = ANY ($2))
"""
# An item that was taken back was not decided; an override is the decision that counts.
DECIDED: Final = """
SELECT count(*) FILTER (WHERE i.status = 'approved' AND i.decided_by IS NOT NULL AND i.undone_at IS NULL) AS approved,
       count(*) FILTER (WHERE i.status = 'rejected' AND i.decided_by IS NOT NULL AND i.undone_at IS NULL) AS rejected,
       count(*) FILTER (WHERE i.decision_kind = 'expired') AS expired,
       count(*) FILTER (WHERE i.decision_kind = 'override') AS overridden,
       count(*) FILTER (WHERE i.undone_at IS NOT NULL) AS undone,
       (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM i.decided_at - i.created_at))
           FILTER (WHERE i.decided_by IS NOT NULL AND i.undone_at IS NULL AND i.status IN ('approved', 'rejected')))::float8
           AS median_seconds
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.decided_at >= $3 AND ($2::uuid[] IS NULL OR i.role_agent_id = ANY ($2))
"""
REASONS: Final = """
SELECT coalesce(i.reject_reason, 'none') AS reason, count(*) AS items
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.decided_at >= $3 AND i.status = 'rejected' AND i.decided_by IS NOT NULL
  AND i.undone_at IS NULL AND ($2::uuid[] IS NULL OR i.role_agent_id = ANY ($2))
GROUP BY 1
ORDER BY 1
LIMIT 50
"""
SAVED: Final = """
SELECT count(*) FILTER (WHERE e.event_type = 'memory_auto_saved') AS auto_saved,
       count(*) FILTER (WHERE e.event_type = 'cap_reached') AS capped,
       count(*) FILTER (WHERE e.event_type = 'memory_auto_saved' AND EXISTS (
           SELECT 1 FROM dw_memory_revisions AS v
           WHERE v.org_id = e.org_id AND v.memory_id = e.subject_id AND v.at >= $3
             AND v.change_kind IN ('delete', 'archive', 'undo') AND v.changed_by NOT LIKE 'system:%'
             AND v.changed_by NOT LIKE 'dw_worker:%')) AS reverted
FROM dw_learning_events AS e
WHERE e.org_id = $1 AND e.at >= $3 AND e.event_type IN ('memory_auto_saved', 'cap_reached')
  AND ($2::uuid[] IS NULL OR e.role_agent_id = ANY ($2))
"""
TODAY: Final = """
SELECT a.id, a.code, coalesce(s.saves, 0) AS auto_saved_today, coalesce(o.seen, 0) AS open_items,
       coalesce(o.unseen, 0) AS unseen_items
FROM dw_role_agents AS a
LEFT JOIN (
    SELECT e.role_agent_id, count(*) AS saves FROM dw_learning_events AS e
    WHERE e.org_id = $1 AND e.event_type = 'memory_auto_saved' AND e.at >= date_trunc('day', $3::timestamptz, 'UTC')
    GROUP BY e.role_agent_id
) AS s ON s.role_agent_id = a.id
LEFT JOIN (
    SELECT i.role_agent_id, count(*) FILTER (WHERE i.published_at IS NOT NULL) AS seen,
           count(*) FILTER (WHERE i.published_at IS NULL) AS unseen
    FROM dw_learning_items AS i WHERE i.org_id = $1 AND i.status = 'pending'
    GROUP BY i.role_agent_id
) AS o ON o.role_agent_id = a.id
WHERE a.org_id = $1 AND ($2::uuid[] IS NULL OR a.id = ANY ($2))
ORDER BY coalesce(o.seen, 0) DESC, a.code
LIMIT 200
"""
AGENT: Final = """
SELECT a.id, a.code, a.status, a.learning_enabled, a.skill_learning_enabled, a.auto_memory_enabled,
       a.auto_memory_require_verified, a.open_items
FROM dw_role_agents AS a WHERE a.org_id = $1 AND a.id = $2
"""
CHANNELS: Final = """
SELECT c.code, c.learning
FROM dw_channel_agents AS l
JOIN dw_channels AS c ON c.org_id = l.org_id AND c.id = l.channel_id
WHERE l.org_id = $1 AND l.role_agent_id = $2 AND c.deleted_at IS NULL
ORDER BY c.code
LIMIT 200
"""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Rows as they were counted."""

    pending: Any
    decided: Any
    reasons: dict[str, int]
    saved: Any
    agents: list[Any]


async def count_inbox(
    tx: Tx, org_id: UUID, agents: Sequence[UUID] | None, since: datetime, now: datetime
) -> Numbers:
    """Five statements, whatever the inbox holds."""
    scope = list(agents) if agents is not None else None
    return Numbers(
        pending=await tx.fetchrow(PENDING, org_id, scope, now),
        decided=await tx.fetchrow(DECIDED, org_id, scope, since),
        reasons={row["reason"]: row["items"] for row in await tx.fetch(REASONS, org_id, scope, since)},
        saved=await tx.fetchrow(SAVED, org_id, scope, since),
        agents=await tx.fetch(TODAY, org_id, scope, now),
    )


async def agent_and_channels(tx: Tx, org_id: UUID, agent: UUID) -> tuple[Any | None, list[Any]]:
    """The role-agent's switches, and the channels where it listens."""
    return await tx.fetchrow(AGENT, org_id, agent), await tx.fetch(CHANNELS, org_id, agent)

"""What a runtime says of its run: which memories the reply rests on, and how it ended (C80, D41, R159).

Use orders memories in packs; it changes none of them, so it raises no version: packs that are in memory take the new
order with the next change or load.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from dw_store.database import Tx
from dw_store.decide_item_sql import LOCK_AGENT
from dw_store.runs import Run

# Once a run. Only what the agent could have been told: its own, or the org's; notes of the run are not memories.
# Rows of the org, which several role-agents report, are locked in the order of their ids.
COUNT: Final = """
WITH known AS (
    SELECT m.id FROM dw_agent_memories AS m
    WHERE m.org_id = $1 AND m.id = ANY ($4::uuid[]) AND (m.role_agent_id = $3 OR m.role_agent_id IS NULL)
      AND m.status = 'active' AND m.layer <> 'session'
    ORDER BY m.id
    FOR NO KEY UPDATE
), used AS (
    INSERT INTO dw_run_memory_uses (org_id, run_id, memory_id, used_at)
    SELECT $1, $2, k.id, $5 FROM known AS k
    ON CONFLICT (org_id, run_id, memory_id) DO NOTHING
    RETURNING memory_id
)
UPDATE dw_agent_memories AS m
SET use_count = m.use_count + 1, last_used_at = greatest(m.last_used_at, $5)
FROM used AS u
WHERE m.org_id = $1 AND m.id = u.memory_id
"""
END: Final = """
UPDATE dw_runs SET status = $3, finished_at = $4 WHERE org_id = $1 AND id = $2 AND status = 'running'
"""


async def count_uses(tx: Tx, run: Run, memories: Sequence[UUID], now: datetime) -> int:
    """How many were not counted for this run before. Locks the role-agent first, like every writer (C69)."""
    if not memories:
        return 0
    await tx.fetchrow(LOCK_AGENT, run.org_id, run.role_agent_id)
    tag = await tx.execute(COUNT, run.org_id, run.run_id, run.role_agent_id, sorted(set(memories)), now)
    return int(tag.rpartition(" ")[2])


async def end_run(tx: Tx, run: Run, status: str, now: datetime) -> None:
    """From now on its token opens nothing."""
    await tx.execute(END, run.org_id, run.run_id, status, now)

"""What an operator's tool asks of the database while it waits for the pipeline (dw play): no service uses it."""

from __future__ import annotations

from dw_store.database import Tx

UNSENT_UP_TO = """
-- all orgs: one relay serves all
SELECT coalesce(max(o.seq), 0) FROM dw_outbox AS o WHERE o.published_at IS NULL
"""
STILL_UNSENT = """
-- all orgs: one relay serves all
SELECT EXISTS (SELECT 1 FROM dw_outbox AS o WHERE o.published_at IS NULL AND o.seq <= $1)
"""


async def unsent_up_to(tx: Tx) -> int:
    """The last row of the outbox that was not sent by now; 0 where all were."""
    value: int = await tx.fetchval(UNSENT_UP_TO)
    return value


async def still_unsent(tx: Tx, seq: int) -> bool:
    """Whether a row up to this one waits."""
    value: bool = await tx.fetchval(STILL_UNSENT, seq)
    return value

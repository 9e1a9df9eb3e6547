"""The tokens of messages that are kept already, made anew."""

from __future__ import annotations

from uuid import UUID

from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database

BATCH = 1_000
NOBODY = UUID(int=0)

ORGS = "SELECT o.id FROM dw_orgs AS o ORDER BY o.id"
KEPT = """
SELECT e.id, e.role_agent_id, e.body_text
FROM dw_chat_events AS e
WHERE e.org_id = $1 AND e.id > $2 AND e.current AND e.kind <> 'delete' AND e.body_text <> ''
ORDER BY e.id
LIMIT $3
FOR NO KEY UPDATE
"""
WRITE = """
UPDATE dw_chat_events AS e SET body_tsv = w.tokens::tsvector
FROM unnest($2::uuid[], $3::text[]) AS w (id, tokens)
WHERE e.org_id = $1 AND e.id = w.id AND e.body_tsv <> w.tokens::tsvector
"""


async def reindex(database: Database) -> int:
    """All orgs, a batch a transaction: may be stopped and run again at any time. The connection must be an
    administrator's, which sees all orgs. Gives the number of messages whose tokens were others."""
    changed = 0
    for org in await database.fetch(ORGS):
        after = NOBODY
        while True:
            async with database.transaction([org["id"]]) as tx:
                rows = await tx.fetch(KEPT, org["id"], after, BATCH)
                tokens = [tsvector_literal(row["body_text"], row["role_agent_id"]) for row in rows]
                tag = await tx.execute(WRITE, org["id"], [row["id"] for row in rows], tokens)
            changed += int(tag.rsplit(" ", 1)[-1])
            if len(rows) < BATCH:
                break
            after = rows[-1]["id"]
    return changed

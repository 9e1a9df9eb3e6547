"""The facts of a pack are read by the ranking index: what is read does not grow with what is stored (R159, C80)."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import psycopg
import pytest

from dw_store.context_reads import load_pack
from dw_store.database import Database
from dw_store.keys import FoundKey
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
MANY = """
INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content, content_hash,
    risk, confidence, source_kind, source_refs, origin, created_by, use_count)
SELECT gen_random_uuid(), %s, %s, 'role_agent', 'fact', 'fact', n::text, 'fact ' || n, sha256(n::text::bytea), 'low',
    0.9, 'user_confirmed', '[{}]', 'approved', 'test', n
FROM generate_series(1, 5000) AS n
"""
READ = """
SELECT sum(idx_tup_read) FILTER (WHERE indexrelname = 'dw_agent_memories_rank'), sum(idx_tup_read)
FROM pg_stat_user_indexes WHERE relname = 'dw_agent_memories'
"""
SCANNED = "SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'dw_agent_memories'"


async def test_of_five_thousand_memories_not_a_hundred_rows_are_read(
    dsn_of: DsnOf, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    for org in (ours, theirs):
        admin.query(MANY, org.org_id, org.agent_id)
    with psycopg.connect(admin.dsn, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE dw_agent_memories")
    key = FoundKey(uuid.uuid4(), ours.org_id, "runtime", None, (), (), True)
    async with Database.connect(dsn_of("context"), size=1, application_name="test") as database:
        await database.fetch("SELECT pg_stat_force_next_flush()")
        ((ranked, read), (scanned,)) = admin.query(READ)[0], admin.query(SCANNED)[0]
        facts = await load_pack(database, key, "it_agent", "helpdesk", None)
        await database.fetch("SELECT pg_stat_force_next_flush()")
        ((ranked_now, read_now), (scanned_now,)) = admin.query(READ)[0], admin.query(SCANNED)[0]
    assert facts is not None
    assert [memory.text for memory in facts.memories[:2]] == ["fact 5000", "fact 4999"]
    assert 0 < ranked_now - ranked <= read_now - read < 100
    assert scanned_now == scanned

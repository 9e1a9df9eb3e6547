"""Rules that hold for every table, also for those that are yet to come (R10, SECURITY E2.5, C68)."""

from __future__ import annotations

import pytest

from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration

# Global or system tables: a key of theirs cannot tell one org of another.
OUTSIDE_TENANTS = {
    "dw_migrations",
    "dw_orgs",
    "dw_users",
    "dw_outbox",
    "dw_prompts",
    "dw_prompt_versions",
    "dw_prompt_events",
    "dw_ai_prices",
    "dw_gate_settings",
}
# A random id, and the HMAC of 256 random bits: to collide with one is to hold it already.
RANDOM_KEYS = {"dw_api_keys_pkey"}
# A counter of the database: no caller can choose it.
COUNTERS = {"dw_learning_events_pkey"}
# Ids of what is in no table of ours, or that may name a row of several tables.
NO_REFERENCE = {
    "call_id",
    "decision_id",
    "event_id",
    "id",
    "made_id",
    "on_behalf_of",
    "org_id",
    "request_id",
    "rule_id",
    "run_id",
    "source_event_id",
    "subject_id",
}
UNIQUE_KEYS = """
SELECT t.relname, i.relname, ARRAY(
    SELECT a.attname FROM pg_attribute AS a WHERE a.attrelid = x.indrelid AND a.attnum = ANY (x.indkey)
)
FROM pg_index AS x
JOIN pg_class AS t ON t.oid = x.indrelid
JOIN pg_class AS i ON i.oid = x.indexrelid
WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace
"""
FOREIGN_KEYS = """
SELECT t.relname, f.relname, ARRAY(
    SELECT a.attname FROM unnest(k.conkey) WITH ORDINALITY AS n (place, at)
    JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = n.place ORDER BY n.at
), ARRAY(
    SELECT a.attname FROM unnest(k.confkey) WITH ORDINALITY AS n (place, at)
    JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = n.place ORDER BY n.at
)
FROM pg_constraint AS k
JOIN pg_class AS t ON t.oid = k.conrelid
JOIN pg_class AS f ON f.oid = k.confrelid
WHERE k.contype = 'f' AND t.relnamespace = 'public'::regnamespace
"""
UUID_COLUMNS = """
SELECT c.table_name, c.column_name
FROM information_schema.columns AS c
JOIN pg_class AS t ON t.relname = c.table_name AND t.relforcerowsecurity
WHERE c.table_schema = 'public' AND c.udt_name = 'uuid'
"""


def test_every_unique_key_of_a_tenant_holds_the_org(admin: Admin) -> None:
    without = {
        index
        for table, index, columns in admin.query(UNIQUE_KEYS)
        if table not in OUTSIDE_TENANTS and "org_id" not in columns
    }
    assert without == RANDOM_KEYS | COUNTERS


def test_every_reference_between_tenants_tables_carries_the_org(admin: Admin) -> None:
    for table, target, columns, wanted in admin.query(FOREIGN_KEYS):
        if target not in OUTSIDE_TENANTS:
            assert (columns[0], wanted[0]) == ("org_id", "org_id"), f"{table} -> {target}"


def test_every_id_of_another_row_is_a_reference(admin: Admin) -> None:
    referring = {(table, column) for table, _, columns, _ in admin.query(FOREIGN_KEYS) for column in columns}
    loose = {
        f"{table}.{column}"
        for table, column in admin.query(UUID_COLUMNS)
        if column not in NO_REFERENCE and (table, column) not in referring
    }
    # An answer is kept before anybody has asked whether there is such an agent; no decision is made without one.
    # Decisions outlive the channel that they came from. The record of a pack is written behind every reply, by a process
    # that read both rows a moment before; they are never deleted (0029).
    assert loose == {
        "dw_detections.role_agent_id",
        "dw_deferred.role_agent_id",
        "dw_decisions.channel_id",
        "dw_context_packs.role_agent_id",
        "dw_context_packs.channel_id",
    }


def test_functions_that_run_with_other_rights_have_a_fixed_search_path_and_a_named_caller(
    admin: Admin,
) -> None:
    rows = admin.query(
        "SELECT p.proname, p.proconfig, has_function_privilege('public', p.oid, 'EXECUTE'), p.proowner::regrole::text"
        " FROM pg_proc AS p WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace"
    )
    assert {(name, owner) for name, _, _, owner in rows} == {
        ("dw_org_id_of", "dw_owner"),
        ("dw_user_id_of", "dw_owner"),
        ("dw_org_ids", "dw_owner"),
        ("dw_search_history", "dw_search"),
        ("dw_org_ids", "dw_owner"),
        ("dw_empty_memories", "dw_eraser"),
        ("dw_empty_items", "dw_eraser"),
        ("dw_empty_bodies", "dw_eraser"),
        ("dw_purge_memory", "dw_eraser"),
        ("dw_erase_person", "dw_eraser"),
    }
    for name, config, anybody, _ in rows:
        planner = ["enable_nestloop=off", "enable_seqscan=off"] if name == "dw_search_history" else []
        assert config == ["search_path=public, pg_temp", *planner], name
        assert not anybody, name


def test_nobody_but_the_owner_may_make_tables(admin: Admin) -> None:
    assert admin.query(
        "SELECT rolname FROM pg_roles WHERE NOT rolsuper AND rolname LIKE 'dw\\_%%'"
        " AND has_schema_privilege(rolname, 'public', 'CREATE') ORDER BY 1"
    ) == [("dw_eraser",), ("dw_owner",), ("dw_search",)]
    assert admin.query("SELECT has_schema_privilege('public', 'public', 'CREATE')") == [(False,)]


def test_the_eraser_reaches_every_text_of_every_tenants_table_but_the_log_itself(admin: Admin) -> None:
    """C72: a new table lets dw_eraser in, by policy and by grant, as 0003_eraser.sql does for those before it."""
    rows = admin.query(
        "SELECT c.relname, has_table_privilege('dw_eraser', c.oid, 'SELECT'), has_table_privilege('dw_eraser', c.oid, 'UPDATE'),"
        " EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'eraser')"
        " FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped"
        " WHERE c.relkind = 'r' AND c.relforcerowsecurity AND c.relnamespace = 'public'::regnamespace"
    )
    assert len(rows) > 30
    closed = {name for name, reads, writes, let_in in rows if not (reads and writes and let_in)}
    assert closed == {"dw_learning_events", "dw_audit_chain"}


def test_a_view_reads_with_its_readers_rights(admin: Admin) -> None:
    """SECURITY E2.5: a plain view runs as its owner, above row-level security."""
    views = admin.query(
        "SELECT relname, coalesce(reloptions::text, '') FROM pg_class"
        " WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace"
    )
    assert [name for name, options in views if "security_invoker=true" not in options] == []
    copies = "SELECT relname FROM pg_class WHERE relkind = 'm' AND relnamespace = 'public'::regnamespace"
    assert admin.query(copies) == [], "a materialised view knows no row-level security at all"


def test_every_policy_of_a_tenant_reads_the_setting_as_nothing_where_it_is_empty(admin: Admin) -> None:
    """SECURITY E2.2: after a transaction the setting is '', which is no uuid[]; nullif makes it no row at all."""
    policies = admin.query(
        "SELECT tablename, policyname, roles::text, coalesce(qual, '') || coalesce(with_check, '') FROM pg_policies"
        " WHERE schemaname = 'public' AND 'dw_app' = ANY (roles)"
    )
    assert len(policies) > 30
    odd = {
        f"{table}.{name}"
        for table, name, _, text in policies
        if "NULLIF(current_setting('app.org_ids'::text, true), ''::text)" not in text
    }
    assert odd == {"dw_users.anyone_new"}

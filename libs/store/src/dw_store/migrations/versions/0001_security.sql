-- Row-level security with FORCE on every tenant table, and who may do what (C68).
-- Policies read app.org_ids, set for one transaction; unset or empty means no row at all.

DO $$
DECLARE
    tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY[
        'dw_org_members', 'dw_agent_souls', 'dw_agent_soul_versions', 'dw_role_agents', 'dw_agent_managers',
        'dw_channels', 'dw_channel_agents', 'dw_channel_managers', 'dw_external_identities', 'dw_org_settings',
        'dw_learning_items', 'dw_agent_memories', 'dw_memory_revisions', 'dw_memory_feedback',
        'dw_memory_policy_rules', 'dw_memory_tombstones', 'dw_agent_skills', 'dw_agent_skill_versions',
        'dw_agent_skill_assignments', 'dw_learning_events', 'dw_event_bodies', 'dw_audit_chain', 'dw_sources',
        'dw_versions', 'dw_detections', 'dw_decisions', 'dw_chat_events', 'dw_tool_runs', 'dw_corrections',
        'dw_context_packs'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format(
            'CREATE POLICY tenant ON %I TO dw_app USING (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[])) '
            'WITH CHECK (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[]))', tenant
        );
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO dw_app', tenant);
    END LOOP;
END
$$;

ALTER TABLE dw_orgs ENABLE ROW LEVEL SECURITY;
ALTER TABLE dw_orgs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dw_orgs TO dw_app
    USING (id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]))
    WITH CHECK (id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]));
CREATE POLICY references_of_owner ON dw_orgs FOR ALL TO dw_owner USING (TRUE) WITH CHECK (TRUE);
GRANT SELECT, INSERT, UPDATE ON dw_orgs TO dw_app;

-- A user is seen by the orgs of which they are a member; a new one is written before the membership. An org that has
-- only invited somebody changes nothing of them.
ALTER TABLE dw_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE dw_users FORCE ROW LEVEL SECURITY;
CREATE POLICY members_only ON dw_users FOR SELECT TO dw_app USING (EXISTS (
    SELECT 1 FROM dw_org_members AS m
    WHERE m.user_id = dw_users.id AND m.org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[])
));
CREATE POLICY members_change ON dw_users FOR UPDATE TO dw_app USING (EXISTS (
    SELECT 1 FROM dw_org_members AS m
    WHERE m.user_id = dw_users.id AND m.status = 'active' AND m.org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[])
));
CREATE POLICY anyone_new ON dw_users FOR INSERT TO dw_app WITH CHECK (TRUE);
CREATE POLICY references_of_owner ON dw_users FOR ALL TO dw_owner USING (TRUE) WITH CHECK (TRUE);
GRANT SELECT, INSERT, UPDATE ON dw_users TO dw_app;

-- Append-only for the application, and decided once.
REVOKE UPDATE, DELETE ON dw_learning_events, dw_audit_chain, dw_event_bodies, dw_decisions FROM dw_app;
REVOKE DELETE ON dw_agent_memories, dw_memory_revisions, dw_learning_items, dw_org_members FROM dw_app;

-- System tables: outside tenants, with grants of their own.
GRANT SELECT, INSERT ON dw_consumed_messages TO dw_app;
GRANT SELECT, INSERT ON dw_outbox TO dw_app;
GRANT UPDATE (published_at) ON dw_outbox TO dw_app;
GRANT DELETE ON dw_outbox TO dw_app;
GRANT SELECT, INSERT ON dw_api_keys TO dw_app;
GRANT UPDATE (revoked_at, expires_at, channel_ids, agent_ids, proves_sender, name) ON dw_api_keys TO dw_app;
GRANT SELECT ON dw_prompts, dw_prompt_versions TO dw_app;

GRANT USAGE ON SCHEMA public TO dw_app, dw_search, dw_eraser;
GRANT SELECT ON dw_chat_events, dw_channels, dw_channel_agents TO dw_search;
CREATE POLICY search_reads ON dw_chat_events FOR SELECT TO dw_search USING (TRUE);
CREATE POLICY search_reads ON dw_channels FOR SELECT TO dw_search USING (TRUE);
CREATE POLICY search_reads ON dw_channel_agents FOR SELECT TO dw_search USING (TRUE);

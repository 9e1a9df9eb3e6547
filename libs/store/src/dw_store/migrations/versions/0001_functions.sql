-- An org is found by its code before its id is known: this is all that can be asked without a tenant.
CREATE FUNCTION dw_org_id_of(org_code text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id FROM dw_orgs AS o WHERE o.code = org_code
$$;

-- A user of another org is recognised by mail address (C74), without showing anything of him.
CREATE FUNCTION dw_user_id_of(address text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT u.id FROM dw_users AS u WHERE u.email = lower(address)
$$;

-- What every org starts with: the default soul and the three example rules of the seeds (R113 to R115, R224).
CREATE FUNCTION dw_seed_org(new_org uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    soul uuid := gen_random_uuid();
    tone text := E'- Answer plainly and kindly, the answer first.\n- Say what you know and what you do not know.\n- Ask when a request can be read in two ways.';
    never text := E'- Do not claim to have done what you have not done.\n- Do not act where a person must decide.';
BEGIN
    INSERT INTO dw_agent_souls (id, org_id, code, name, tone_rules_md, do_not_do_md, status, approved_at, active_version, is_default)
    VALUES (soul, new_org, 'balanced_helper', 'Balanced helper', tone, never, 'approved', now(), 1, TRUE);
    INSERT INTO dw_agent_soul_versions (org_id, soul_id, version, tone_rules_md, do_not_do_md, change_summary, approved_at, status)
    VALUES (new_org, soul, 1, tone, never, 'The default.', now(), 'approved');
    INSERT INTO dw_memory_policy_rules (rule_id, org_id, category, condition, action, priority, created_by, note)
    VALUES
        (gen_random_uuid(), new_org, 'preference', '{"confidence": {"gte": 0.8}, "is_sensitive": false}', 'auto_confirm', 10, 'system', 'R113'),
        (gen_random_uuid(), new_org, '*', '{"is_sensitive": true}', 'require_user_approval', 100, 'system', 'R114'),
        (gen_random_uuid(), new_org, '*', '{"confidence": {"lt": 0.3}, "last_confirmed_at": {"lt": "now() - 30 days"}}', 'auto_delete', 50, 'system', 'R115');
    INSERT INTO dw_org_settings (org_id, key, value) VALUES (new_org, 'require_approval_for_skill_changes', 'true');
    INSERT INTO dw_versions (org_id, role_agent_id, version) VALUES (new_org, NULL, 1);
END
$$;
REVOKE ALL ON FUNCTION dw_org_id_of(text), dw_user_id_of(text), dw_seed_org(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_org_id_of(text), dw_user_id_of(text), dw_seed_org(uuid) TO dw_app;

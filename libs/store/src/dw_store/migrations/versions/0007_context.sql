-- One number for versions (C71): what a write answers with, what learning.changes.v1 carries, what a pack carries and
-- what at_least_version asks for. A pack's version is the larger one of its agent's and its org's. A write for an agent
-- goes above both, holding the org's row so that no org-wide write can come between; one for the org goes above all of
-- its agents. So a pack has a version >= n exactly if it has the change that was answered with n.
CREATE FUNCTION dw_raise_versions(p_orgs uuid[], p_agents uuid[])
RETURNS TABLE (org_id uuid, role_agent_id uuid, version bigint) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM 1 FROM dw_versions AS v
    WHERE v.org_id = ANY (p_orgs) AND v.role_agent_id IS NULL
      AND EXISTS (SELECT 1 FROM unnest(p_orgs, p_agents) AS w (org, agent) WHERE w.org = v.org_id AND w.agent IS NULL)
    ORDER BY v.org_id
    FOR UPDATE;
    PERFORM 1 FROM dw_versions AS v
    WHERE v.org_id = ANY (p_orgs) AND v.role_agent_id IS NULL
    ORDER BY v.org_id
    FOR SHARE;
    -- Each statement below sees what was committed until its locks were held.
    RETURN QUERY
    INSERT INTO dw_versions AS v (org_id, role_agent_id, version)
    SELECT w.org, NULL::uuid, 1 + coalesce((SELECT max(k.version) FROM dw_versions AS k WHERE k.org_id = w.org), 0)
    FROM unnest(p_orgs, p_agents) AS w (org, agent)
    WHERE w.agent IS NULL
    ORDER BY w.org
    ON CONFLICT (org_id, role_agent_id)
        DO UPDATE SET version = greatest(v.version + 1, excluded.version), updated_at = now()
    RETURNING v.org_id, v.role_agent_id, v.version;
    RETURN QUERY
    INSERT INTO dw_versions AS v (org_id, role_agent_id, version)
    SELECT w.org, w.agent, 1 + coalesce((
        SELECT k.version FROM dw_versions AS k WHERE k.org_id = w.org AND k.role_agent_id IS NULL
    ), 0)
    FROM unnest(p_orgs, p_agents) AS w (org, agent)
    WHERE w.agent IS NOT NULL
    ORDER BY w.org, w.agent
    ON CONFLICT (org_id, role_agent_id)
        DO UPDATE SET version = greatest(v.version + 1, excluded.version), updated_at = now()
    RETURNING v.org_id, v.role_agent_id, v.version;
END
$$;
REVOKE ALL ON FUNCTION dw_raise_versions(uuid[], uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_raise_versions(uuid[], uuid[]) TO dw_app;

DO $$
DECLARE
    facts text := pg_get_functiondef(
        'dw_context_facts(uuid, uuid[], text, uuid, text, uuid, text, text, text)'::regprocedure
    );
    sum_of text := 'coalesce(sum(v.version), 0)::bigint';
BEGIN
    ASSERT position(sum_of IN facts) > 0, 'dw_context_facts is not as 0002 left it';
    EXECUTE replace(facts, sum_of, 'coalesce(max(v.version), 0)');
END
$$;

-- A role-agent as packs need it, whole: kept in memory by the context service under the version beside it (C71).
-- One statement, so that the version is the version of all that stands beside it. NULL: no such active role-agent in
-- this org. JSON: agent, code, version, soul, channels [id, reference, code], identities whose preferences are here
-- [platform, workspace, account, id], memories in the order of the pack, more, skills.
CREATE FUNCTION dw_context_snapshot(p_org uuid, p_agent text, p_agent_id uuid, p_own int, p_shared int)
RETURNS json LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('app.org_ids', '{' || p_org::text || '}', TRUE);
    RETURN (
    WITH agent AS (
        SELECT a.id, a.code, a.soul_id, a.soul_paused
        FROM dw_role_agents AS a
        WHERE a.org_id = p_org AND (a.id = p_agent_id OR a.code = p_agent) AND a.status = 'active'
        ORDER BY (a.id = p_agent_id) IS TRUE DESC
        LIMIT 1
    ), own AS (
        SELECT m.id, m.scope, m.layer, m.memory_type, m.key, m.content, m.subject_identity, m.use_count,
               m.last_used_at, m.created_at, m.expires_at
        FROM dw_agent_memories AS m
        WHERE m.org_id = p_org AND m.role_agent_id = (SELECT id FROM agent) AND m.status = 'active'
          AND m.layer <> 'session' AND (m.expires_at IS NULL OR m.expires_at > now())
        ORDER BY (m.layer = 'operating') DESC, m.use_count DESC, m.last_used_at DESC NULLS LAST, m.created_at DESC, m.id
        LIMIT p_own + 1
    ), shared AS (
        SELECT m.id, m.scope, m.layer, m.memory_type, m.key, m.content, m.subject_identity, m.use_count,
               m.last_used_at, m.created_at, m.expires_at
        FROM dw_agent_memories AS m
        WHERE m.org_id = p_org AND m.role_agent_id IS NULL AND m.status = 'active'
          AND m.layer <> 'session' AND (m.expires_at IS NULL OR m.expires_at > now())
        ORDER BY (m.layer = 'operating') DESC, m.use_count DESC, m.last_used_at DESC NULLS LAST, m.created_at DESC, m.id
        LIMIT p_shared + 1
    ), found AS (
        TABLE shared UNION ALL TABLE own
    )
    SELECT json_build_array(
        a.id, a.code,
        (SELECT coalesce(max(v.version), 0) FROM dw_versions AS v
         WHERE v.org_id = p_org AND (v.role_agent_id IS NULL OR v.role_agent_id = a.id)),
        CASE WHEN s.code IS NOT NULL THEN json_build_array(
            s.code, s.active_version, s.tone_rules_md, s.do_not_do_md, s.status <> 'approved', a.soul_paused
        ) END,
        (SELECT json_agg(json_build_array(c.id, c.external_channel_ref, c.code) ORDER BY c.id DESC)
         FROM dw_channels AS c
         WHERE c.org_id = p_org AND c.deleted_at IS NULL AND (c.role_agent_id = a.id OR EXISTS (
             SELECT 1 FROM dw_channel_agents AS l
             WHERE l.org_id = p_org AND l.channel_id = c.id AND l.role_agent_id = a.id
         ))),
        (SELECT json_agg(json_build_array(i.platform, i.workspace_ref, i.external_user_id, i.id))
         FROM dw_external_identities AS i
         WHERE i.org_id = p_org AND i.status <> 'revoked'
           AND i.id IN (SELECT f.subject_identity FROM found AS f WHERE f.subject_identity IS NOT NULL)),
        (SELECT json_agg(json_build_array(
             f.id, f.scope = 'org', f.layer = 'operating', f.memory_type, f.key, f.content, f.subject_identity,
             f.use_count, extract(epoch FROM f.last_used_at)::float8, extract(epoch FROM f.created_at)::float8,
             extract(epoch FROM f.expires_at)::float8
         )) FROM found AS f),
        (SELECT count(*) > p_own FROM own) OR (SELECT count(*) > p_shared FROM shared),
        (SELECT json_agg(json_build_array(k.id, k.name, k.description, k.active_version, b.body_md) ORDER BY k.name)
         FROM dw_agent_skills AS k
         JOIN dw_agent_skill_versions AS b
           ON b.org_id = p_org AND b.skill_id = k.id AND b.version = k.active_version AND b.status = 'approved'
         WHERE k.org_id = p_org AND k.role_agent_id = a.id AND k.status = 'active'
           AND NOT EXISTS (
               SELECT 1 FROM dw_agent_skill_assignments AS g
               WHERE g.org_id = p_org AND g.role_agent_id = a.id AND g.skill_id = k.id AND NOT g.enabled
           ))
    )
    FROM agent AS a
    LEFT JOIN dw_agent_souls AS s
        ON s.org_id = p_org AND s.active_version IS NOT NULL
       AND CASE WHEN a.soul_id IS NULL THEN s.is_default ELSE s.id = a.soul_id END
    );
END
$$;
REVOKE ALL ON FUNCTION dw_context_snapshot(uuid, text, uuid, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_context_snapshot(uuid, text, uuid, int, int) TO dw_app;

-- Runs of a role-agent, and the one token of each (C74, R182): what it is bound to cannot be chosen by who holds it.
CREATE TABLE dw_runs (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    event_id uuid,
    status text NOT NULL DEFAULT 'running'
        CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    deletions int NOT NULL DEFAULT 0 CHECK (deletions >= 0),
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id)
);
CREATE INDEX dw_runs_agent ON dw_runs (org_id, role_agent_id, started_at DESC);

CREATE TABLE dw_agent_run_tokens (
    org_id uuid NOT NULL,
    run_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, run_id),
    FOREIGN KEY (org_id, run_id) REFERENCES dw_runs (org_id, id)
);

DO $$
DECLARE
    tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['dw_runs', 'dw_agent_run_tokens'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format(
            'CREATE POLICY tenant ON %I TO dw_app USING (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[])) '
            'WITH CHECK (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[]))', tenant
        );
        EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO dw_app', tenant);
    END LOOP;
END
$$;

-- What an agent wrote by itself, through its own PUT: only that may it overwrite or delete by itself (C60).
CREATE INDEX dw_agent_memories_own_put ON dw_agent_memories (org_id, role_agent_id, key)
    WHERE source_session IS NOT NULL;

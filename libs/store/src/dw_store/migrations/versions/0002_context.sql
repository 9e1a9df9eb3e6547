-- What the context service asks before every reply, in one round trip and from one snapshot (C71).

CREATE INDEX dw_channels_external ON dw_channels (org_id, external_channel_ref) WHERE deleted_at IS NULL;
CREATE INDEX dw_agent_memories_subject ON dw_agent_memories (org_id, role_agent_id, subject_identity, id)
    WHERE status = 'active' AND subject_identity IS NOT NULL;

-- The facts of one pack, under the caller's row-level security. The setting holds for this statement's transaction
-- alone. Everything after it is one statement, so that the version is the version of the memories beside it. NULL: the
-- agent does not listen in the channel (R4), or there is no such agent or channel in this org.
-- Candidates are a few more than a pack can hold; the flag behind them says that there are others. JSON, because one
-- column is read faster than ten arrays: agent, channel, version, sender, soul, memories, more, others' preferences.
CREATE FUNCTION dw_context_facts(
    p_org uuid, p_key_agents uuid[], p_agent text, p_agent_id uuid, p_channel text, p_channel_id uuid,
    p_platform text, p_workspace text, p_account text
) RETURNS json LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$  -- planning costs ten times the reading
#variable_conflict use_column
BEGIN
    PERFORM set_config('app.org_ids', '{' || p_org::text || '}', TRUE);
    RETURN (
    WITH place AS (
        SELECT a.id AS agent, c.id AS channel, a.soul_id, a.soul_paused
        FROM dw_role_agents AS a
        JOIN dw_channels AS c ON c.org_id = a.org_id
        WHERE a.org_id = p_org AND (a.id = p_agent_id OR a.code = p_agent) AND a.status = 'active'
          AND (cardinality(p_key_agents) = 0 OR a.id = ANY (p_key_agents))
          AND c.org_id = p_org AND (c.id = p_channel_id OR c.external_channel_ref = p_channel OR c.code = p_channel)
          AND c.deleted_at IS NULL
          AND (c.role_agent_id = a.id OR EXISTS (
              SELECT 1 FROM dw_channel_agents AS l
              WHERE l.org_id = p_org AND l.channel_id = c.id AND l.role_agent_id = a.id
          ))
        ORDER BY (a.id = p_agent_id) IS TRUE DESC, (c.id = p_channel_id) IS TRUE DESC,
                 c.external_channel_ref = p_channel DESC, c.id
        LIMIT 1
    ), person AS (
        SELECT i.id AS identity
        FROM dw_external_identities AS i
        WHERE p_account IS NOT NULL AND i.org_id = p_org AND i.platform = p_platform
          AND i.workspace_ref = p_workspace AND i.external_user_id = p_account AND i.status <> 'revoked'
    ), own AS (
        SELECT m.id, m.scope, m.layer, m.memory_type, m.key, m.content, m.subject_identity, m.use_count,
               m.last_used_at, m.created_at
        FROM dw_agent_memories AS m
        WHERE m.org_id = p_org AND m.role_agent_id = (SELECT agent FROM place) AND m.status = 'active'
          AND m.layer <> 'session' AND (m.expires_at IS NULL OR m.expires_at > now())
          AND (m.subject_identity IS NULL OR m.subject_identity = (SELECT identity FROM person))
        ORDER BY (m.layer = 'operating') DESC, m.use_count DESC, m.last_used_at DESC NULLS LAST, m.created_at DESC, m.id
        LIMIT 26
    ), shared AS (
        SELECT m.id, m.scope, m.layer, m.memory_type, m.key, m.content, m.subject_identity, m.use_count,
               m.last_used_at, m.created_at
        FROM dw_agent_memories AS m
        WHERE m.org_id = p_org AND m.role_agent_id IS NULL AND m.status = 'active'
          AND m.layer <> 'session' AND (m.expires_at IS NULL OR m.expires_at > now())
          AND (m.subject_identity IS NULL OR m.subject_identity = (SELECT identity FROM person))
        ORDER BY (m.layer = 'operating') DESC, m.use_count DESC, m.last_used_at DESC NULLS LAST, m.created_at DESC, m.id
        LIMIT 13
    ), found AS (
        TABLE shared UNION ALL TABLE own
    ), packed AS (
        SELECT json_agg(json_build_array(
                   f.id, f.scope = 'org', f.layer = 'operating', f.memory_type, f.key, f.content, f.subject_identity,
                   f.use_count, extract(epoch FROM f.last_used_at)::float8, extract(epoch FROM f.created_at)::float8
               )) AS memories,
               count(*) FILTER (WHERE f.scope = 'org') > 12 OR count(*) FILTER (WHERE f.scope <> 'org') > 25 AS more
        FROM found AS f
    )
    SELECT json_build_array(
           p.agent, p.channel,
           (SELECT coalesce(sum(v.version), 0)::bigint FROM dw_versions AS v
            WHERE v.org_id = p_org AND (v.role_agent_id IS NULL OR v.role_agent_id = p.agent)),
           (SELECT identity FROM person),
           CASE WHEN s.code IS NOT NULL THEN json_build_array(
               s.code, s.active_version, s.tone_rules_md, s.do_not_do_md, s.status <> 'approved', p.soul_paused
           ) END,
           k.memories, k.more,
           ARRAY(
               SELECT m.id FROM dw_agent_memories AS m
               WHERE m.org_id = p_org AND m.role_agent_id = p.agent AND m.status = 'active'
                 AND m.subject_identity IS NOT NULL
                 AND m.subject_identity IS DISTINCT FROM (SELECT identity FROM person)
               ORDER BY m.subject_identity, m.id
               LIMIT 10
           )
    )
    FROM place AS p
    CROSS JOIN packed AS k
    LEFT JOIN dw_agent_souls AS s
        ON s.org_id = p_org AND s.active_version IS NOT NULL
       AND CASE WHEN p.soul_id IS NULL THEN s.is_default ELSE s.id = p.soul_id END
    );
END
$$;
REVOKE ALL ON FUNCTION dw_context_facts(uuid, uuid[], text, uuid, text, uuid, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_context_facts(uuid, uuid[], text, uuid, text, uuid, text, text, text) TO dw_app;

-- A message that is deleted takes its tool runs and corrections with it: they are found by the platform's id.
ALTER TABLE dw_tool_runs ADD COLUMN message_ref text NOT NULL DEFAULT '';
ALTER TABLE dw_corrections ADD COLUMN message_ref text NOT NULL DEFAULT '';
CREATE INDEX dw_tool_runs_message ON dw_tool_runs (org_id, role_agent_id, channel_id, message_ref);
CREATE INDEX dw_corrections_message ON dw_corrections (org_id, role_agent_id, channel_id, message_ref);

-- Full-text search keeps its index only outside row-level security (C68). So this function has an owner of its own
-- that reads all orgs, takes the org from the transaction's setting and refuses more than one. It gives ids and ranks;
-- the caller reads the rows under its own rights.
SET LOCAL ROLE dw_search;
CREATE FUNCTION dw_search_history(p_query tsquery, p_agent uuid, p_channel uuid, p_limit int)
RETURNS TABLE (id uuid, rank real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    orgs uuid[] := nullif(current_setting('app.org_ids', TRUE), '')::uuid[];
BEGIN
    IF orgs IS NULL THEN
        RETURN;
    END IF;
    IF cardinality(orgs) <> 1 THEN
        RAISE EXCEPTION 'history is searched in exactly one org' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN QUERY
    WITH candidates AS (
        SELECT e.id, e.body_tsv, e.occurred_at
        FROM dw_chat_events AS e
        JOIN dw_channels AS c ON c.org_id = e.org_id AND c.id = e.channel_id
        WHERE e.org_id = orgs[1] AND e.role_agent_id = p_agent AND e.body_tsv @@ p_query
          AND e.current AND e.kind <> 'delete' AND c.deleted_at IS NULL
          AND (c.visibility = 'shared' OR c.id = p_channel)
          AND (c.role_agent_id = p_agent OR EXISTS (
              SELECT 1 FROM dw_channel_agents AS l
              WHERE l.org_id = orgs[1] AND l.channel_id = c.id AND l.role_agent_id = p_agent
          ))
        ORDER BY e.occurred_at DESC, e.id
        LIMIT 2000
    )
    SELECT k.id, ts_rank(k.body_tsv, p_query)
    FROM candidates AS k
    ORDER BY ts_rank(k.body_tsv, p_query) DESC, k.occurred_at DESC, k.id
    LIMIT p_limit;
END
$$;
REVOKE ALL ON FUNCTION dw_search_history(tsquery, uuid, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_search_history(tsquery, uuid, uuid, int) TO dw_app;
SET LOCAL ROLE dw_owner;

-- Erasure (C72): functions of a role of its own, for they change what nobody else may change. They work in exactly the
-- one org of the transaction's setting. The audit log's own rows, and the chain over them, stay as they are.

DO $$
DECLARE
    tenant text;
BEGIN
    FOR tenant IN
        SELECT c.relname FROM pg_class AS c
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
        WHERE c.relkind = 'r' AND c.relforcerowsecurity AND c.relnamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('GRANT SELECT ON %I TO dw_eraser', tenant);
        IF tenant NOT IN ('dw_learning_events', 'dw_audit_chain') THEN
            EXECUTE format('GRANT UPDATE ON %I TO dw_eraser', tenant);
        END IF;
        EXECUTE format(
            'CREATE POLICY eraser ON %I TO dw_eraser USING (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[]))',
            tenant
        );
    END LOOP;
END
$$;
-- A person stays a user while another org has them.
CREATE POLICY eraser_counts ON dw_org_members FOR SELECT TO dw_eraser USING (TRUE);
CREATE POLICY eraser ON dw_users TO dw_eraser USING (TRUE);
GRANT SELECT, UPDATE (name, email, updated_at, row_version) ON dw_users TO dw_eraser;
GRANT SELECT, DELETE ON dw_outbox TO dw_eraser;

CREATE FUNCTION dw_redacted(p_value text, p_pattern text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(p_value, p_pattern, '[erased]', 'gi')
$$;
CREATE FUNCTION dw_redacted(p_value text[], p_pattern text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT coalesce(array_agg(dw_redacted(v.one, p_pattern) ORDER BY v.at), '{}')
    FROM unnest(p_value) WITH ORDINALITY AS v (one, at)
$$;
-- Values alone: the names of fields are ours.
CREATE FUNCTION dw_redacted(p_value jsonb, p_pattern text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    CASE jsonb_typeof(p_value)
        WHEN 'string' THEN
            RETURN to_jsonb(dw_redacted(p_value #>> '{}', p_pattern));
        WHEN 'array' THEN
            RETURN (SELECT coalesce(jsonb_agg(dw_redacted(v.one, p_pattern) ORDER BY v.at), '[]')
                    FROM jsonb_array_elements(p_value) WITH ORDINALITY AS v (one, at));
        WHEN 'object' THEN
            RETURN (SELECT coalesce(jsonb_object_agg(v.name, dw_redacted(v.one, p_pattern)), '{}')
                    FROM jsonb_each(p_value) AS v (name, one));
        ELSE
            RETURN p_value;
    END CASE;
END
$$;
-- Sources that are left when these events are taken out; a row never has none.
CREATE FUNCTION dw_sources_without(p_refs jsonb, p_events uuid[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_agg(v.ref ORDER BY v.at), '[{"type": "erased"}]')
    FROM jsonb_array_elements(p_refs) WITH ORDINALITY AS v (ref, at)
    WHERE NOT (coalesce(v.ref ->> 'event_id', '') = ANY (p_events::text[]))
$$;
CREATE FUNCTION dw_names_source(p_refs jsonb, p_events uuid[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT EXISTS (SELECT 1 FROM jsonb_array_elements(p_refs) AS v (ref) WHERE v.ref ->> 'event_id' = ANY (p_events::text[]))
$$;
CREATE FUNCTION dw_only_org() RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
    orgs uuid[] := nullif(current_setting('app.org_ids', TRUE), '')::uuid[];
BEGIN
    IF coalesce(cardinality(orgs), 0) <> 1 THEN
        RAISE EXCEPTION 'erasure works in exactly one org' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN orgs[1];
END
$$;

SET LOCAL ROLE dw_eraser;

-- Empties memories with their revisions, and gives how many. What they said is in no row afterwards.
CREATE FUNCTION dw_empty_memories(p_memories uuid[], p_why text, p_at timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    org uuid := dw_only_org();
    emptied int;
BEGIN
    UPDATE dw_memory_tombstones AS t SET similarity_text = '', topic_key = ''
    FROM dw_agent_memories AS m
    WHERE t.org_id = org AND m.org_id = org AND m.id = ANY (p_memories) AND t.content_hash = m.content_hash;
    UPDATE dw_memory_revisions AS r SET content = '[erased]', metadata = '{}'
    WHERE r.org_id = org AND r.memory_id = ANY (p_memories);
    UPDATE dw_memory_feedback AS f SET new_text = NULL WHERE f.org_id = org AND f.memory_id = ANY (p_memories);
    UPDATE dw_agent_memories AS m SET content = '[erased]', key = 'erased-' || m.id, metadata = '{}',
        content_hash = sha256(uuid_send(gen_random_uuid())), source_refs = '[{"type": "erased"}]', source_session = NULL,
        status = 'deleted', deleted_at = coalesce(m.deleted_at, p_at), deleted_by = 'system:erasure',
        delete_reason = p_why, updated_at = p_at, row_version = m.row_version + 1
    WHERE m.org_id = org AND m.id = ANY (p_memories) AND m.content <> '[erased]';
    GET DIAGNOSTICS emptied = ROW_COUNT;
    RETURN emptied;
END
$$;

-- Empties items; those that waited are rejected.
CREATE FUNCTION dw_empty_items(p_items uuid[], p_at timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    org uuid := dw_only_org();
    emptied int;
BEGIN
    UPDATE dw_learning_items AS i SET proposed_payload = jsonb_build_object('content', '[erased]', 'key', 'erased-' || i.id,
            'layer', coalesce(i.proposed_payload -> 'layer', '"knowledge"'), 'memory_type',
            coalesce(i.proposed_payload -> 'memory_type', '"fact"'), 'category',
            coalesce(i.proposed_payload -> 'category', '"fact"'), 'marks', '[]'::jsonb),
        original_payload = NULL, source_refs = '[{"type": "erased"}]', dedupe_key = NULL, sender_ref = NULL,
        decision_note = NULL, status = CASE i.status WHEN 'pending' THEN 'rejected' ELSE i.status END,
        decided_at = coalesce(i.decided_at, p_at), decision_kind = coalesce(i.decision_kind, 'auto_rejected'),
        updated_at = p_at, row_version = i.row_version + 1
    WHERE i.org_id = org AND i.id = ANY (p_items) AND i.proposed_payload ->> 'content' IS DISTINCT FROM '[erased]';
    GET DIAGNOSTICS emptied = ROW_COUNT;
    RETURN emptied;
END
$$;

CREATE FUNCTION dw_empty_bodies(p_events uuid[], p_at timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    org uuid := dw_only_org();
    emptied int;
BEGIN
    UPDATE dw_event_bodies AS b SET salt = '', reason = '', before = NULL, after = NULL, erased_at = p_at
    WHERE b.org_id = org AND b.event_id = ANY (p_events) AND b.erased_at IS NULL;
    GET DIAGNOSTICS emptied = ROW_COUNT;
    RETURN emptied;
END
$$;

-- One memory for good: its text, its history, the item and the decision that made it, the log's words about it.
CREATE FUNCTION dw_purge_memory(p_memory uuid, p_at timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    org uuid := dw_only_org();
    items uuid[] := ARRAY(
        SELECT i.id FROM dw_learning_items AS i
        WHERE i.org_id = org AND (i.target_memory_id = p_memory OR i.id = (
            SELECT m.learning_item_id FROM dw_agent_memories AS m WHERE m.org_id = org AND m.id = p_memory))
    );
    decisions uuid[] := ARRAY(
        SELECT d.decision_id FROM dw_decisions AS d WHERE d.org_id = org AND d.made_id = ANY (items || p_memory)
    );
BEGIN
    PERFORM dw_empty_items(items, p_at);
    UPDATE dw_decisions AS d SET inputs = '{"erased": true}' WHERE d.org_id = org AND d.decision_id = ANY (decisions);
    UPDATE dw_detections AS d SET answer = '[]' WHERE d.org_id = org AND d.decision_id = ANY (decisions);
    PERFORM dw_empty_bodies(ARRAY(
        SELECT e.event_id FROM dw_learning_events AS e
        WHERE e.org_id = org AND e.subject_id = ANY (items || p_memory)
    ), p_at);
    RETURN dw_empty_memories(ARRAY[p_memory], 'purged', p_at);
END
$$;

-- A person: what they said is emptied, what others said about them loses their names. `p_pattern` finds the names and
-- accounts in texts (NULL: none that is safe to look for), `p_lexemes` are the same as search tokens, `p_code` is the
-- person's code in the org. Gives what was changed, by table, and the memories that were active. Again changes nothing.
CREATE FUNCTION dw_erase_person(
    p_user uuid, p_platforms text[], p_workspaces text[], p_accounts text[], p_code text, p_pattern text,
    p_lexemes text[], p_at timestamptz
) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    org uuid := dw_only_org();
    v_identities uuid[];
    v_said uuid[];
    v_drafts uuid[];
    v_words uuid[];
    v_items uuid[];
    v_memories uuid[];
    v_active jsonb;
    counts jsonb := '{}';
    n int;
    swept int;
    place record;
BEGIN
    v_identities := ARRAY(
        SELECT i.id FROM dw_external_identities AS i
        LEFT JOIN unnest(p_platforms, p_workspaces, p_accounts) AS a (platform, workspace, account)
          ON a.platform = i.platform AND a.workspace = i.workspace_ref AND a.account = i.external_user_id
        WHERE i.org_id = org AND (i.user_id = p_user OR a.account IS NOT NULL)
    );
    v_said := ARRAY(
        SELECT c.id FROM dw_chat_events AS c
        JOIN unnest(p_platforms, p_workspaces, p_accounts) AS a (platform, workspace, account)
          ON a.platform = c.platform AND a.workspace = c.workspace_ref AND a.account = c.external_user_id
        WHERE c.org_id = org
        UNION
        SELECT t.id FROM dw_tool_runs AS t JOIN dw_channels AS c ON c.org_id = org AND c.id = t.channel_id
        JOIN unnest(p_platforms, p_accounts) AS a (platform, account)
          ON a.platform = c.platform AND a.account = t.external_user_id
        WHERE t.org_id = org
        UNION
        SELECT t.id FROM dw_corrections AS t JOIN dw_channels AS c ON c.org_id = org AND c.id = t.channel_id
        JOIN unnest(p_platforms, p_accounts) AS a (platform, account)
          ON a.platform = c.platform AND a.account = t.external_user_id
        WHERE t.org_id = org
        UNION
        SELECT d.decision_id FROM dw_decisions AS d
        JOIN unnest(p_platforms, p_workspaces, p_accounts) AS a (platform, workspace, account)
          ON a.platform = d.inputs #>> '{event,sender,platform}'
         AND a.workspace = coalesce(d.inputs #>> '{event,sender,workspace_ref}', '')
         AND a.account = d.inputs #>> '{event,sender,external_user_id}'
        WHERE d.org_id = org
    );
    v_drafts := ARRAY(
        SELECT DISTINCT s.request_id FROM dw_correction_signals AS s
        WHERE s.org_id = org AND s.event_id = ANY (v_said) AND s.request_id IS NOT NULL
    );
    v_words := v_said || v_drafts;

    v_items := ARRAY(
        SELECT i.id FROM dw_learning_items AS i
        WHERE i.org_id = org AND (
            (dw_names_source(i.source_refs, v_said) AND dw_sources_without(i.source_refs, v_said) = '[{"type": "erased"}]')
            OR i.proposed_payload::text ~* p_pattern OR i.original_payload::text ~* p_pattern
            OR i.id IN (SELECT d.made_id FROM dw_decisions AS d WHERE d.org_id = org AND d.decision_id = ANY (v_drafts)))
    );
    v_memories := ARRAY(
        SELECT m.id FROM dw_agent_memories AS m
        WHERE m.org_id = org AND (
            (dw_names_source(m.source_refs, v_said) AND dw_sources_without(m.source_refs, v_said) = '[{"type": "erased"}]')
            OR m.subject_identity = ANY (v_identities) OR m.content ~* p_pattern OR m.key ~* p_pattern
            OR m.metadata::text ~* p_pattern)
    );
    v_active := (SELECT coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'role_agent_id', m.role_agent_id)), '[]')
               FROM dw_agent_memories AS m WHERE m.org_id = org AND m.id = ANY (v_memories) AND m.status = 'active');

    n := dw_empty_bodies(ARRAY(
        SELECT e.event_id FROM dw_learning_events AS e
        JOIN dw_event_bodies AS b ON b.org_id = org AND b.event_id = e.event_id
        WHERE e.org_id = org AND b.erased_at IS NULL AND b.reason <> 'erased' AND (
            e.source_event_id = ANY (v_said) OR e.subject_id = ANY (v_items || v_memories || v_identities || v_words)
            OR (e.subject_type = 'user' AND e.subject_id = p_user)
            OR (e.actor_id = p_user::text AND coalesce(b.after ->> 'note', '') <> '')
            OR b.reason ~* p_pattern OR b.before::text ~* p_pattern OR b.after::text ~* p_pattern
            OR (p_code <> '' AND (jsonb_path_exists(b.before, '$.** ? (@ == $c)', jsonb_build_object('c', p_code))
                OR jsonb_path_exists(b.after, '$.** ? (@ == $c)', jsonb_build_object('c', p_code)))))
    ), p_at);
    counts := counts || jsonb_build_object('audit_texts', n, 'items', dw_empty_items(v_items, p_at),
                                           'memories', dw_empty_memories(v_memories, 'erased', p_at));
    UPDATE dw_learning_items AS i SET sender_ref = NULL, source_refs = dw_sources_without(i.source_refs, v_said)
    WHERE i.org_id = org AND dw_names_source(i.source_refs, v_said);
    UPDATE dw_learning_items AS i SET sender_identity_id = NULL, sender_user_id = NULL, sender_ref = NULL
    WHERE i.org_id = org AND (i.sender_identity_id = ANY (v_identities) OR i.sender_user_id = p_user
        OR i.sender_ref IN (SELECT a.platform || ':' || a.workspace || ':' || a.account
                            FROM unnest(p_platforms, p_workspaces, p_accounts) AS a (platform, workspace, account)));
    UPDATE dw_agent_memories AS m SET source_refs = dw_sources_without(m.source_refs, v_said)
    WHERE m.org_id = org AND dw_names_source(m.source_refs, v_said);

    UPDATE dw_decisions AS d SET inputs = '{"erased": true}'
    WHERE d.org_id = org AND d.inputs <> '{"erased": true}' AND (d.decision_id = ANY (v_words) OR d.inputs::text ~* p_pattern);
    GET DIAGNOSTICS n = ROW_COUNT;
    counts := counts || jsonb_build_object('decisions', n);
    UPDATE dw_detections AS d SET answer = '[]'
    WHERE d.org_id = org AND d.answer <> '[]' AND (d.decision_id = ANY (v_words) OR d.answer::text ~* p_pattern);

    UPDATE dw_chat_events AS c SET reply_to = jsonb_set(c.reply_to, '{text}', '""')
    FROM dw_chat_events AS own
    WHERE c.org_id = org AND own.org_id = org AND own.id = ANY (v_said) AND c.channel_id = own.channel_id
      AND c.reply_to ->> 'message_ref' = own.message_ref AND c.reply_to ->> 'text' <> '';
    UPDATE dw_chat_events AS c SET body_text = '', body_tsv = '', reply_to = NULL, display_name = NULL,
        external_user_id = 'erased', actor_user_id = NULL
    WHERE c.org_id = org AND c.id = ANY (v_said);
    GET DIAGNOSTICS n = ROW_COUNT;
    counts := counts || jsonb_build_object('messages', n);
    UPDATE dw_chat_events AS c SET body_tsv = ts_delete(c.body_tsv, p_lexemes)
    WHERE c.org_id = org AND c.body_text ~* p_pattern;
    UPDATE dw_tool_runs AS t SET input = '', output = '', external_user_id = 'erased', actor_user_id = NULL
    WHERE t.org_id = org AND t.id = ANY (v_said);
    UPDATE dw_corrections AS t SET wrong_text = '', right_text = '', topic = '', external_user_id = 'erased', actor_user_id = NULL
    WHERE t.org_id = org AND t.id = ANY (v_said);
    UPDATE dw_correction_signals AS s SET said = '', topic = 'erased', sender_ref = 'erased'
    WHERE s.org_id = org AND s.event_id = ANY (v_said);
    UPDATE dw_correction_signals AS s SET topic = 'erased' WHERE s.org_id = org AND s.topic ~* p_pattern;
    DELETE FROM dw_outbox AS o WHERE o.topic = 'learning.draft_requests.v1' AND o.id = ANY (v_drafts);

    UPDATE dw_memory_feedback AS f SET new_text = NULL
    WHERE f.org_id = org AND f.actor_user_id = p_user AND f.new_text IS NOT NULL;
    UPDATE dw_memory_tombstones AS t SET similarity_text = '', topic_key = ''
    WHERE t.org_id = org AND (t.created_by = p_user::text OR t.similarity_text ~* p_pattern OR t.topic_key ~* p_pattern);
    UPDATE dw_agent_skill_versions AS v SET body_md = dw_redacted(v.body_md, p_pattern),
        content_hash = sha256(convert_to(dw_redacted(v.body_md, p_pattern), 'UTF8'))
    WHERE v.org_id = org AND v.body_md ~* p_pattern;
    UPDATE dw_agent_skills AS s SET description = left(dw_redacted(s.description, p_pattern), 1024)
    WHERE s.org_id = org AND s.description ~* p_pattern;
    UPDATE dw_channels AS c SET external_channel_ref = 'erased:' || c.id, deleted_at = coalesce(c.deleted_at, p_at)
    WHERE c.org_id = org AND EXISTS (
        SELECT 1 FROM unnest(p_platforms, p_accounts) AS a (platform, account)
        WHERE a.platform = c.platform AND a.account = c.external_channel_ref);
    UPDATE dw_external_identities AS i SET external_user_id = 'erased:' || i.id, workspace_ref = '', status = 'revoked',
        user_id = NULL, verified_by = NULL, verify_method = NULL, revoked_at = coalesce(i.revoked_at, p_at),
        revoked_by = 'erasure', updated_at = p_at, row_version = i.row_version + 1
    WHERE i.org_id = org AND i.id = ANY (v_identities) AND i.external_user_id NOT LIKE 'erased:%';
    GET DIAGNOSTICS n = ROW_COUNT;
    counts := counts || jsonb_build_object('accounts', n);
    UPDATE dw_users AS u SET name = 'Erased person', email = NULL, updated_at = p_at, row_version = u.row_version + 1
    WHERE u.id = p_user AND u.name <> 'Erased person' AND NOT EXISTS (
        SELECT 1 FROM dw_org_members AS m WHERE m.user_id = p_user AND m.org_id <> org AND m.status <> 'removed');

    n := 0;
    IF p_pattern IS NOT NULL THEN
        -- Every other text of every table, those that are yet to come too. Keys and words of ours are no free text.
        -- One look at each row: a regular expression a column would cost ten times as much.
        FOR place IN
            SELECT t.relname AS tab, string_agg(format('%1$I = dw_redacted(%1$I, $1)', a.attname), ', ') AS sets,
                   string_agg(format('%I::text', a.attname), ', ') AS texts
            FROM pg_class AS t
            JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
             AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
            WHERE t.relkind = 'r' AND t.relforcerowsecurity AND t.relnamespace = 'public'::regnamespace
              AND t.relname NOT IN ('dw_learning_events', 'dw_audit_chain', 'dw_event_bodies')
              AND EXISTS (SELECT 1 FROM pg_attribute AS o WHERE o.attrelid = t.oid AND o.attname = 'org_id')
              AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conrelid = t.oid AND a.attnum = ANY (k.conkey)
                              AND (k.contype IN ('f', 'p', 'u') OR (k.contype = 'c' AND a.atttypid <> 'jsonb'::regtype)))
            GROUP BY t.relname
            ORDER BY t.relname
        LOOP
            EXECUTE format('UPDATE %I SET %s WHERE org_id = $2 AND concat_ws(E''\n'', %s) ~* $1',
                           place.tab, place.sets, place.texts) USING p_pattern, org;
            GET DIAGNOSTICS swept = ROW_COUNT;
            n := n + swept;
        END LOOP;
    END IF;
    counts := counts || jsonb_build_object('mentions', n);
    RETURN jsonb_build_object('counts', counts, 'active', v_active);
END
$$;
REVOKE ALL ON FUNCTION dw_empty_memories(uuid[], text, timestamptz), dw_empty_items(uuid[], timestamptz),
    dw_empty_bodies(uuid[], timestamptz), dw_purge_memory(uuid, timestamptz),
    dw_erase_person(uuid, text[], text[], text[], text, text, text[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_purge_memory(uuid, timestamptz),
    dw_erase_person(uuid, text[], text[], text[], text, text, text[], timestamptz) TO dw_app;
SET LOCAL ROLE dw_owner;

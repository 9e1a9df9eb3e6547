-- The outbox says how often a row was tried and what went wrong last.
ALTER TABLE dw_outbox ADD COLUMN attempts int NOT NULL DEFAULT 0, ADD COLUMN last_error text;
GRANT UPDATE (attempts, last_error) ON dw_outbox TO dw_app;

-- Events that have no place in the chain yet (C72): written with them, taken by the sealer. Ids alone, of all orgs, so
-- that the sealer finds its work without knowing the tenants; an event that commits late is simply taken next.
CREATE TABLE dw_audit_unsealed (
    org_id uuid NOT NULL,
    event_id uuid NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (org_id, event_id)
);
CREATE INDEX dw_audit_unsealed_place ON dw_audit_unsealed (place);
GRANT SELECT, INSERT, DELETE ON dw_audit_unsealed TO dw_app;
INSERT INTO dw_audit_unsealed (org_id, event_id, place)
SELECT e.org_id, e.event_id, e.id
FROM dw_learning_events AS e
WHERE NOT EXISTS (SELECT 1 FROM dw_audit_chain AS c WHERE c.org_id = e.org_id AND c.event_id = e.event_id);

CREATE FUNCTION dw_note_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dw_audit_unsealed (org_id, event_id, place) SELECT f.org_id, f.event_id, f.id FROM fresh AS f;
    RETURN NULL;
END
$$;
CREATE TRIGGER dw_learning_events_unsealed AFTER INSERT ON dw_learning_events
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION dw_note_unsealed();
CREATE TRIGGER dw_audit_chain_no_truncate BEFORE TRUNCATE ON dw_audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION dw_refuse_change();
CREATE TRIGGER dw_event_bodies_no_truncate BEFORE TRUNCATE ON dw_event_bodies
    FOR EACH STATEMENT EXECUTE FUNCTION dw_refuse_change();

-- Scheduled work (C75) goes through the orgs in pages: ids alone.
CREATE FUNCTION dw_org_ids(p_after uuid, p_limit int) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id FROM dw_orgs AS o WHERE p_after IS NULL OR o.id > p_after ORDER BY o.id LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION dw_org_ids(uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_org_ids(uuid, int) TO dw_app;

-- What is due, and what is old enough to go.
CREATE INDEX dw_agent_memories_ttl ON dw_agent_memories (org_id, retention_policy)
    WHERE status = 'active' AND retention_policy <> 'permanent_until_revoked';
CREATE INDEX dw_consumed_messages_age ON dw_consumed_messages (processed_at);
GRANT DELETE ON dw_consumed_messages TO dw_app;
CREATE INDEX dw_context_packs_age ON dw_context_packs (org_id, built_at);
CREATE INDEX dw_sources_age ON dw_sources (org_id, updated_at);

-- What was corrected, by topic (C66): counted by policy in the decision's own transaction.
CREATE TABLE dw_correction_signals (
    org_id uuid NOT NULL,
    event_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    topic text NOT NULL CHECK (char_length(topic) BETWEEN 1 AND 128),
    kind text NOT NULL CHECK (kind IN ('correction', 'edited_draft')),
    said text NOT NULL,
    message_ref text NOT NULL,
    revision bigint NOT NULL DEFAULT 0,
    sender_ref text NOT NULL,
    sender_verified boolean NOT NULL,
    received_at timestamptz NOT NULL,
    request_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, event_id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id)
);
CREATE INDEX dw_correction_signals_topic ON dw_correction_signals (org_id, role_agent_id, topic, received_at);
CREATE INDEX dw_correction_signals_request ON dw_correction_signals (org_id, request_id) WHERE request_id IS NOT NULL;

ALTER TABLE dw_correction_signals ENABLE ROW LEVEL SECURITY;
ALTER TABLE dw_correction_signals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dw_correction_signals TO dw_app
    USING (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]))
    WITH CHECK (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]));
GRANT SELECT, INSERT, UPDATE, DELETE ON dw_correction_signals TO dw_app;

-- A code that the panel showed, by HMAC; the account it was posted from waits for the person's yes (C103).
CREATE TABLE dw_identity_claims (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    platform text NOT NULL CHECK (platform IN ('telegram', 'slack', 'discord', 'email')),
    code_mac text NOT NULL CHECK (code_mac ~ '^[0-9a-f]{64}$'),
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'claimed', 'confirmed', 'void')),
    identity_id uuid,
    channel_id uuid,
    event_id uuid,
    display_name text NOT NULL DEFAULT '',
    expires_at timestamptz NOT NULL,
    claimed_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, code_mac),
    FOREIGN KEY (org_id, user_id) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, identity_id) REFERENCES dw_external_identities (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id),
    CHECK (status NOT IN ('claimed', 'confirmed') OR (identity_id IS NOT NULL AND claimed_at IS NOT NULL))
);
CREATE UNIQUE INDEX dw_identity_claims_open ON dw_identity_claims (org_id, user_id) WHERE status IN ('open', 'claimed');
CREATE INDEX dw_identity_claims_user ON dw_identity_claims (org_id, user_id, created_at DESC);

-- Who was only ever invited is no member and never was one, also after the invitation was taken back: another org's
-- person, whose name is not shown and who comes in by acceptance alone (C74).
ALTER TABLE dw_org_members ADD COLUMN joined boolean NOT NULL DEFAULT TRUE;
UPDATE dw_org_members SET joined = FALSE WHERE status = 'invited';
ALTER TABLE dw_org_members ADD CHECK (joined OR status <> 'active');

-- What became of the sources of an item that waits: source_deleted, source_edited, source_identity_revoked (C102).
ALTER TABLE dw_learning_items ADD COLUMN source_marks text[] NOT NULL DEFAULT '{}';
CREATE INDEX dw_learning_items_sources ON dw_learning_items USING gin (source_refs jsonb_path_ops) WHERE status = 'pending';
CREATE INDEX dw_agent_memories_sender ON dw_agent_memories (org_id, sender_identity_id)
    WHERE status = 'active' AND sender_identity_id IS NOT NULL;
CREATE INDEX dw_learning_items_sender ON dw_learning_items (org_id, sender_identity_id)
    WHERE status = 'pending' AND sender_identity_id IS NOT NULL;

-- The newest event of a role-agent that was decided, by ingest's clock: what comes long after it is a replay (C79).
CREATE TABLE dw_decided_until (
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, role_agent_id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);

DO $$
DECLARE
    tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['dw_identity_claims', 'dw_decided_until'] LOOP
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

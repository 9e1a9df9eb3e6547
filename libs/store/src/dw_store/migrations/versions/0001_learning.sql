-- What is learned: items, memories, skills, rules; and the log of how.

CREATE TABLE dw_learning_items (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('memory_proposal', 'skill_proposal', 'skill_update', 'review', 'soul_update')),
    action text NOT NULL DEFAULT 'create' CHECK (action IN ('create', 'update', 'archive', 'promote', 'review')),
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'superseded')),
    risk text NOT NULL CHECK (risk IN ('low', 'medium', 'high', 'sensitive')),
    is_sensitive boolean NOT NULL DEFAULT FALSE,
    reason_code text NOT NULL,
    explanation text NOT NULL DEFAULT '',
    proposed_payload jsonb NOT NULL,
    original_payload jsonb,
    source_refs jsonb NOT NULL CHECK (jsonb_typeof(source_refs) = 'array' AND jsonb_array_length(source_refs) > 0),
    evidence_count int NOT NULL DEFAULT 1 CHECK (evidence_count > 0),
    dedupe_key text,
    target_memory_id uuid,
    target_skill_id uuid,
    base_version int,
    proposed_by text NOT NULL,
    sender_identity_id uuid,
    sender_user_id uuid,
    sender_verified boolean NOT NULL DEFAULT FALSE,
    sender_ref text,
    confidence numeric(3, 2) NOT NULL DEFAULT 0 CHECK (confidence BETWEEN 0 AND 1),
    model_version text NOT NULL DEFAULT '',
    prompt_version text NOT NULL DEFAULT '',
    policy_version text NOT NULL DEFAULT '',
    assigned_to uuid,
    decided_by uuid,
    decided_at timestamptz,
    decision_note text,
    decision_kind text CHECK (decision_kind IN ('manual', 'auto_rejected', 'override', 'expired')),
    published_at timestamptz,
    due_at timestamptz,
    snoozed_until timestamptz,
    expires_at timestamptz,
    superseded_by uuid,
    converted_from uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, assigned_to) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, decided_by) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, sender_user_id) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, sender_identity_id) REFERENCES dw_external_identities (org_id, id),
    FOREIGN KEY (org_id, superseded_by) REFERENCES dw_learning_items (org_id, id),
    FOREIGN KEY (org_id, converted_from) REFERENCES dw_learning_items (org_id, id),
    CHECK ((status = 'pending') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX dw_learning_items_signal ON dw_learning_items (org_id, role_agent_id, dedupe_key)
    WHERE status = 'pending' AND dedupe_key IS NOT NULL;
CREATE INDEX dw_learning_items_due ON dw_learning_items (org_id, status, due_at, id);
CREATE INDEX dw_learning_items_agent ON dw_learning_items (org_id, role_agent_id, status, created_at);
CREATE INDEX dw_learning_items_assignee ON dw_learning_items (org_id, assigned_to, status);

CREATE TABLE dw_agent_memories (
    id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    role_agent_id uuid,
    scope text NOT NULL CHECK (scope IN ('org', 'role_agent')),
    memory_type text NOT NULL
        CHECK (memory_type IN ('fact', 'preference', 'rule', 'decision', 'correction', 'contact', 'glossary')),
    category text NOT NULL,
    layer text NOT NULL DEFAULT 'knowledge' CHECK (layer IN ('operating', 'knowledge', 'session')),
    key text NOT NULL,
    content text NOT NULL CHECK (char_length(content) BETWEEN 1 AND 600),
    content_hash bytea NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded', 'archived', 'deleted')),
    risk text NOT NULL CHECK (risk IN ('low', 'high', 'sensitive')),
    is_sensitive boolean NOT NULL DEFAULT FALSE,
    confidence numeric(3, 2) NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    source_kind text NOT NULL CHECK (source_kind IN ('user_confirmed', 'agent_extracted', 'system_rule', 'admin_manual')),
    source_refs jsonb NOT NULL CHECK (jsonb_typeof(source_refs) = 'array' AND jsonb_array_length(source_refs) > 0),
    source_session text,
    origin text NOT NULL CHECK (origin IN ('auto_saved', 'approved', 'manual', 'promoted', 'imported')),
    learning_item_id uuid,
    subject_identity uuid,
    sender_verified boolean NOT NULL DEFAULT FALSE,
    sender_identity_id uuid,
    retention_policy text NOT NULL DEFAULT 'permanent_until_revoked'
        CHECK (retention_policy IN ('permanent_until_revoked', 'ttl_7d', 'ttl_30d', 'confidence_based')),
    expires_at timestamptz,
    low_confidence_since timestamptz,
    last_confirmed_at timestamptz,
    use_count int NOT NULL DEFAULT 0,
    last_used_at timestamptz,
    superseded_by uuid,
    superseded_at timestamptz,
    deleted_at timestamptz,
    deleted_by text,
    delete_reason text,
    metadata jsonb NOT NULL DEFAULT '{}',
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, learning_item_id) REFERENCES dw_learning_items (org_id, id),
    FOREIGN KEY (org_id, subject_identity) REFERENCES dw_external_identities (org_id, id),
    FOREIGN KEY (org_id, sender_identity_id) REFERENCES dw_external_identities (org_id, id),
    FOREIGN KEY (org_id, superseded_by) REFERENCES dw_agent_memories (org_id, id),
    CHECK ((scope = 'role_agent') = (role_agent_id IS NOT NULL)),
    CHECK (scope = 'role_agent' OR origin IN ('approved', 'promoted', 'manual')),
    CHECK (origin <> 'auto_saved' OR (risk = 'low' AND NOT is_sensitive AND layer <> 'operating'))
);
CREATE UNIQUE INDEX dw_agent_memories_key ON dw_agent_memories (org_id, role_agent_id, subject_identity, layer, key)
    NULLS NOT DISTINCT WHERE status = 'active';
CREATE UNIQUE INDEX dw_agent_memories_text ON dw_agent_memories (org_id, role_agent_id, subject_identity, content_hash)
    NULLS NOT DISTINCT WHERE status = 'active';
CREATE INDEX dw_agent_memories_type ON dw_agent_memories (org_id, role_agent_id, status, memory_type);
CREATE INDEX dw_agent_memories_rank ON dw_agent_memories (
    org_id, role_agent_id, status, (layer = 'operating') DESC, use_count DESC, last_used_at DESC NULLS LAST,
    created_at DESC, id
);
CREATE INDEX dw_agent_memories_scope ON dw_agent_memories (org_id, scope, status);
CREATE INDEX dw_agent_memories_expiry ON dw_agent_memories (expires_at) WHERE status = 'active';
CREATE INDEX dw_agent_memories_sources ON dw_agent_memories USING gin (source_refs jsonb_path_ops);
CREATE INDEX dw_agent_memories_auto ON dw_agent_memories (org_id, role_agent_id, created_at)
    WHERE origin = 'auto_saved';

ALTER TABLE dw_learning_items ADD FOREIGN KEY (org_id, target_memory_id) REFERENCES dw_agent_memories (org_id, id);

CREATE TABLE dw_memory_revisions (
    org_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    revision int NOT NULL,
    content text NOT NULL,
    confidence numeric(3, 2) NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    changed_by text NOT NULL,
    change_kind text NOT NULL
        CHECK (change_kind IN ('create', 'edit', 'confirm', 'reject', 'supersede', 'delete', 'restore', 'expire')),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, memory_id, revision),
    FOREIGN KEY (org_id, memory_id) REFERENCES dw_agent_memories (org_id, id)
);

CREATE TABLE dw_memory_feedback (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    actor_user_id uuid NOT NULL,
    action text NOT NULL CHECK (action IN ('confirm', 'reject', 'edit', 'delete')),
    delta numeric(3, 2) NOT NULL DEFAULT 0,
    confidence_before numeric(3, 2),
    confidence_after numeric(3, 2),
    new_text text,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, memory_id) REFERENCES dw_agent_memories (org_id, id),
    FOREIGN KEY (org_id, actor_user_id) REFERENCES dw_org_members (org_id, user_id)
);
CREATE INDEX dw_memory_feedback_memory ON dw_memory_feedback (org_id, memory_id);

CREATE TABLE dw_memory_policy_rules (
    rule_id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    category varchar(100) NOT NULL,
    condition jsonb NOT NULL,
    action varchar(50) NOT NULL CHECK (action IN ('auto_confirm', 'require_user_approval', 'auto_delete', 'reject')),
    priority int NOT NULL DEFAULT 0,
    enabled boolean NOT NULL DEFAULT TRUE,
    created_by text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, rule_id)
);
CREATE INDEX dw_memory_policy_rules_order ON dw_memory_policy_rules (org_id, enabled, priority DESC, created_at);

CREATE TABLE dw_memory_tombstones (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    content_hash bytea NOT NULL,
    topic_key text NOT NULL DEFAULT '',
    similarity_text text NOT NULL DEFAULT '',
    reason text NOT NULL CHECK (reason IN ('rejected', 'deleted', 'do_not_save')),
    created_by text NOT NULL,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, role_agent_id, content_hash),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);

CREATE TABLE dw_agent_skills (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    name text NOT NULL CHECK (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    description text NOT NULL CHECK (char_length(description) <= 1024),
    risk text NOT NULL CHECK (risk IN ('low', 'medium', 'high', 'sensitive')),
    active_version int,
    status text NOT NULL DEFAULT 'proposed' CHECK (status IN ('proposed', 'active', 'paused', 'archived')),
    created_by_user_id uuid,
    created_by_agent_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, role_agent_id, name),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, created_by_user_id) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, created_by_agent_id) REFERENCES dw_role_agents (org_id, id),
    CHECK (num_nonnulls(created_by_user_id, created_by_agent_id) = 1),
    CHECK (status <> 'active' OR active_version IS NOT NULL)
);

CREATE TABLE dw_agent_skill_versions (
    org_id uuid NOT NULL,
    skill_id uuid NOT NULL,
    version int NOT NULL,
    body_md text NOT NULL,
    content_hash bytea NOT NULL,
    change_summary text NOT NULL DEFAULT '',
    approver_user_id uuid,
    approved_at timestamptz,
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'approved', 'rejected', 'retired')),
    base_version int,
    learning_item_id uuid,
    scan_result jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, skill_id, version),
    FOREIGN KEY (org_id, skill_id) REFERENCES dw_agent_skills (org_id, id),
    FOREIGN KEY (org_id, approver_user_id) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, learning_item_id) REFERENCES dw_learning_items (org_id, id),
    CHECK (status NOT IN ('approved', 'retired') OR (approver_user_id IS NOT NULL AND approved_at IS NOT NULL))
);
ALTER TABLE dw_agent_skills ADD FOREIGN KEY (org_id, id, active_version)
    REFERENCES dw_agent_skill_versions (org_id, skill_id, version) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE dw_learning_items ADD FOREIGN KEY (org_id, target_skill_id) REFERENCES dw_agent_skills (org_id, id);

CREATE TABLE dw_agent_skill_assignments (
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    skill_id uuid NOT NULL,
    enabled boolean NOT NULL DEFAULT TRUE,
    assigned_by text NOT NULL,
    assigned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, role_agent_id, skill_id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, skill_id) REFERENCES dw_agent_skills (org_id, id)
);

-- The audit log: ids, type, time and a salted digest; texts and salt stand beside, so that a person can be erased (C72).
CREATE TABLE dw_learning_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    role_agent_id uuid,
    event_type text NOT NULL CHECK (event_type ~ '^[a-z][a-z_]{2,40}$'),
    actor_type text NOT NULL CHECK (actor_type IN ('user', 'worker', 'system')),
    actor_id text NOT NULL,
    on_behalf_of uuid,
    subject_type text NOT NULL,
    subject_id uuid,
    digest bytea NOT NULL,
    source_event_id uuid,
    request_id text NOT NULL DEFAULT '',
    trace_id text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (org_id, event_id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);
CREATE INDEX dw_learning_events_agent ON dw_learning_events (org_id, role_agent_id, at DESC, id DESC);
CREATE INDEX dw_learning_events_org ON dw_learning_events (org_id, id DESC);
CREATE INDEX dw_learning_events_subject ON dw_learning_events (org_id, subject_type, subject_id, at);

CREATE TABLE dw_event_bodies (
    org_id uuid NOT NULL,
    event_id uuid NOT NULL,
    salt bytea NOT NULL,
    reason text NOT NULL DEFAULT '',
    before jsonb,
    after jsonb,
    erased_at timestamptz,
    PRIMARY KEY (org_id, event_id),
    FOREIGN KEY (org_id, event_id) REFERENCES dw_learning_events (org_id, event_id)
);

CREATE TABLE dw_audit_chain (
    org_id uuid NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, position),
    UNIQUE (org_id, event_id),
    FOREIGN KEY (org_id, event_id) REFERENCES dw_learning_events (org_id, event_id)
);

CREATE FUNCTION dw_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER dw_learning_events_append_only BEFORE UPDATE OR DELETE ON dw_learning_events
    FOR EACH ROW EXECUTE FUNCTION dw_refuse_change();
CREATE TRIGGER dw_learning_events_no_truncate BEFORE TRUNCATE ON dw_learning_events
    FOR EACH STATEMENT EXECUTE FUNCTION dw_refuse_change();
CREATE TRIGGER dw_audit_chain_append_only BEFORE UPDATE OR DELETE ON dw_audit_chain
    FOR EACH ROW EXECUTE FUNCTION dw_refuse_change();

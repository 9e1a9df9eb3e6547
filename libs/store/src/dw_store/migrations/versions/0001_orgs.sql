-- Orgs, people, accounts, channels, keys. Every tenant table carries org_id, every reference is (org_id, id):
-- a reference into another org cannot be stored (R10).

CREATE TABLE dw_orgs (
    id uuid PRIMARY KEY,
    code text NOT NULL UNIQUE,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1
);

-- Users are global (C73); every reference to one goes through the membership.
CREATE TABLE dw_users (
    id uuid PRIMARY KEY,
    email text UNIQUE,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1
);

CREATE TABLE dw_org_members (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    user_id uuid NOT NULL REFERENCES dw_users (id),
    code text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('invited', 'active', 'removed')),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, user_id),
    UNIQUE (org_id, code)
);

-- R13: souls exist before role-agents refer to them.
CREATE TABLE dw_agent_souls (
    id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    code text NOT NULL,
    name text NOT NULL,
    tone_rules_md text NOT NULL DEFAULT '',
    critique_rules_md text NOT NULL DEFAULT '',
    do_not_do_md text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'approved', 'paused', 'archived')),
    approver_user_id uuid,
    approved_at timestamptz,
    active_version int,
    is_default boolean NOT NULL DEFAULT FALSE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, code),
    FOREIGN KEY (org_id, approver_user_id) REFERENCES dw_org_members (org_id, user_id),
    CHECK (status = 'draft' OR approved_at IS NOT NULL)
);
CREATE UNIQUE INDEX dw_agent_souls_default ON dw_agent_souls (org_id) WHERE is_default;

CREATE TABLE dw_agent_soul_versions (
    org_id uuid NOT NULL,
    soul_id uuid NOT NULL,
    version int NOT NULL,
    tone_rules_md text NOT NULL DEFAULT '',
    critique_rules_md text NOT NULL DEFAULT '',
    do_not_do_md text NOT NULL DEFAULT '',
    change_summary text NOT NULL DEFAULT '',
    approver_user_id uuid,
    approved_at timestamptz,
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'approved', 'rejected', 'retired')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, soul_id, version),
    FOREIGN KEY (org_id, soul_id) REFERENCES dw_agent_souls (org_id, id),
    FOREIGN KEY (org_id, approver_user_id) REFERENCES dw_org_members (org_id, user_id)
);

CREATE TABLE dw_role_agents (
    id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    code text NOT NULL,
    name text NOT NULL,
    persona text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
    soul_id uuid,
    soul_paused boolean NOT NULL DEFAULT FALSE,
    learning_enabled boolean NOT NULL DEFAULT TRUE,
    skill_learning_enabled boolean NOT NULL DEFAULT TRUE,
    auto_memory_enabled boolean NOT NULL DEFAULT TRUE,
    auto_memory_require_verified boolean NOT NULL DEFAULT TRUE,
    can_manage_own_skills boolean NOT NULL DEFAULT FALSE,
    runtime_state text NOT NULL DEFAULT 'idle'
        CHECK (runtime_state IN ('pending_approval', 'idle', 'working', 'paused', 'stopped')),
    max_concurrent_sessions int NOT NULL DEFAULT 1 CHECK (max_concurrent_sessions > 0),
    budget_monthly_cents int CHECK (budget_monthly_cents >= 0),
    auto_saves_per_day int CHECK (auto_saves_per_day >= 0),
    open_items int CHECK (open_items >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, code),
    FOREIGN KEY (org_id, soul_id) REFERENCES dw_agent_souls (org_id, id)
);

CREATE TABLE dw_agent_managers (
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    user_id uuid NOT NULL,
    added_by text NOT NULL DEFAULT '',
    added_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, role_agent_id, user_id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES dw_org_members (org_id, user_id)
);
CREATE INDEX dw_agent_managers_user ON dw_agent_managers (org_id, user_id);

CREATE TABLE dw_channels (
    id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    code text NOT NULL,
    role_agent_id uuid,
    platform text NOT NULL CHECK (platform IN ('telegram', 'slack', 'discord', 'email', 'webhook')),
    workspace_ref text NOT NULL DEFAULT '',
    external_channel_ref text NOT NULL,
    display_name text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
    learning text NOT NULL DEFAULT 'auto' CHECK (learning IN ('off', 'propose', 'auto')),
    audience text NOT NULL DEFAULT 'shared' CHECK (audience IN ('shared', 'single')),
    visibility text NOT NULL DEFAULT 'shared' CHECK (visibility IN ('private', 'shared')),
    config_encrypted bytea,
    webhook_secret_encrypted bytea,
    rate_limit_per_min int NOT NULL DEFAULT 60 CHECK (rate_limit_per_min > 0),
    deleted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);
CREATE UNIQUE INDEX dw_channels_ref ON dw_channels (org_id, platform, external_channel_ref) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX dw_channels_code ON dw_channels (org_id, code) WHERE deleted_at IS NULL;

CREATE TABLE dw_channel_agents (
    org_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, channel_id, role_agent_id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);
CREATE INDEX dw_channel_agents_agent ON dw_channel_agents (org_id, role_agent_id);

CREATE TABLE dw_channel_managers (
    org_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    user_id uuid NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, channel_id, user_id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES dw_org_members (org_id, user_id)
);

CREATE TABLE dw_external_identities (
    id uuid NOT NULL,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    platform text NOT NULL CHECK (platform IN ('telegram', 'slack', 'discord', 'email', 'webhook', 'panel')),
    workspace_ref text NOT NULL DEFAULT '',
    external_user_id text NOT NULL,
    user_id uuid,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'revoked')),
    verified_at timestamptz,
    verified_by text,
    verify_method text,
    service_granted boolean NOT NULL DEFAULT FALSE,
    revoked_at timestamptz,
    revoked_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, platform, workspace_ref, external_user_id),
    FOREIGN KEY (org_id, user_id) REFERENCES dw_org_members (org_id, user_id),
    CHECK (status <> 'verified' OR (user_id IS NOT NULL AND verified_at IS NOT NULL))
);
CREATE INDEX dw_external_identities_user ON dw_external_identities (org_id, user_id);

-- Keys and tokens, by HMAC of their secret (C53, C73). A system table: a key names its org, so it is found first.
CREATE TABLE dw_api_keys (
    id uuid PRIMARY KEY,
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    kind text NOT NULL CHECK (kind IN ('gateway', 'runtime', 'user', 'session')),
    name text NOT NULL,
    key_hash bytea NOT NULL,
    user_id uuid,
    channel_ids uuid[] NOT NULL DEFAULT '{}',
    agent_ids uuid[] NOT NULL DEFAULT '{}',
    proves_sender boolean NOT NULL DEFAULT TRUE,
    created_by text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    FOREIGN KEY (org_id, user_id) REFERENCES dw_org_members (org_id, user_id),
    CHECK ((kind IN ('user', 'session')) = (user_id IS NOT NULL))
);
CREATE UNIQUE INDEX dw_api_keys_hash ON dw_api_keys (key_hash) INCLUDE (org_id);
CREATE UNIQUE INDEX dw_api_keys_name ON dw_api_keys (org_id, name)
    WHERE kind IN ('gateway', 'runtime') AND revoked_at IS NULL;

CREATE TABLE dw_org_settings (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    key text NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, key)
);

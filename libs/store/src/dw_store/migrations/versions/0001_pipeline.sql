-- What the pipeline keeps: sources, versions, answers, decisions, outbox, inbox, history.

CREATE TABLE dw_sources (
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    message_ref text NOT NULL,
    newest_revision bigint NOT NULL DEFAULT 0,
    deleted boolean NOT NULL DEFAULT FALSE,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, role_agent_id, channel_id, message_ref),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id)
);

CREATE TABLE dw_versions (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    role_agent_id uuid,
    version bigint NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);
CREATE UNIQUE INDEX dw_versions_of ON dw_versions (org_id, role_agent_id) NULLS NOT DISTINCT;

CREATE TABLE dw_detections (
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    decision_id uuid NOT NULL,
    answer jsonb NOT NULL,
    provider text NOT NULL,
    model text NOT NULL DEFAULT '',
    prompt_version text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, decision_id)
);

CREATE TABLE dw_decisions (
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid,
    decision_id uuid NOT NULL,
    item_no int NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('saved', 'proposed', 'merged', 'blocked', 'none', 'capped')),
    reason text,
    rule text NOT NULL,
    made_id uuid,
    inputs jsonb NOT NULL,
    versions jsonb NOT NULL,
    trace_id text NOT NULL DEFAULT '',
    decided_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, decision_id, item_no),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id)
);
CREATE INDEX dw_decisions_agent ON dw_decisions (org_id, role_agent_id, decided_at DESC);

CREATE TABLE dw_outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL,
    topic text NOT NULL,
    partition_key bytea NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    published_at timestamptz
);
CREATE INDEX dw_outbox_unsent ON dw_outbox (seq) WHERE published_at IS NULL;
CREATE INDEX dw_outbox_sent ON dw_outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE dw_consumed_messages (
    consumer text NOT NULL,
    org_id uuid NOT NULL,
    decision_id uuid NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, org_id, decision_id)
);

CREATE TABLE dw_chat_events (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    visibility_channel uuid,
    kind text NOT NULL CHECK (kind IN ('message_in', 'message_out', 'edit', 'delete')),
    message_ref text NOT NULL,
    revision bigint NOT NULL DEFAULT 0,
    platform text NOT NULL,
    workspace_ref text NOT NULL DEFAULT '',
    external_user_id text NOT NULL,
    sender_kind text NOT NULL CHECK (sender_kind IN ('human', 'bot', 'system')),
    display_name text,
    actor_user_id uuid,
    synthetic_actor text,
    flags text[] NOT NULL DEFAULT '{}',
    reply_to jsonb,
    thread_ref text,
    body_text text NOT NULL DEFAULT '',
    body_tsv tsvector NOT NULL DEFAULT ''::tsvector,
    current boolean NOT NULL DEFAULT TRUE,
    sealed boolean NOT NULL DEFAULT FALSE,
    imported boolean NOT NULL DEFAULT FALSE,
    occurred_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id),
    FOREIGN KEY (org_id, actor_user_id) REFERENCES dw_org_members (org_id, user_id),
    FOREIGN KEY (org_id, visibility_channel) REFERENCES dw_channels (org_id, id)
);
CREATE INDEX dw_chat_events_text ON dw_chat_events USING gin (body_tsv);
CREATE INDEX dw_chat_events_agent ON dw_chat_events (org_id, role_agent_id, occurred_at DESC);
CREATE INDEX dw_chat_events_message ON dw_chat_events (org_id, role_agent_id, channel_id, message_ref, revision DESC);

CREATE TABLE dw_tool_runs (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    tool text NOT NULL,
    input text NOT NULL DEFAULT '',
    output text NOT NULL DEFAULT '',
    actor_user_id uuid,
    external_user_id text NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id),
    FOREIGN KEY (org_id, actor_user_id) REFERENCES dw_org_members (org_id, user_id)
);

CREATE TABLE dw_corrections (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    wrong_text text NOT NULL,
    right_text text NOT NULL,
    topic text NOT NULL DEFAULT '',
    actor_user_id uuid,
    external_user_id text NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id),
    FOREIGN KEY (org_id, actor_user_id) REFERENCES dw_org_members (org_id, user_id)
);
CREATE INDEX dw_corrections_topic ON dw_corrections (org_id, role_agent_id, topic, occurred_at);

CREATE TABLE dw_context_packs (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    channel_id uuid,
    run_id uuid,
    soul_version int,
    memory_ids uuid[] NOT NULL DEFAULT '{}',
    memory_chars int NOT NULL DEFAULT 0,
    skill_refs jsonb NOT NULL DEFAULT '[]',
    history_refs jsonb NOT NULL DEFAULT '[]',
    dropped jsonb NOT NULL DEFAULT '[]',
    version bigint NOT NULL DEFAULT 0,
    builder_version text NOT NULL DEFAULT '',
    built_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, channel_id) REFERENCES dw_channels (org_id, id)
);
CREATE INDEX dw_context_packs_agent ON dw_context_packs (org_id, role_agent_id, built_at DESC);

-- Prompts of the installation (ADR-0025 of the seeds): no tenant's data.
CREATE TABLE dw_prompts (
    key text PRIMARY KEY,
    active_version int,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE dw_prompt_versions (
    key text NOT NULL REFERENCES dw_prompts (key),
    version int NOT NULL,
    body text NOT NULL,
    variables jsonb NOT NULL DEFAULT '[]',
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'approved', 'retired')),
    approver text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key, version)
);

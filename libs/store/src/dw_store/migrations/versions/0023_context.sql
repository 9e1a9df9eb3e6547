-- The record of a pack names the version of the prompt that its blocks come from (R172), and is found by its run (R207).
ALTER TABLE dw_context_packs ADD COLUMN prompt_version text NOT NULL DEFAULT '';
CREATE INDEX dw_context_packs_run ON dw_context_packs (org_id, run_id, built_at) WHERE run_id IS NOT NULL;

-- Once per conflict, whatever became of its item (C19).
CREATE INDEX dw_learning_items_conflict ON dw_learning_items (org_id, role_agent_id, dedupe_key)
    WHERE kind = 'review' AND reason_code = 'conflict';

-- Which memories a runtime says that a run used: once a run (C80, D41). Ids alone, nobody's words.
CREATE TABLE dw_run_memory_uses (
    org_id uuid NOT NULL,
    run_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    used_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, run_id, memory_id),
    FOREIGN KEY (org_id, run_id) REFERENCES dw_runs (org_id, id),
    FOREIGN KEY (org_id, memory_id) REFERENCES dw_agent_memories (org_id, id)
);
CREATE INDEX dw_run_memory_uses_memory ON dw_run_memory_uses (org_id, memory_id, used_at DESC);
ALTER TABLE dw_run_memory_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE dw_run_memory_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dw_run_memory_uses TO dw_app
    USING (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]))
    WITH CHECK (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]));
GRANT SELECT, INSERT ON dw_run_memory_uses TO dw_app;
GRANT SELECT, UPDATE ON dw_run_memory_uses TO dw_eraser;
CREATE POLICY eraser ON dw_run_memory_uses TO dw_eraser
    USING (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]));

-- A note of one run is seen by that run alone (C42), so that what a saved memory must be does not bind it; what is
-- sensitive is no note either.
DO $$
DECLARE
    floor text;
BEGIN
    SELECT c.conname INTO STRICT floor
    FROM pg_constraint AS c
    WHERE c.conrelid = 'dw_agent_memories'::regclass AND c.contype = 'c'
      AND pg_get_constraintdef(c.oid) LIKE '%auto_saved%' AND pg_get_constraintdef(c.oid) LIKE '%operating%';
    EXECUTE format('ALTER TABLE dw_agent_memories DROP CONSTRAINT %I', floor);
END
$$;
ALTER TABLE dw_agent_memories ADD CONSTRAINT dw_agent_memories_by_itself CHECK (
    origin <> 'auto_saved'
    OR (NOT is_sensitive AND layer <> 'operating' AND (risk = 'low' OR (layer = 'session' AND risk = 'high')))
);
CREATE INDEX dw_agent_memories_notes ON dw_agent_memories (org_id, role_agent_id, source_session)
    WHERE layer = 'session' AND status = 'active';

-- People page through what no search finds (R237).
CREATE INDEX dw_tool_runs_agent ON dw_tool_runs (org_id, role_agent_id, occurred_at DESC, id DESC);
CREATE INDEX dw_corrections_agent ON dw_corrections (org_id, role_agent_id, occurred_at DESC, id DESC);

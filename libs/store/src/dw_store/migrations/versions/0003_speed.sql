-- Look-ups of policy by key and by text: the same uniqueness, with the column first that is looked for. Before, each
-- batch read all memories of the agent.
DROP INDEX dw_agent_memories_key;
CREATE UNIQUE INDEX dw_agent_memories_key ON dw_agent_memories (org_id, role_agent_id, key, subject_identity, layer)
    NULLS NOT DISTINCT WHERE status = 'active';
DROP INDEX dw_agent_memories_text;
CREATE UNIQUE INDEX dw_agent_memories_text ON dw_agent_memories (org_id, role_agent_id, content_hash, subject_identity)
    NULLS NOT DISTINCT WHERE status = 'active';

-- An index that starts with org_id and cannot tell rows of an org apart tempts the foreign keys' own look-ups: on a
-- young table, before its first ANALYZE, they took it and read the whole org for each revision that was written.
DROP INDEX dw_agent_memories_scope;
CREATE INDEX dw_agent_memories_shared ON dw_agent_memories (org_id, status) WHERE scope = 'org';
DROP INDEX dw_agent_memories_expiry;
CREATE INDEX dw_agent_memories_expiry ON dw_agent_memories (expires_at)
    WHERE status = 'active' AND expires_at IS NOT NULL;

-- Young tables are analysed early: after 100 rows, not after a tenth of what they will hold.
ALTER TABLE dw_agent_memories SET (autovacuum_analyze_threshold = 100, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE dw_learning_events SET (autovacuum_analyze_threshold = 100, autovacuum_analyze_scale_factor = 0.05);

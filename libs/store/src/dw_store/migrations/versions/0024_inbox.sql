-- Weak memories: what an org's deleting rules look at by the clock (R112, R115).
CREATE INDEX dw_agent_memories_weak ON dw_agent_memories (org_id, confidence) WHERE status = 'active';

-- One person is one voice about a memory; what was taken back was not said (C12, C59, C63).
ALTER TABLE dw_memory_feedback ADD COLUMN undone_at timestamptz;
GRANT UPDATE (undone_at) ON dw_memory_feedback TO dw_app;

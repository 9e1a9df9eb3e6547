"""Statements of `apply`. Each takes its rows as one JSON array: one statement a table and batch (C68)."""

from __future__ import annotations

from typing import Final

SUPERSEDE: Final = """
UPDATE dw_agent_memories AS m
SET status = 'superseded', superseded_at = $2, updated_at = $2, row_version = m.row_version + 1
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid)
WHERE m.org_id = r.org_id AND m.id = r.id AND m.status = 'active'
"""
INSERT_MEMORIES: Final = """
INSERT INTO dw_agent_memories (
    id, org_id, role_agent_id, scope, memory_type, category, layer, key, content, content_hash, status, risk,
    is_sensitive, confidence, source_kind, source_refs, origin, subject_identity, sender_verified, sender_identity_id,
    created_by, superseded_by, superseded_at, metadata, source_session, created_at, updated_at
)
SELECT r.id, r.org_id, r.role_agent_id, 'role_agent', r.memory_type, r.category, r.layer, r.key, r.content,
       decode(r.content_hash, 'hex'), r.status, r.risk, FALSE, r.confidence, 'agent_extracted', r.source_refs,
       'auto_saved', r.subject_identity, r.sender_verified, r.sender_identity_id, r.created_by, r.superseded_by,
       CASE WHEN r.superseded_by IS NULL THEN NULL ELSE $2::timestamptz END, coalesce(r.metadata, '{}'::jsonb),
       r.source_session, $2, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, org_id uuid, role_agent_id uuid, memory_type text, category text, layer text, key text, content text,
    content_hash text, status text, risk text, confidence numeric, source_refs jsonb, subject_identity uuid,
    sender_verified boolean, sender_identity_id uuid, created_by text, superseded_by uuid, metadata jsonb,
    source_session text
)
"""
INSERT_REVISIONS: Final = """
INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, metadata, changed_by, change_kind, at)
SELECT r.org_id, r.id, 1, r.content, r.confidence, '{}'::jsonb, r.created_by, 'create', $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, id uuid, content text, confidence numeric, created_by text
)
"""
LINK_SUPERSEDED: Final = """
UPDATE dw_agent_memories AS m
SET superseded_by = r.superseded_by, updated_at = $2
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, superseded_by uuid)
WHERE m.org_id = r.org_id AND m.id = r.id
"""
INSERT_ITEMS: Final = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, status, risk, is_sensitive, reason_code, explanation, proposed_payload,
    original_payload, source_refs, evidence_count, dedupe_key, target_memory_id, base_version, proposed_by,
    sender_identity_id, sender_user_id, sender_verified, sender_ref, confidence, model_version, prompt_version,
    policy_version, published_at, due_at, expires_at, created_at, updated_at
)
SELECT r.id, r.org_id, r.role_agent_id, r.kind, r.action, 'pending', r.risk, r.is_sensitive, r.reason_code,
       r.explanation, r.proposed_payload, r.proposed_payload, r.source_refs, 1, r.dedupe_key, r.target_memory_id,
       r.base_version, r.proposed_by, r.sender_identity_id, r.sender_user_id, r.sender_verified, r.sender_ref,
       r.confidence, r.model_version, r.prompt_version, r.policy_version, r.published_at, r.due_at, r.expires_at, $2, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, org_id uuid, role_agent_id uuid, kind text, action text, risk text, is_sensitive boolean,
    reason_code text, explanation text, proposed_payload jsonb, source_refs jsonb, dedupe_key text,
    target_memory_id uuid, base_version int, proposed_by text, sender_identity_id uuid, sender_user_id uuid,
    sender_verified boolean, sender_ref text, confidence numeric, model_version text, prompt_version text,
    policy_version text, published_at timestamptz, due_at timestamptz, expires_at timestamptz
)
"""
ADD_EVIDENCE: Final = """
UPDATE dw_learning_items AS i
SET evidence_count = i.evidence_count + g.added, source_refs = i.source_refs || g.refs, updated_at = $2
FROM (
    SELECT r.org_id, r.id, count(*)::int AS added, jsonb_agg(r.source_refs -> 0) AS refs
    FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, source_refs jsonb)
    GROUP BY r.org_id, r.id
) AS g
WHERE i.org_id = g.org_id AND i.id = g.id
"""
MARK_MEMORIES: Final = """
UPDATE dw_agent_memories AS m
SET metadata = m.metadata || g.marks, updated_at = $2
FROM (
    SELECT r.org_id, r.id, jsonb_object_agg(r.mark, TRUE) AS marks
    FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, mark text)
    GROUP BY r.org_id, r.id
) AS g
WHERE m.org_id = g.org_id AND m.id = g.id
"""
MARK_ITEMS: Final = """
UPDATE dw_learning_items AS i
SET source_marks = ARRAY(SELECT DISTINCT k.mark FROM unnest(i.source_marks || g.marks) AS k (mark) ORDER BY k.mark),
    updated_at = $2
FROM (
    SELECT r.org_id, r.id, array_agg(r.mark) AS marks
    FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, mark text)
    GROUP BY r.org_id, r.id
) AS g
WHERE i.org_id = g.org_id AND i.id = g.id AND i.status = 'pending'
"""
UPSERT_SOURCES: Final = """
INSERT INTO dw_sources AS s (org_id, role_agent_id, channel_id, message_ref, newest_revision, deleted, updated_at)
SELECT r.org_id, r.role_agent_id, r.channel_id, r.message_ref, r.newest_revision, r.deleted, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, role_agent_id uuid, channel_id uuid, message_ref text, newest_revision bigint, deleted boolean
)
ON CONFLICT (org_id, role_agent_id, channel_id, message_ref) DO UPDATE
SET newest_revision = greatest(s.newest_revision, excluded.newest_revision),
    deleted = s.deleted OR excluded.deleted, updated_at = excluded.updated_at
"""
DECIDED_UNTIL: Final = """
INSERT INTO dw_decided_until AS u (org_id, role_agent_id, received_at)
SELECT r.org_id, r.role_agent_id, max(r.received_at)
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, role_agent_id uuid, received_at timestamptz)
GROUP BY r.org_id, r.role_agent_id
ON CONFLICT (org_id, role_agent_id) DO UPDATE SET received_at = greatest(u.received_at, excluded.received_at)
"""
INSERT_DECISIONS: Final = """
INSERT INTO dw_decisions (
    org_id, role_agent_id, channel_id, decision_id, item_no, outcome, reason, rule, made_id, inputs, versions,
    trace_id, decided_at
)
SELECT r.org_id, r.role_agent_id, r.channel_id, r.decision_id, r.item_no, r.outcome, r.reason, r.rule, r.made_id,
       r.inputs, r.versions, r.trace_id, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, role_agent_id uuid, channel_id uuid, decision_id uuid, item_no int, outcome text, reason text,
    rule text, made_id uuid, inputs jsonb, versions jsonb, trace_id text
)
"""

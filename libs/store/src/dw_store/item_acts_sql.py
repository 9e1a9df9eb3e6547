"""Statements of what people do with items beside deciding them."""

from __future__ import annotations

from typing import Final

EDIT: Final = """
UPDATE dw_learning_items
SET proposed_payload = $4, original_payload = coalesce(original_payload, proposed_payload), risk = $5,
    is_sensitive = $6, dedupe_key = $7, action = $8, target_memory_id = $9, base_version = $10,
    edited_by = CASE WHEN $11 = ANY (edited_by) THEN edited_by ELSE edited_by || $11::uuid END,
    due_at = least(due_at, $12), updated_at = $13, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND row_version = $3
"""
MARK: Final = """
UPDATE dw_learning_items
SET is_sensitive = $4, risk = $5, due_at = least(due_at, $6), updated_at = $7, row_version = row_version + 1,
    assigned_to = CASE WHEN $4 THEN NULL ELSE assigned_to END, claimed_by = NULL, claimed_until = NULL
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND row_version = $3
"""
ASSIGN: Final = """
UPDATE dw_learning_items SET assigned_to = $3, claimed_by = NULL, claimed_until = NULL, updated_at = $4
WHERE org_id = $1 AND id = $2 AND status = 'pending'
"""
CLAIM: Final = """
UPDATE dw_learning_items SET claimed_by = $3, claimed_until = $4, updated_at = $5
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND (claimed_by IS NULL OR claimed_by = $3 OR claimed_until <= $5)
"""
RELEASE: Final = """
UPDATE dw_learning_items SET claimed_by = NULL, claimed_until = NULL, updated_at = $4
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND (claimed_by = $3 OR $5)
"""
CONVERTED: Final = """
UPDATE dw_learning_items
SET status = 'superseded', superseded_by = $4, decided_by = $5, decided_at = $6, decision_kind = 'manual',
    decision_note = 'converted', claimed_by = NULL, claimed_until = NULL, updated_at = $6, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND row_version = $3
"""
# The same item again, of another kind: evidence and authors go with it.
INSERT_CONVERTED: Final = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, risk, is_sensitive, reason_code, explanation, proposed_payload,
    original_payload, source_refs, evidence_count, dedupe_key, proposed_by, sender_identity_id, sender_user_id,
    sender_verified, sender_ref, confidence, model_version, prompt_version, policy_version, assigned_to, edited_by,
    published_at, due_at, expires_at, converted_from, created_at, updated_at
)
SELECT $3, i.org_id, i.role_agent_id, $4, 'create', $5, $6, i.reason_code, i.explanation, $7, $7, i.source_refs,
       i.evidence_count, $8, i.proposed_by, i.sender_identity_id, i.sender_user_id, i.sender_verified, i.sender_ref,
       i.confidence, i.model_version, i.prompt_version, i.policy_version, i.assigned_to,
       CASE WHEN $9::uuid IS NULL OR $9 = ANY (i.edited_by) THEN i.edited_by ELSE i.edited_by || $9::uuid END,
       $10, $11, $12, i.id, $10, $10
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.id = $2
"""
# A decided item opened anew, on what is known now.
INSERT_COPY: Final = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, risk, is_sensitive, reason_code, explanation, proposed_payload,
    original_payload, source_refs, evidence_count, dedupe_key, target_memory_id, target_skill_id, base_version,
    proposed_by, sender_identity_id, sender_user_id, sender_verified, sender_ref, confidence, model_version,
    prompt_version, policy_version, assigned_to, edited_by, published_at, due_at, expires_at, converted_from, copy_of,
    created_at, updated_at
)
SELECT $3, i.org_id, i.role_agent_id, i.kind, i.action, i.risk, i.is_sensitive, i.reason_code, i.explanation,
       i.proposed_payload, i.original_payload, i.source_refs, i.evidence_count, i.dedupe_key, i.target_memory_id,
       i.target_skill_id,
       CASE WHEN NOT $7 THEN i.base_version WHEN i.target_memory_id IS NOT NULL THEN m.row_version
            WHEN i.target_skill_id IS NOT NULL THEN k.active_version ELSE i.base_version END,
       i.proposed_by, i.sender_identity_id, i.sender_user_id, i.sender_verified, i.sender_ref, i.confidence,
       i.model_version, i.prompt_version, i.policy_version, i.assigned_to, i.edited_by, $4, $5, $6, i.converted_from,
       i.id, $4, $4
FROM dw_learning_items AS i
LEFT JOIN dw_agent_memories AS m ON m.org_id = i.org_id AND m.id = i.target_memory_id
LEFT JOIN dw_agent_skills AS k ON k.org_id = i.org_id AND k.id = i.target_skill_id
WHERE i.org_id = $1 AND i.id = $2
"""
# The same signal waits already: it takes the evidence.
MERGE_COPY: Final = """
UPDATE dw_learning_items AS p
SET evidence_count = p.evidence_count + i.evidence_count, source_refs = p.source_refs || i.source_refs, updated_at = $4
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.id = $2 AND p.org_id = $1 AND p.id = $3 AND p.status = 'pending'
"""
WAITING: Final = """
SELECT p.id FROM dw_learning_items AS p
WHERE p.org_id = $1 AND p.role_agent_id = $2 AND p.dedupe_key = $3 AND p.status = 'pending'
"""
UNDONE: Final = "UPDATE dw_learning_items SET undone_at = $3, updated_at = $3 WHERE org_id = $1 AND id = $2"
CONFIRM: Final = """
UPDATE dw_learning_items
SET evidence_count = evidence_count + 1, source_refs = source_refs || $3::jsonb, updated_at = $4
WHERE org_id = $1 AND id = $2 AND status = 'pending'
"""
INSERT_ITEM: Final = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, risk, is_sensitive, reason_code, explanation, proposed_payload,
    original_payload, source_refs, dedupe_key, target_memory_id, base_version, proposed_by, sender_user_id,
    sender_verified, confidence, published_at, due_at, expires_at, created_at, updated_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15, $16, TRUE, $17, $18, $19, $20, $18, $18)
"""
ADD_EVIDENCE: Final = """
UPDATE dw_learning_items
SET evidence_count = evidence_count + 1, source_refs = source_refs || $3::jsonb, updated_at = $4
WHERE org_id = $1 AND id = $2 AND status = 'pending'
RETURNING evidence_count
"""
HOLDER: Final = """
SELECT m.id, m.row_version, m.content_hash
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active' AND m.layer = $3 AND m.key = $4
  AND m.subject_identity IS NOT DISTINCT FROM $5
"""
TARGET: Final = """
SELECT m.id, m.row_version FROM dw_agent_memories AS m WHERE m.org_id = $1 AND m.id = $2 AND m.status = 'active'
"""
SKILL_BASE: Final = """
SELECT s.active_version FROM dw_agent_skills AS s WHERE s.org_id = $1 AND s.id = $2 AND s.status <> 'archived'
"""

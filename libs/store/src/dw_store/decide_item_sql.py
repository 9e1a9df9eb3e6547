"""Statements of a person's decision."""

from __future__ import annotations

from typing import Final

AGENT_OF: Final = "SELECT i.role_agent_id FROM dw_learning_items AS i WHERE i.org_id = $1 AND i.id = $2"
LOCK_AGENT: Final = """
SELECT a.id, a.code FROM dw_role_agents AS a WHERE a.org_id = $1 AND a.id = $2 FOR NO KEY UPDATE
"""
DECIDE: Final = """
UPDATE dw_learning_items
SET status = $4, decided_by = $5, decided_at = $6, decision_note = $7, decision_kind = $8, reject_reason = $9,
    claimed_by = NULL, claimed_until = NULL, updated_at = $6, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND row_version = $3
"""
# Who holds the place that a memory is to take: its key, its very text, or what it replaces.
HOLDERS: Final = """
SELECT m.id, m.content_hash
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active'
  AND ((m.subject_identity IS NOT DISTINCT FROM $3 AND ((m.layer = $4 AND m.key = $5) OR m.content_hash = $6))
       OR m.id = $7)
ORDER BY m.id
"""
SKILL_NAMES: Final = """
SELECT s.name FROM dw_agent_skills AS s WHERE s.org_id = $1 AND s.role_agent_id = $2 ORDER BY s.name LIMIT 10000
"""
SKILL: Final = """
SELECT s.id, s.name, s.description, s.risk, s.status, s.active_version, s.row_version
FROM dw_agent_skills AS s
WHERE s.org_id = $1 AND s.id = $2 AND s.role_agent_id = $3
"""
NEXT_VERSION: Final = """
SELECT coalesce(max(v.version), 0) + 1 FROM dw_agent_skill_versions AS v WHERE v.org_id = $1 AND v.skill_id = $2
"""
INSERT_SKILL: Final = """
INSERT INTO dw_agent_skills (
    id, org_id, role_agent_id, name, description, risk, status, active_version, created_by_agent_id, created_by_user_id
)
SELECT $1, $2, $3, $4, $5, $6, 'active', $7, CASE WHEN m.user_id IS NULL THEN $3::uuid END, m.user_id
FROM (SELECT $8::text AS proposer) AS p
LEFT JOIN dw_org_members AS m ON m.org_id = $2 AND m.user_id::text = p.proposer
"""
ACTIVATE_VERSION: Final = """
UPDATE dw_agent_skills
SET active_version = $3, description = $4, risk = $5, updated_at = $6, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
RETIRE_VERSIONS: Final = """
UPDATE dw_agent_skill_versions SET status = 'retired' WHERE org_id = $1 AND skill_id = $2 AND status = 'approved'
"""
INSERT_VERSION: Final = """
INSERT INTO dw_agent_skill_versions (
    org_id, skill_id, version, body_md, content_hash, change_summary, approver_user_id, approved_at, status,
    base_version, learning_item_id, scan_result, metadata
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'approved', $9, $10, $11, $12)
"""
ASSIGN_SKILL: Final = """
INSERT INTO dw_agent_skill_assignments (org_id, role_agent_id, skill_id, assigned_by)
VALUES ($1, $2, $3, $4)
ON CONFLICT (org_id, role_agent_id, skill_id) DO NOTHING
"""

"""Statements of skills in the panel."""

from __future__ import annotations

from typing import Final

_SKILL: Final = """
SELECT s.id, s.role_agent_id, s.name, s.description, s.risk, s.status, s.active_version, s.row_version,
       s.created_by_agent_id IS NOT NULL AS created_by_agent, m.code AS last_approver, v.approved_at,
       coalesce(a.enabled, TRUE) AS enabled, g.code AS agent_code,
       (SELECT count(*) FROM dw_learning_items AS i
        WHERE i.org_id = s.org_id AND i.target_skill_id = s.id AND i.status = 'pending') AS open_proposals
FROM dw_agent_skills AS s
JOIN dw_role_agents AS g ON g.org_id = s.org_id AND g.id = s.role_agent_id
LEFT JOIN dw_agent_skill_versions AS v
  ON v.org_id = s.org_id AND v.skill_id = s.id AND v.version = s.active_version
LEFT JOIN dw_org_members AS m ON m.org_id = s.org_id AND m.user_id = v.approver_user_id
LEFT JOIN dw_agent_skill_assignments AS a
  ON a.org_id = s.org_id AND a.role_agent_id = s.role_agent_id AND a.skill_id = s.id
"""
OF_AGENT: Final = (
    _SKILL
    + """
WHERE s.org_id = $1 AND s.role_agent_id = $2 AND ($3 = '' OR s.status = $3) AND s.name > $4
ORDER BY s.name
LIMIT $5
"""
)
ONE: Final = (
    _SKILL
    + """
WHERE s.org_id = $1 AND s.id = $2
"""
)
BY_NAME: Final = (
    _SKILL
    + """
WHERE s.org_id = $1 AND s.role_agent_id = $2 AND s.name = $3
"""
)
AGENT_OF: Final = "SELECT s.role_agent_id FROM dw_agent_skills AS s WHERE s.org_id = $1 AND s.id = $2"
VERSIONS: Final = """
SELECT v.version, v.body_md, v.change_summary, v.status, v.approved_at, v.base_version, v.metadata, m.code AS approver
FROM dw_agent_skill_versions AS v
LEFT JOIN dw_org_members AS m ON m.org_id = v.org_id AND m.user_id = v.approver_user_id
WHERE v.org_id = $1 AND v.skill_id = $2
ORDER BY v.version DESC
LIMIT 200
"""
VERSION: Final = """
SELECT v.version, v.body_md, v.status, v.metadata
FROM dw_agent_skill_versions AS v
WHERE v.org_id = $1 AND v.skill_id = $2 AND v.version = $3
"""
SET_STATUS: Final = """
UPDATE dw_agent_skills SET status = $3, updated_at = $4, row_version = row_version + 1 WHERE org_id = $1 AND id = $2
"""
RETIRE_ACTIVE: Final = """
UPDATE dw_agent_skill_versions SET status = 'retired' WHERE org_id = $1 AND skill_id = $2 AND status = 'approved'
"""
APPROVE_AGAIN: Final = """
UPDATE dw_agent_skill_versions SET status = 'approved' WHERE org_id = $1 AND skill_id = $2 AND version = $3
"""
POINT_AT: Final = """
UPDATE dw_agent_skills
SET active_version = $3, description = $4, risk = $5, updated_at = $6, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
ENABLE: Final = """
INSERT INTO dw_agent_skill_assignments (org_id, role_agent_id, skill_id, enabled, assigned_by, assigned_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (org_id, role_agent_id, skill_id) DO UPDATE
SET enabled = excluded.enabled, assigned_by = excluded.assigned_by, assigned_at = excluded.assigned_at
"""
INSERT_ITEM: Final = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, risk, is_sensitive, reason_code, explanation, proposed_payload,
    source_refs, dedupe_key, target_skill_id, base_version, proposed_by, sender_user_id, sender_verified, confidence,
    published_at, due_at, expires_at, created_at, updated_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 1, $18, $19, $20, $18, $18)
ON CONFLICT DO NOTHING
"""
IS_ORG: Final = "SELECT 1 FROM dw_orgs AS o WHERE o.id = $1 AND o.code = $2 /* org_id = id */"
OWN_RIGHTS: Final = """
SELECT a.id, a.code, a.can_manage_own_skills,
       a.status = 'active' AND a.learning_enabled AND a.skill_learning_enabled AS learns
FROM dw_role_agents AS a
WHERE a.org_id = $1 AND a.id = $2
FOR NO KEY UPDATE
"""
LET_MANAGE: Final = """
UPDATE dw_role_agents SET can_manage_own_skills = $3, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
OPEN_UPDATE: Final = """
SELECT i.id, i.source_refs, i.proposed_by, i.sender_user_id
FROM dw_learning_items AS i
WHERE i.org_id = $1 AND i.id = $2 AND i.target_skill_id = $3 AND i.status = 'pending'
"""
WAITS_AS_NEW: Final = """
SELECT EXISTS (
    SELECT FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND i.role_agent_id = $2 AND i.status = 'pending' AND i.kind = 'skill_proposal'
      AND i.dedupe_key LIKE 'skill:%' AND i.proposed_payload ->> 'name' = $3
)
"""
SUPERSEDE_ITEM: Final = """
UPDATE dw_learning_items
SET status = 'superseded', decided_at = $3, updated_at = $3, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'pending'
"""
LINK_ITEM: Final = "UPDATE dw_learning_items SET superseded_by = $3 WHERE org_id = $1 AND id = $2"

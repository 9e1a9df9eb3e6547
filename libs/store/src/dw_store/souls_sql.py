"""Statements of souls in the panel."""

from __future__ import annotations

from typing import Final

_SOUL: Final = """
SELECT s.id, s.code, s.name, s.status, s.active_version, s.is_default,
       (SELECT coalesce(array_agg(a.code ORDER BY a.code), '{}') FROM dw_role_agents AS a
        WHERE a.org_id = s.org_id AND (a.soul_id = s.id OR (a.soul_id IS NULL AND s.is_default))) AS agents,
       (SELECT coalesce(array_agg(a.code ORDER BY a.code), '{}') FROM dw_role_agents AS a
        WHERE a.org_id = s.org_id AND a.soul_paused
          AND (a.soul_id = s.id OR (a.soul_id IS NULL AND s.is_default))) AS paused_for
FROM dw_agent_souls AS s
"""
ALL: Final = (
    _SOUL
    + """
WHERE s.org_id = $1 AND s.code > $2
ORDER BY s.code
LIMIT $3
"""
)
ONE: Final = (
    _SOUL
    + """
WHERE s.org_id = $1 AND s.code = $2
"""
)
LOCK: Final = "SELECT s.id FROM dw_agent_souls AS s WHERE s.org_id = $1 AND s.code = $2 FOR NO KEY UPDATE"
LOCK_AGENT: Final = """
SELECT a.id, a.code, a.soul_paused, s.code AS soul
FROM dw_role_agents AS a
LEFT JOIN dw_agent_souls AS s
  ON s.org_id = a.org_id AND CASE WHEN a.soul_id IS NULL THEN s.is_default ELSE s.id = a.soul_id END
WHERE a.org_id = $1 AND a.id = $2
FOR NO KEY UPDATE OF a
"""
VERSIONS: Final = """
SELECT v.version, v.tone_rules_md, v.do_not_do_md, v.critique_rules_md, v.change_summary, v.status, v.approved_at,
       v.proposed_by AS proposer_id, p.code AS proposed_by, m.code AS approver
FROM dw_agent_soul_versions AS v
LEFT JOIN dw_org_members AS p ON p.org_id = v.org_id AND p.user_id = v.proposed_by
LEFT JOIN dw_org_members AS m ON m.org_id = v.org_id AND m.user_id = v.approver_user_id
WHERE v.org_id = $1 AND v.soul_id = $2
ORDER BY v.version DESC
LIMIT 200
"""
INSERT_SOUL: Final = """
INSERT INTO dw_agent_souls (id, org_id, code, name, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $5)
ON CONFLICT (org_id, code) DO NOTHING
"""
INSERT_VERSION: Final = """
INSERT INTO dw_agent_soul_versions (
    org_id, soul_id, version, tone_rules_md, do_not_do_md, critique_rules_md, change_summary, proposed_by, created_at
)
SELECT $1, $2, coalesce(max(v.version), 0) + 1, $3, $4, $5, $6, $7, $8
FROM dw_agent_soul_versions AS v
WHERE v.org_id = $1 AND v.soul_id = $2
RETURNING version
"""
RETIRE: Final = """
UPDATE dw_agent_soul_versions SET status = 'retired' WHERE org_id = $1 AND soul_id = $2 AND status = 'approved'
"""
APPROVE_VERSION: Final = """
UPDATE dw_agent_soul_versions SET status = 'approved', approver_user_id = $4, approved_at = $5
WHERE org_id = $1 AND soul_id = $2 AND version = $3
"""
# What a pack reads stands on the soul itself. A soul that is paused stays so: its new version waits there.
ACTIVATE: Final = """
UPDATE dw_agent_souls AS s
SET tone_rules_md = v.tone_rules_md, do_not_do_md = v.do_not_do_md, critique_rules_md = v.critique_rules_md,
    active_version = v.version, approver_user_id = $4, approved_at = $5, updated_at = $5,
    status = CASE s.status WHEN 'draft' THEN 'approved' ELSE s.status END, row_version = s.row_version + 1
FROM dw_agent_soul_versions AS v
WHERE s.org_id = $1 AND s.id = $2 AND v.org_id = $1 AND v.soul_id = $2 AND v.version = $3
"""
SET_STATUS: Final = """
UPDATE dw_agent_souls SET status = $3, updated_at = $4, row_version = row_version + 1 WHERE org_id = $1 AND id = $2
"""
ASSIGN: Final = """
UPDATE dw_role_agents SET soul_id = $3, updated_at = $4, row_version = row_version + 1 WHERE org_id = $1 AND id = $2
"""
PAUSE_FOR: Final = """
UPDATE dw_role_agents SET soul_paused = $3, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""

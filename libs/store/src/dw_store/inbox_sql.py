"""Statements of the Learning Inbox's reads."""

from __future__ import annotations

from typing import Final

# `rival` is an active memory that has taken a proposal's key since it was made: a base that changed (C93).
_ITEM: Final = """
SELECT i.id, i.role_agent_id, i.kind, i.action, i.status, i.risk, i.is_sensitive, i.reason_code, i.explanation,
       i.proposed_payload, i.source_refs, i.evidence_count, i.sender_verified, i.sender_identity_id, i.confidence,
       i.row_version, i.created_at, i.due_at, i.decided_by, i.decided_at, i.target_memory_id, i.target_skill_id,
       i.base_version, i.source_marks, i.proposed_by, coalesce(m.content, v.body_md, rival.content, everybody.content) AS current_text,
       coalesce(m.is_sensitive, rival.is_sensitive, everybody.is_sensitive, FALSE) AS current_is_sensitive, m.row_version AS target_version,
       m.status AS target_status, k.active_version AS skill_version, k.status AS skill_status, rival.id AS rival_id,
       d.code AS decided_by_code, i.decision_kind, i.assigned_to, i.claimed_by, i.claimed_until, i.escalated_at,
       i.expires_at, i.edited_by, i.copy_of, i.converted_from, i.superseded_by, i.undone_at, i.dedupe_key,
       stands.content AS org_text
FROM dw_learning_items AS i
LEFT JOIN dw_agent_memories AS m ON m.org_id = i.org_id AND m.id = i.target_memory_id
LEFT JOIN dw_agent_skills AS k ON k.org_id = i.org_id AND k.id = i.target_skill_id
LEFT JOIN dw_agent_skill_versions AS v
  ON v.org_id = k.org_id AND v.skill_id = k.id AND v.version = k.active_version
LEFT JOIN dw_org_members AS d ON d.org_id = i.org_id AND d.user_id = i.decided_by
LEFT JOIN LATERAL (
    SELECT h.id, h.content, h.is_sensitive
    FROM dw_agent_memories AS h
    WHERE h.org_id = i.org_id AND h.role_agent_id = i.role_agent_id AND h.status = 'active'
      AND h.key = i.proposed_payload ->> 'key' AND h.layer = i.proposed_payload ->> 'layer'
      AND h.subject_identity IS NOT DISTINCT FROM (i.proposed_payload ->> 'subject_identity')::uuid
      AND rtrim(lower(h.content), ' .!;') <> rtrim(lower(i.proposed_payload ->> 'content'), ' .!;')
    LIMIT 1
) AS rival ON i.status = 'pending' AND i.kind = 'memory_proposal' AND i.action = 'create'
LEFT JOIN LATERAL (
    SELECT h.content, h.is_sensitive
    FROM dw_agent_memories AS h
    WHERE h.org_id = i.org_id AND h.role_agent_id IS NULL AND h.subject_identity IS NULL AND h.status = 'active'
      AND h.key = i.proposed_payload ->> 'key'
    LIMIT 1
) AS everybody ON i.status = 'pending' AND i.reason_code = 'conflict' AND i.action = 'create'
LEFT JOIN dw_agent_memories AS stands
  ON stands.org_id = i.org_id AND stands.id = (i.proposed_payload ->> 'org_memory_id')::uuid AND i.kind = 'review'
 AND stands.status = 'active'
"""
# A plan for any filter reads all that waits, and sorts it; one for this filter walks the index.
PLAN_EACH: Final = "SET LOCAL plan_cache_mode = force_custom_plan"
PLAN_ONCE: Final = "SET LOCAL plan_cache_mode = auto"
# What a page of the inbox holds; the rest is read for these alone. A text is searched in what the reader may read.
# One status is an equation, so that the index gives the order and a page reads no more than it shows.
_OF_STATUS: Final = "i.status = $3"
_OF_ANY_STATUS: Final = "$3 = 'any'"
_FILTERS: Final = """
  AND ($2::uuid[] IS NULL OR i.role_agent_id = ANY ($2)) AND ($4 = '' OR i.risk = $4)
  AND i.published_at IS NOT NULL AND ($5 = '' OR i.kind = $5)
  AND ($6 = '' OR i.reason_code = $6) AND ($7::boolean IS NULL OR (i.is_sensitive OR i.risk = 'sensitive') = $7)
  AND ($8 = '' OR ($8 = 'nobody' AND i.assigned_to IS NULL) OR i.assigned_to = $9)
  AND ($10::timestamptz IS NULL OR i.due_at < $10) AND (NOT $11 OR i.escalated_at IS NOT NULL)
  AND ($12 = '' OR (($13 OR NOT (i.is_sensitive OR i.risk = 'sensitive' OR i.action = 'promote'))
                    AND position(lower($12) IN lower(i.proposed_payload ->> 'content')) > 0))
"""
_BY_DUE: Final = """
  AND ($14::timestamptz IS NULL OR (coalesce(i.due_at, i.created_at), i.id) > ($14, $15::uuid))
ORDER BY coalesce(i.due_at, i.created_at), i.id
LIMIT $16
"""
_BY_NEWEST: Final = """
  AND ($14::timestamptz IS NULL OR (i.created_at, i.id) < ($14, $15::uuid))
ORDER BY i.created_at DESC, i.id DESC
LIMIT $16
"""
# D35: most often said first.
_BY_EVIDENCE: Final = """
  AND ($14::int IS NULL OR (i.evidence_count, i.id) < ($14, $15::uuid))
ORDER BY i.evidence_count DESC, i.id DESC
LIMIT $16
"""
# D35: signals times channels, fading by a factor of e each week, as a sum of logarithms that no clock changes.
_IMPACT: Final = """
SELECT p.id, p.impact
FROM (
    SELECT i.id, (SELECT floor(100000 * (
                      ln(greatest(i.evidence_count, 1) * greatest(count(DISTINCT r ->> 'channel_id'), 1))
                      + extract(epoch FROM coalesce(max((r ->> 'at')::timestamptz), i.created_at)) / 604800.0))::int
                  FROM jsonb_array_elements(i.source_refs) AS r) AS impact
    FROM dw_learning_items AS i
    WHERE i.org_id = $1 AND """
_BY_IMPACT: Final = """
) AS p
WHERE $14::int IS NULL OR (p.impact, p.id) < ($14, $15::uuid)
ORDER BY p.impact DESC, p.id DESC
LIMIT $16
"""
_IDS: Final = "SELECT i.id FROM dw_learning_items AS i WHERE i.org_id = $1 AND "
_COUNTED: Final = "SELECT 1 FROM dw_learning_items AS i WHERE i.org_id = $1 AND "
COUNT: Final = f"SELECT count(*) FROM ({_COUNTED} {_OF_STATUS} {_FILTERS} LIMIT 1000) AS counted"
COUNT_ANY: Final = f"SELECT count(*) FROM ({_COUNTED} {_OF_ANY_STATUS} {_FILTERS} LIMIT 1000) AS counted"
BY_DUE: Final = f"{_IDS} {_OF_STATUS} {_FILTERS} {_BY_DUE}"
BY_DUE_ANY: Final = f"{_IDS} {_OF_ANY_STATUS} {_FILTERS} {_BY_DUE}"
BY_NEWEST: Final = f"{_IDS} {_OF_STATUS} {_FILTERS} {_BY_NEWEST}"
BY_NEWEST_ANY: Final = f"{_IDS} {_OF_ANY_STATUS} {_FILTERS} {_BY_NEWEST}"
BY_EVIDENCE: Final = f"{_IDS} {_OF_STATUS} {_FILTERS} {_BY_EVIDENCE}"
BY_EVIDENCE_ANY: Final = f"{_IDS} {_OF_ANY_STATUS} {_FILTERS} {_BY_EVIDENCE}"
BY_IMPACT: Final = f"{_IMPACT} {_OF_STATUS} {_FILTERS} {_BY_IMPACT}"
BY_IMPACT_ANY: Final = f"{_IMPACT} {_OF_ANY_STATUS} {_FILTERS} {_BY_IMPACT}"
THESE: Final = (
    _ITEM
    + """
WHERE i.org_id = $1 AND i.id = ANY ($2::uuid[])
"""
)
ONE: Final = (
    _ITEM
    + """
WHERE i.org_id = $1 AND i.id = $2
"""
)
# C61: whoever wrote a message or an edit behind the item, by every trace that leads to a member of the org. An account
# that was mapped after the proposal counts too; so does one whose mapping waits or is revoked.
AUTHORS: Final = """
SELECT i.id, a.user_id
FROM dw_learning_items AS i
CROSS JOIN LATERAL (
    WITH sources AS (
        SELECT CASE WHEN r ->> 'event_id' ~ '^[0-9a-f-]{36}$' THEN (r ->> 'event_id')::uuid END AS event_id
        FROM jsonb_array_elements(i.source_refs) AS r
    )
    SELECT i.sender_user_id AS user_id
    UNION
    SELECT x.user_id FROM dw_external_identities AS x
    WHERE x.org_id = i.org_id AND x.id = i.sender_identity_id
    UNION
    SELECT x.user_id FROM dw_external_identities AS x
    WHERE x.org_id = i.org_id AND x.platform = split_part(i.sender_ref, ':', 1)
      AND x.platform || ':' || x.workspace_ref || ':' || x.external_user_id = i.sender_ref
    UNION
    SELECT unnest(i.edited_by)
    UNION
    SELECT p.user_id FROM dw_org_members AS p WHERE p.org_id = i.org_id AND p.user_id::text = i.proposed_by
    UNION
    SELECT x.user_id
    FROM sources AS s
    JOIN dw_chat_events AS c ON c.org_id = i.org_id AND c.id = s.event_id
    JOIN dw_external_identities AS x
      ON x.org_id = i.org_id AND x.platform = c.platform AND x.workspace_ref = c.workspace_ref
     AND x.external_user_id = c.external_user_id
    UNION
    SELECT x.user_id
    FROM sources AS s
    JOIN dw_corrections AS c ON c.org_id = i.org_id AND c.id = s.event_id
    JOIN dw_channels AS n ON n.org_id = i.org_id AND n.id = c.channel_id
    JOIN dw_external_identities AS x
      ON x.org_id = i.org_id AND x.platform = n.platform AND x.external_user_id = c.external_user_id
) AS a
WHERE i.org_id = $1 AND i.id = ANY ($2::uuid[]) AND a.user_id IS NOT NULL
"""
DECIDERS: Final = """
SELECT m.user_id, m.role,
       (SELECT coalesce(array_agg(g.role_agent_id), '{}') FROM dw_agent_managers AS g
        WHERE g.org_id = m.org_id AND g.user_id = m.user_id AND g.role_agent_id = ANY ($2::uuid[])) AS manages
FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.status = 'active'
  AND (m.role IN ('owner', 'admin')
       OR EXISTS (SELECT 1 FROM dw_agent_managers AS g
                  WHERE g.org_id = m.org_id AND g.user_id = m.user_id AND g.role_agent_id = ANY ($2::uuid[])))
"""
AGENTS: Final = """
SELECT a.id, a.code, a.name, a.status, a.auto_memory_enabled, a.auto_memory_require_verified, a.learning_enabled
FROM dw_role_agents AS a
WHERE a.org_id = $1
ORDER BY a.code
LIMIT 5000
"""
# D27: private channels that are not this person's to read.
CLOSED_CHANNELS: Final = """
SELECT c.id FROM dw_channels AS c
WHERE c.org_id = $1 AND c.id = ANY ($2::uuid[]) AND c.visibility = 'private'
  AND NOT EXISTS (SELECT 1 FROM dw_channel_managers AS g
                  WHERE g.org_id = c.org_id AND g.channel_id = c.id AND g.user_id = $3)
"""
CHANNEL_NAMES: Final = """
SELECT c.id, c.display_name, c.platform FROM dw_channels AS c WHERE c.org_id = $1 AND c.id = ANY ($2::uuid[])
"""
_MEMORY: Final = """
SELECT m.id, m.role_agent_id, m.scope, m.layer, m.memory_type, m.category, m.key, m.content, m.status, m.risk,
       m.is_sensitive, m.origin, m.confidence, m.sender_verified, m.metadata, m.learning_item_id, m.row_version,
       m.created_at, m.last_confirmed_at, m.expires_at, m.retention_policy, m.source_kind, m.use_count,
       m.superseded_by, m.delete_reason
FROM dw_agent_memories AS m
"""
# The Memory tab: of one role-agent or, without one, of the whole org. A text is searched in what the reader may read.
MEMORY_TAB: Final = (
    _MEMORY
    + """
WHERE m.org_id = $1 AND m.role_agent_id IS NOT DISTINCT FROM $2 AND ($3 = 'any' OR m.status = $3)
  AND (m.layer = $4 OR ($4 = '' AND m.layer <> 'session')) AND ($5 = '' OR m.memory_type = $5) AND ($6 = '' OR m.risk = $6)
  AND ($7 = '' OR m.origin = $7) AND ($8 = '' OR (($9 OR NOT m.is_sensitive) AND position(lower($8) IN lower(m.content)) > 0))
  AND ($10::timestamptz IS NULL OR (m.created_at, m.id) < ($10, $11::uuid))
ORDER BY m.created_at DESC, m.id DESC
LIMIT $12
"""
)
ONE_MEMORY: Final = (
    _MEMORY
    + """
WHERE m.org_id = $1 AND m.id = $2
"""
)
REVISIONS: Final = """
SELECT v.revision, v.change_kind, v.content, v.confidence, v.changed_by, v.at
FROM dw_memory_revisions AS v
WHERE v.org_id = $1 AND v.memory_id = $2
ORDER BY v.revision DESC
LIMIT 200
"""
# D22: of the decision that saved it, or that proposed the item which was approved; found by its sources.
VERSIONS: Final = """
SELECT d.versions
FROM dw_agent_memories AS m
CROSS JOIN LATERAL jsonb_array_elements(m.source_refs) AS r
JOIN dw_decisions AS d
  ON d.org_id = m.org_id AND d.made_id IN (m.id, m.learning_item_id)
 AND d.decision_id = CASE WHEN r ->> 'event_id' ~ '^[0-9a-f-]{36}$' THEN (r ->> 'event_id')::uuid END
WHERE m.org_id = $1 AND m.id = $2
ORDER BY d.decided_at DESC
LIMIT 1
"""

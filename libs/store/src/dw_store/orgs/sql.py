"""Statements of the org file: one a table, rows as one JSON array."""

from __future__ import annotations

from typing import Final

CREATE_ORG: Final = """
INSERT INTO dw_orgs (id, code, name) VALUES ($1, $2, $3)
ON CONFLICT (code) DO NOTHING
"""
LOCK_ORG: Final = "SELECT o.id FROM dw_orgs AS o WHERE o.id = $1 FOR NO KEY UPDATE /* org_id = id */"
# All of the org's role-agents, in id order: whoever decides for one of them waits, and nobody waits in a circle (C69).
LOCK_AGENTS: Final = (
    "SELECT a.id FROM dw_role_agents AS a WHERE a.org_id = $1 ORDER BY a.id FOR NO KEY UPDATE"
)
ORG_VERSION: Final = """
SELECT coalesce(max(v.version), 0) FROM dw_versions AS v WHERE v.org_id = $1 AND v.role_agent_id IS NULL
"""
ORG_ID: Final = "SELECT dw_org_id_of($1)"
SEED_ORG: Final = "SELECT dw_seed_org($1)"
RENAME_ORG: Final = (
    "UPDATE dw_orgs SET name = $2, updated_at = now() WHERE id = $1 AND name <> $2 /* org_id = id */"
)
SET_WORDS: Final = """
INSERT INTO dw_org_settings (org_id, key, value) VALUES ($1, 'history_words', $2::jsonb)
ON CONFLICT (org_id, key) DO UPDATE SET value = excluded.value, updated_at = now()
"""
KNOWN_USERS: Final = """
SELECT w.code, dw_user_id_of(w.email) AS user_id
FROM unnest($1::text[], $2::text[]) AS w (code, email)
"""
INSERT_USERS: Final = """
INSERT INTO dw_users (id, email, name)
SELECT r.user_id, r.email, r.name FROM jsonb_to_recordset($1::jsonb) AS r (user_id uuid, email text, name text)
"""
UPDATE_USERS: Final = """
UPDATE dw_users AS u SET name = r.name, email = coalesce(u.email, r.email), updated_at = now()
FROM jsonb_to_recordset($1::jsonb) AS r (user_id uuid, name text, email text), dw_org_members AS m
WHERE u.id = r.user_id AND m.user_id = u.id AND m.org_id = $2
  AND (u.name <> r.name OR (u.email IS NULL AND r.email IS NOT NULL))
"""
UPSERT_MEMBERS: Final = """
INSERT INTO dw_org_members AS m (org_id, user_id, code, role, status, joined)
SELECT $2, r.user_id, r.code, r.role, r.status, r.status = 'active'
FROM jsonb_to_recordset($1::jsonb) AS r (user_id uuid, code text, role text, status text)
ON CONFLICT (org_id, user_id) DO UPDATE
SET role = excluded.role, status = excluded.status, joined = m.joined OR excluded.joined, updated_at = now(),
    row_version = m.row_version + 1
"""
UPSERT_AGENTS: Final = """
INSERT INTO dw_role_agents AS a (
    id, org_id, code, name, persona, status, auto_memory_enabled, auto_memory_require_verified, learning_enabled,
    auto_saves_per_day, open_items, soul_id
)
SELECT r.id, $2, r.code, r.name, r.persona, r.status, r.auto_memory_enabled, r.auto_memory_require_verified,
       r.learning_enabled, r.auto_saves_per_day, r.open_items,
       (SELECT s.id FROM dw_agent_souls AS s WHERE s.org_id = $2 AND s.is_default)
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, code text, name text, persona text, status text, auto_memory_enabled boolean,
    auto_memory_require_verified boolean, learning_enabled boolean, auto_saves_per_day int, open_items int
)
ON CONFLICT (org_id, code) DO UPDATE
SET name = excluded.name, persona = excluded.persona, status = excluded.status,
    auto_memory_enabled = excluded.auto_memory_enabled,
    auto_memory_require_verified = excluded.auto_memory_require_verified,
    learning_enabled = excluded.learning_enabled, auto_saves_per_day = excluded.auto_saves_per_day,
    open_items = excluded.open_items, updated_at = now(), row_version = a.row_version + 1
"""
DELETE_MANAGERS: Final = """
DELETE FROM dw_agent_managers AS g
USING jsonb_to_recordset($1::jsonb) AS r (role_agent_id uuid, user_id uuid)
WHERE g.org_id = $2 AND g.role_agent_id = r.role_agent_id AND g.user_id = r.user_id
"""
INSERT_MANAGERS: Final = """
INSERT INTO dw_agent_managers (org_id, role_agent_id, user_id, added_by)
SELECT $2, r.role_agent_id, r.user_id, $3
FROM jsonb_to_recordset($1::jsonb) AS r (role_agent_id uuid, user_id uuid)
ON CONFLICT (org_id, role_agent_id, user_id) DO NOTHING
"""
UPSERT_CHANNELS: Final = """
INSERT INTO dw_channels AS c (
    id, org_id, code, role_agent_id, platform, workspace_ref, external_channel_ref, display_name, learning, audience,
    visibility
)
SELECT r.id, $2, r.code, r.role_agent_id, r.platform, r.workspace_ref, r.external_channel_ref, r.display_name,
       r.learning, r.audience, r.visibility
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, code text, role_agent_id uuid, platform text, workspace_ref text, external_channel_ref text,
    display_name text, learning text, audience text, visibility text
)
ON CONFLICT (org_id, id) DO UPDATE
SET role_agent_id = excluded.role_agent_id, platform = excluded.platform, workspace_ref = excluded.workspace_ref,
    external_channel_ref = excluded.external_channel_ref, display_name = excluded.display_name,
    learning = excluded.learning, audience = excluded.audience, visibility = excluded.visibility, updated_at = now(),
    row_version = c.row_version + 1
"""
DELETE_LISTENERS: Final = """
DELETE FROM dw_channel_agents AS l
USING jsonb_to_recordset($1::jsonb) AS r (channel_id uuid, role_agent_id uuid)
WHERE l.org_id = $2 AND l.channel_id = r.channel_id AND l.role_agent_id = r.role_agent_id
"""
INSERT_LISTENERS: Final = """
INSERT INTO dw_channel_agents (org_id, channel_id, role_agent_id)
SELECT $2, r.channel_id, r.role_agent_id
FROM jsonb_to_recordset($1::jsonb) AS r (channel_id uuid, role_agent_id uuid)
ON CONFLICT (org_id, channel_id, role_agent_id) DO NOTHING
"""
DELETE_CHANNEL_MANAGERS: Final = """
DELETE FROM dw_channel_managers AS g
USING jsonb_to_recordset($1::jsonb) AS r (channel_id uuid, user_id uuid)
WHERE g.org_id = $2 AND g.channel_id = r.channel_id AND g.user_id = r.user_id
"""
INSERT_CHANNEL_MANAGERS: Final = """
INSERT INTO dw_channel_managers (org_id, channel_id, user_id)
SELECT $2, r.channel_id, r.user_id FROM jsonb_to_recordset($1::jsonb) AS r (channel_id uuid, user_id uuid)
ON CONFLICT (org_id, channel_id, user_id) DO NOTHING
"""
UPSERT_IDENTITIES: Final = """
INSERT INTO dw_external_identities AS i (
    id, org_id, platform, workspace_ref, external_user_id, user_id, status, service_granted, verified_at, verified_by,
    verify_method
)
SELECT r.id, $2, r.platform, r.workspace_ref, r.external_user_id, r.user_id, r.status, r.service_granted,
       CASE WHEN r.status = 'verified' THEN $4::timestamptz END, CASE WHEN r.status = 'verified' THEN $3 END,
       CASE WHEN r.status = 'verified' THEN 'admin' END
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, platform text, workspace_ref text, external_user_id text, user_id uuid, status text, service_granted boolean
)
ON CONFLICT (org_id, platform, workspace_ref, external_user_id) DO UPDATE
SET user_id = excluded.user_id, status = excluded.status, service_granted = excluded.service_granted,
    verified_at = CASE WHEN i.status = 'verified' AND excluded.status = 'verified' AND i.user_id = excluded.user_id
                       THEN i.verified_at ELSE excluded.verified_at END,
    verified_by = CASE WHEN i.status = 'verified' AND excluded.status = 'verified' AND i.user_id = excluded.user_id
                       THEN i.verified_by ELSE excluded.verified_by END,
    verify_method = CASE WHEN i.status = 'verified' AND excluded.status = 'verified' AND i.user_id = excluded.user_id
                         THEN i.verify_method ELSE excluded.verify_method END,
    revoked_at = CASE WHEN excluded.status = 'revoked' THEN $4 END,
    revoked_by = CASE WHEN excluded.status = 'revoked' THEN $3 END, updated_at = now(), row_version = i.row_version + 1
"""
REBIND_KEYS: Final = """
UPDATE dw_api_keys AS k
SET channel_ids = r.channel_ids, agent_ids = r.agent_ids, proves_sender = r.proves_sender,
    revoked_at = CASE WHEN r.active THEN k.revoked_at ELSE coalesce(k.revoked_at, $3) END
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, channel_ids uuid[], agent_ids uuid[], proves_sender boolean, active boolean
)
WHERE k.org_id = $2 AND k.id = r.id
"""
# C73: a removed member opens nothing any more.
REMOVE_TOKENS: Final = """
UPDATE dw_api_keys AS k SET revoked_at = $3
WHERE k.org_id = $1 AND k.user_id = ANY ($2::uuid[]) AND k.revoked_at IS NULL
"""
REMOVE_MANAGER_ROWS: Final = "DELETE FROM dw_agent_managers WHERE org_id = $1 AND user_id = ANY ($2::uuid[])"
REMOVE_CHANNEL_MANAGER_ROWS: Final = (
    "DELETE FROM dw_channel_managers WHERE org_id = $1 AND user_id = ANY ($2::uuid[])"
)
REMOVE_ASSIGNMENTS: Final = """
UPDATE dw_learning_items SET assigned_to = NULL, updated_at = $3
WHERE org_id = $1 AND assigned_to = ANY ($2::uuid[]) AND status = 'pending'
"""
REVOKE_IDENTITIES: Final = """
UPDATE dw_external_identities SET status = 'revoked', revoked_at = $3, revoked_by = 'member_removed', updated_at = $3
WHERE org_id = $1 AND user_id = ANY ($2::uuid[]) AND status <> 'revoked'
"""
INSERT_KEYS: Final = """
INSERT INTO dw_api_keys (id, org_id, kind, name, key_hash, user_id, channel_ids, agent_ids, proves_sender, created_by)
SELECT r.id, $2, r.kind, r.name, decode(r.key_hash, 'hex'), r.user_id, coalesce(r.channel_ids, '{}'),
       coalesce(r.agent_ids, '{}'), coalesce(r.proves_sender, TRUE), $3
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, kind text, name text, key_hash text, user_id uuid, channel_ids uuid[], agent_ids uuid[],
    proves_sender boolean
)
"""
MEMBER: Final = """
SELECT o.code AS org, m.user_id, m.role, m.code, dw_org_id_of($3) AS asked,
       (SELECT coalesce(array_agg(g.role_agent_id), '{}') FROM dw_agent_managers AS g
        WHERE g.org_id = m.org_id AND g.user_id = m.user_id) AS manages
FROM dw_org_members AS m JOIN dw_orgs AS o ON o.id = m.org_id
WHERE m.org_id = $1 AND m.user_id = $2 AND m.status = 'active'
"""
INVITED: Final = """
SELECT m.code, m.user_id, m.role, m.row_version
FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.status = 'invited' AND ($2::uuid IS NULL OR m.user_id = $2)
ORDER BY m.code LIMIT 1000
"""
ACCEPT: Final = """
UPDATE dw_org_members SET status = 'active', joined = TRUE, updated_at = now(), row_version = row_version + 1
WHERE org_id = $1 AND user_id = $2 AND status = 'invited' AND row_version = $3
"""
OWNER_BY_CODE: Final = """
SELECT m.user_id FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.status = 'active' AND m.role = 'owner' AND (m.code = $2 OR $2 = '')
ORDER BY m.created_at LIMIT 1
"""

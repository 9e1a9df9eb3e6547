"""Statements about accounts and about the codes that prove them."""

from __future__ import annotations

from typing import Final

_IDENTITY: Final = """
SELECT i.id, i.platform, i.workspace_ref, i.external_user_id, i.user_id, m.code AS user, i.status, i.service_granted,
       i.verified_at, i.verify_method, i.revoked_at, i.row_version, i.created_at
FROM dw_external_identities AS i
LEFT JOIN dw_org_members AS m ON m.org_id = i.org_id AND m.user_id = i.user_id
"""
PAGE: Final = (
    _IDENTITY
    + """
WHERE i.org_id = $1 AND ($2 = '' OR i.status = $2) AND ($3::uuid IS NULL OR i.user_id = $3)
  AND ($4::timestamptz IS NULL OR (i.created_at, i.id) < ($4, $5::uuid))
ORDER BY i.created_at DESC, i.id DESC
LIMIT $6
"""
)
ONE: Final = (
    _IDENTITY
    + """
WHERE i.org_id = $1 AND i.id = $2
"""
)
BY_ACCOUNT: Final = """
SELECT i.id, i.platform, i.workspace_ref, i.external_user_id, i.user_id, i.status, i.service_granted
FROM dw_external_identities AS i
JOIN unnest($2::text[], $3::text[], $4::text[]) AS w (platform, workspace_ref, external_user_id)
  ON i.platform = w.platform AND i.workspace_ref = w.workspace_ref AND i.external_user_id = w.external_user_id
WHERE i.org_id = $1
FOR UPDATE OF i
"""
MEMBERS: Final = """
SELECT m.code, m.user_id, m.status FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.code = ANY ($2::text[])
FOR SHARE OF m
"""
VERIFY: Final = """
UPDATE dw_external_identities
SET status = 'verified', user_id = $3, verified_at = $4, verified_by = $5, verify_method = $6, revoked_at = NULL,
    revoked_by = NULL, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
UNMAP: Final = """
UPDATE dw_external_identities SET user_id = NULL, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND user_id = $3 AND status = 'pending'
"""
LOCK_IDENTITY: Final = """
SELECT i.status, i.user_id FROM dw_external_identities AS i WHERE i.org_id = $1 AND i.id = $2 FOR UPDATE
"""
# Codes. One open or waiting a user; how many in the last hour is the limit of C103.
RECENT_CODES: Final = """
SELECT count(*) FROM dw_identity_claims AS c WHERE c.org_id = $1 AND c.user_id = $2 AND c.created_at > $3
"""
LOCK_MEMBER: Final = """
SELECT m.user_id FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.user_id = $2 AND m.status = 'active' FOR NO KEY UPDATE
"""
VOID_CLAIMS: Final = """
UPDATE dw_identity_claims SET status = 'void', ended_at = $3
WHERE org_id = $1 AND user_id = ANY ($2::uuid[]) AND status IN ('open', 'claimed')
"""
INSERT_CLAIM: Final = """
INSERT INTO dw_identity_claims (org_id, id, user_id, platform, code_mac, expires_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
CLAIMS_OF: Final = """
SELECT c.id, c.platform, c.status, c.identity_id, c.display_name, c.claimed_at, c.expires_at, i.external_user_id,
       i.workspace_ref, i.status AS account_status, i.user_id AS account_user, h.code AS channel
FROM dw_identity_claims AS c
LEFT JOIN dw_external_identities AS i ON i.org_id = c.org_id AND i.id = c.identity_id
LEFT JOIN dw_channels AS h ON h.org_id = c.org_id AND h.id = c.channel_id
WHERE c.org_id = $1 AND c.user_id = $2 AND ($3::uuid IS NULL OR c.id = $3)
ORDER BY c.created_at DESC, c.id
LIMIT 20
"""
LOCK_CLAIM: Final = """
SELECT c.status, c.expires_at FROM dw_identity_claims AS c WHERE c.org_id = $1 AND c.user_id = $2 AND c.id = $3 FOR UPDATE
"""
END_CLAIM: Final = """
UPDATE dw_identity_claims SET status = $4, ended_at = $5 WHERE org_id = $1 AND user_id = $2 AND id = $3
"""
POSTED: Final = """
SELECT c.org_id, c.id, c.user_id, c.platform, c.code_mac, c.expires_at
FROM dw_identity_claims AS c
JOIN unnest($1::uuid[], $2::text[]) AS w (org_id, code_mac) ON c.org_id = w.org_id AND c.code_mac = w.code_mac
WHERE c.status = 'open'
ORDER BY c.id
FOR UPDATE OF c
"""
ACCOUNTS: Final = """
SELECT i.org_id, i.id, i.platform, i.workspace_ref, i.external_user_id, i.user_id, i.status
FROM dw_external_identities AS i
JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS w (org_id, platform, workspace_ref, external_user_id)
  ON i.org_id = w.org_id AND i.platform = w.platform AND i.workspace_ref = w.workspace_ref
 AND i.external_user_id = w.external_user_id
ORDER BY i.id
FOR UPDATE OF i
"""
PENDING_ACCOUNTS: Final = """
INSERT INTO dw_external_identities AS i (id, org_id, platform, workspace_ref, external_user_id, user_id, status)
SELECT r.id, r.org_id, r.platform, r.workspace_ref, r.external_user_id, r.user_id, 'pending'
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, org_id uuid, platform text, workspace_ref text, external_user_id text, user_id uuid
)
ON CONFLICT (org_id, platform, workspace_ref, external_user_id) DO UPDATE
SET user_id = coalesce(i.user_id, excluded.user_id), updated_at = now()
RETURNING org_id, id, platform, workspace_ref, external_user_id
"""
CLAIM: Final = """
UPDATE dw_identity_claims AS c
SET status = 'claimed', identity_id = r.identity_id, channel_id = r.channel_id, event_id = r.event_id,
    display_name = r.display_name, claimed_at = $2, expires_at = $3
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, id uuid, identity_id uuid, channel_id uuid, event_id uuid, display_name text
)
WHERE c.org_id = r.org_id AND c.id = r.id AND c.status = 'open'
"""
REFUSE: Final = """
UPDATE dw_identity_claims AS c
SET status = 'void', ended_at = $2
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid)
WHERE c.org_id = r.org_id AND c.id = r.id AND c.status = 'open'
"""

"""What an org is at this moment, in the shape of its file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from dw_store.database import Tx

ORG = """
SELECT o.code, o.name,
       (SELECT s.value FROM dw_org_settings AS s WHERE s.org_id = $1 AND s.key = 'history_words') AS words
FROM dw_orgs AS o WHERE o.id = $1 /* org_id = id */
"""
USERS = """
SELECT m.code, m.user_id, m.role, m.status, m.joined, CASE WHEN m.joined THEN u.name ELSE m.code END AS name, u.email
FROM dw_org_members AS m JOIN dw_users AS u ON u.id = m.user_id
WHERE m.org_id = $1
"""
AGENTS = """
SELECT a.code, a.id, a.name, a.persona, a.status, a.auto_memory_enabled, a.auto_memory_require_verified,
       a.learning_enabled, a.auto_saves_per_day, a.open_items,
       coalesce(array_agg(g.user_id) FILTER (WHERE g.user_id IS NOT NULL), '{}') AS managers
FROM dw_role_agents AS a
LEFT JOIN dw_agent_managers AS g ON g.org_id = a.org_id AND g.role_agent_id = a.id
WHERE a.org_id = $1
GROUP BY a.org_id, a.id
"""
CHANNELS = """
SELECT c.code, c.id, c.platform, c.workspace_ref, c.external_channel_ref, c.display_name, c.learning, c.audience,
       c.visibility, c.role_agent_id,
       (SELECT coalesce(array_agg(l.role_agent_id), '{}') FROM dw_channel_agents AS l
        WHERE l.org_id = c.org_id AND l.channel_id = c.id) AS agents,
       (SELECT coalesce(array_agg(g.user_id), '{}') FROM dw_channel_managers AS g
        WHERE g.org_id = c.org_id AND g.channel_id = c.id) AS managers
FROM dw_channels AS c
WHERE c.org_id = $1 AND c.deleted_at IS NULL
"""
IDENTITIES = """
SELECT i.id, i.platform, i.workspace_ref, i.external_user_id, i.user_id, i.status, i.service_granted
FROM dw_external_identities AS i
WHERE i.org_id = $1
"""
KEYS = """
SELECT DISTINCT ON (k.name) k.id, k.name, k.kind, k.channel_ids, k.agent_ids, k.proves_sender,
       k.revoked_at IS NULL AS active
FROM dw_api_keys AS k
WHERE k.org_id = $1 AND k.kind IN ('gateway', 'runtime')
ORDER BY k.name, k.revoked_at DESC NULLS FIRST, k.id
"""

Row = dict[str, Any]


@dataclass(slots=True)
class CurrentOrg:
    """Rows by code or name; identities by (platform, workspace, account)."""

    org: dict[str, Row] = field(default_factory=dict)
    users: dict[str, Row] = field(default_factory=dict)
    agents: dict[str, Row] = field(default_factory=dict)
    channels: dict[str, Row] = field(default_factory=dict)
    identities: dict[tuple[str, str, str], Row] = field(default_factory=dict)
    keys: dict[str, Row] = field(default_factory=dict)


async def load_org(tx: Tx, org_id: UUID) -> CurrentOrg:
    """Six statements, whatever the size of the org."""
    current = CurrentOrg()
    for row in await tx.fetch(ORG, org_id):
        current.org[row["code"]] = {"name": row["name"], "words": tuple(row["words"] or ())}
    for row in await tx.fetch(USERS, org_id):
        current.users[row["code"]] = dict(row)
    for row in await tx.fetch(AGENTS, org_id):
        current.agents[row["code"]] = {**row, "managers": frozenset(row["managers"])}
    for row in await tx.fetch(CHANNELS, org_id):
        sets = {"agents": frozenset(row["agents"]), "managers": frozenset(row["managers"])}
        current.channels[row["code"]] = {**row, **sets}
    for row in await tx.fetch(IDENTITIES, org_id):
        account = (row["platform"], row["workspace_ref"], row["external_user_id"])
        current.identities[account] = dict(row)
    for row in await tx.fetch(KEYS, org_id):
        sets = {"channel_ids": frozenset(row["channel_ids"]), "agent_ids": frozenset(row["agent_ids"])}
        current.keys[row["name"]] = {**row, **sets}
    return current

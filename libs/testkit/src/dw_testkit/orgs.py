"""A small org straight in the database, for tests of one service."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from uuid import UUID

import psycopg


@dataclass(frozen=True, slots=True)
class SmallOrg:
    """One role-agent that listens in one channel; Minh (account U1001) is verified, anybody else is not."""

    org_id: UUID = field(default_factory=uuid.uuid4)
    agent_id: UUID = field(default_factory=uuid.uuid4)
    channel_id: UUID = field(default_factory=uuid.uuid4)
    user_id: UUID = field(default_factory=uuid.uuid4)
    identity_id: UUID = field(default_factory=uuid.uuid4)
    account: str = "U1001"


def create_small_org(admin_dsn: str) -> SmallOrg:
    """Write it as the superuser."""
    org = SmallOrg()
    code = f"org-{org.org_id.hex[:8]}"
    with psycopg.connect(admin_dsn) as connection:
        run = connection.execute
        run("INSERT INTO dw_orgs (id, code, name) VALUES (%s, %s, %s)", (org.org_id, code, code))
        run("INSERT INTO dw_users (id, name) VALUES (%s, 'Minh')", (org.user_id,))
        run(
            "INSERT INTO dw_org_members (org_id, user_id, code, role) VALUES (%s, %s, 'minh', 'owner')",
            (org.org_id, org.user_id),
        )
        run("SELECT dw_seed_org(%s)", (org.org_id,))
        run(
            "INSERT INTO dw_role_agents (id, org_id, code, name, soul_id)"
            " SELECT %s, %s, 'it_agent', 'IT Agent', id FROM dw_agent_souls WHERE org_id = %s",
            (org.agent_id, org.org_id, org.org_id),
        )
        run(
            "INSERT INTO dw_channels (id, org_id, code, role_agent_id, platform, external_channel_ref)"
            " VALUES (%s, %s, 'helpdesk', %s, 'slack', 'C-HELPDESK')",
            (org.channel_id, org.org_id, org.agent_id),
        )
        run(
            "INSERT INTO dw_channel_agents (org_id, channel_id, role_agent_id) VALUES (%s, %s, %s)",
            (org.org_id, org.channel_id, org.agent_id),
        )
        run(
            "INSERT INTO dw_external_identities (id, org_id, platform, external_user_id, user_id, status, verified_at)"
            " VALUES (%s, %s, 'slack', %s, %s, 'verified', '2026-01-01')",
            (org.identity_id, org.org_id, org.account, org.user_id),
        )
    return org

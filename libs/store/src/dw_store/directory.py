"""Gateway keys and what they are bound to, for ingest's cache (C46)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import Learning, Platform
from dw_contracts.ids import OrgId
from dw_store import waits
from dw_store.database import Database

FIND_KEY = """
-- all orgs: a key is looked up by the HMAC of its secret, and names its org
SELECT k.id, k.org_id, k.channel_ids, k.proves_sender
FROM dw_api_keys AS k
WHERE k.key_hash = $1 AND k.kind = 'gateway' AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
"""
BINDINGS = """
SELECT c.id, c.platform, c.workspace_ref, c.external_channel_ref, c.learning, c.status,
       coalesce(array_agg(l.role_agent_id ORDER BY l.role_agent_id) FILTER (WHERE a.id IS NOT NULL), '{}') AS agents
FROM dw_channels AS c
LEFT JOIN dw_channel_agents AS l ON l.org_id = c.org_id AND l.channel_id = c.id
LEFT JOIN dw_role_agents AS a ON a.org_id = l.org_id AND a.id = l.role_agent_id AND a.status = 'active'
WHERE c.org_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL
GROUP BY c.id, c.platform, c.workspace_ref, c.external_channel_ref, c.learning, c.status
"""
GRANTED_BOTS = """
SELECT i.platform, i.workspace_ref, i.external_user_id
FROM dw_external_identities AS i
WHERE i.org_id = $1 AND i.service_granted AND i.status <> 'revoked'
"""
OUTCOMES = """
SELECT d.outcome
FROM dw_decisions AS d
WHERE d.org_id = $1 AND d.decision_id = $2 AND d.channel_id = ANY ($3::uuid[])
ORDER BY d.item_no
"""


_WITH_WORKSPACES = frozenset({Platform.SLACK, Platform.DISCORD})


@dataclass(frozen=True, slots=True)
class GatewayKey:
    """A live key: one org, listed channels."""

    key_id: UUID
    org_id: UUID
    channel_ids: tuple[UUID, ...]
    proves_sender: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """A channel as ingest needs it: who listens, and what may be learned there."""

    channel_id: UUID
    platform: Platform
    learning: Learning
    active: bool
    agents: tuple[UUID, ...]
    granted_bots: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    workspace_ref: str = ""

    def names_another_workspace(self, workspace_ref: str) -> bool:
        """C46: where platforms have workspaces (C48), a key speaks for its channels' workspace alone. A channel of
        which none is known, and a sender of whom none is said, name no other."""
        return bool(
            self.platform in _WITH_WORKSPACES
            and self.workspace_ref
            and workspace_ref
            and workspace_ref != self.workspace_ref
        )


async def find_gateway_key(database: Database, hashed: bytes) -> GatewayKey | None:
    """The live gateway key with this hash."""
    async with database.system() as tx:
        row = await tx.fetchrow(FIND_KEY, hashed)
    if row is None:
        return None
    return GatewayKey(row["id"], row["org_id"], tuple(row["channel_ids"] or ()), row["proves_sender"])


async def bindings_of_key(database: Database, key: GatewayKey) -> dict[str, Binding]:
    """The key's channels by our id and by the platform's own reference."""
    async with database.transaction([OrgId(key.org_id)]) as tx:
        channels = await tx.fetch(BINDINGS, key.org_id, list(key.channel_ids))
        bots = await tx.fetch(GRANTED_BOTS, key.org_id)
    found: dict[str, Binding] = {}
    for row in channels:
        granted = (
            (b["workspace_ref"], b["external_user_id"]) for b in bots if b["platform"] == row["platform"]
        )
        binding = replace(
            _binding(row["id"], row["platform"], row["learning"], row["status"], row["agents"], granted),
            workspace_ref=row["workspace_ref"],
        )
        found[str(row["id"])] = binding
        found.setdefault(row["external_channel_ref"], binding)
    return found


def _binding(
    channel_id: UUID,
    platform: str,
    learning: str,
    status: str,
    agents: Iterable[UUID],
    granted: Iterable[tuple[str, str]],
) -> Binding:
    return Binding(
        channel_id,
        Platform(platform),
        Learning(learning),
        status == "active",
        tuple(agents),
        frozenset(granted),
    )


async def outcomes_of_event(database: Database, key: GatewayKey, event_id: UUID) -> list[str]:
    """Outcomes of an event of the key's own channels, in item order."""
    async with database.transaction([OrgId(key.org_id)]) as tx:
        rows = await tx.fetch(OUTCOMES, key.org_id, event_id, list(key.channel_ids))
    return [row["outcome"] for row in rows]


async def wait_of_event(database: Database, key: GatewayKey, event_id: UUID) -> dict[str, Any] | None:
    """What an event of the key's own channels waits for, if it does."""
    async with database.transaction([OrgId(key.org_id)]) as tx:
        return await waits.wait_of_event(tx, key.org_id, event_id, key.channel_ids)

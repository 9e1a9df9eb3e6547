"""Members, keys and tokens of an org: lists without secrets, keys made and revoked (C46, C73, C74)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, LiteralString
from uuid import UUID

import asyncpg

from dw_store.audit import by_user, record
from dw_store.database import Tx
from dw_store.keys import Kind, NewKey, create_key
from dw_store.orgs.conflicts import OrgConflict
from dw_store.orgs.secrets import Actor

MAX_TOKENS: Final = 20

MEMBERS: Final = """
-- Somebody who has only been invited is another org's: their name is theirs to show (C74).
SELECT m.user_id, m.code, CASE WHEN m.joined THEN u.name ELSE m.code END AS name, m.role, m.status, ARRAY(
    SELECT a.code FROM dw_agent_managers AS g
    JOIN dw_role_agents AS a ON a.org_id = g.org_id AND a.id = g.role_agent_id
    WHERE g.org_id = m.org_id AND g.user_id = m.user_id
    ORDER BY a.code
) AS manages
FROM dw_org_members AS m JOIN dw_users AS u ON u.id = m.user_id
WHERE m.org_id = $1 AND m.code > $2 AND ($3 = '' OR m.code = $3)
ORDER BY m.code
LIMIT $4
"""
_KEY: Final = """
SELECT k.id, k.kind, k.name, m.code AS user, k.proves_sender, k.created_by, k.created_at, k.expires_at, k.revoked_at, ARRAY(
    SELECT c.code FROM dw_channels AS c WHERE c.org_id = k.org_id AND c.id = ANY (k.channel_ids) ORDER BY c.code
) AS channels, ARRAY(
    SELECT a.code FROM dw_role_agents AS a WHERE a.org_id = k.org_id AND a.id = ANY (k.agent_ids) ORDER BY a.code
) AS agents
FROM dw_api_keys AS k
LEFT JOIN dw_org_members AS m ON m.org_id = k.org_id AND m.user_id = k.user_id
"""
KEYS: Final = (
    _KEY
    + """
WHERE k.org_id = $1 AND ($2::uuid IS NULL OR k.user_id = $2) AND ($3 OR k.revoked_at IS NULL)
  AND ($4::timestamptz IS NULL OR (k.created_at, k.id) < ($4, $5::uuid))
ORDER BY k.created_at DESC, k.id DESC
LIMIT $6
"""
)
KEY: Final = """
SELECT k.id, k.kind, k.name, k.user_id, k.revoked_at, m.role
FROM dw_api_keys AS k
LEFT JOIN dw_org_members AS m ON m.org_id = k.org_id AND m.user_id = k.user_id
WHERE k.org_id = $1 AND k.id = $2
FOR UPDATE OF k
"""
REVOKE: Final = """
UPDATE dw_api_keys SET revoked_at = $3 WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL
"""
LIVE_TOKENS: Final = """
SELECT count(*) FROM dw_api_keys AS k
WHERE k.org_id = $1 AND k.user_id = $2 AND k.kind = 'user' AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > $3)
"""
CHANNEL_IDS: Final = """
SELECT c.code, c.id FROM dw_channels AS c
WHERE c.org_id = $1 AND c.code = ANY ($2::text[]) AND c.deleted_at IS NULL
"""
AGENT_IDS: Final = (
    "SELECT a.code, a.id FROM dw_role_agents AS a WHERE a.org_id = $1 AND a.code = ANY ($2::text[])"
)


class NoSuchPart(Exception):
    """Channels or role-agents that the org does not have, by code."""

    def __init__(self, part: str, codes: Sequence[str]) -> None:
        super().__init__(f"{part}: {', '.join(codes)}")
        self.part, self.codes = part, tuple(codes)


class TooManyTokens(Exception):
    """The person holds as many live tokens as one may."""


@dataclass(frozen=True, slots=True)
class WantedKey:
    """A key for a machine, by codes."""

    name: str
    kind: Kind
    channels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    proves_sender: bool = True
    expires_at: datetime | None = None


async def members(tx: Tx, org_id: UUID, *, after: str = "", code: str = "", limit: int = 200) -> list[Any]:
    """Members by code, removed ones too."""
    return await tx.fetch(MEMBERS, org_id, after, code, limit)


async def keys(
    tx: Tx,
    org_id: UUID,
    *,
    user_id: UUID | None,
    revoked: bool,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Any]:
    """Keys, tokens and sessions, the newest first; without revoked ones unless asked for."""
    at, key_id = before or (None, None)
    return await tx.fetch(KEYS, org_id, user_id, revoked, at, key_id, limit)


async def make_key(tx: Tx, org_id: UUID, wanted: WantedKey, actor: Actor, now: datetime) -> tuple[UUID, str]:
    """Its id and secret. Raises NoSuchPart, OrgConflict (a live key of this name)."""
    new = NewKey(
        key_id=uuid.uuid4(),
        org_id=org_id,
        kind=wanted.kind,
        name=wanted.name,
        created_by=str(actor.user_id),
        channel_ids=await _ids(tx, CHANNEL_IDS, org_id, "channels", wanted.channels),
        agent_ids=await _ids(tx, AGENT_IDS, org_id, "agents", wanted.agents),
        proves_sender=wanted.proves_sender,
        expires_at=wanted.expires_at,
    )
    try:
        secret = await create_key(tx, new, actor.pepper)
    except asyncpg.UniqueViolationError as error:
        raise OrgConflict(error.constraint_name or "unique") from error
    about = {"name": wanted.name, "kind": wanted.kind, "channels": wanted.channels, "agents": wanted.agents}
    await _audit(tx, org_id, actor, "key_created", new.key_id, now, about)
    return new.key_id, secret


async def make_token(
    tx: Tx, org_id: UUID, name: str, expires_at: datetime | None, actor: Actor, now: datetime
) -> tuple[UUID, str]:
    """Another token of one's own. Raises TooManyTokens."""
    if await tx.fetchval(LIVE_TOKENS, org_id, actor.user_id, now) >= MAX_TOKENS:
        raise TooManyTokens
    by = str(actor.user_id)
    new = NewKey(
        uuid.uuid4(), org_id, "user", name, created_by=by, user_id=actor.user_id, expires_at=expires_at
    )
    secret = await create_key(tx, new, actor.pepper)
    await _audit(tx, org_id, actor, "key_created", new.key_id, now, {"name": name, "kind": "user"})
    return new.key_id, secret


async def find_for_revocation(tx: Tx, org_id: UUID, key_id: UUID) -> Any | None:
    """Kind, name, whose, and that person's role; locked."""
    return await tx.fetchrow(KEY, org_id, key_id)


async def revoke_key(tx: Tx, org_id: UUID, key: Any, actor: Actor, now: datetime) -> datetime:
    """From here on it opens nothing; a second time changes nothing. Gives since when."""
    if key["revoked_at"] is not None:
        revoked: datetime = key["revoked_at"]
        return revoked
    await tx.execute(REVOKE, org_id, key["id"], now)
    about = {"name": key["name"], "kind": key["kind"], "user": str(key["user_id"] or "")}
    before, after = ({**about, "revoked": revoked} for revoked in (False, True))
    await _audit(tx, org_id, actor, "key_revoked", key["id"], now, after, before)
    return now


async def _ids(tx: Tx, query: LiteralString, org_id: UUID, part: str, codes: Sequence[str]) -> list[UUID]:
    if not codes:
        return []
    found = {row["code"]: row["id"] for row in await tx.fetch(query, org_id, list(codes))}
    if missing := [code for code in dict.fromkeys(codes) if code not in found]:
        raise NoSuchPart(part, missing)
    return sorted(found.values())


async def _audit(
    tx: Tx,
    org_id: UUID,
    actor: Actor,
    event_type: str,
    key_id: UUID,
    now: datetime,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
) -> None:
    event = by_user(
        actor,
        org_id=org_id,
        event_type=event_type,
        subject_type="key",
        subject_id=key_id,
        reason="panel",
        before=before,
        after=after,
    )
    await record(tx, event, now)

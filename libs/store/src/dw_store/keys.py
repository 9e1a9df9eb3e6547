"""Keys and tokens (C73, C74): random secrets, shown once, kept as an HMAC under a pepper outside the database."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from dw_store.database import Tx

Kind = Literal["gateway", "runtime", "user", "session"]
PREFIX: dict[Kind, str] = {"gateway": "dw_gw_", "runtime": "dw_rt_", "user": "dw_ut_", "session": "dw_st_"}

INSERT = """
INSERT INTO dw_api_keys (id, org_id, kind, name, key_hash, user_id, channel_ids, agent_ids, proves_sender, created_by, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
FIND = """
-- all orgs: a key is looked up by the HMAC of its secret, and names its org
SELECT k.id, k.org_id, k.kind, k.user_id, k.channel_ids, k.agent_ids, k.proves_sender
FROM dw_api_keys AS k
WHERE k.key_hash = $1 AND k.kind = ANY ($2::text[]) AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > $3)
"""
REVOKE = """
UPDATE dw_api_keys SET revoked_at = $3 WHERE org_id = $1 AND id = ANY ($2::uuid[]) AND revoked_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A live key and what it is bound to."""

    key_id: UUID
    org_id: UUID
    kind: Kind
    user_id: UUID | None
    channel_ids: tuple[UUID, ...]
    agent_ids: tuple[UUID, ...]
    proves_sender: bool


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key to be made."""

    key_id: UUID
    org_id: UUID
    kind: Kind
    name: str
    created_by: str
    user_id: UUID | None = None
    channel_ids: Sequence[UUID] = ()
    agent_ids: Sequence[UUID] = ()
    proves_sender: bool = True
    expires_at: datetime | None = None


def new_secret(kind: Kind) -> str:
    """256 random bits behind a prefix that says what it opens."""
    return PREFIX[kind] + secrets.token_urlsafe(32)


def hash_secret(secret: str, pepper: str) -> bytes:
    """HMAC-SHA256: looking up by it tells nobody anything about the secret."""
    return hmac.digest(pepper.encode(), secret.encode("utf-8", "replace"), "sha256")


async def create_key(tx: Tx, key: NewKey, pepper: str) -> str:
    """Make the key; its secret is the answer, and is kept nowhere."""
    secret = new_secret(key.kind)
    await tx.execute(
        INSERT,
        key.key_id,
        key.org_id,
        key.kind,
        key.name,
        hash_secret(secret, pepper),
        key.user_id,
        list(key.channel_ids),
        list(key.agent_ids),
        key.proves_sender,
        key.created_by,
        key.expires_at,
    )
    return secret


async def find_key(tx: Tx, hashed: bytes, kinds: Sequence[Kind], now: datetime) -> FoundKey | None:
    """The live key of one of these kinds with this hash."""
    row = await tx.fetchrow(FIND, hashed, list(kinds), now)
    if row is None:
        return None
    return FoundKey(
        row["id"],
        row["org_id"],
        row["kind"],
        row["user_id"],
        tuple(row["channel_ids"]),
        tuple(row["agent_ids"]),
        row["proves_sender"],
    )


async def revoke_keys(tx: Tx, org_id: UUID, key_ids: Sequence[UUID], now: datetime) -> None:
    """From here on they open nothing; caches follow within seconds (stated at each)."""
    await tx.execute(REVOKE, org_id, list(key_ids), now)

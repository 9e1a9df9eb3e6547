"""Claims of accounts as admins see and end them (C103): all that wait, whose they are, and what is proved."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from dw_learning.identity_claims import Account, refuse_account
from dw_store.audit import by_user, record
from dw_store.database import Tx
from dw_store.orgs import identity_sql as sql
from dw_store.orgs.claims import NotClaimed, NotYours
from dw_store.orgs.identities import verify_identity
from dw_store.orgs.secrets import Actor

_CLAIM: Final = """
SELECT c.id, c.user_id, m.code AS member, c.platform, c.status, c.identity_id, c.display_name, c.created_at,
       c.claimed_at, c.expires_at, c.ended_at, i.external_user_id, i.workspace_ref, i.status AS account_status,
       o.code AS account_member, h.code AS channel
FROM dw_identity_claims AS c
JOIN dw_org_members AS m ON m.org_id = c.org_id AND m.user_id = c.user_id
LEFT JOIN dw_external_identities AS i ON i.org_id = c.org_id AND i.id = c.identity_id
LEFT JOIN dw_org_members AS o ON o.org_id = i.org_id AND o.user_id = i.user_id
LEFT JOIN dw_channels AS h ON h.org_id = c.org_id AND h.id = c.channel_id
"""
# What waits: a code that may still be posted, or an account that was seen and not answered for in time.
PAGE: Final = (
    _CLAIM
    + """
WHERE c.org_id = $1
  AND ($2 = 'any' OR ($2 = 'waiting' AND c.status IN ('open', 'claimed') AND c.expires_at > $6) OR c.status = $2)
  AND ($3::timestamptz IS NULL OR (c.created_at, c.id) < ($3, $4::uuid))
ORDER BY c.created_at DESC, c.id DESC
LIMIT $5
"""
)
ONE: Final = (
    _CLAIM
    + """
WHERE c.org_id = $1 AND c.id = $2
"""
)
LOCK: Final = """
SELECT c.status, c.expires_at, c.user_id FROM dw_identity_claims AS c WHERE c.org_id = $1 AND c.id = $2 FOR UPDATE
"""
ClaimStatus = Literal["waiting", "open", "claimed", "confirmed", "void", "any"]


async def claim_page(
    tx: Tx, org_id: UUID, status: ClaimStatus, before: tuple[datetime, UUID] | None, limit: int, now: datetime
) -> list[Any]:
    """Claims of all members, the newest first."""
    at, id_ = before or (None, None)
    return await tx.fetch(PAGE, org_id, status, at, id_, limit, now)


async def one_claim(tx: Tx, org_id: UUID, claim_id: UUID) -> Any | None:
    """The claim, or None."""
    return await tx.fetchrow(ONE, org_id, claim_id)


async def confirm_claim(tx: Tx, org_id: UUID, claim_id: UUID, actor: Actor, now: datetime) -> Any | None:
    """An admin vouches that the account that posted the code is the member's. None: no such claim. Raises NotClaimed,
    NotYours (verified for somebody else: that is changed at the account itself)."""
    locked = await tx.fetchrow(LOCK, org_id, claim_id)  # the claim first, as its owner's answer does
    if locked is None:
        return None
    claim: Any = await one_claim(tx, org_id, claim_id)
    if locked["status"] != "claimed" or now > locked["expires_at"]:
        raise NotClaimed
    owner = await tx.fetchrow(sql.LOCK_IDENTITY, org_id, claim["identity_id"])
    account = Account(owner["status"], owner["user_id"]) if owner is not None else Account()
    if (refused := refuse_account(account, locked["user_id"])) is not None:
        raise NotYours(refused)
    identity = claim["identity_id"]
    await verify_identity(
        tx, org_id, identity, claim["member"], actor, now, reason="claim confirmed by an admin"
    )
    await tx.execute(sql.END_CLAIM, org_id, locked["user_id"], claim_id, "confirmed", now)
    return await one_claim(tx, org_id, claim_id)


async def revoke_claim(tx: Tx, org_id: UUID, claim_id: UUID, actor: Actor, now: datetime) -> Any | None:
    """The code opens nothing more, and an account that waited on it is nobody's. None: no such claim. Raises
    NotClaimed where it has ended: a verified account is revoked as an account."""
    locked = await tx.fetchrow(LOCK, org_id, claim_id)
    if locked is None:
        return None
    claim: Any = await one_claim(tx, org_id, claim_id)
    if locked["status"] not in ("open", "claimed"):
        raise NotClaimed
    await tx.execute(sql.END_CLAIM, org_id, locked["user_id"], claim_id, "void", now)
    if claim["identity_id"] is not None:
        await tx.execute(sql.UNMAP, org_id, claim["identity_id"], locked["user_id"], now)
    await record(tx, _revoked(org_id, claim, actor), now)
    return await one_claim(tx, org_id, claim_id)


def _revoked(org_id: UUID, claim: Mapping[str, Any], actor: Actor) -> Any:
    return by_user(
        actor,
        org_id=org_id,
        event_type="identity_claim_refused",
        subject_type="identity",
        subject_id=claim["identity_id"] or claim["id"],
        reason="revoked by an admin",
        before={"claim": claim["status"]},
        after={"claim": "void", "member": claim["member"], "platform": claim["platform"]},
    )

"""Proof of an account by its owner (C103), the panel's half: a code is made, and what was seen is answered."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from dw_learning.identity_claims import (
    CODE_LIFETIME,
    MAX_CODES_PER_HOUR,
    Account,
    Refusal,
    claim_mac,
    code_of,
    refuse_account,
)
from dw_store.audit import by_user, record
from dw_store.database import Tx
from dw_store.orgs import identity_sql as sql
from dw_store.orgs.secrets import Actor


class TooManyCodes(Exception):
    """More codes within the hour than C103's limit."""


class NotClaimed(Exception):
    """There is nothing to say yes or no to: the code was not seen yet, has ended, or is too old."""


class NotYours(Exception):
    """The account was verified for somebody else, or revoked, in the meantime: admins decide."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class NewClaim:
    """`code` is shown once and kept nowhere."""

    claim_id: UUID
    code: str
    expires_at: datetime


_CLAIMED: Final = {"claim": "claimed"}


async def start_claim(tx: Tx, org_id: UUID, platform: str, actor: Actor, now: datetime) -> NewClaim:
    """A fresh code; the one before it, if it waits, is void. Raises TooManyCodes."""
    user_id = actor.user_id
    await tx.execute(sql.LOCK_MEMBER, org_id, user_id)  # two at once are one after the other
    if await tx.fetchval(sql.RECENT_CODES, org_id, user_id, now - timedelta(hours=1)) >= MAX_CODES_PER_HOUR:
        raise TooManyCodes
    await tx.execute(sql.VOID_CLAIMS, org_id, [user_id], now)
    claim = NewClaim(uuid.uuid4(), code_of(secrets.token_bytes(7)), now + CODE_LIFETIME)
    mac = claim_mac(claim.code, org_id, platform, actor.pepper)
    await tx.execute(sql.INSERT_CLAIM, org_id, claim.claim_id, user_id, platform, mac, claim.expires_at, now)
    await _audit(tx, org_id, actor, "identity_code_made", claim.claim_id, now, {"platform": platform})
    return claim


async def claims_of(tx: Tx, org_id: UUID, user_id: UUID, claim_id: UUID | None = None) -> list[Any]:
    """The person's own claims, newest first, at most 20."""
    return await tx.fetch(sql.CLAIMS_OF, org_id, user_id, claim_id)


async def answer_claim(
    tx: Tx, org_id: UUID, claim_id: UUID, actor: Actor, now: datetime, *, mine: bool
) -> UUID | None:
    """Say whether the account that posted the code is one's own; gives the identity, None for no such claim. Raises
    NotClaimed, NotYours. A claim of somebody else is no claim."""
    user_id = actor.user_id
    locked = await tx.fetchrow(sql.LOCK_CLAIM, org_id, user_id, claim_id)
    if locked is None:
        return None
    [seen] = await claims_of(tx, org_id, user_id, claim_id)
    if locked["status"] != "claimed" or now > locked["expires_at"]:
        raise NotClaimed
    identity_id: UUID = seen["identity_id"]
    about = {"platform": seen["platform"], "account": seen["external_user_id"]}
    if not mine:
        await tx.execute(sql.END_CLAIM, org_id, user_id, claim_id, "void", now)
        await tx.execute(sql.UNMAP, org_id, identity_id, user_id, now)
        await _audit(
            tx, org_id, actor, "identity_claim_refused", identity_id, now, about | {"claim": "void"}, _CLAIMED
        )
        return identity_id
    account = await tx.fetchrow(sql.LOCK_IDENTITY, org_id, identity_id)
    status, owner = (account["status"], account["user_id"]) if account is not None else ("unmapped", None)
    refused = refuse_account(Account(status, owner), user_id)
    if refused is not None:
        raise NotYours(refused)
    if status != "verified":
        await tx.execute(sql.VERIFY, org_id, identity_id, user_id, now, str(user_id), "code")
    await tx.execute(sql.END_CLAIM, org_id, user_id, claim_id, "confirmed", now)
    await _audit(
        tx,
        org_id,
        actor,
        "identity_verified",
        identity_id,
        now,
        about | {"method": "code", "claim": "confirmed"},
        _CLAIMED,
    )
    return identity_id


async def _audit(
    tx: Tx,
    org_id: UUID,
    actor: Actor,
    event_type: str,
    subject: UUID,
    now: datetime,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
) -> None:
    event = by_user(
        actor,
        org_id=org_id,
        event_type=event_type,
        subject_type="identity",
        subject_id=subject,
        reason="proof by its owner",
        before=before,
        after=after,
    )
    await record(tx, event, now)

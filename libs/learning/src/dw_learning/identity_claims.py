"""Proof of an account by its owner (C103): a code that the panel shows and the person posts from the account.

The code travels as an HMAC bound to org and platform. It proves that whoever holds the account saw the code, no more:
so the mapping waits until the signed-in person has seen which account it is and says that it is theirs. A code that was
phished and posted from somebody else's account ends there.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, EventKind

PREFIX = "dw-verify-"
CODE_LIFETIME = timedelta(minutes=10)
CONFIRM_LIFETIME = timedelta(hours=1)
MAX_CODES_PER_HOUR = 5
ERASED = "erased:"
PLACEHOLDER = "[verification code]"
REDACTION_TYPE = "verification_code"
_CODE = re.compile(r"(?<![A-Za-z0-9])dw-verify-([a-z2-7]{10})(?![a-z0-9])", re.IGNORECASE)
# Lines in which somebody else speaks: the code must stand in the person's own.
_QUOTED = re.compile(r"^[ \t]*(?:>|&gt;|[＞|])|```|~~~", re.MULTILINE)

Refusal = Literal["unknown", "expired", "verified_elsewhere", "revoked"]


def code_of(random: bytes) -> str:
    """50 of at least 56 random bits in base32, as the panel shows them."""
    if len(random) < 7:
        raise ValueError("too few random bytes for a code")
    return PREFIX + base64.b32encode(random).decode()[:10]


def claim_mac(code: str, org_id: UUID, platform: str, pepper: str) -> str:
    """The code as it is kept and as it travels. Bound to org and platform; letters of either case are one code."""
    said = f"claim|{org_id}|{platform}|{code.strip().upper()}"
    return hmac.new(pepper.encode(), said.encode(), hashlib.sha256).hexdigest()


def codes_in(text: str) -> list[re.Match[str]]:
    """Where codes stand in a text."""
    return list(_CODE.finditer(text))


def claimed_code(text: str) -> str | None:
    """The code that this text claims with: exactly one, in a text without quotes or code blocks."""
    found = {match[0].upper() for match in codes_in(text)}
    return next(iter(found)) if len(found) == 1 and not _QUOTED.search(text) else None


def without_codes(text: str) -> str:
    """The text with a placeholder for each code."""
    return _CODE.sub(PLACEHOLDER, text)


def is_erased(external_user_id: str) -> bool:
    """The name that an erased account is left with (C72). It is nobody's, and nobody can be given it."""
    return external_user_id.startswith(ERASED)


def may_claim(event: ChatEvent) -> bool:
    """Only a sealed event's own first words, of a person, over a gateway that proves who sent it."""
    return (
        event.claim is not None
        and event.kind is EventKind.MESSAGE_IN
        and event.revision == 0
        and event.sender.kind == "human"
        and event.gateway_proves_sender
        and not event.imported
        and not is_erased(event.sender.external_user_id)
        and not event.flags.names()
    )


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A code that waits. `platform` is where it was made for."""

    claim_id: UUID
    org_id: UUID
    user_id: UUID
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Account:
    """The account in the org's identity map; `user_id` is whose it is said to be."""

    status: str = "unmapped"
    user_id: UUID | None = None


def refuse_claim(claim: OpenClaim | None, account: Account, received_at: datetime) -> Refusal | None:
    """Why a posted code makes no mapping that waits; None where it does."""
    if claim is None:
        return "unknown"
    if received_at > claim.expires_at:
        return "expired"
    return refuse_account(account, claim.user_id)


def refuse_account(account: Account, user_id: UUID) -> Refusal | None:
    """A verified account is given to somebody else by admins only, and so is one that was revoked."""
    if account.status == "verified" and account.user_id != user_id:
        return "verified_elsewhere"
    return "revoked" if account.status == "revoked" else None

"""Claims of accounts as admins see them (C103)."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.events.chat import Platform
from dw_contracts.model import Contract


class MemberClaim(Contract):
    """A member says that an account is theirs. The code itself is kept nowhere."""

    claim_id: UUID = Field(description="the claim")
    member: str = Field(description="code of the member who made it")
    platform: Platform = Field(description="where the code was to be posted")
    status: Literal["open", "claimed", "confirmed", "void"] = Field(
        description="open: not posted yet; claimed: seen, the member has not answered; the others have ended"
    )
    proof: Literal["none", "code_seen", "confirmed", "expired", "ended"] = Field(
        description="what is proved at this moment"
    )
    identity_id: UUID | None = Field(default=None, description="the account that posted the code")
    external_user_id: str | None = Field(default=None, description="its id on the platform")
    workspace_ref: str | None = Field(default=None, description="team or guild (C48)")
    display_name: str = Field(default="", description="as the platform showed it")
    account_status: Literal["pending", "verified", "revoked"] | None = Field(
        default=None, description="the account in the org's map"
    )
    account_member: str | None = Field(default=None, description="whose it is said to be there")
    channel: str | None = Field(default=None, description="code of the channel in which the code was posted")
    created_at: AwareDatetime = Field(description="when the code was made")
    claimed_at: AwareDatetime | None = Field(default=None, description="when it was seen")
    expires_at: AwareDatetime = Field(description="then it proves nothing any more")
    ended_at: AwareDatetime | None = Field(default=None, description="when it was answered or revoked")


class ClaimPage(Contract):
    """Claims, the newest first."""

    claims: tuple[MemberClaim, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")

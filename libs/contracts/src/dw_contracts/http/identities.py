"""Accounts and whose they are, over JSON: admins map, verify and revoke; a person proves one by a code (C103)."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.events.chat import Platform
from dw_contracts.http.org_file import CODE
from dw_contracts.model import Contract

IdentityStatus = Literal["pending", "verified", "revoked"]
ClaimPlatform = Literal["telegram", "slack", "discord", "email"]


class _Strict(Contract):
    """A misspelt field is an error, not a wish that is ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class IdentityView(Contract):
    """An account in the org's identity map."""

    id: UUID = Field(description="the identity")
    platform: Platform = Field(description="platform of the account")
    workspace_ref: str = Field(description="team or guild (C48)")
    external_user_id: str = Field(description="the account's id on the platform")
    user: str | None = Field(default=None, description="code of the member whose it is; none: unmapped")
    status: IdentityStatus = Field(description="verified counts, as long as the member is active")
    service_granted: bool = Field(description="lets a bot propose (C88)")
    verified_at: AwareDatetime | None = Field(default=None, description="since when it counts (C47)")
    verify_method: str | None = Field(default=None, description="admin or code")
    revoked_at: AwareDatetime | None = Field(default=None, description="since when it does not")
    row_version: int = Field(description="raised by every change")


class IdentityPage(Contract):
    """Accounts, the newest first."""

    identities: tuple[IdentityView, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")


class MapIdentity(_Strict):
    """Body of POST /v1/orgs/{org}/identities: an account, new or known. What is left out is left alone."""

    platform: Platform = Field(description="platform of the account")
    workspace_ref: str = Field(default="", max_length=256, description="C48")
    external_user_id: str = Field(min_length=1, max_length=256, description="the account's id")
    user: str | None = Field(default=None, max_length=63, description="code of the member; null: unmapped")
    status: IdentityStatus = Field(default="pending", description="verified needs a user")
    service_granted: bool = Field(default=False, description="lets a bot propose (C88)")


class ChangeIdentity(_Strict):
    """Body of POST /v1/orgs/{org}/identities/{id}/verify and …/revoke."""

    user: str | None = Field(default=None, pattern=CODE, description="verify: whose; none: as mapped")
    reason: str = Field(default="", max_length=500, description="for the audit log")


class ImportedIdentities(Contract):
    """POST /v1/orgs/{org}/identities/import, all rows or none."""

    dry_run: bool = Field(description="true: nothing was written")
    created: int = Field(description="accounts that were new")
    changed: int = Field(description="accounts that are other than before")
    same: int = Field(description="rows that say what is")


class StartClaim(_Strict):
    """Body of POST /v1/orgs/{org}/me/claims."""

    platform: ClaimPlatform = Field(description="where the account is; the code counts there alone")


class StartedClaim(Contract):
    """The code, shown once. Post it from the account, in a channel of the org, as a message of its own."""

    claim_id: UUID = Field(description="for the confirmation")
    code: str = Field(description="dw-verify- and 10 signs; one use")
    platform: ClaimPlatform = Field(description="where it counts")
    expires_at: AwareDatetime = Field(description="10 minutes from now")


class ClaimView(Contract):
    """A claim of one's own: what was seen, so that one can say whether it is one's account."""

    claim_id: UUID = Field(description="the claim")
    platform: ClaimPlatform = Field(description="where the code counts")
    status: Literal["open", "claimed", "confirmed", "void"] = Field(
        description="open: the code was not seen yet; claimed: say yes or no"
    )
    external_user_id: str | None = Field(default=None, description="the account that posted the code")
    workspace_ref: str | None = Field(default=None, description="its team or guild")
    display_name: str = Field(default="", description="what the platform calls it; proves nothing")
    channel: str | None = Field(default=None, description="where it was posted")
    claimed_at: AwareDatetime | None = Field(default=None, description="when")
    expires_at: AwareDatetime = Field(description="until then it can go on")


class AnswerClaim(_Strict):
    """Body of POST /v1/orgs/{org}/me/claims/{id}/answer."""

    mine: bool = Field(strict=True, description="true: this is my account; false: it is not")


class Me(Contract):
    """Who is signed in, with the accounts that speak for them."""

    user_id: UUID = Field(description="the user")
    code: str = Field(description="code in this org")
    role: Literal["owner", "admin", "member"] = Field(description="role in this org")
    identities: tuple[IdentityView, ...] = Field(description="accounts, revoked ones too")
    claims: tuple[ClaimView, ...] = Field(description="claims that wait, and the last ones that ended")

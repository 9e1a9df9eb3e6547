"""Members, keys and tokens of an org over JSON: who comes and goes (C73), what opens what (C46, C74)."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.model import Contract

Role = Literal["owner", "admin", "member"]


class _Strict(Contract):
    """A misspelt field is an error, not a wish that is ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MemberView(Contract):
    """A member, present or past."""

    user_id: UUID = Field(description="the user")
    code: str = Field(description="code in this org")
    name: str = Field(description="display name")
    role: Role = Field(description="role in this org")
    status: Literal["invited", "active", "removed"] = Field(description="removed members stay on record")
    manages: tuple[str, ...] = Field(description="codes of the role-agents they manage")


class SetMember(_Strict):
    """Body of PUT /v1/orgs/{org}/members/{code}. What is left out is left alone."""

    name: str = Field(default="", max_length=200, description="display name; else the code")
    email: str | None = Field(default=None, max_length=320, description="recognises a user across orgs")
    role: Role = Field(default="member", description="owners alone make and unmake admins and owners")
    active: bool = Field(default=True, description="true brings a removed member back")


class ChangedMember(Contract):
    """The member now. A token is shown once: to who is new here, or came back."""

    member: MemberView = Field(description="as it is now")
    token: str | None = Field(default=None, description="bound to this org and user (C74)")


class NewKeyRequest(_Strict):
    """Body of POST /v1/orgs/{org}/keys: a key for a machine."""

    name: str = Field(min_length=1, max_length=200, description="one line; one live key a name")
    kind: Literal["gateway", "runtime"] = Field(description="gateway publishes events, runtime reads context")
    channels: tuple[str, ...] = Field(default=(), max_length=1_000, description="gateway: codes of channels")
    agents: tuple[str, ...] = Field(default=(), max_length=1_000, description="runtime: codes; none is all")
    proves_sender: bool = Field(default=True, description="false: its sender ids prove nothing (C46)")
    expires_at: AwareDatetime | None = Field(default=None, description="none: until it is revoked")


class NewTokenRequest(_Strict):
    """Body of POST /v1/orgs/{org}/me/tokens: another token of one's own."""

    name: str = Field(default="token", min_length=1, max_length=200, description="where it is used")
    expires_at: AwareDatetime | None = Field(default=None, description="none: until it is revoked")


class MadeSecret(Contract):
    """A key or token, shown once."""

    id: UUID = Field(description="for its revocation")
    secret: str = Field(description="kept nowhere")


class KeyView(Contract):
    """A key, token or session, without its secret."""

    id: UUID = Field(description="for its revocation")
    kind: Literal["gateway", "runtime", "user", "session"] = Field(description="what it opens")
    name: str = Field(description="of a key; of a token where it is used")
    user: str | None = Field(default=None, description="code of its person, of tokens and sessions")
    channels: tuple[str, ...] = Field(description="codes of the channels it speaks for")
    agents: tuple[str, ...] = Field(description="codes of the role-agents it serves; none is all")
    proves_sender: bool = Field(description="C46")
    created_by: str = Field(description="who made it")
    created_at: AwareDatetime = Field(description="when")
    expires_at: AwareDatetime | None = Field(default=None, description="until when it opens anything")
    revoked_at: AwareDatetime | None = Field(default=None, description="since when it opens nothing")


class KeyPage(Contract):
    """Keys, tokens and sessions, the newest first."""

    keys: tuple[KeyView, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")


class RevokedKey(Contract):
    """What opens nothing any more."""

    id: UUID = Field(description="the key, token or session")
    revoked_at: AwareDatetime = Field(description="caches of ingest and context follow within seconds")

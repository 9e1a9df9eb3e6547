"""An org is one file: what `dw apply org.yaml` sends, and what panel-api takes as JSON (C74)."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from dw_contracts.events.chat import Learning, Platform
from dw_contracts.model import Contract

CODE = r"^[a-z][a-z0-9_-]{0,62}$"
SameWords = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^,|]+$")], ...],
    Field(min_length=2, max_length=30),
]


class _Strict(Contract):
    """A file that people write: a misspelt field is an error, not a wish that is ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RoleAgentFile(_Strict):
    """A role-agent."""

    name: str = Field(default="", max_length=200, description="display name; else the code")
    persona: str = Field(default="", max_length=4_000, description="summary of the role")
    status: Literal["active", "disabled"] = Field(default="active", description="R11")
    auto_memory_enabled: bool = Field(default=True, description="R82")
    auto_memory_require_verified: bool = Field(default=True, description="R83")
    learning_enabled: bool = Field(default=True, description="false: paused")
    managers: tuple[str, ...] = Field(default=(), description="users who are its Agent Managers")
    auto_saves_per_day: int | None = Field(default=None, ge=0, description="C97; else the setting")
    open_items: int | None = Field(default=None, ge=0, description="C97; else the setting")


class UserFile(_Strict):
    """A user of this org."""

    name: str = Field(default="", max_length=200, description="display name; else the code")
    email: str | None = Field(default=None, max_length=320, description="recognises a user across orgs")
    role: Literal["owner", "admin", "member"] = Field(default="member", description="role in this org")
    active: bool = Field(default=True, description="false: membership removed (C73)")


class IdentityFile(_Strict):
    """A chat account and whose it is."""

    platform: Platform = Field(description="platform of the account")
    workspace_ref: str = Field(default="", max_length=256, description="C48")
    external_user_id: str = Field(min_length=1, max_length=256, description="the account's id")
    user: str | None = Field(default=None, description="code of the user; none: unmapped")
    status: Literal["pending", "verified", "revoked"] = Field(
        default="pending", description="verified counts"
    )
    service_granted: bool = Field(default=False, description="lets a bot propose (C88)")


class ChannelFile(_Strict):
    """A channel binding."""

    platform: Platform = Field(description="platform of the channel")
    workspace_ref: str = Field(default="", max_length=256, description="team or guild of the channel")
    external_channel_ref: str = Field(
        default="", max_length=256, description="the platform's own id; else the code"
    )
    display_name: str = Field(default="", max_length=200, description="shown to people; else the code")
    agents: tuple[str, ...] = Field(
        default=(), description="role-agents that listen; the first one answers (C90)"
    )
    learning: Learning = Field(default=Learning.AUTO, description="C67")
    audience: Literal["shared", "single"] = Field(default="shared", description="C65")
    visibility: Literal["shared", "private"] = Field(default="shared", description="C81")
    managers: tuple[str, ...] = Field(default=(), description="users who may suggest (R137)")


class KeyFile(_Strict):
    """A key for a machine. The secret is printed once, when the key is made."""

    kind: Literal["gateway", "runtime"] = Field(description="gateway publishes events, runtime reads context")
    channels: tuple[str, ...] = Field(default=(), description="gateway: the channels it speaks for")
    agents: tuple[str, ...] = Field(default=(), description="runtime: the role-agents it serves; none is all")
    proves_sender: bool = Field(default=True, description="false: its sender ids prove nothing (C46)")
    active: bool = Field(
        default=True,
        description="false: revoked; true, said, makes a new one where it was revoked, which else stays so",
    )


class OrgFile(_Strict):
    """The whole of an org. Applying it twice changes nothing; what is left out of the file is left alone."""

    org: str = Field(pattern=CODE, description="code of the org")
    name: str = Field(default="", max_length=200, description="display name; else the code")
    users: dict[str, UserFile] = Field(default_factory=dict, description="by code")
    agents: dict[str, RoleAgentFile] = Field(default_factory=dict, description="by code")
    identities: dict[str, IdentityFile] = Field(default_factory=dict, description="by any name")
    channels: dict[str, ChannelFile] = Field(default_factory=dict, description="by code")
    keys: dict[str, KeyFile] = Field(default_factory=dict, description="by name")
    words: tuple[SameWords, ...] = Field(
        default=(),
        max_length=500,
        description="lists of words that mean the same to this org: history search",
    )

    @model_validator(mode="after")
    def _names_resolve(self) -> Self:
        """References to users, agents and channels that stand nowhere in the file are typos."""
        missing: list[str] = []
        for code, agent in self.agents.items():
            missing += [
                f"agents.{code}.managers: no user {u!r}" for u in agent.managers if u not in self.users
            ]
        for code, channel in self.channels.items():
            missing += [
                f"channels.{code}.agents: no agent {a!r}" for a in channel.agents if a not in self.agents
            ]
            missing += [
                f"channels.{code}.managers: no user {u!r}" for u in channel.managers if u not in self.users
            ]
        for name, identity in self.identities.items():
            if identity.user is not None and identity.user not in self.users:
                missing.append(f"identities.{name}.user: no user {identity.user!r}")
            if identity.status == "verified" and identity.user is None:
                missing.append(f"identities.{name}: verified, but whose is it? user is missing")
        for name, key in self.keys.items():
            missing += [
                f"keys.{name}.channels: no channel {c!r}" for c in key.channels if c not in self.channels
            ]
            missing += [f"keys.{name}.agents: no agent {a!r}" for a in key.agents if a not in self.agents]
        if missing:
            raise ValueError("; ".join(missing))
        return self


class CreateOrg(_Strict):
    """POST /v1/orgs with the installation token: the org and its first owner."""

    org: str = Field(pattern=CODE, description="code of the org")
    name: str = Field(default="", max_length=200, description="display name")
    owner: str = Field(pattern=CODE, description="code of the first owner")
    owner_email: str | None = Field(
        default=None, max_length=320, description="recognises the user across orgs"
    )
    owner_name: str = Field(
        default="", max_length=200, description="display name of a new user; else the code"
    )


class CreatedOrg(Contract):
    """The org with its owner's token, which is shown here and in no list."""

    org_id: UUID = Field(description="the org")
    owner_id: UUID = Field(description="its owner")
    owner_token: str = Field(description="bound to this org and user (C74)")
    created: bool = Field(description="false: the org was there, and the token is a new one for its owner")


class PlanStep(Contract):
    """One line of the plan."""

    action: Literal["create", "update", "same", "remove"] = Field(description="what is done")
    kind: str = Field(description="agent, user, member, identity, channel, key, manager, ...")
    name: str = Field(description="code or name in the file")
    changes: dict[str, tuple[str, str]] = Field(default_factory=dict, description="field: before, after")
    note: str = Field(default="", description="what the file asks for and does not get, and how it would")


class AppliedOrg(Contract):
    """PUT /v1/orgs/{org}/file: what was done, ids for use, and secrets that are shown this once."""

    org_id: UUID = Field(description="the org")
    dry_run: bool = Field(description="true: nothing was written")
    plan: tuple[PlanStep, ...] = Field(description="in order")
    agents: dict[str, UUID] = Field(description="ids by code")
    channels: dict[str, UUID] = Field(description="ids by code")
    users: dict[str, UUID] = Field(description="ids by code")
    new_keys: dict[str, str] = Field(default_factory=dict, description="secrets of keys made just now")
    new_tokens: dict[str, str] = Field(default_factory=dict, description="tokens of users created just now")
    version: int = Field(description="the org's version after the change (C71)")

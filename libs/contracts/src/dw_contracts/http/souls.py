"""Souls in the panel: postures with versions, assigned to role-agents. They grant nothing."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.http.org_file import CODE
from dw_contracts.model import Contract


class ProposeSoul(Contract):
    """A new soul, or a new version of the one that has its code."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(pattern=CODE, description="such as balanced_helper")
    name: str = Field(default="", max_length=120, description="display name of a new soul; else its code")
    tone_rules: str = Field(default="", max_length=4_000, description="markdown")
    do_not_do: str = Field(default="", max_length=4_000, description="markdown")
    critique_rules: str = Field(default="", max_length=4_000, description="stored, not rendered (R222)")
    change_summary: str = Field(default="", max_length=500, description="what this version changes")
    base_version: int | None = Field(
        default=None, ge=1, description="the active version that was seen; 409 if another is active"
    )


class ApproveSoul(Contract):
    """The version that was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int | None = Field(default=None, ge=1, description="else the newest draft")


class AssignSoul(Contract):
    """Which soul an agent has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    soul: str = Field(min_length=1, max_length=64, description="code of an approved soul")


class SoulVersionView(Contract):
    """One version; versions are never changed."""

    version: int = Field(description="from 1")
    tone_rules: str = Field(description="harmless")
    do_not_do: str = Field(description="harmless")
    critique_rules: str = Field(description="harmless")
    change_summary: str = Field(description="what it changed")
    status: Literal["draft", "approved", "rejected", "retired"] = Field(description="one is approved")
    proposed_by: str | None = Field(default=None, description="member's code")
    approver: str | None = Field(default=None, description="member's code; none for the default soul")
    approved_at: AwareDatetime | None = Field(default=None, description="when")


class SoulView(Contract):
    """A soul as it stands."""

    code: str = Field(description="unique in the org")
    name: str = Field(description="display name")
    status: Literal["draft", "approved", "paused", "archived"] = Field(
        description="approved ones are injected"
    )
    active_version: int | None = Field(default=None, description="the approved version")
    is_default: bool = Field(description="of agents that have none of their own (R224)")
    agents: tuple[str, ...] = Field(description="codes of role-agents that have it")
    paused_for: tuple[str, ...] = Field(description="codes of those for which it is paused (C39)")


class SoulDetail(Contract):
    """A soul with its history, newest first."""

    soul: SoulView = Field(description="as it stands")
    versions: tuple[SoulVersionView, ...] = Field(description="newest first, at most 200")


class ChangedSoul(Contract):
    """What became of it."""

    soul: SoulView = Field(description="as it stands now")
    soul_version: int | None = Field(default=None, description="the version that was proposed or approved")
    version: int = Field(description="of the org; of the agent's packs where one agent was named (C71)")

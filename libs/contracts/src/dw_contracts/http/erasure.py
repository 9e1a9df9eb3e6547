"""Erasing a person, and purging a memory (C8, C72). No free text: it would outlive what it speaks of."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from dw_contracts.events.chat import Platform
from dw_contracts.model import Contract

Name = Annotated[str, StringConstraints(min_length=2, max_length=200, strip_whitespace=True)]


class Account(Contract):
    """An account on a chat platform."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    platform: Platform = Field(description="where")
    workspace_ref: str = Field(default="", max_length=256, description="team, guild or empty (C48)")
    external_user_id: str = Field(min_length=1, max_length=256, description="the account's id there")


class ErasePerson(Contract):
    """Body of POST /v1/orgs/{org}/erasures. A member, accounts of somebody who is none, or both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: UUID | None = Field(default=None, description="a member of the org, also one who was removed")
    accounts: tuple[Account, ...] = Field(
        default=(), max_length=50, description="further accounts; those mapped to the member are known"
    )
    also_known_as: tuple[Name, ...] = Field(
        default=(),
        max_length=20,
        description="further names to be taken out of other people's texts, such as a first name",
    )
    dry_run: bool = Field(default=False, description="count what would change, and change nothing")


class ErasedPerson(Contract):
    """What was changed, or would be. A second time there is nothing left, and nothing is written."""

    dry_run: bool = Field(description="nothing was changed")
    changed: bool = Field(description="false: there was nothing left to erase")
    counts: dict[str, int] = Field(
        description="messages, memories, items, decisions, accounts, texts of the audit log, mentions by others"
    )
    version: int = Field(description="version of the org afterwards")


class PurgeMemory(Contract):
    """Body of POST /v1/orgs/{org}/memories/{id}/purge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: Literal["legal", "privacy", "secret", "other"] = Field(description="stands in the audit log")
    row_version: int = Field(ge=1, strict=True, description="the version that was seen; another one is 409")


class PurgedMemory(Contract):
    """The memory's row is left as a stub without any text; nothing restores it."""

    memory_id: UUID = Field(description="the memory")
    changed: bool = Field(description="false: it had been purged before")
    version: int = Field(description="version of the agent's packs afterwards")

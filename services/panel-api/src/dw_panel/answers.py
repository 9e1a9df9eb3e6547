"""Answers that only panel-api gives; what other programs of ours read stands in dw_contracts."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.http.org_file import CODE
from dw_contracts.model import Contract


class AgentView(Contract):
    """A role-agent whose inbox the reader may see."""

    id: UUID = Field(description="the role-agent")
    code: str = Field(description="its code in the org")
    name: str = Field(description="display name")
    status: Literal["active", "disabled"] = Field(description="R11")
    auto_memory_enabled: bool = Field(description="R82")
    auto_memory_require_verified: bool = Field(description="R83")
    learning_enabled: bool = Field(description="false: paused")


class MemoryView(Contract):
    """An active memory of a role-agent."""

    id: UUID = Field(description="the memory")
    role_agent_id: UUID | None = Field(description="whose; null is the whole org's")
    scope: Literal["org", "role_agent"] = Field(description="who is told")
    status: Literal["active", "superseded", "archived", "deleted"] = Field(
        description="only active is in packs"
    )
    layer: str = Field(description="operating, knowledge or session")
    memory_type: str = Field(description="fact, preference, ...")
    category: str = Field(description="the org's own word")
    key: str = Field(description="what it is about; empty where masked")
    content: str = Field(description="masked for managers when sensitive (C95)")
    risk: Literal["low", "high", "sensitive"] = Field(description="class of DATA_MODEL 2.4")
    is_sensitive: bool = Field(description="read by admins and owners alone")
    origin: str = Field(description="auto_saved, approved, manual, promoted or imported")
    confidence: float = Field(description="0 to 1")
    sender_verified: bool = Field(description="of its first source")
    marks: tuple[str, ...] = Field(description="source_deleted, source_edited, ... (C102)")
    learning_item_id: UUID | None = Field(default=None, description="the item that was approved")
    row_version: int = Field(description="for later changes (D31)")
    created_at: AwareDatetime = Field(description="when it was learned")
    last_confirmed_at: AwareDatetime | None = Field(default=None, description="when somebody last said so")
    expires_at: AwareDatetime | None = Field(default=None, description="then it goes, by its retention")
    retention_policy: str = Field(default="permanent_until_revoked", description="R123 to R126")
    source_kind: str = Field(
        default="", description="user_confirmed, agent_extracted, system_rule, admin_manual"
    )
    use_count: int = Field(default=0, description="how often a runtime said that it was used")
    superseded_by: UUID | None = Field(default=None, description="what holds in its place")
    delete_reason: str | None = Field(default=None, description="why it went")
    metadata: dict[str, Any] = Field(
        default_factory=dict, description="free JSON beside the marks; empty where masked"
    )
    may_change: bool = Field(default=False, description="this reader may edit, delete and supersede it")


class MemoryPage(Contract):
    """Memories, newest first."""

    memories: tuple[MemoryView, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")


class InvitationView(Contract):
    """An invitation that waits. Hand it to the person by a way of your own."""

    user: str = Field(description="code in this org")
    role: Literal["owner", "admin", "member"] = Field(description="what they are invited as")
    invitation: str = Field(description="void as soon as it is accepted, or the membership changes")


class AcceptInvitation(Contract):
    """Body of POST /v1/invitations, sent with the invited person's own token of another org."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    org: str = Field(pattern=CODE, description="code of the org that invites")
    invitation: str = Field(min_length=1, max_length=128, description="what its admin handed over")


class AcceptedInvitation(Contract):
    """A token for the org that invited, shown this once."""

    org_id: UUID = Field(description="the org")
    token: str = Field(description="bound to this org and user (C74)")


def marks_of(metadata: dict[str, Any]) -> tuple[str, ...]:
    """Marks that are set on a memory."""
    return tuple(sorted(name for name, value in metadata.items() if value is True))

"""The Learning Inbox over JSON (R128 to R149, D31)."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Contract


class Evidence(Contract):
    """One source of an item, as far as the reader may see it."""

    event_id: UUID | None = Field(default=None, description="the event")
    channel_id: UUID | None = Field(default=None, description="where it was said")
    excerpt: str = Field(default="", description="redacted, harmless; empty where masked")
    verified: bool = Field(description="the sender was verified at the decision")
    at: AwareDatetime = Field(description="when it was said")


class LearningItemView(Contract):
    """A learning item as the inbox shows it."""

    id: UUID = Field(description="the item")
    role_agent_id: UUID = Field(description="whose inbox")
    kind: Literal["memory_proposal", "skill_proposal", "skill_update", "review", "soul_update"] = Field(
        description="R19, C64"
    )
    action: Literal["create", "update", "archive", "promote", "review"] = Field(description="C64")
    status: Literal["pending", "approved", "rejected", "superseded"] = Field(description="R146")
    risk: Literal["low", "medium", "high", "sensitive"] = Field(description="class of DATA_MODEL 2.4")
    is_sensitive: bool = Field(description="admin or owner only")
    reason_code: str = Field(description="why it was proposed")
    explanation: str = Field(description="the same in words")
    payload: dict[str, Any] = Field(
        description="what would be stored; masked for managers when sensitive (C95)"
    )
    current_text: str | None = Field(default=None, description="the memory that it would change")
    evidence: tuple[Evidence, ...] = Field(
        description="its sources that the reader may read, newest first, of the last 50"
    )
    hidden_evidence: int = Field(
        default=0, description="of these, sources in private channels that the reader may not read (D27)"
    )
    evidence_count: int = Field(description="equal signals")
    sender_verified: bool = Field(description="of the first source")
    confidence: float = Field(description="0 to 1")
    source_marks: tuple[str, ...] = Field(
        default=(),
        description="source_deleted, source_edited, source_identity_revoked: since it was proposed",
    )
    allowed_actions: tuple[str, ...] = Field(description="what this reader may do")
    row_version: int = Field(description="send it with a decision (D31)")
    created_at: AwareDatetime = Field(description="when it was proposed")
    due_at: AwareDatetime | None = Field(default=None, description="by risk")
    decided_by: UUID | None = Field(default=None, description="who decided")
    decided_at: AwareDatetime | None = Field(default=None, description="when")
    decision_kind: str | None = Field(default=None, description="manual, override, expired, auto_rejected")
    acts: tuple[str, ...] = Field(default=(), description="what this reader may do beside deciding")
    out_of_date: bool = Field(
        default=False, description="what it would change has changed since: edit it first (C93)"
    )
    assigned_to: UUID | None = Field(default=None, description="the reviewer")
    claimed_by: UUID | None = Field(default=None, description="who has it in work, while the claim holds")
    claimed_until: AwareDatetime | None = Field(default=None, description="the end of the claim")
    escalated_at: AwareDatetime | None = Field(default=None, description="since when admins are asked")
    expires_at: AwareDatetime | None = Field(default=None, description="then it is rejected")
    was_edited: bool = Field(default=False, description="the text is not the one that was proposed")
    copy_of: UUID | None = Field(default=None, description="the decided item that this one opens anew")
    converted_from: UUID | None = Field(
        default=None, description="the item that this one was made from (R144)"
    )
    superseded_by: UUID | None = Field(default=None, description="the item that was made from this one")
    undone_at: AwareDatetime | None = Field(default=None, description="when the decision was taken back")


class ItemPage(Contract):
    """One page of items, oldest due first."""

    items: tuple[LearningItemView, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")
    total: int = Field(description="how many match, counted up to 1,000")


class DecideItem(Contract):
    """Body of POST /v1/orgs/{org}/items/{id}/decision."""

    action: Literal["approve", "reject"] = Field(description="R139, R140")
    row_version: int = Field(
        ge=1, strict=True, description="the version that the person saw; another one is 409"
    )
    note: str = Field(default="", max_length=2_000, description="for the audit log")
    text: str = Field(
        default="", max_length=20_000, description="with approve: an edit in the same breath (R141, C61)"
    )
    never_again: bool = Field(default=False, description="with reject: it is not proposed anew, ever (C62)")
    reason: Literal["wrong", "not_lasting", "duplicate", "not_ours", "private", "other"] | None = Field(
        default=None, description="with reject: why (D33)"
    )


class Decided(Contract):
    """The item after the decision, and the version from which packs show it (C71)."""

    item: LearningItemView = Field(description="the item now")
    memory_id: UUID | None = Field(default=None, description="the memory that was written")
    version: int = Field(description="at_least_version for the next pack")
    act_id: UUID | None = Field(default=None, description="to take the decision back (C63)")
    undo_until: AwareDatetime | None = Field(default=None, description="as long as that can be done")


class AuditEvent(Contract):
    """One learning event (R299, R300)."""

    id: UUID = Field(description="the event")
    type: str = Field(description="memory_auto_saved, learning_proposed, approved, ...")
    actor_type: Literal["user", "worker", "system"] = Field(description="who acted")
    actor: str = Field(description="user id or dw_worker:<role_agent_id>")
    on_behalf_of: UUID | None = Field(default=None, description="mapped human (R302)")
    role_agent_id: UUID | None = Field(default=None, description="the role-agent")
    subject_type: str = Field(description="memory, item, ...")
    subject_id: UUID | None = Field(default=None, description="what it is about")
    reason: str = Field(default="", description="why")
    before: dict[str, Any] | None = Field(default=None, description="redacted")
    after: dict[str, Any] | None = Field(default=None, description="redacted")
    source_event_id: UUID | None = Field(default=None, description="the chat event")
    trace_id: str = Field(default="", description="its trace")
    at: AwareDatetime = Field(description="when")


class AuditPage(Contract):
    """Learning events, newest first."""

    events: tuple[AuditEvent, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")

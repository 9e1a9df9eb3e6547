"""What people do with items and memories, over JSON (R119 to R153, C59 to C67, C95). Paths begin with /v1/orgs/{org}."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.http.panel import LearningItemView
from dw_contracts.model import Contract

MAX_TEXT = 20_000
MAX_MEMORY = 600
MAX_BULK = 100
RejectReason = Literal["wrong", "not_lasting", "duplicate", "not_ours", "private", "other"]
RuleAction = Literal["auto_confirm", "require_user_approval", "auto_delete", "reject"]


class _Body(Contract):
    """A request: a field that we do not know is refused, so that nothing is silently ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EditItem(_Body):
    """PUT .../items/{id}/text. The item waits on, on what the agent knows now (C93)."""

    row_version: int = Field(
        ge=1, strict=True, description="the version that the person saw; another one is 409"
    )
    text: str = Field(min_length=1, max_length=MAX_TEXT, description="what would be stored instead")


class AssignItem(_Body):
    """PUT .../items/{id}/reviewer."""

    to: UUID | None = Field(default=None, description="a member who may decide it; null is nobody")


class MarkItem(_Body):
    """PUT .../items/{id}/sensitivity."""

    row_version: int = Field(ge=1, strict=True, description="the version that the person saw")
    is_sensitive: bool = Field(
        description="true: from now on admins alone decide it; false: admins take the mark off"
    )


class ConvertItem(_Body):
    """POST .../items/{id}/conversion: a memory proposal becomes a skill proposal, or the other way round."""

    row_version: int = Field(ge=1, strict=True, description="the version that the person saw")
    text: str = Field(default="", max_length=MAX_TEXT, description="for the new item; empty keeps the text")


class OverrideItem(_Body):
    """POST .../items/{id}/override: admins alone; a new decision, the old one stays on record."""

    to: Literal["approved", "rejected"] = Field(description="what the item should have come to")
    note: str = Field(default="", max_length=2_000, description="for the audit log")


class BulkRow(_Body):
    """One item of a bulk act."""

    id: UUID = Field(description="the item")
    row_version: int = Field(ge=1, strict=True, description="the version that the person saw")


class BulkAct(_Body):
    """POST .../items/bulk. Each row is decided by itself; sensitive ones are refused."""

    action: Literal["approve", "reject", "reassign"] = Field(description="what to do with all of them")
    items: tuple[BulkRow, ...] = Field(min_length=1, max_length=MAX_BULK, description="at most 100")
    note: str = Field(default="", max_length=2_000, description="for the audit log")
    to: UUID | None = Field(default=None, description="for reassign; null is nobody")


class BulkResult(Contract):
    """What became of one row."""

    id: UUID = Field(description="the item")
    status: int = Field(description="200, or the status that this row alone would have got")
    detail: str = Field(default="", description="why not")
    act_id: UUID | None = Field(default=None, description="to take it back")


class BulkDone(Contract):
    """In the order of the request."""

    results: tuple[BulkResult, ...] = Field(description="one a row")
    version: int = Field(
        default=0, description="at_least_version for the next pack, of the last row that changed one"
    )


class Acted(Contract):
    """What an act changed, and how long it can be taken back (C63)."""

    act_id: UUID | None = Field(
        default=None, description="POST .../acts/{act_id}/undo; null where there is no such way"
    )
    undo_until: AwareDatetime | None = Field(default=None, description="the end of the window")
    outcome: Literal["done", "proposed", "known"] = Field(
        default="done", description="proposed: it waits in the inbox; known: nothing was to be done"
    )
    memory_id: UUID | None = Field(default=None, description="the memory concerned, or written")
    memory_ids: tuple[UUID, ...] = Field(default=(), description="all of them, where there are several")
    item: LearningItemView | None = Field(
        default=None, description="the item concerned, as the reader may see it"
    )
    item_id: UUID | None = Field(default=None, description="the item that waits for this")
    version: int = Field(description="at_least_version for the next pack")


class ItemFeedback(_Body):
    """POST .../items/{id}/feedback: evidence, never approval (C59)."""

    action: Literal["confirm"] = Field(description="somebody else says so too")


class MemoryFeedback(_Body):
    """POST .../memories/{id}/feedback, by any member (C59)."""

    action: Literal["confirm", "reject", "edit", "delete"] = Field(description="R119")
    text: str = Field(default="", max_length=MAX_MEMORY, description="for edit")
    row_version: int | None = Field(
        default=None, ge=1, description="the version that was seen; another one is 409"
    )


class SupersedeMemory(_Body):
    """POST .../memories/{id}/supersede."""

    text: str = Field(min_length=1, max_length=MAX_MEMORY, description="what holds from now on")
    row_version: int | None = Field(
        default=None, ge=1, description="the version that was seen; another one is 409"
    )


class ChangeMemory(_Body):
    """POST .../memories/{id}/delete, /restore, /promote, /promotion-proposal."""

    row_version: int | None = Field(
        default=None, ge=1, description="the version that was seen; another one is 409"
    )
    reason: str = Field(default="", max_length=500, description="for the audit log")
    never_again: bool = Field(
        default=True, description="for delete: a tombstone keeps it from being learned anew"
    )


class AddMemories(_Body):
    """POST .../memories, admins alone."""

    agent: UUID | None = Field(default=None, description="the role-agent; null is the whole org")
    texts: tuple[str, ...] = Field(
        min_length=1, max_length=MAX_BULK, description="one memory each, 1 to 600 characters"
    )
    layer: Literal["operating", "knowledge"] = Field(
        default="knowledge", description="where it stands in the pack"
    )
    memory_type: Literal["fact", "preference", "rule", "decision", "correction", "contact", "glossary"] = (
        Field(default="fact", description="what it is")
    )


class Suggest(_Body):
    """POST .../agents/{agent}/suggestions, by managers of a channel of the agent (R137)."""

    channel: UUID = Field(description="a channel in which the agent listens")
    text: str = Field(min_length=1, max_length=MAX_MEMORY, description="a correction, or what holds there")


class ChangeMode(_Body):
    """PUT .../agents/{agent}/mode, admins alone (R82, R83, R97)."""

    auto_memory_enabled: bool = Field(description="false: everything is proposed")
    auto_memory_require_verified: bool = Field(description="true: only verified senders teach without asking")


class ChannelLearning(_Body):
    """PUT .../channels/{channel}/learning, admins alone (C67)."""

    learning: Literal["off", "propose", "auto"] = Field(description="auto: as the agent's mode says")


class NewRule(_Body):
    """POST .../rules, and /rules/preview; admins alone. A rule adds a wall or none; it opens nothing (C40)."""

    category: str = Field(min_length=1, max_length=100, description="the org's own word; * is every category")
    condition: dict[str, Any] = Field(
        default_factory=dict, description='such as {"confidence": {"gte": 0.8}}'
    )
    action: RuleAction = Field(description="R112")
    priority: int = Field(default=0, ge=-1_000_000, le=1_000_000, description="higher is asked first")
    note: str = Field(default="", max_length=500, description="why")


class RulePreview(Contract):
    """What a rule would mean."""

    words: str = Field(description="the rule in plain words")
    matches: int = Field(description="active memories of the org that it fits now, counted up to 1,000")
    examples: tuple[UUID, ...] = Field(default=(), description="at most five of them")


class RuleView(Contract):
    """A rule of the org, in the order in which rules are asked."""

    rule_id: UUID = Field(description="the rule")
    category: str = Field(description="* is every category")
    condition: dict[str, Any] = Field(description="all of it must hold")
    action: RuleAction = Field(description="what follows")
    priority: int = Field(description="higher is asked first")
    note: str = Field(description="why")
    words: str = Field(description="in plain words")


class RuleList(Contract):
    """The rules of an org."""

    rules: tuple[RuleView, ...] = Field(description="at most 1,000")


class TombstoneView(Contract):
    """What does not come back (D18)."""

    id: UUID = Field(description="the tombstone")
    role_agent_id: UUID = Field(description="for which role-agent")
    topic_key: str = Field(description="what it is about; empty where masked")
    content: str = Field(description="the text, where a memory still holds it")
    reason: Literal["rejected", "deleted", "do_not_save"] = Field(description="why")
    created_by: str = Field(description="who")
    created_at: AwareDatetime = Field(description="since when")


class TombstonePage(Contract):
    """Tombstones that hold, newest first."""

    tombstones: tuple[TombstoneView, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")


class RevisionView(Contract):
    """One step in the life of a memory (R301, R304)."""

    revision: int = Field(description="from 1")
    change: str = Field(description="create, edit, confirm, reject, supersede, delete, ...")
    content: str = Field(description="the text from then on; masked for managers when sensitive")
    confidence: float = Field(description="0 to 1")
    changed_by: str = Field(description="user id or dw_worker:<role_agent_id>")
    at: AwareDatetime = Field(description="when")


class RevisionList(Contract):
    """The life of a memory, newest first."""

    revisions: tuple[RevisionView, ...] = Field(description="at most 200")
    versions: dict[str, str] = Field(
        default={},
        description="of what made it: model, prompt, policy, triage (D22); empty where a person wrote it",
    )

"""What a decision rests on, loaded in its own transaction. Values only: nothing here reads or guesses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, Learning

Risk = Literal["low", "medium", "high", "sensitive"]
RISK_ORDER: dict[str, int] = {"low": 0, "medium": 1, "high": 2, "sensitive": 3}
Mode = Literal["review", "verified", "open"]
AUTOMATIC_ORIGIN = "auto_saved"


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """The role-agent's row, locked."""

    role_agent_id: UUID
    active: bool
    learning_enabled: bool
    skill_learning_enabled: bool
    auto_memory_enabled: bool
    auto_memory_require_verified: bool

    @property
    def mode(self) -> Mode:
        """R87: three modes from two booleans; the second one means nothing while the first is false (R84)."""
        if not self.auto_memory_enabled:
            return "review"
        return "verified" if self.auto_memory_require_verified else "open"


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """The channel's row, and whether the agent listens there."""

    channel_id: UUID
    listens: bool
    learning: Learning


@dataclass(frozen=True, slots=True)
class SenderFacts:
    """The account in this org's identity map at the decision (C47). An account that stands nowhere is unverified."""

    identity_id: UUID | None = None
    user_id: UUID | None = None
    status: Literal["unmapped", "pending", "verified", "revoked"] = "unmapped"
    verified_at: datetime | None = None
    active_member: bool = False
    service_granted: bool = False

    def is_verified(self, event: ChatEvent) -> bool:
        """A mapped human of this org, verified before the message came and verified still (R81, C38, C46, C47)."""
        return (
            self.status == "verified"
            and self.user_id is not None
            and self.active_member
            and self.verified_at is not None
            and self.verified_at <= event.received_at
            and event.sender.kind == "human"
            and event.gateway_proves_sender
        )


UNKNOWN_SENDER = SenderFacts()


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What became of the message since (C52)."""

    newest_revision: int
    deleted: bool


@dataclass(frozen=True, slots=True)
class MemoryFacts:
    """An active memory of this agent."""

    memory_id: UUID
    key: str
    content: str
    content_hash: bytes
    subject_identity: UUID | None
    risk: Risk
    origin: str
    layer: str
    row_version: int
    source_refs: tuple[str, ...] = ()
    sender_identity: UUID | None = None
    own_put: bool = False
    """Written by the agent's own PUT (C60)."""


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """A pending item of this agent."""

    item_id: UUID
    dedupe_key: str
    sender_verified: bool


@dataclass(frozen=True, slots=True)
class PendingFacts:
    """A pending item that rests on one message, for taking it back (C62)."""

    item_id: UUID
    content: str
    key: str
    sender_identity: UUID | None


@dataclass(frozen=True, slots=True)
class Caps:
    """C97. None is no cap."""

    auto_saves_per_day: int | None = 200
    unverified_saves_per_day: int | None = 50
    open_items: int | None = 100
    open_items_per_unverified: int | None = 5


MAX_UNPUBLISHED_PER_SENDER = 50
MAX_UNPUBLISHED_PER_AGENT = 1_000

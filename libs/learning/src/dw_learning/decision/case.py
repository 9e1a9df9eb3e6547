"""One event at its decision, with the facts about who said it and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import DetectionItem
from dw_learning.decision.facts import ChannelFacts, SenderFacts
from dw_learning.decision.findings import Findings, own_text_of


@dataclass(frozen=True, slots=True)
class Case:
    """One event at its decision."""

    event: ChatEvent
    sealed: bool
    sender: SenderFacts
    channel: ChannelFacts
    items: tuple[DetectionItem, ...]
    put_by: UUID | None = None
    """The run whose agent asks to keep this itself (C60); absent for what the detector found."""
    metadata: Mapping[str, Any] | None = None
    degraded: bool = False
    findings: Findings = field(default_factory=Findings, repr=False, compare=False)
    """What is known of its texts already."""

    sender_verified: bool = field(init=False)
    """An event without a valid seal is never shown as verified (C45)."""
    sender_ref: str = field(init=False)
    """The account, for caps of unverified senders."""

    def __post_init__(self) -> None:
        sender = self.event.sender
        ref = f"{sender.platform.value}:{sender.workspace_ref}:{sender.external_user_id}"
        object.__setattr__(self, "sender_verified", self.sealed and self.sender.is_verified(self.event))
        object.__setattr__(self, "sender_ref", ref)

    @property
    def own_text(self) -> str:
        """Where own words may stand: the right half of a correction, else the text."""
        return own_text_of(self.event)

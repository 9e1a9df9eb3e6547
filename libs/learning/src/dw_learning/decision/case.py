"""One event at its decision, with the facts about who said it and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import DetectionItem
from dw_learning.decision.facts import ChannelFacts, SenderFacts


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

    @property
    def sender_verified(self) -> bool:
        """An event without a valid seal is never shown as verified (C45)."""
        return self.sealed and self.sender.is_verified(self.event)

    @property
    def own_text(self) -> str:
        """Where own words may stand: the right half of a correction, else the text."""
        return self.event.correction.right if self.event.correction else self.event.text

    @property
    def sender_ref(self) -> str:
        """The account, for caps of unverified senders."""
        sender = self.event.sender
        return f"{sender.platform}:{sender.workspace_ref}:{sender.external_user_id}"

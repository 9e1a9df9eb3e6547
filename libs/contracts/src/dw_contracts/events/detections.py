"""learning.detections.v1: what the detector makes of a candidate (C54)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from dw_contracts.model import Contract, Message

MAX_ITEMS = 8
MAX_MEMORY_CHARS = 600


class ItemKind(StrEnum):
    """What an item is (C54). No item at all means skip."""

    MEMORY_FACT = "memory_fact"
    MEMORY_PREFERENCE = "memory_preference"
    CORRECTION = "correction"
    SKILL_PROCEDURE = "skill_procedure"
    SENSITIVE = "sensitive"
    RETRACT = "retract"


class DetectionItem(Contract):
    """One thing worth learning, as a model sees it. Policy believes none of it (SECURITY.md F 60)."""

    kind: ItemKind = Field(description="what it is")
    text: str = Field(
        min_length=1, max_length=16_384, description="memory text that stands alone, or a skill body"
    )
    span: tuple[int, int] = Field(description="where in the event's text it was said")
    key: str = Field(min_length=1, max_length=128, description="topic key")
    subject: str | None = Field(default=None, max_length=256, description="whom or what it is about")
    risk_hint: Literal["low", "high", "sensitive"] = Field(description="a hint; policy computes its own")
    confidence: float = Field(ge=0.0, le=1.0, description="clamped to 0.9 by policy (C54, C57)")
    memory_type: Literal["fact", "preference", "rule", "decision", "correction", "contact", "glossary"] = (
        Field(default="fact", description="taxonomy of S0")
    )
    category: str = Field(default="fact", max_length=100, description="free label that policy rules use")
    layer: Literal["operating", "knowledge"] = Field(default="knowledge", description="layer of S3")


class Detection(Message):
    """The answer for one candidate, stored under its decision id before it is published (C77, C104)."""

    ce_type: ClassVar[str] = "dw.detection.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    decision_id: UUID = Field(description="the event id, or the request id of a draft (C104)")
    event: dict[str, Any] | None = Field(default=None, description="the sealed chat event; absent for drafts")
    org_id: UUID = Field(description="tenant")
    role_agent_id: UUID = Field(description="role-agent")
    items: tuple[DetectionItem, ...] = Field(
        default=(), max_length=MAX_ITEMS, description="in order of the text"
    )
    suggested_class: Literal["skip", "auto_memory", "propose_memory", "propose_skill", "sensitive"] = Field(
        default="skip", description="R59, a suggestion; policy computes it anew"
    )
    reasons: tuple[str, ...] = Field(default=(), description="triage's reason codes")
    provider: str = Field(description="offline, openai, anthropic, or none where no call was made")
    model: str = Field(default="", description="model version")
    prompt_version: str = Field(default="", description="version of the prompt")
    triage_version: str = Field(description="rules and model of triage")
    degraded: bool = Field(
        default=False, description="a stand-in answered for a model that was away: nothing is saved by itself"
    )

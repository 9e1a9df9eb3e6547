"""The use case: what does a candidate teach? What a provider is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_detector.gate.calls import Caller


@dataclass(frozen=True, slots=True)
class Question:
    """What a provider is shown of an event: text as data, never as instruction (D10)."""

    text: str
    reply_text: str | None
    reply_author: str | None
    kind: str
    caller: Caller | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Items, checked against the schema, and which model under which prompt gave them. `degraded`: the local extractor
    stood in for a model that is away, so that nothing of it is saved without a person (G17)."""

    items: tuple[DetectionItem, ...]
    provider: str
    model: str
    prompt_version: str
    degraded: bool = False


class InvalidAnswer(Exception):
    """The answer fits no schema, also after one repair try (D9). The candidate becomes a dead letter."""


class NoAnswer(InvalidAnswer):
    """No model answers this question in time, however often it is asked, while others are answered. It goes the same
    way: no record stops a partition."""


class Provider(Protocol):
    """Raises InvalidAnswer for this question alone, GateRefused where its org may not ask now, Transient when the
    provider cannot be reached."""

    async def detect(self, question: Question) -> Answer:
        """What the message teaches; no items means skip."""


def question_of(event: ChatEvent, traceparent: str | None = None) -> Question:
    """The right half of a correction, a tool's output, else the text."""
    text, reply_text, author = event.text, None, None
    if event.correction is not None:
        text, reply_text, author = event.correction.right, event.correction.wrong, "agent"
    elif event.tool is not None:
        text = event.tool.output
    elif event.reply_to is not None:
        reply_text, author = event.reply_to.text, event.reply_to.author_kind
    sender = event.sender
    caller = Caller(
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        decision_id=event.event_id,
        platform=sender.platform.value,
        workspace_ref=sender.workspace_ref,
        external_user_id=sender.external_user_id,
        traceparent=traceparent,
    )
    return Question(text, reply_text, author, event.kind.value, caller)


def suggested_class(items: Sequence[DetectionItem]) -> str:
    """R59 as a suggestion; policy computes the route anew, with the sender."""
    kinds = {item.kind for item in items}
    if not items or kinds == {ItemKind.RETRACT}:
        return "skip"
    if ItemKind.SENSITIVE in kinds or any(item.risk_hint == "sensitive" for item in items):
        return "sensitive"
    if ItemKind.SKILL_PROCEDURE in kinds:
        return "propose_skill"
    return "propose_memory" if any(item.risk_hint == "high" for item in items) else "auto_memory"

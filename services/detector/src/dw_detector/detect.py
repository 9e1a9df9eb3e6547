"""The use case: what does a candidate teach? Calls run concurrently, answers come back in order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import DetectionItem, ItemKind


@dataclass(frozen=True, slots=True)
class Question:
    """What a provider is shown of an event: text as data, never as instruction (D10)."""

    text: str
    reply_text: str | None
    reply_author: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Items, checked against the schema, and which model under which prompt gave them."""

    items: tuple[DetectionItem, ...]
    provider: str
    model: str
    prompt_version: str


class InvalidAnswer(Exception):
    """The answer fits no schema, also after one repair try (D9). The candidate becomes a dead letter."""


class Provider(Protocol):
    """Raises InvalidAnswer for this question alone, Transient when the provider cannot be reached."""

    async def detect(self, question: Question) -> Answer:
        """What the message teaches; no items means skip."""


@dataclass(frozen=True, slots=True)
class Detector:
    """Bounded concurrency over one provider (C77)."""

    provider: Provider
    concurrency: int

    async def answer(self, questions: Sequence[Question]) -> list[Answer | InvalidAnswer]:
        """One answer a question, in order. Whatever else goes wrong is raised, and nothing is answered."""
        slots = asyncio.Semaphore(self.concurrency)

        async def ask(question: Question) -> Answer | InvalidAnswer:
            async with slots:
                try:
                    return await self.provider.detect(question)
                except InvalidAnswer as error:
                    return error

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ask(question)) for question in questions]
        return [task.result() for task in tasks]


def question_of(event: ChatEvent) -> Question:
    """The right half of a correction, a tool's output, else the text."""
    text, reply_text, author = event.text, None, None
    if event.correction is not None:
        text, reply_text, author = event.correction.right, event.correction.wrong, "agent"
    elif event.tool is not None:
        text = event.tool.output
    elif event.reply_to is not None:
        reply_text, author = event.reply_to.text, event.reply_to.author_kind
    return Question(text=text, reply_text=reply_text, reply_author=author, kind=event.kind.value)


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

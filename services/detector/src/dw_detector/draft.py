"""A skill body from repeated corrections: by a model, else by template (C66, R208). It only ever proposes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.events.drafts import DraftRequest
from dw_contracts.ids import OrgId
from dw_detector.asking import AnswerWriter, answer_of
from dw_detector.detect import Answer
from dw_detector.drafting import Drafted, SkillDrafter
from dw_detector.gate.calls import Caller
from dw_detector.gate.slots import FairSlots
from dw_detector.handlers import outgoing_of
from dw_learning.safe_items import safe_items
from dw_runtime import Handle, Handled, Received
from dw_store.database import Database
from dw_store.detections import StoredAnswer, load_answers

TEMPLATE_VERSION = "draft-template-2"
AT_ONCE: Final = 8


@dataclass(slots=True)
class Drafts:
    """Steps of the window over learning.draft_requests.v1. A draft is stored under its request before it is published,
    so that a redelivery costs nothing (C77, C104). Without a drafter every body comes from the template."""

    database: Handle[Database]
    writer: AnswerWriter
    drafter: SkillDrafter | None
    places: FairSlots

    async def load(self, batch: Sequence[Received[DraftRequest]]) -> dict[UUID, StoredAnswer]:
        """Drafts that were made before."""
        wanted = [(OrgId(r.message.org_id), r.message.request_id) for r in batch]
        return await load_answers(self.database(), wanted)

    async def ask(self, received: Received[DraftRequest], loaded: dict[UUID, StoredAnswer]) -> Answer:
        """The draft, kept in the database."""
        request = received.message
        if (known := loaded.get(request.request_id)) is not None:
            return answer_of(known)
        async with self.places.place(request.org_id):
            answer = _answer(request, await self._drafted(request, received.span_traceparent))
        await self.writer.store(_stored(request, answer))
        return answer

    async def finish(self, done: Sequence[tuple[Received[DraftRequest], Answer]]) -> Handled:
        """Publish."""
        return Handled(outgoing=[outgoing_of(_detection(r.message, a), r.span_traceparent) for r, a in done])

    async def calm(self, seconds: float) -> None:
        """No new drafts."""
        await self.places.close(seconds)

    def go_on(self) -> None:
        """Drafts again."""
        self.places.open()

    async def _drafted(self, request: DraftRequest, traceparent: str | None) -> Drafted | None:
        if self.drafter is None:
            return None
        caller = Caller(
            request.org_id, request.role_agent_id, request.request_id, traceparent=traceparent
        )  # on nobody's behalf: many corrected
        return await self.drafter.draft(caller, request.topic, request.corrections)


def draft_detection(request: DraftRequest, drafted: Drafted | None = None) -> Detection:
    """The answer under the request's own id; by template where nothing was drafted."""
    return _detection(request, _answer(request, drafted))


def _answer(request: DraftRequest, drafted: Drafted | None) -> Answer:
    body = _template(request) if drafted is None else drafted.body
    item = DetectionItem(
        kind=ItemKind.SKILL_PROCEDURE,
        text=body,
        span=(0, len(body)),
        key=request.topic,
        subject=None,
        risk_hint="high",
        confidence=0.5,
        memory_type="rule",
        category="rule",
    )
    items = safe_items((item,))
    if drafted is None:
        return Answer(items, "none", TEMPLATE_VERSION, "")
    return Answer(items, drafted.provider, drafted.model, drafted.prompt_version)


def _detection(request: DraftRequest, answer: Answer) -> Detection:
    return Detection(
        schema_version=1,
        decision_id=request.request_id,
        org_id=request.org_id,
        role_agent_id=request.role_agent_id,
        items=answer.items,
        suggested_class="propose_skill",
        reasons=("repeated_correction",),
        provider=answer.provider,
        model=answer.model,
        prompt_version=answer.prompt_version,
        triage_version="",
    )


def _stored(request: DraftRequest, answer: Answer) -> StoredAnswer:
    return StoredAnswer(
        org_id=request.org_id,
        role_agent_id=request.role_agent_id,
        decision_id=request.request_id,
        items=[item.model_dump(mode="json") for item in answer.items],
        provider=answer.provider,
        model=answer.model,
        prompt_version=answer.prompt_version,
    )


def _template(request: DraftRequest) -> str:
    title = re.sub(r"[-_]+", " ", request.topic).strip().capitalize() or "Repeated correction"
    steps = "\n".join(
        f"{number}. {' '.join(text.split())}" for number, text in enumerate(request.corrections, start=1)
    )
    return (
        f"# {title}\n\n"
        f"## When To Use\nUse when the answer touches {title.lower()}.\n\n"
        f"## Procedure\n{steps}\n\n"
        "## Do Not Do\n- Do not give the old answer again.\n\n"
        "## Verification\nThe answer agrees with the corrections above.\n"
    )

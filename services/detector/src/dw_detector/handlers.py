"""learning.candidates.v1 in, learning.detections.v1 out. Answers are stored under the decision id first (C104)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection, DetectionItem
from dw_contracts.events.drafts import DraftRequest
from dw_contracts.ids import OrgId, partition_key
from dw_contracts.topics import DETECTIONS
from dw_detector.detect import Answer, Detector, InvalidAnswer, question_of, suggested_class
from dw_detector.draft import draft_detection
from dw_runtime import (
    Failed,
    Handle,
    Handled,
    Outgoing,
    Received,
    Record,
    check_key,
    parse_message,
    parse_raw,
)
from dw_store.database import Database
from dw_store.detections import StoredAnswer, load_answers, store_answers

NO_CALL = Answer(items=(), provider="none", model="", prompt_version="")


@dataclass(frozen=True, slots=True)
class CandidateIn:
    """A candidate with its event read, and the event as it was embedded."""

    event: ChatEvent
    raw_event: dict[str, Any]
    needs_model: bool
    reasons: tuple[str, ...]
    triage_version: str


def parse_candidate(record: Record) -> CandidateIn:
    """Both layers are checked: a candidate whose event fits no contract is a dead letter here, not further down."""
    candidate = parse_message(record, Candidate)
    event = parse_raw(candidate.event, ChatEvent)
    check_key(record, event.org_id, event.role_agent_id)
    return CandidateIn(
        event, candidate.event, candidate.needs_model, candidate.reasons, candidate.triage_version
    )


def parse_draft_request(record: Record) -> DraftRequest:
    """A request of policy for a skill body (C66)."""
    request = parse_message(record, DraftRequest)
    check_key(record, request.org_id, request.role_agent_id)
    return request


@dataclass(frozen=True, slots=True)
class Handlers:
    """What the detector does with a batch."""

    detector: Detector
    database: Handle[Database]

    async def candidates(self, batch: Sequence[Received[CandidateIn]]) -> Handled:
        """Load answers given before, ask for the rest, store, publish in offset order."""
        to_ask = {r.message.event.event_id: r.message.event for r in batch if r.message.needs_model}
        stored = await load_answers(self.database(), [(OrgId(e.org_id), e.event_id) for e in to_ask.values()])
        answers: dict[UUID, Answer | InvalidAnswer] = {id_: _answer(answer) for id_, answer in stored.items()}
        new = [event for id_, event in to_ask.items() if id_ not in answers]
        fresh = await self.detector.answer([question_of(event) for event in new])
        await store_answers(
            self.database(),
            [
                _stored(event, answer)
                for event, answer in zip(new, fresh, strict=True)
                if isinstance(answer, Answer)
            ],
        )
        answers.update({event.event_id: answer for event, answer in zip(new, fresh, strict=True)})
        return _handled(batch, answers)

    async def draft_requests(self, batch: Sequence[Received[DraftRequest]]) -> Handled:
        """Until the detector drafts, a template makes the body (C66)."""
        return Handled(
            outgoing=[_outgoing(received, draft_detection(received.message)) for received in batch]
        )


def _handled(batch: Sequence[Received[CandidateIn]], answers: dict[UUID, Answer | InvalidAnswer]) -> Handled:
    outgoing: list[Outgoing] = []
    failed: list[Failed] = []
    for received in batch:
        candidate = received.message
        answer = answers[candidate.event.event_id] if candidate.needs_model else NO_CALL
        if isinstance(answer, InvalidAnswer):
            failed.append(Failed(received.record, f"the model's answer does not fit: {answer}"))
        else:
            outgoing.append(_outgoing(received, _detection(candidate, answer)))
    return Handled(outgoing=outgoing, failed=failed)


def _detection(candidate: CandidateIn, answer: Answer) -> Detection:
    return Detection.model_validate(
        {
            "schema_version": 1,
            "decision_id": candidate.event.event_id,
            "event": candidate.raw_event,
            "org_id": candidate.event.org_id,
            "role_agent_id": candidate.event.role_agent_id,
            "items": answer.items,
            "suggested_class": suggested_class(answer.items),
            "reasons": candidate.reasons,
            "provider": answer.provider,
            "model": answer.model,
            "prompt_version": answer.prompt_version,
            "triage_version": candidate.triage_version,
        }
    )


def _outgoing(received: Received[Any], detection: Detection) -> Outgoing:
    return Outgoing(
        topic=DETECTIONS,
        key=partition_key(detection.org_id, detection.role_agent_id),
        value=detection.to_bytes(),
        ce_type=Detection.ce_type,
        ce_id=str(detection.decision_id),
        traceparent=received.span_traceparent,
    )


def _stored(event: ChatEvent, answer: Answer) -> StoredAnswer:
    return StoredAnswer(
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        decision_id=event.event_id,
        items=[item.model_dump(mode="json") for item in answer.items],
        provider=answer.provider,
        model=answer.model,
        prompt_version=answer.prompt_version,
    )


def _answer(stored: StoredAnswer) -> Answer:
    return Answer(
        items=tuple(DetectionItem.model_validate(item) for item in stored.items),
        provider=stored.provider,
        model=stored.model,
        prompt_version=stored.prompt_version,
    )

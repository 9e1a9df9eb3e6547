"""learning.candidates.v1 in, learning.detections.v1 out. Answers are stored under the decision id first (C104)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection
from dw_contracts.events.drafts import DraftRequest
from dw_contracts.ids import OrgId, partition_key
from dw_contracts.topics import DETECTIONS
from dw_detector.asking import NO_CALL, Asking, Result, Wait, answer_of
from dw_detector.detect import Answer, InvalidAnswer, NoAnswer, suggested_class
from dw_detector.gate.slots import FairSlots
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
from dw_runtime.logs import log
from dw_store.database import Database
from dw_store.deferred import Hindrance, NewDeferred, agents_that_wait, park
from dw_store.detections import StoredAnswer, load_answers

EXPIRES: Final = timedelta(hours=48)
BEHIND: Final = "behind"
Agent = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class CandidateIn:
    """A candidate with its event read, and the event as it was embedded."""

    event: ChatEvent
    raw_event: dict[str, Any]
    needs_model: bool
    reasons: tuple[str, ...]
    triage_version: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """Answers that were given before, and the agents that have something parked."""

    answers: Mapping[UUID, StoredAnswer]
    waiting: frozenset[Agent]


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


@dataclass(slots=True)
class Candidates:
    """Steps of the window over learning.candidates.v1."""

    asking: Asking
    slots: FairSlots
    database: Handle[Database]
    clock: Callable[[], datetime]
    refused: set[Agent] = field(default_factory=set)  # just now: nothing of theirs is parked yet

    async def load(self, batch: Sequence[Received[CandidateIn]]) -> Loaded:
        """What is known of them before anybody is asked."""
        wanted = [r.message.event for r in batch if r.message.needs_model]
        answers = await load_answers(self.database(), [(OrgId(e.org_id), e.event_id) for e in wanted])
        agents = {_agent(event) for event in wanted}
        return Loaded(answers, frozenset(await agents_that_wait(self.database(), sorted(agents))))

    async def ask(self, received: Received[CandidateIn], loaded: Loaded) -> Result:
        """The answer, kept in the database. Of an agent that waits nothing is paid for: it could only be parked."""
        candidate = received.message
        if not candidate.needs_model:
            return NO_CALL
        if (known := loaded.answers.get(candidate.event.event_id)) is not None:
            return answer_of(known)
        agent = _agent(candidate.event)
        if agent in loaded.waiting or agent in self.refused:
            return Wait()
        result = await self.asking.answer(candidate.event, received.span_traceparent)
        if isinstance(result, Wait):
            self.refused.add(agent)
        return result

    async def finish(self, done: Sequence[tuple[Received[CandidateIn], Result]]) -> Handled:
        """Publish; what must wait is parked, with all of its agent that comes behind it, in order."""
        agents = {_agent(r.message.event) for r, _ in done}
        behind = set(await agents_that_wait(self.database(), sorted(agents)))
        outgoing: list[Outgoing] = []
        failed: list[Failed] = []
        parked: list[NewDeferred] = []
        for received, result in done:
            agent = _agent(received.message.event)
            if isinstance(result, Wait) or agent in behind:
                behind.add(agent)
                parked.append(self._parked(received, result))
            elif isinstance(result, InvalidAnswer):
                failed.append(Failed(received.record, _why(result)))
            else:
                outgoing.append(
                    outgoing_of(detection_of(received.message, result), received.span_traceparent)
                )
        await park(self.database(), parked)
        self._say(parked)
        self.refused -= {(row.org_id, row.role_agent_id) for row in parked}
        return Handled(outgoing=outgoing, failed=failed)

    async def calm(self, seconds: float) -> None:
        """No new calls."""
        await self.slots.close(seconds)

    def go_on(self) -> None:
        """Calls again."""
        self.slots.open()

    def _parked(self, received: Received[CandidateIn], result: Result) -> NewDeferred:
        event, now = received.message.event, self.clock()
        return NewDeferred(
            org_id=event.org_id,
            role_agent_id=event.role_agent_id,
            decision_id=event.event_id,
            candidate=received.record.value or b"",
            traceparent=received.span_traceparent or "",
            parked_at=now,
            hindrance=hindrance_of(result, now),
            expires_at=now + EXPIRES,
        )

    def _say(self, parked: Sequence[NewDeferred]) -> None:
        """A line an event: whoever looks for it in the log finds why nothing came of it yet."""
        for row in parked:
            log.info(
                "candidate.parked",
                org_id=str(row.org_id),
                role_agent_id=str(row.role_agent_id),
                event_id=str(row.decision_id),
                reason=row.hindrance.reason,
                scope=row.hindrance.scope,
                resets_at=row.hindrance.resets_at.isoformat() if row.hindrance.resets_at else None,
                expires_at=row.expires_at.isoformat(),
            )


def _why(result: InvalidAnswer) -> str:
    return str(result) if isinstance(result, NoAnswer) else f"the model's answer does not fit: {result}"


def hindrance_of(result: Result, now: datetime) -> Hindrance:
    """What keeps it: its org's limit, else those of its agent before it."""
    if not isinstance(result, Wait) or result.refusal is None:
        return Hindrance(BEHIND, now)
    refusal = result.refusal
    return Hindrance(
        reason=refusal.reason,
        due_at=refusal.ask_again_at(now),
        scope=refusal.scope,
        needs_micro_usd=refusal.needs,
        resets_at=refusal.resets_at,
        asked_at=result.at,
    )


def _agent(event: ChatEvent) -> Agent:
    return (event.org_id, event.role_agent_id)


def detection_of(candidate: CandidateIn, answer: Answer, *more: str) -> Detection:
    """What the answer says of the candidate; `more` are reasons beside triage's."""
    return Detection.model_validate(
        {
            "schema_version": 1,
            "decision_id": candidate.event.event_id,
            "event": candidate.raw_event,
            "org_id": candidate.event.org_id,
            "role_agent_id": candidate.event.role_agent_id,
            "items": answer.items,
            "suggested_class": suggested_class(answer.items),
            "reasons": (*candidate.reasons, *more),
            "provider": answer.provider,
            "model": answer.model,
            "prompt_version": answer.prompt_version,
            "triage_version": candidate.triage_version,
            "degraded": answer.degraded,
        }
    )


def outgoing_of(detection: Detection, traceparent: str | None) -> Outgoing:
    """Under its agent's key."""
    return Outgoing(
        topic=DETECTIONS,
        key=partition_key(detection.org_id, detection.role_agent_id),
        value=detection.to_bytes(),
        ce_type=Detection.ce_type,
        ce_id=str(detection.decision_id),
        traceparent=traceparent,
    )

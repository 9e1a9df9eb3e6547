"""chat.events.v1 in; candidates and skips out. One classification and one skip record a batch and partition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.outcomes import SkipOutcomes
from dw_contracts.topics import CANDIDATES, OUTCOMES
from dw_learning.triage import TRIAGE_VERSION, Readable, TriageVerdict
from dw_runtime import Handled, Outgoing, Received, Record
from dw_triage.measures import Measures
from dw_triage.reading import TriageEvent, read_event
from dw_triage.routing import Fixed, route

Classify = Callable[[Sequence[Readable]], list[TriageVerdict]]


def parse_event(record: Record) -> TriageEvent:
    """Strict JSON, known version, the fields that triage reads; the key must name the event's org and agent."""
    return read_event(record)


@dataclass(frozen=True, slots=True)
class Triage:
    """The use case: which events of a batch may teach something."""

    classify: Classify
    clock: Callable[[], datetime]
    measures: Measures

    async def handle(self, batch: Sequence[Received[TriageEvent]]) -> Handled:
        """Skips end here, at no cost (R50). Order per key is the order of the batch."""
        fixed = [route(received.message) for received in batch]
        asked = [i for i, decision in enumerate(fixed) if decision is None]
        verdicts = dict(zip(asked, self.classify([batch[i].message for i in asked]), strict=True))
        outgoing: list[Outgoing] = []
        candidates: list[str] = []
        skips: dict[int, list[tuple[Received[TriageEvent], str]]] = {}
        for index, received in enumerate(batch):
            decision = fixed[index]
            if decision is None:
                verdict = verdicts[index]
                if not verdict.candidate:
                    skips.setdefault(received.record.partition, []).append((received, verdict.reason))
                    continue
                decision = _from_verdict(verdict)
            if decision.candidate:
                outgoing.append(_candidate(received, decision))
                candidates.append(decision.reason)
            else:
                skips.setdefault(received.record.partition, []).append((received, decision.reason))
        now = self.clock()
        outgoing += [_outcomes(partition, entries, now) for partition, entries in skips.items()]
        self.measures.count(candidates, (reason for entries in skips.values() for _, reason in entries))
        return Handled(outgoing=outgoing)


def _from_verdict(verdict: TriageVerdict) -> Fixed:
    return Fixed(verdict.candidate, verdict.candidate, verdict.reason, round(verdict.score * 1000))


def _candidate(received: Received[TriageEvent], decision: Fixed) -> Outgoing:
    """The event rides along byte for byte, so that policy can verify its seal (C45)."""
    record = received.record
    value = orjson.dumps(
        {
            "schema_version": 1,
            "event": orjson.Fragment(record.value or b"{}"),
            "needs_model": decision.needs_model,
            "reasons": [decision.reason],
            "score": decision.score,
            "triage_version": TRIAGE_VERSION,
        }
    )
    return Outgoing(
        topic=CANDIDATES,
        key=record.key or b"",
        value=value,
        ce_type=Candidate.ce_type,
        ce_id=received.message.event_id,
        traceparent=received.span_traceparent,
    )


def _outcomes(partition: int, entries: list[tuple[Received[TriageEvent], str]], now: datetime) -> Outgoing:
    """C51: one record a batch and partition, whatever the number of skips."""
    first, last = entries[0][0].record.offset, entries[-1][0].record.offset
    return Outgoing(
        topic=OUTCOMES,
        key=str(partition).encode(),
        value=orjson.dumps(
            {
                "schema_version": 1,
                "partition": partition,
                "first_offset": first,
                "last_offset": last,
                "triage_version": TRIAGE_VERSION,
                "at": now,
                "skips": [
                    {"event_id": received.message.event_id, "reason": reason} for received, reason in entries
                ],
            }
        ),
        ce_type=SkipOutcomes.ce_type,
        ce_id=f"{partition}-{first}-{last}",
        traceparent=None,
    )

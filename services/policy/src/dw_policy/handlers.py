"""learning.detections.v1 in; one transaction a batch, whatever it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection
from dw_learning.decision.findings import Findings, prepare
from dw_learning.safe_items import safe_items
from dw_learning.seal import SealKeys, is_sealed
from dw_policy.decide_batch import DetectionIn, Policy, Unfit
from dw_runtime import (
    Failed,
    Handle,
    Handled,
    Permanent,
    Received,
    Record,
    check_key,
    log,
    parse_message,
    parse_raw,
)
from dw_store.database import Database


@dataclass(slots=True)
class Detected:
    """A detection with its event. `sealed` and `findings` are there as soon as somebody had time for them."""

    detection: Detection
    event: ChatEvent | None
    sealed: bool | None = None
    findings: Findings = field(default_factory=Findings, repr=False)
    is_safe: bool = False

    def make_safe(self) -> None:
        """Whoever wrote the topic: no secret of an item reaches a decision, its record or a proposal (G26, C53)."""
        if self.is_safe:
            return
        items = safe_items(self.detection.items, self.findings.secrets, self.findings.injections)
        if items != self.detection.items:
            self.detection = self.detection.model_copy(update={"items": items})
        self.is_safe = True


def parse_detection(record: Record) -> Detected:
    """Detection and event must speak of the same org, agent and decision; the key must name them."""
    detection = parse_message(record, Detection)
    check_key(record, detection.org_id, detection.role_agent_id)
    if detection.event is None:
        return Detected(detection, None)
    event = parse_raw(detection.event, ChatEvent)
    if (event.org_id, event.role_agent_id) != (detection.org_id, detection.role_agent_id):
        raise Permanent("the event is of another org or role-agent than the detection")
    if event.event_id != detection.decision_id:
        raise Permanent("decision_id is not the event's id")
    return Detected(detection, event)


@dataclass(frozen=True, slots=True)
class Handlers:
    """What policy does with a batch."""

    policy: Policy
    database: Handle[Database]
    seal_keys: SealKeys

    async def handle(self, batch: Sequence[Received[Detected]]) -> Handled:
        """Verify seals, then claim, load, decide and apply in one transaction of all orgs of the batch."""
        rows = [self._row(received) for received in batch]
        async with self.database().transaction(sorted({row.detection.org_id for row in rows})) as tx:
            unfit = await self.policy.run(tx, rows)
        return Handled(failed=[_failed(batch, entry) for entry in unfit])

    def prepare(self, message: Detected) -> None:
        """What rests on the message alone, before its turn."""
        self._seal(message)
        message.make_safe()
        if message.event is not None:
            prepare(message.event, message.detection.items, message.findings)

    def _seal(self, message: Detected) -> bool:
        if message.sealed is None:
            raw = message.detection.event
            message.sealed = message.event is not None and is_sealed(raw or {}, self.seal_keys)
        return message.sealed

    def _row(self, received: Received[Detected]) -> DetectionIn:
        message = received.message
        message.make_safe()
        event, sealed = message.event, self._seal(message)
        if event is not None and not sealed:
            log.warning(
                "event.unsealed",
                org_id=str(event.org_id),
                role_agent_id=str(event.role_agent_id),
                event_id=str(event.event_id),
            )
        return DetectionIn(message.detection, event, sealed, received.trace_id, message.findings)


def _failed(batch: Sequence[Received[Detected]], entry: Unfit) -> Failed:
    return Failed(batch[entry.index].record, entry.reason)

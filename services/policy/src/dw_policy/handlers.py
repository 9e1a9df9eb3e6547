"""learning.detections.v1 in; one transaction a batch, whatever it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection
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


def parse_detection(record: Record) -> tuple[Detection, ChatEvent | None]:
    """Detection and event must speak of the same org, agent and decision; the key must name them."""
    detection = parse_message(record, Detection)
    check_key(record, detection.org_id, detection.role_agent_id)
    if detection.event is None:
        return detection, None
    event = parse_raw(detection.event, ChatEvent)
    if (event.org_id, event.role_agent_id) != (detection.org_id, detection.role_agent_id):
        raise Permanent("the event is of another org or role-agent than the detection")
    if event.event_id != detection.decision_id:
        raise Permanent("decision_id is not the event's id")
    return detection, event


@dataclass(frozen=True, slots=True)
class Handlers:
    """What policy does with a batch."""

    policy: Policy
    database: Handle[Database]
    seal_keys: SealKeys

    async def handle(self, batch: Sequence[Received[tuple[Detection, ChatEvent | None]]]) -> Handled:
        """Verify seals, then claim, load, decide and apply in one transaction of all orgs of the batch."""
        rows = [self._row(received) for received in batch]
        async with self.database().transaction(sorted({row.detection.org_id for row in rows})) as tx:
            unfit = await self.policy.run(tx, rows)
        return Handled(failed=[_failed(batch, entry) for entry in unfit])

    def _row(self, received: Received[tuple[Detection, ChatEvent | None]]) -> DetectionIn:
        detection, event = received.message
        sealed = event is not None and is_sealed(detection.event or {}, self.seal_keys)
        if event is not None and not sealed:
            log.warning(
                "event.unsealed",
                org_id=str(event.org_id),
                role_agent_id=str(event.role_agent_id),
                event_id=str(event.event_id),
            )
        return DetectionIn(detection, event, sealed, received.trace_id)


def _failed(batch: Sequence[Received[tuple[Detection, ChatEvent | None]]], entry: Unfit) -> Failed:
    return Failed(batch[entry.index].record, entry.reason)

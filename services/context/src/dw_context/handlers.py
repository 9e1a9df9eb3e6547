"""chat.events.v1 into the history read model; learning.changes.v1 to whoever caches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dw_context.adapters.cache import SnapshotCache
from dw_context.record_history import history_row, keep
from dw_contracts.events.changes import LearningChange
from dw_contracts.events.chat import ChatEvent
from dw_learning.seal import SealKeys, is_sealed
from dw_runtime import (
    Failed,
    Handle,
    Handled,
    Permanent,
    Received,
    Record,
    check_key,
    log,
    parse_json,
    parse_message,
    parse_raw,
)
from dw_store.database import Database

ChatRecord = tuple[dict[str, Any], ChatEvent]


def parse_event(record: Record) -> ChatRecord:
    """The event, and the JSON that it was: the seal is over fields that we may not know (C45)."""
    if record.value is None:
        raise Permanent("the record has no value")
    raw = parse_json(record.value)
    event = parse_raw(raw, ChatEvent)
    check_key(record, event.org_id, event.role_agent_id)
    return raw, event


@dataclass(frozen=True, slots=True)
class HistoryHandler:
    """Writes a batch in one transaction of all its orgs."""

    database: Handle[Database]
    seal_keys: SealKeys

    async def handle(self, batch: Sequence[Received[ChatRecord]]) -> Handled:
        """A record whose org, agent and channel do not belong together is a dead letter; the others are kept."""
        rows = []
        for received in batch:
            raw, event = received.message
            sealed = is_sealed(raw, self.seal_keys)
            if not sealed:
                log.warning("event.unsealed", org_id=str(event.org_id), event_id=str(event.event_id))
            rows.append(history_row(event, sealed=sealed))
        unfit = await keep(self.database(), rows)
        reason = "org, role-agent and channel do not belong together"
        return Handled(failed=[Failed(batch[index].record, reason) for index in unfit])


@dataclass(frozen=True, slots=True)
class ChangesHandler:
    """Tells the cache what is stale."""

    cache: SnapshotCache

    async def apply(self, records: Sequence[Record]) -> None:
        """Drop what the changes name. One that cannot be read may have named anything: everything is dropped."""
        for each in records:
            try:
                change = parse_message(each, LearningChange)
            except Permanent as error:
                log.warning("change.unreadable", reason=error.reason)
                self.cache.drop_all()
            else:
                self.cache.drop(change.org_id, change.role_agent_id, change.version)

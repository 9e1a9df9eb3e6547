"""chat.events.v1 into the history read model; learning.changes.v1 to whoever caches."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from dw_context.adapters.cache import SnapshotCache
from dw_context.record_history import history_row, keep
from dw_contracts.events.changes import LearningChange
from dw_contracts.events.chat import ChatEvent
from dw_learning.seal import SealKeys, is_sealed, is_sealed_as_written
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
from dw_store.history import HistoryRow

NUL = b"\\u0000"
SLICE = 16
"""Records that are made into rows at a stretch: less than a millisecond, for nobody else waits longer meanwhile."""


def parse_event(record: Record) -> bytes:
    """The event's bytes. What they say is read when its row is made, while PostgreSQL writes those before; here, a record
    that does not seem to be of its key's org and agent is read in full, for the reason why."""
    if record.value is None:
        raise Permanent("the record has no value")
    org_id, _, role_agent_id = (record.key or b"").partition(b":")
    if (
        b'"org_id":"%b"' % org_id not in record.value
        or b'"role_agent_id":"%b"' % role_agent_id not in record.value
    ):
        _read(record, record.value)
    return record.value


@dataclass(frozen=True, slots=True)
class HistoryHandler:
    """Writes a batch in one transaction of all its orgs."""

    database: Handle[Database]
    seal_keys: SealKeys

    async def handle(self, batch: Sequence[Received[bytes]]) -> Handled:
        """A record that breaks the contract, or whose org, agent and channel do not belong together, is a dead letter;
        the others are kept."""
        good: list[Received[bytes]] = []
        failed: list[Failed] = []
        slices = (self._rows(batch[at : at + SLICE], good, failed) for at in range(0, len(batch), SLICE))
        unfit = await keep(self.database(), _orgs(batch), slices)
        reason = "org, role-agent and channel do not belong together"
        failed += [Failed(good[index].record, reason) for index in unfit]
        return Handled(failed=failed)

    def _rows(
        self, batch: Sequence[Received[bytes]], good: list[Received[bytes]], failed: list[Failed]
    ) -> list[HistoryRow]:
        rows = []
        for received in batch:
            try:
                event, sealed = self._event(received)
            except Permanent as error:
                failed.append(Failed(received.record, error.reason, error.kind))
                continue
            if not sealed:
                log.warning("event.unsealed", org_id=str(event.org_id), event_id=str(event.event_id))
            rows.append(history_row(event, sealed=sealed))
            good.append(received)
        return rows

    def _event(self, received: Received[bytes]) -> tuple[ChatEvent, bool]:
        """The event, and whether its seal holds. Bytes as ingest wrote them are read once, into the contract."""
        record, value = received.record, received.message
        if is_sealed_as_written(value, self.seal_keys) and NUL not in value:
            with suppress(ValidationError):
                event = ChatEvent.model_validate_json(value)
                if event.seal is not None and (event.org_id, event.role_agent_id) == _ids_of(record.key):
                    return event, True
        event, raw = _read(record, value)
        return event, is_sealed(raw, self.seal_keys)


def _read(record: Record, value: bytes) -> tuple[ChatEvent, dict[str, Any]]:
    """The event, and the JSON that it was: the seal is over fields that we may not know (C45)."""
    raw = parse_json(value)
    event = parse_raw(raw, ChatEvent)
    check_key(record, event.org_id, event.role_agent_id)
    return event, raw


@lru_cache(maxsize=4_096)
def _ids_of(key: bytes | None) -> tuple[UUID, UUID] | None:
    """Org and agent that a key names, as it would be written for them."""
    with suppress(ValueError):
        org_id, _, role_agent_id = (key or b"").decode().partition(":")
        ids = UUID(org_id), UUID(role_agent_id)
        return ids if key == f"{ids[0]}:{ids[1]}".encode() else None
    return None


def _orgs(batch: Sequence[Received[bytes]]) -> set[UUID]:
    """Of the records' keys. A record whose key is another's, or names no org, breaks the contract and is not kept."""
    return {ids[0] for key in {received.record.key for received in batch} if (ids := _ids_of(key))}


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

"""chat.events.v1 into the history read model; learning.changes.v1 to whoever caches."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

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
from dw_store.history import HistoryRow

PIECE = 125
"""Records that are made into rows while PostgreSQL writes those before them."""


def parse_event(record: Record) -> dict[str, Any]:
    """The event as the JSON that it was: the seal is over fields that we may not know (C45). The contract is checked
    when its row is made; only a record whose key does not fit is read in full here, for the reason why."""
    if record.value is None:
        raise Permanent("the record has no value")
    raw = parse_json(record.value)
    if record.key != f"{raw.get('org_id')}:{raw.get('role_agent_id')}".encode("utf-8", "replace"):
        event = parse_raw(raw, ChatEvent)
        check_key(record, event.org_id, event.role_agent_id)
    return raw


@dataclass(frozen=True, slots=True)
class HistoryHandler:
    """Writes a batch in one transaction of all its orgs."""

    database: Handle[Database]
    seal_keys: SealKeys

    async def handle(self, batch: Sequence[Received[dict[str, Any]]]) -> Handled:
        """A record that breaks the contract, or whose org, agent and channel do not belong together, is a dead letter;
        the others are kept."""
        good: list[Received[dict[str, Any]]] = []
        failed: list[Failed] = []
        pieces = (self._rows(batch[at : at + PIECE], good, failed) for at in range(0, len(batch), PIECE))
        unfit = await keep(self.database(), _orgs(batch), pieces)
        reason = "org, role-agent and channel do not belong together"
        failed += [Failed(good[index].record, reason) for index in unfit]
        return Handled(failed=failed)

    def _rows(
        self,
        batch: Sequence[Received[dict[str, Any]]],
        good: list[Received[dict[str, Any]]],
        failed: list[Failed],
    ) -> list[HistoryRow]:
        rows = []
        for received in batch:
            try:
                event = _event(received)
            except Permanent as error:
                failed.append(Failed(received.record, error.reason, error.kind))
                continue
            sealed = is_sealed(received.message, self.seal_keys)
            if not sealed:
                log.warning("event.unsealed", org_id=str(event.org_id), event_id=str(event.event_id))
            rows.append(history_row(event, sealed=sealed))
            good.append(received)
        return rows


def _event(received: Received[dict[str, Any]]) -> ChatEvent:
    event = parse_raw(received.message, ChatEvent)
    check_key(received.record, event.org_id, event.role_agent_id)
    return event


def _orgs(batch: Sequence[Received[dict[str, Any]]]) -> set[UUID]:
    """Of what can be read: an org that is no UUID breaks the contract."""
    orgs = set()
    for text in {str(received.message.get("org_id")) for received in batch}:
        with suppress(ValueError):
            orgs.add(UUID(text))
    return orgs


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

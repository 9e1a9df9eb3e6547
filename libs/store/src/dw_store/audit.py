"""The audit log and its announcement, in one call and one transaction (C72): no event without its outbox row."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from dw_contracts.events.changes import LearningChange
from dw_contracts.ids import partition_key
from dw_contracts.model import canonical_bytes
from dw_contracts.topics import CHANGES
from dw_learning.audit_chain import body_digest
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.outbox import NewOutboxRow, enqueue
from dw_store.versions import raise_versions

EVENTS = """
INSERT INTO dw_learning_events (
    event_id, org_id, role_agent_id, event_type, actor_type, actor_id, on_behalf_of, subject_type, subject_id, digest,
    source_event_id, request_id, trace_id, at
)
SELECT r.event_id, r.org_id, r.role_agent_id, r.event_type, r.actor_type, r.actor_id, r.on_behalf_of, r.subject_type,
       r.subject_id, decode(r.digest, 'hex'), r.source_event_id, r.request_id, r.trace_id, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    event_id uuid, org_id uuid, role_agent_id uuid, event_type text, actor_type text, actor_id text, on_behalf_of uuid,
    subject_type text, subject_id uuid, digest text, source_event_id uuid, request_id text, trace_id text
)
"""
BODIES = """
INSERT INTO dw_event_bodies (org_id, event_id, salt, reason, before, after)
SELECT r.org_id, r.event_id, decode(r.salt, 'hex'), r.reason, r.before, r.after
FROM jsonb_to_recordset($1::jsonb) AS r (
    org_id uuid, event_id uuid, salt text, reason text, before jsonb, after jsonb
)
"""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One learning event. Texts are redacted already; secrets never come here (C53)."""

    org_id: UUID
    event_type: str
    actor_type: Literal["user", "worker", "system"]
    actor_id: str
    subject_type: str
    role_agent_id: UUID | None = None
    on_behalf_of: UUID | None = None
    subject_id: UUID | None = None
    reason: str = ""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    source_event_id: UUID | None = None
    request_id: str = ""
    trace_id: str = ""
    event_id: UUID = field(default_factory=uuid.uuid4)


class Acting(Protocol):
    """A person at work, and the trace in which it happens."""

    @property
    def user_id(self) -> UUID: ...
    @property
    def trace_id(self) -> str: ...


def by_user(
    who: Acting,
    *,
    org_id: UUID,
    event_type: str,
    subject_type: str,
    subject_id: UUID | None,
    role_agent_id: UUID | None = None,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> NewEvent:
    """What a person did, who acts on nobody else's behalf (R302)."""
    return NewEvent(
        org_id=org_id,
        role_agent_id=role_agent_id,
        event_type=event_type,
        actor_type="user",
        actor_id=str(who.user_id),
        on_behalf_of=who.user_id,
        subject_type=subject_type,
        subject_id=subject_id,
        reason=reason,
        before=before,
        after=after,
        trace_id=who.trace_id,
    )


async def record(tx: Tx, event: NewEvent, now: datetime) -> int:
    """Write one event and raise the version of the role-agent, or org, that it is about; gives the version."""
    owner = (event.org_id, event.role_agent_id)
    versions = await raise_versions(tx, [owner])
    await write_events(tx, [event], versions, now)
    return versions[owner]


async def write_events(
    tx: Tx, events: Sequence[NewEvent], versions: Mapping[tuple[UUID, UUID | None], int], now: datetime
) -> None:
    """Write the events with their bodies, and announce each on learning.changes.v1 by id. `versions` are those that
    were raised in this transaction, by (org, agent or None)."""
    if not events:
        return
    rows = [_row(event) for event in events]
    encoded = json_rows(rows)
    await tx.execute(EVENTS, encoded, now)
    await tx.execute(BODIES, encoded)
    await enqueue(tx, _announcements(events, versions, now))


def _row(event: NewEvent) -> dict[str, Any]:
    salt = secrets.token_bytes(16)
    body = {"reason": event.reason, "before": event.before, "after": event.after}
    digest = body_digest(salt, event.reason, event.before, event.after).hex()
    return {
        "event_id": event.event_id,
        "org_id": event.org_id,
        "role_agent_id": event.role_agent_id,
        "event_type": event.event_type,
        "actor_type": event.actor_type,
        "actor_id": event.actor_id,
        "on_behalf_of": event.on_behalf_of,
        "subject_type": event.subject_type,
        "subject_id": event.subject_id,
        "digest": digest,
        "salt": salt.hex(),
        "source_event_id": event.source_event_id,
        "request_id": event.request_id,
        "trace_id": event.trace_id,
        **body,
    }


def _announcements(
    events: Sequence[NewEvent], versions: Mapping[tuple[UUID, UUID | None], int], now: datetime
) -> list[NewOutboxRow]:
    """One a event. What those of one kind and role-agent have in common is rendered once."""
    common: dict[tuple[UUID, UUID | None, str, str], tuple[bytes, dict[str, Any]]] = {}
    rows: list[NewOutboxRow] = []
    for event in events:
        kind = (event.org_id, event.role_agent_id, event.event_type, event.subject_type)
        if (known := common.get(kind)) is None:
            key = partition_key(event.org_id, event.role_agent_id or event.org_id)
            known = common[kind] = (key, _common(event, versions, now))
        event_id = str(event.event_id)
        change = {**known[1], "change_id": event_id}
        if event.subject_id is not None:
            change["subject_id"] = str(event.subject_id)
        rows.append(
            NewOutboxRow(
                row_id=event.event_id,
                topic=CHANGES.name,
                key=known[0],
                value=canonical_bytes(change),
                headers={"ce_id": event_id, "ce_type": LearningChange.ce_type},
            )
        )
    return rows


def _common(
    event: NewEvent, versions: Mapping[tuple[UUID, UUID | None], int], now: datetime
) -> dict[str, Any]:
    """The message as `LearningChange.to_bytes` renders it, less the id of its subject."""
    version = versions.get((event.org_id, event.role_agent_id), versions.get((event.org_id, None), 0))
    change = LearningChange(
        schema_version=1,
        change_id=event.event_id,
        type=event.event_type,
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        subject_type=event.subject_type,
        version=version,
        at=now,
    )
    return change.model_dump(mode="json", exclude_defaults=True)

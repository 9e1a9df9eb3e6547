"""Builders of events with valid defaults."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, EventKind, Platform, Sender
from dw_contracts.ids import ChannelId, OrgId, RoleAgentId, event_id_of
from dw_learning.seal import SealKeys, seal

KEYS = SealKeys.parse("test:" + "ab" * 32)
AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


def chat_event(org: UUID, agent: UUID, channel: UUID, text: str = "", **fields: Any) -> ChatEvent:
    """An unsealed event; its id follows from what it is."""
    kind = EventKind(fields.pop("kind", EventKind.MESSAGE_IN))
    ref = fields.pop("message_ref", uuid.uuid4().hex)
    revision = fields.pop("revision", 0)
    return ChatEvent(
        schema_version=1,
        event_id=event_id_of(OrgId(org), RoleAgentId(agent), ChannelId(channel), kind.value, ref, revision),
        org_id=org,
        role_agent_id=agent,
        channel_id=channel,
        kind=kind,
        message_ref=ref,
        revision=revision,
        sender=fields.pop("sender", Sender(platform=Platform.SLACK, external_user_id="U1001")),
        text=text,
        occurred_at=fields.pop("occurred_at", AT),
        received_at=fields.pop("received_at", AT),
        **fields,
    )


def sealed_bytes(event: ChatEvent) -> bytes:
    """The event as ingest would write it with the test key."""
    return seal(event, KEYS)

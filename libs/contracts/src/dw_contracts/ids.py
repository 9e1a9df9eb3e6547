"""Typed ids. A bare UUID never crosses a service border: it always says what it names."""

from __future__ import annotations

import uuid
from typing import NewType
from uuid import UUID

OrgId = NewType("OrgId", UUID)
RoleAgentId = NewType("RoleAgentId", UUID)
ChannelId = NewType("ChannelId", UUID)
EventId = NewType("EventId", UUID)
DecisionId = NewType("DecisionId", UUID)
ItemId = NewType("ItemId", UUID)
MemoryId = NewType("MemoryId", UUID)
UserId = NewType("UserId", UUID)
IdentityId = NewType("IdentityId", UUID)

# Namespace of every name-based id (C50, C104). Never change it: a repeated message must get the same id for ever.
NAMESPACE = UUID("6f1d3c1e-5a55-5e0e-9a6e-0d6f2c8f7a11")


def event_id_of(
    org_id: OrgId,
    role_agent_id: RoleAgentId,
    channel_id: ChannelId,
    kind: str,
    message_ref: str,
    revision: int,
) -> EventId:
    """C50: the id of an event follows from what it is, so that a repeat needs no database to be recognised."""
    name = "\x1f".join((str(org_id), str(role_agent_id), str(channel_id), kind, message_ref, str(revision)))
    return EventId(uuid.uuid5(NAMESPACE, name))


def partition_key(org_id: OrgId | UUID, role_agent_id: RoleAgentId | UUID) -> bytes:
    """D60: all that concerns one role-agent stands in one partition, in order."""
    return f"{org_id}:{role_agent_id}".encode()

"""What a batch of detections asks the store for: each thing once, by role-agent, in columns for the driver.

Ids go as one array literal (array_text).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection
from dw_learning.normal import content_hash
from dw_learning.signals import signal
from dw_store.array_text import uuid_array

Owner = tuple[UUID, UUID]  # org, role-agent
Columns = tuple[str, str, list[Any]]


@dataclass(slots=True)
class Asked:
    """Of one role-agent, in the order in which it was asked. `stones` are hash and signal of a text."""

    keys: dict[str, None] = field(default_factory=dict)
    hashes: dict[bytes, None] = field(default_factory=dict)
    stones: dict[tuple[bytes, str], None] = field(default_factory=dict)
    sources: dict[UUID, dict[str, None]] = field(default_factory=dict)
    """Message refs by channel."""
    rejected: dict[str, None] = field(default_factory=dict)
    """Keys of items that people may have rejected; known once the senders are."""


def asked_of(rows: Sequence[tuple[Detection, ChatEvent | None]]) -> dict[Owner, Asked]:
    """What these detections, and the messages behind them, ask for."""
    found: dict[Owner, Asked] = {}
    for detection, event in rows:
        owner = (detection.org_id, detection.role_agent_id)
        if (asked := found.get(owner)) is None:
            asked = found[owner] = Asked()
        for item in detection.items:
            asked.keys[item.key] = None
            hashed = content_hash(item.text)
            asked.hashes[hashed] = None
            asked.stones[(hashed, signal(item.text))] = None
        if event is not None:
            asked.sources.setdefault(event.channel_id, {})[event.message_ref] = None
    return found


def columns_of(asked: Mapping[Owner, Asked], values: Callable[[Asked], Iterable[Any]]) -> Columns:
    """Orgs and role-agents as array literals, and the values that belong to them."""
    orgs: list[UUID] = []
    agents: list[UUID] = []
    listed: list[Any] = []
    for (org_id, agent), one in asked.items():
        before = len(listed)
        listed += values(one)
        orgs += [org_id] * (len(listed) - before)
        agents += [agent] * (len(listed) - before)
    return uuid_array(orgs), uuid_array(agents), listed


def source_columns(asked: Mapping[Owner, Asked]) -> tuple[str, str, str, list[str]]:
    """Orgs, role-agents and channels as array literals, and the refs of messages."""
    orgs, agents, refs = columns_of(asked, lambda one: [ref for refs in one.sources.values() for ref in refs])
    channels = [
        channel for one in asked.values() for channel, refs in one.sources.items() for _ in range(len(refs))
    ]
    return orgs, agents, uuid_array(channels), refs

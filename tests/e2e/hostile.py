"""Hostile records for chat.events.v1."""

from __future__ import annotations

import orjson

from dw_contracts.events.chat import ChatEvent
from dw_testkit.events import sealed_bytes
from dw_testkit.hostile import KIND, Hostile, hostile_records


def hostile_events(event: ChatEvent) -> list[Hostile]:
    """Of every kind. `event` is a good one of a real org and agent."""
    key = f"{event.org_id}:{event.role_agent_id}".encode()
    good = sealed_bytes(event)
    other = {**orjson.loads(good), "org_id": "00000000-0000-4000-8000-000000000000"}
    foreign = Hostile(
        "foreign org",
        key,
        orjson.dumps(other),
        "the key does not name",
        [(KIND, b"foreign org")],
    )
    return [*hostile_records(key, good), foreign]

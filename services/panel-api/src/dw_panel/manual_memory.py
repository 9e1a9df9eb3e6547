"""A memory that a person with authority writes. Pure."""

from __future__ import annotations

from uuid import UUID

from dw_learning.extract.keys import topic_key
from dw_learning.item_edit import Assessed
from dw_learning.normal import content_hash
from dw_store.memory_rows import Actor, NewMemory


def manual_memory(
    agent: UUID | None, text: str, actor: Actor, layer: str, memory_type: str, found: Assessed
) -> NewMemory:
    """Its source is the person. What the whole org is told counts as high impact (C58)."""
    risk = "high" if agent is None and found.risk == "low" else found.risk
    return NewMemory(
        role_agent_id=agent,
        content=text,
        content_hash=content_hash(text),
        key=topic_key(text, None),
        layer=layer,
        memory_type=memory_type,
        category=memory_type,
        risk=risk,
        is_sensitive=found.is_sensitive,
        origin="manual",
        source_kind="admin_manual",
        source_refs=[{"type": "manual", "user_id": str(actor.user_id), "at": actor.at.isoformat()}],
        sender_verified=True,
    )

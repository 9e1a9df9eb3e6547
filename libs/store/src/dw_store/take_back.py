"""Undo as a whole (C63): the act's changes inverted, its item opened anew, both on record and announced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from dw_store.acts import take_back
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.item_acts import mark_undone, reopen_item
from dw_store.memory_rows import Actor, Changed
from dw_store.versions import pack_version, raise_versions

ITEM: Final = """
SELECT i.id, i.role_agent_id, i.dedupe_key, i.risk, i.status, i.undone_at
FROM dw_learning_items AS i WHERE i.org_id = $1 AND i.id = $2 FOR UPDATE
"""
OWNERS: Final = """
SELECT DISTINCT m.role_agent_id FROM dw_agent_memories AS m WHERE m.org_id = $1 AND m.id = ANY ($2::uuid[])
"""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """`item_id` is the item that waits again, or the equal one that took its evidence."""

    item_id: UUID | None
    memory_ids: tuple[UUID, ...]
    version: int


async def undo_act(tx: Tx, org_id: UUID, act: Any, actor: Actor) -> TakenBack:
    """The act was found under its owner's lock, and may be taken back. Raises Changed."""
    memories = await take_back(tx, org_id, act, actor)
    item_id = await _reopened(tx, org_id, act["item_id"], actor) if act["item_id"] is not None else None
    agent = act["role_agent_id"]
    owners = {row["role_agent_id"] for row in await tx.fetch(OWNERS, org_id, memories)} | {agent}
    versions = await raise_versions(tx, [(org_id, owner) for owner in sorted(owners, key=str)])
    events = [
        _event(org_id, agent, actor, "memory", memory, "undone", act["act"], None) for memory in memories
    ]
    if act["item_id"] is not None:
        events.append(
            _event(org_id, agent, actor, "item", act["item_id"], "item_undone", act["act"], item_id)
        )
    elif not memories:
        events.append(_event(org_id, agent, actor, "act", act["id"], "undone", act["act"], None))
    await write_events(tx, events, versions, actor.at)
    version = await pack_version(tx, org_id, agent) if agent is not None else versions[(org_id, None)]
    return TakenBack(item_id, tuple(memories), version)


async def _reopened(tx: Tx, org_id: UUID, item_id: UUID, actor: Actor) -> UUID:
    item = await tx.fetchrow(ITEM, org_id, item_id)
    if item is None or item["undone_at"] is not None:
        raise Changed("the item was changed since")
    await mark_undone(tx, org_id, item_id, actor.at)
    return await reopen_item(tx, org_id, item, actor, undo=True)


def _event(
    org_id: UUID,
    agent: UUID | None,
    actor: Actor,
    subject: str,
    subject_id: UUID,
    event_type: str,
    reason: str,
    item: UUID | None,
) -> NewEvent:
    return NewEvent(
        org_id=org_id,
        role_agent_id=agent,
        event_type=event_type,
        actor_type="user",
        actor_id=str(actor.user_id),
        on_behalf_of=actor.user_id,
        subject_type=subject,
        subject_id=subject_id,
        reason=reason,
        after={"item": str(item)} if item is not None else None,
        trace_id=actor.trace_id,
    )

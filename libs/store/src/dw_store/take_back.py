"""Undo as a whole (C63): the act's changes inverted, its item opened anew, both on record and announced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from dw_store.acts import take_back
from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.item_acts import mark_undone, reopen_item
from dw_store.memory_rows import Actor, Changed
from dw_store.versions import pack_version, raise_versions

ITEM: Final = """
SELECT i.id, i.role_agent_id, i.dedupe_key, i.risk, i.status, i.undone_at
FROM dw_learning_items AS i WHERE i.org_id = $1 AND i.id = $2 FOR UPDATE
"""
STATES: Final = """
SELECT m.id, m.role_agent_id, m.status FROM dw_agent_memories AS m WHERE m.org_id = $1 AND m.id = ANY ($2::uuid[])
"""
# A yes or no that was taken back was not said. It was written at the moment of its act, by the same person.
UNSAY: Final = """
UPDATE dw_memory_feedback AS f SET undone_at = $5
WHERE f.org_id = $1 AND f.memory_id = ANY ($2::uuid[]) AND f.actor_user_id = $3 AND f.at = $4 AND f.undone_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """`item_id` is the item that waits again, or the equal one that took its evidence."""

    item_id: UUID | None
    memory_ids: tuple[UUID, ...]
    version: int


async def undo_act(tx: Tx, org_id: UUID, act: Any, actor: Actor) -> TakenBack:
    """The act was found under its owner's lock, and may be taken back. Raises Changed."""
    was = await _states(tx, org_id, [UUID(str(c["id"])) for c in act["changes"] if c["what"] == "memory"])
    memories = await take_back(tx, org_id, act, actor)
    await tx.execute(UNSAY, org_id, memories, act["actor_user_id"], act["at"], actor.at)
    now = await _states(tx, org_id, memories)
    item_id = await _reopened(tx, org_id, act["item_id"], actor) if act["item_id"] is not None else None
    agent = act["role_agent_id"]
    owners = {row["role_agent_id"] for row in now.values()} | {agent}
    versions = await raise_versions(tx, [(org_id, owner) for owner in sorted(owners, key=str)])
    about = _About(org_id, agent, actor, act["act"])
    events = [
        about.event("memory", memory, "undone", _status(was, memory), _status(now, memory))
        for memory in memories
    ]
    before, after = {"undone": False}, {"undone": True}
    if act["item_id"] is not None:
        again = {**after, "item": str(item_id)}
        events.append(about.event("item", act["item_id"], "item_undone", before, again))
    elif not memories:
        events.append(about.event("act", act["id"], "undone", before, after))
    await write_events(tx, events, versions, actor.at)
    version = await pack_version(tx, org_id, agent) if agent is not None else versions[(org_id, None)]
    return TakenBack(item_id, tuple(memories), version)


async def _reopened(tx: Tx, org_id: UUID, item_id: UUID, actor: Actor) -> UUID:
    item = await tx.fetchrow(ITEM, org_id, item_id)
    if item is None or item["undone_at"] is not None:
        raise Changed("the item was changed since")
    await mark_undone(tx, org_id, item_id, actor.at)
    return await reopen_item(tx, org_id, item, actor, undo=True)


async def _states(tx: Tx, org_id: UUID, memories: Sequence[UUID]) -> dict[UUID, Any]:
    return {row["id"]: row for row in await tx.fetch(STATES, org_id, memories)}


def _status(states: Mapping[UUID, Any], memory: UUID) -> dict[str, Any]:
    return {"status": states[memory]["status"]}


@dataclass(frozen=True, slots=True)
class _About:
    """What the events of one act have in common."""

    org_id: UUID
    agent: UUID | None
    actor: Actor
    act: str

    def event(
        self,
        subject: str,
        subject_id: UUID,
        event_type: str,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
    ) -> NewEvent:
        return by_user(
            self.actor,
            org_id=self.org_id,
            role_agent_id=self.agent,
            event_type=event_type,
            subject_type=subject,
            subject_id=subject_id,
            reason=self.act,
            before=before,
            after=after,
        )

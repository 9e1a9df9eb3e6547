"""What people do with memories (C59, C62, C101): changes, feedback, audit, versions, in the caller's transaction.

The caller has locked the memory (`lock_memory`), asked `authority` and scanned what is written.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal
from uuid import UUID

from dw_learning.memory_life import MemoryState, restored, superseded
from dw_learning.normal import content_hash
from dw_store.acts import Changes
from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.memory_rows import Actor, Known, NewMemory, Written, lock_owner, rivals_of
from dw_store.tombstones import Stone
from dw_store.versions import pack_version, raise_versions

FEEDBACK: Final = """
INSERT INTO dw_memory_feedback (
    id, org_id, memory_id, actor_user_id, action, delta, confidence_before, confidence_after, new_text, at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
"""
# Since it was last confirmed, edited or restored: an old no does not count against what was said again. What was
# taken back does not count either.
REJECTERS: Final = """
SELECT count(DISTINCT f.actor_user_id)::int
FROM dw_memory_feedback AS f
WHERE f.org_id = $1 AND f.memory_id = $2 AND f.action = 'reject' AND f.undone_at IS NULL
  AND f.at > coalesce((SELECT max(g.at) FROM dw_memory_feedback AS g
                       WHERE g.org_id = $1 AND g.memory_id = $2 AND g.action IN ('confirm', 'edit')
                         AND g.undone_at IS NULL), '-infinity')
  AND f.at > coalesce((SELECT max(v.at) FROM dw_memory_revisions AS v
                       WHERE v.org_id = $1 AND v.memory_id = $2 AND v.change_kind = 'restore'), '-infinity')
"""
# What one person's yes and no have done to it since its text was last changed or it was brought back.
OWN_EFFECT: Final = """
SELECT coalesce(sum(f.delta), 0)::float8
FROM dw_memory_feedback AS f
WHERE f.org_id = $1 AND f.memory_id = $2 AND f.actor_user_id = $3 AND f.action IN ('confirm', 'reject')
  AND f.undone_at IS NULL
  AND f.at > coalesce((SELECT max(v.at) FROM dw_memory_revisions AS v
                       WHERE v.org_id = $1 AND v.memory_id = $2 AND v.change_kind IN ('edit', 'restore')), '-infinity')
"""
STONE_OF: Final = """
SELECT t.id FROM dw_memory_tombstones AS t
WHERE t.org_id = $1 AND t.role_agent_id = $2 AND t.content_hash = $3 AND t.lifted_at IS NULL
"""
PLACES: Final = """
SELECT m.id, m.key, m.content_hash
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id IS NOT DISTINCT FROM $2 AND m.status = 'active' AND m.subject_identity IS NULL
  AND ((m.layer = $3 AND m.key = ANY ($4::text[])) OR m.content_hash = ANY ($5::bytea[]))
ORDER BY m.id
LIMIT 1000
"""
# What comes back lives as long again, or the clock would take it at its next turn.
RENEW: Final = """
UPDATE dw_agent_memories AS m
SET expires_at = $3::timestamptz + CASE m.retention_policy WHEN 'ttl_7d' THEN interval '7 days' ELSE interval '30 days' END
WHERE m.org_id = $1 AND m.id = $2 AND m.retention_policy IN ('ttl_7d', 'ttl_30d')
"""
FeedbackAct = Literal["confirm", "reject", "edit", "delete"]


class Taken(Exception):
    """Another active memory says this already, or holds its place."""


@dataclass(frozen=True, slots=True)
class Done:
    """The act, for taking it back; the version from which packs show it."""

    act_id: UUID
    version: int
    memory_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class About:
    """An event about a memory."""

    event_type: str
    memory_id: UUID
    reason: str = ""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


# Of a tombstone: whether it keeps its text away.
_FREE: Final = {"holds": False}
_HELD: Final = {"holds": True}


async def rejecters_of(tx: Tx, org_id: UUID, memory_id: UUID) -> int:
    """Distinct people who rejected it since it was last confirmed, edited or restored."""
    count: int = await tx.fetchval(REJECTERS, org_id, memory_id)
    return count


async def own_effect_of(tx: Tx, org_id: UUID, memory_id: UUID, user_id: UUID) -> float:
    """How much of its confidence is this person's yes and no: between -0.3 and 0.1."""
    effect: float = await tx.fetchval(OWN_EFFECT, org_id, memory_id, user_id)
    return effect


async def write_feedback(
    tx: Tx,
    org_id: UUID,
    known: Known,
    act: FeedbackAct,
    after: float,
    actor: Actor,
    new_text: str | None = None,
) -> None:
    """R119 to R122: on record, whoever it was."""
    before = known.state.confidence
    await tx.execute(
        FEEDBACK, uuid.uuid4(), org_id, known.memory_id, actor.user_id, act, round(after - before, 2), before, after,
        new_text, actor.at,
    )  # fmt: skip


async def change_memory(
    tx: Tx,
    org_id: UUID,
    known: Known,
    state: MemoryState,
    kind: str,
    event: About,
    actor: Actor,
    *,
    tombstone: Literal["rejected", "deleted"] | None = None,
) -> Done:
    """One memory in a new state. A tombstone is the role-agent's: what the whole org knew leaves none."""
    changes = Changes(tx, org_id, actor)
    agent = known.row["role_agent_id"]
    if state.status == "active" and state.content != known.state.content:
        await _check_text_is_free(tx, org_id, known, state)
    await changes.write([Written(known, state, kind)])
    events = [event]
    if tombstone is not None and agent is not None:
        stone = Stone(agent, known.state.content, known.row["key"], tombstone, str(actor.user_id), actor.at)
        if await changes.tombstone(stone):
            events.append(About("tombstone_written", known.memory_id, tombstone, _FREE, _HELD))
    return await _finish(changes, kind, {agent}, events, (known.memory_id,))


async def supersede_memory(
    tx: Tx, org_id: UUID, known: Known, new: NewMemory, reason: str, actor: Actor
) -> Done:
    """A manual memory takes the place of this one (R301)."""
    changes = Changes(tx, org_id, actor)
    agent = known.row["role_agent_id"]
    others = await rivals_of(tx, org_id, agent, new.subject_identity, new.layer, new.key, new.content_hash)
    if set(others) - {known.memory_id}:
        raise Taken
    state = superseded(known.state, new.memory_id, actor.at)
    await changes.write([Written(known, state, "supersede")])
    await changes.insert(new)
    events = [
        _ended(known.memory_id, reason, known.state.status, new.memory_id),
        About("memory_saved", new.memory_id, "manual", after={"content": new.content, "key": new.key}),
    ]
    return await _finish(changes, "supersede", {agent}, events, (new.memory_id,))


async def restore_memory(tx: Tx, org_id: UUID, known: Known, reason: str, actor: Actor) -> Done:
    """C101: what holds its place is superseded by it. A tombstone that kept its text away is lifted."""
    changes = Changes(tx, org_id, actor)
    row, state = known.row, restored(known.state)
    place = (row["role_agent_id"], row["subject_identity"], row["layer"], row["key"], state.content_hash)
    rivals = await rivals_of(tx, org_id, *place)
    gone = [
        Written(rival, superseded(rival.state, known.memory_id, actor.at), "supersede")
        for rival in rivals.values()
    ]
    await changes.write([*gone, Written(known, state, "restore")])
    await tx.execute(RENEW, org_id, known.memory_id, actor.at)
    was, now = {"status": known.state.status}, {"status": state.status}
    events = [About("memory_restored", known.memory_id, reason, was, now)]
    events += [
        _ended(rival, "restore", found.state.status, known.memory_id) for rival, found in rivals.items()
    ]
    agent = row["role_agent_id"]
    stone = await tx.fetchval(STONE_OF, org_id, agent, state.content_hash) if agent is not None else None
    if stone is not None and await changes.lift(stone):
        events.append(About("tombstone_lifted", known.memory_id, "restore", _HELD, _FREE))
    return await _finish(changes, "restore", {agent}, events, (known.memory_id,))


async def promote_memory(
    changes: Changes, known: Known, item_id: UUID | None = None
) -> tuple[UUID, list[About]]:
    """From one role-agent to all (2.5): the org's row speaks from now on. Org-wide is high impact (C58). Raises
    Taken where the org knows something else under this key."""
    tx, org_id, row = changes.tx, changes.org_id, known.row
    await lock_owner(tx, org_id, None)
    same = known.state.content_hash
    others = await rivals_of(tx, org_id, None, None, row["layer"], row["key"], same)
    said = next((i for i, other in others.items() if other.state.content_hash == same), None)
    if others and said is None:
        raise Taken
    new = NewMemory(
        role_agent_id=None,
        content=known.state.content,
        content_hash=same,
        key=row["key"],
        layer=row["layer"],
        memory_type=row["memory_type"],
        category=row["category"],
        risk="sensitive" if known.state.risk == "sensitive" else "high",
        is_sensitive=known.state.is_sensitive,
        origin="promoted",
        source_kind=row["source_kind"],
        source_refs=row["source_refs"],
        confidence=known.state.confidence,
        learning_item_id=item_id,
        sender_verified=row["sender_verified"],
        sender_identity_id=row["sender_identity_id"],
    )
    org_memory = said or new.memory_id
    state = superseded(known.state, org_memory, changes.actor.at, "promote")
    await changes.write([Written(known, state, "promote")])
    if said is None:
        await changes.insert(new)
    before = {"status": known.state.status}
    after = {"status": state.status, "promoted_to": str(org_memory)}
    return org_memory, [About("memory_promoted", known.memory_id, "promote", before, after)]


async def finish_promotion(changes: Changes, known: Known, made: UUID, events: Sequence[About]) -> Done:
    """Act, versions and audit of a promotion that is not a decision of an item."""
    return await _finish(changes, "promote", {known.row["role_agent_id"], None}, events, (made,))


async def add_memories(
    tx: Tx, org_id: UUID, agent: UUID | None, new: Sequence[NewMemory], actor: Actor
) -> tuple[Done | None, tuple[UUID, ...]]:
    """Manual memories, each under a key of its own. Gives what was done, and those that were known already."""
    keys, hashes = [memory.key for memory in new], [memory.content_hash for memory in new]
    rows = await tx.fetch(PLACES, org_id, agent, new[0].layer, keys, hashes)
    known = {bytes(row["content_hash"]): row["id"] for row in rows}
    taken = {row["key"] for row in rows}
    changes, made, seen = Changes(tx, org_id, actor), list[UUID](), list[UUID]()
    fresh: list[NewMemory] = []
    for memory in new:
        if memory.content_hash in known:
            seen.append(known[memory.content_hash])
            continue
        known[memory.content_hash] = memory.memory_id
        fresh.append(_with_own_key(memory, taken))
        made.append(memory.memory_id)
    await changes.insert_all(fresh)
    if not fresh:
        return None, tuple(seen)
    events = [
        About(
            "memory_saved", memory.memory_id, "manual", after={"content": memory.content, "key": memory.key}
        )
        for memory in fresh
    ]
    return await _finish(changes, "add", {agent}, events, tuple(made)), tuple(seen)


async def lift(tx: Tx, org_id: UUID, agent: UUID, tombstone_id: UUID, actor: Actor) -> Done | None:
    """D18: what it kept away may be learned again. None if it did not hold any more."""
    changes = Changes(tx, org_id, actor)
    if not await changes.lift(tombstone_id):
        return None
    lifted = About("tombstone_lifted", tombstone_id, "", _HELD, _FREE)
    return await _finish(changes, "lift_tombstone", {agent}, [lifted], ())


async def record_memory_denied(tx: Tx, org_id: UUID, known: Known, why: str, actor: Actor) -> None:
    """R149: an attempt without the right changes nothing and is on record."""
    agent = known.row["role_agent_id"]
    versions = await raise_versions(tx, [(org_id, agent)])
    same = {"status": known.state.status}
    about = About("access_denied", known.memory_id, why, same, same)
    await write_events(tx, [_event(org_id, agent, about, actor)], versions, actor.at)


async def _check_text_is_free(tx: Tx, org_id: UUID, known: Known, state: MemoryState) -> None:
    row = known.row
    place = (
        row["role_agent_id"],
        row["subject_identity"],
        row["layer"],
        row["key"],
        content_hash(state.content),
    )
    if set(await rivals_of(tx, org_id, *place)) - {known.memory_id}:
        raise Taken


def _ended(memory_id: UUID, reason: str, status: str, by: UUID) -> About:
    after = {"status": "superseded", "superseded_by": str(by)}
    return About("memory_superseded", memory_id, reason, {"status": status}, after)


def _with_own_key(memory: NewMemory, taken: set[str]) -> NewMemory:
    key = memory.key
    if key in taken:
        key = f"{memory.key[:110]}-{memory.content_hash.hex()[:8]}"
    taken.add(key)
    return replace(memory, key=key)


async def _finish(
    changes: Changes, act: str, owners: set[UUID | None], events: Sequence[About], memories: tuple[UUID, ...]
) -> Done:
    tx, org_id, actor = changes.tx, changes.org_id, changes.actor
    agent = next((owner for owner in owners if owner is not None), None)
    versions = await raise_versions(tx, [(org_id, owner) for owner in sorted(owners, key=str)])
    await write_events(tx, [_event(org_id, agent, about, actor) for about in events], versions, actor.at)
    act_id = await changes.record(act, agent)
    version = await pack_version(tx, org_id, agent) if agent is not None else versions[(org_id, None)]
    return Done(act_id, version, memories)


def _event(org_id: UUID, agent: UUID | None, about: About, actor: Actor) -> NewEvent:
    return by_user(
        actor,
        org_id=org_id,
        role_agent_id=agent,
        event_type=about.event_type,
        subject_type="memory",
        subject_id=about.memory_id,
        reason=about.reason,
        before=about.before,
        after=about.after,
    )

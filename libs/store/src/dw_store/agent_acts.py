"""What admins change about how a role-agent learns: mode, pause, channels (R82, R83, R97, C32, C67, C90)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.memory_rows import Actor, lock_owner
from dw_store.versions import pack_version, raise_versions

SET_MODE: Final = """
UPDATE dw_role_agents
SET auto_memory_enabled = $3, auto_memory_require_verified = $4, updated_at = $5, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
SET_LEARNING: Final = """
UPDATE dw_role_agents SET learning_enabled = $3, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
CHANNEL: Final = """
SELECT c.id, c.role_agent_id, c.learning,
       ARRAY(SELECT l.role_agent_id FROM dw_channel_agents AS l WHERE l.org_id = c.org_id AND l.channel_id = c.id
             ORDER BY l.created_at, l.role_agent_id) AS listeners
FROM dw_channels AS c
WHERE c.org_id = $1 AND c.id = $2 AND c.deleted_at IS NULL
FOR NO KEY UPDATE OF c
"""
LISTEN: Final = """
INSERT INTO dw_channel_agents (org_id, channel_id, role_agent_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
LEAVE: Final = "DELETE FROM dw_channel_agents WHERE org_id = $1 AND channel_id = $2 AND role_agent_id = $3"
ANSWERS: Final = """
UPDATE dw_channels SET role_agent_id = $3, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
SET_CHANNEL: Final = """
UPDATE dw_channels SET learning = $3, updated_at = $4, row_version = row_version + 1 WHERE org_id = $1 AND id = $2
"""
MANAGES: Final = """
SELECT EXISTS (
    SELECT 1 FROM dw_channel_managers AS g
    JOIN dw_channels AS c ON c.org_id = g.org_id AND c.id = g.channel_id
    WHERE g.org_id = $1 AND g.channel_id = $2 AND g.user_id = $3 AND c.deleted_at IS NULL
      AND (c.role_agent_id = $4 OR EXISTS (
          SELECT 1 FROM dw_channel_agents AS l
          WHERE l.org_id = g.org_id AND l.channel_id = g.channel_id AND l.role_agent_id = $4))
)
"""


async def set_mode(
    tx: Tx, org_id: UUID, agent: UUID, *, auto: bool, verified: bool, actor: Actor
) -> int | None:
    """Three modes from two booleans (R87). None where there is no such agent. Loosening is on record (R305)."""
    row = await lock_owner(tx, org_id, agent)
    if row is None:
        return None
    before = {
        "auto_memory_enabled": row["auto_memory_enabled"],
        "auto_memory_require_verified": row["auto_memory_require_verified"],
    }
    await tx.execute(SET_MODE, org_id, agent, auto, verified, actor.at)
    after = {"auto_memory_enabled": auto, "auto_memory_require_verified": verified}
    return await _announce(tx, org_id, agent, "auto_save_mode_changed", actor, before, after)


async def set_learning(tx: Tx, org_id: UUID, agent: UUID, *, enabled: bool, actor: Actor) -> int | None:
    """C67: while it is paused nothing is learned, neither then nor later."""
    row = await lock_owner(tx, org_id, agent)
    if row is None:
        return None
    await tx.execute(SET_LEARNING, org_id, agent, enabled, actor.at)
    event = "learning_resumed" if enabled else "learning_paused"
    before, after = {"learning_enabled": row["learning_enabled"]}, {"learning_enabled": enabled}
    return await _announce(tx, org_id, agent, event, actor, before, after)


async def set_channel_learning(
    tx: Tx, org_id: UUID, channel: UUID, learning: str, actor: Actor
) -> int | None:
    """C67, for every agent that listens there. None where there is no such channel."""
    row = await tx.fetchrow(CHANNEL, org_id, channel)
    if row is None:
        return None
    await tx.execute(SET_CHANNEL, org_id, channel, learning, actor.at)
    before, after = {"learning": row["learning"]}, {"learning": learning}
    event = _event(org_id, None, "channel_learning_changed", "channel", channel, actor, before, after)
    return await _write(tx, org_id, [None], [event], actor)


async def assign_channel(tx: Tx, org_id: UUID, agent: UUID, channel: UUID, actor: Actor) -> int | None:
    """C90: it listens, and answers where nobody did. None where agent or channel is not there."""
    if (
        await lock_owner(tx, org_id, agent) is None
        or (row := await tx.fetchrow(CHANNEL, org_id, channel)) is None
    ):
        return None
    await tx.execute(LISTEN, org_id, channel, agent)
    if row["role_agent_id"] is None:
        await tx.execute(ANSWERS, org_id, channel, agent, actor.at)
    event = _event(
        org_id, agent, "channel_assigned", "channel", channel, actor, None, {"channel": str(channel)}
    )
    return await _write(tx, org_id, [agent, None], [event], actor)


async def unassign_channel(tx: Tx, org_id: UUID, agent: UUID, channel: UUID, actor: Actor) -> int | None:
    """It listens no more; if it answered, the next of the listeners does."""
    if (
        await lock_owner(tx, org_id, agent) is None
        or (row := await tx.fetchrow(CHANNEL, org_id, channel)) is None
    ):
        return None
    await tx.execute(LEAVE, org_id, channel, agent)
    if row["role_agent_id"] == agent:
        others: Sequence[UUID] = [listener for listener in row["listeners"] if listener != agent]
        await tx.execute(ANSWERS, org_id, channel, others[0] if others else None, actor.at)
    event = _event(
        org_id,
        agent,
        "channel_unassigned",
        "channel",
        channel,
        actor,
        {"channel": str(channel)},
        {"channel": None},
    )
    return await _write(tx, org_id, [agent, None], [event], actor)


async def manages_channel(tx: Tx, org_id: UUID, channel: UUID, user_id: UUID, agent: UUID) -> bool:
    """Does the person manage this channel, and does the agent listen there?"""
    found: bool = await tx.fetchval(MANAGES, org_id, channel, user_id, agent)
    return found


async def record_agent_denied(
    tx: Tx, org_id: UUID, agent: UUID | None, why: str, act: str, actor: Actor
) -> None:
    """R149: an attempt without the right changes nothing and is on record."""
    same = {"act": act, "why": why}  # nothing was changed: before and after are the attempt
    event = _event(org_id, agent, "access_denied", "agent", agent, actor, same, same)
    await _write(tx, org_id, [agent], [event], actor)


async def _announce(
    tx: Tx,
    org_id: UUID,
    agent: UUID,
    event_type: str,
    actor: Actor,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> int:
    event = _event(org_id, agent, event_type, "agent", agent, actor, before, after)
    return await _write(tx, org_id, [agent], [event], actor)


async def _write(
    tx: Tx, org_id: UUID, owners: Sequence[UUID | None], events: Sequence[NewEvent], actor: Actor
) -> int:
    versions = await raise_versions(tx, [(org_id, owner) for owner in owners])
    await write_events(tx, events, versions, actor.at)
    agent = next((owner for owner in owners if owner is not None), None)
    return await pack_version(tx, org_id, agent) if agent is not None else versions[(org_id, None)]


def _event(
    org_id: UUID,
    agent: UUID | None,
    event_type: str,
    subject_type: str,
    subject_id: UUID | None,
    actor: Actor,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
) -> NewEvent:
    return by_user(
        actor,
        org_id=org_id,
        role_agent_id=agent,
        event_type=event_type,
        subject_type=subject_type,
        subject_id=subject_id,
        before=before,
        after=after,
    )

"""What people did, kept so that it can be taken back within moments, and the taking back (C63).

An act's changes name rows, the version that the act left them in, and what was there before; no texts. A row that has
another version by now was changed since: nothing is taken back.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import asyncpg

from dw_learning.memory_life import MemoryState, ended
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.memory_rows import (
    Actor,
    Changed,
    Known,
    NewMemory,
    Written,
    insert_memories,
    known_memories,
    state_fields,
    write_memories,
)
from dw_store.tombstones import Stone, lay_again, lift_tombstone, write_tombstone

INSERT: Final = """
INSERT INTO dw_acts (org_id, id, role_agent_id, item_id, actor_user_id, act, changes, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
ONE: Final = """
SELECT a.id, a.role_agent_id, a.item_id, a.actor_user_id, a.act, a.changes, a.at, a.undone_at
FROM dw_acts AS a WHERE a.org_id = $1 AND a.id = $2 FOR UPDATE
"""
OWNER: Final = "SELECT a.id, a.role_agent_id FROM dw_acts AS a WHERE a.org_id = $1 AND a.id = $2"
OF_ITEM: Final = """
SELECT a.id FROM dw_acts AS a WHERE a.org_id = $1 AND a.item_id = $2 AND a.undone_at IS NULL
ORDER BY a.at DESC, a.id LIMIT 1
"""
UNDONE: Final = "UPDATE dw_acts SET undone_at = $3 WHERE org_id = $1 AND id = $2 AND undone_at IS NULL"
REVISIONS: Final = """
SELECT v.memory_id, v.content
FROM dw_memory_revisions AS v
JOIN jsonb_to_recordset($2::jsonb) AS r (id uuid, revision int) ON v.memory_id = r.id AND v.revision = r.revision
WHERE v.org_id = $1
"""
SKILLS: Final = """
SELECT s.id, s.row_version, s.active_version, s.status FROM dw_agent_skills AS s
WHERE s.org_id = $1 AND s.id = ANY ($2::uuid[]) FOR UPDATE
"""
SKILL_BACK: Final = """
UPDATE dw_agent_skills AS s
SET active_version = v.version, description = coalesce($6, s.description), risk = coalesce($7, s.risk), updated_at = $5,
    row_version = s.row_version + 1
FROM dw_agent_skill_versions AS v
WHERE s.org_id = $1 AND s.id = $2 AND s.row_version = $3 AND v.org_id = $1 AND v.skill_id = $2 AND v.version = $4
"""
SKILL_AWAY: Final = """
UPDATE dw_agent_skills SET status = 'archived', updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND row_version = $3
"""
VERSIONS_BACK: Final = """
UPDATE dw_agent_skill_versions
SET status = CASE WHEN version = $3 THEN 'approved' ELSE 'retired' END
WHERE org_id = $1 AND skill_id = $2 AND status IN ('approved', 'retired')
"""


@dataclass(slots=True)
class Changes:
    """Collects what an act changes, and writes it through the one door that keeps what was there before."""

    tx: Tx
    org_id: UUID
    actor: Actor
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def by(self) -> str:
        """As created_by and changed_by."""
        return str(self.actor.user_id)

    async def write(self, written: Sequence[Written]) -> None:
        """Memories in their new states."""
        await write_memories(self.tx, self.org_id, written, self.by, self.actor.at)
        self.rows += [_changed(entry.known) for entry in written]

    async def insert(self, memory: NewMemory) -> None:
        """A memory that was not there."""
        await self.insert_all([memory])

    async def insert_all(self, memories: Sequence[NewMemory]) -> None:
        """Memories that were not there."""
        await insert_memories(self.tx, self.org_id, memories, self.by, self.actor.at)
        self.rows += [
            {"what": "memory", "id": memory.memory_id, "version": 1, "before": None} for memory in memories
        ]

    async def tombstone(self, stone: Stone) -> bool:
        """True if it is new."""
        made = await write_tombstone(self.tx, self.org_id, stone)
        if made is not None:
            self.rows.append({"what": "tombstone", "id": made, "lifted": False})
        return made is not None

    async def lift(self, tombstone_id: UUID) -> bool:
        """True if it held until now."""
        lifted = await lift_tombstone(self.tx, self.org_id, tombstone_id, self.by, self.actor.at)
        if lifted:
            self.rows.append({"what": "tombstone", "id": tombstone_id, "lifted": True})
        return lifted

    def skill(self, skill_id: UUID, row_version: int, before: Mapping[str, Any] | None) -> None:
        """A skill that has another active version now; `before` is version, description and risk, None if it is new."""
        kept = dict(before) if before is not None else None
        self.rows.append({"what": "skill", "id": skill_id, "version": row_version, "before": kept})

    async def record(self, act: str, role_agent_id: UUID | None, item_id: UUID | None = None) -> UUID:
        """The act's id, for taking it back."""
        act_id = uuid.uuid4()
        rows = json_rows(self.rows)
        await self.tx.execute(
            INSERT, self.org_id, act_id, role_agent_id, item_id, self.actor.user_id, act, rows, self.actor.at
        )
        return act_id


async def owner_of_act(tx: Tx, org_id: UUID, act_id: UUID) -> Any | None:
    """Whose agent it touched: lock that first."""
    return await tx.fetchrow(OWNER, org_id, act_id)


async def find_act(tx: Tx, org_id: UUID, act_id: UUID) -> Any | None:
    """The act, locked."""
    return await tx.fetchrow(ONE, org_id, act_id)


async def act_of_item(tx: Tx, org_id: UUID, item_id: UUID) -> UUID | None:
    """The decision of an item, as an act; None where it was taken back, or none was kept."""
    found: UUID | None = await tx.fetchval(OF_ITEM, org_id, item_id)
    return found


async def take_back(tx: Tx, org_id: UUID, act: Any, actor: Actor) -> list[UUID]:
    """Everything that the act changed is as it was. Gives the memories concerned. Raises Changed."""
    if await tx.execute(UNDONE, org_id, act["id"], actor.at) != "UPDATE 1":
        raise Changed("it was taken back already")
    return await inverse(tx, org_id, act["changes"], actor)


async def inverse(
    tx: Tx, org_id: UUID, changes: Sequence[Mapping[str, Any]], actor: Actor, *, strict: bool = True
) -> list[UUID]:
    """Apply the opposite of these changes. Not `strict` (an override, which may come much later): what the act made
    goes if it is still active, what it ended for it comes back, and what has gone its own way is left as it is."""
    memories = {UUID(str(c["id"])): c for c in changes if c["what"] == "memory"}
    known = await known_memories(tx, org_id, sorted(memories))
    fit = {i: k for i, k in known.items() if k.row_version == memories[i]["version"]}
    if not strict:
        fit |= _following(known, memories)
    if strict and len(fit) != len(memories):
        raise Changed("the memory was changed since")
    texts = await _texts(tx, org_id, [(i, memories[i]["before"]) for i in fit])
    written = [_back(entry, memories[i]["before"], texts.get(i), actor) for i, entry in fit.items()]
    try:
        await write_memories(tx, org_id, written, str(actor.user_id), actor.at)
    except (
        asyncpg.UniqueViolationError
    ):  # the caller's transaction ends with this, so nothing of the act is kept
        raise Changed("another memory has taken its place since") from None
    for change in changes:
        if change["what"] == "tombstone":
            await _turn_stone(tx, org_id, change, actor, strict)
        elif change["what"] == "skill":
            await _turn_skill(tx, org_id, change, actor)
    return sorted(fit)


def _following(known: Mapping[UUID, Known], memories: Mapping[UUID, Mapping[str, Any]]) -> dict[UUID, Known]:
    made = {i: k for i, k in known.items() if memories[i]["before"] is None and k.state.status == "active"}
    ended_for_it = {
        i: k for i, k in known.items() if k.state.status == "superseded" and k.state.superseded_by in made
    }
    return made | ended_for_it


def _changed(known: Known) -> dict[str, Any]:
    before = {**state_fields(known.state), "revision": known.revision}
    return {"what": "memory", "id": known.memory_id, "version": known.row_version + 1, "before": before}


async def _texts(
    tx: Tx, org_id: UUID, wanted: Sequence[tuple[UUID, Mapping[str, Any] | None]]
) -> dict[UUID, str]:
    rows = [{"id": i, "revision": before["revision"]} for i, before in wanted if before is not None]
    found = await tx.fetch(REVISIONS, org_id, json_rows(rows)) if rows else []
    return {row["memory_id"]: row["content"] for row in found}


def _back(known: Known, before: Mapping[str, Any] | None, text: str | None, actor: Actor) -> Written:
    if before is None:
        return Written(known, ended(known.state, "archive", str(actor.user_id), "undo", actor.at), "undo")
    values = {name: before[name] for name in state_fields(known.state)}
    for name in ("superseded_at", "deleted_at", "last_confirmed_at", "low_confidence_since"):
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    values["superseded_by"] = UUID(values["superseded_by"]) if values["superseded_by"] else None
    state: MemoryState = replace(known.state, **values)
    return Written(known, replace(state, content=text) if text is not None else state, "undo")


async def _turn_stone(tx: Tx, org_id: UUID, change: Mapping[str, Any], actor: Actor, strict: bool) -> None:
    stone = UUID(str(change["id"]))
    if change["lifted"]:
        turned = await lay_again(tx, org_id, stone)
    else:
        turned = await lift_tombstone(tx, org_id, stone, str(actor.user_id), actor.at)
    if strict and not turned:
        raise Changed("the tombstone was changed since")


async def _turn_skill(tx: Tx, org_id: UUID, change: Mapping[str, Any], actor: Actor) -> None:
    skill, version, before = UUID(str(change["id"])), change["version"], change["before"]
    if before is None:
        done = await tx.execute(SKILL_AWAY, org_id, skill, version, actor.at)
    else:
        number, description, risk = before["version"], before.get("description"), before.get("risk")
        done = await tx.execute(SKILL_BACK, org_id, skill, version, number, actor.at, description, risk)
        await tx.execute(VERSIONS_BACK, org_id, skill, number)
    if done != "UPDATE 1":
        raise Changed("the skill was changed since")

"""A person's decision about an item, applied in one transaction (C69): item, memory or skill, audit, version, outbox.

The caller has authenticated, asked `authority`, and scanned what would be activated; nothing is decided here.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from dw_learning.items import Effect, after, effect_of
from dw_learning.memory_life import ended, superseded
from dw_learning.normal import content_hash
from dw_learning.skill_draft import SkillDraft
from dw_store import decide_item_sql as sql
from dw_store.acts import Changes
from dw_store.audit import NewEvent, by_user, record, write_events
from dw_store.database import Tx
from dw_store.memory_acts import Taken, promote_memory
from dw_store.memory_files import Overtaken, save_batch
from dw_store.memory_rows import Actor, NewMemory, Written, known_memories
from dw_store.tombstones import Stone
from dw_store.versions import pack_version, raise_versions

Item = Mapping[str, Any]
_ACTIVE = {"status": "active"}


class Stale(Exception):
    """The item was decided or changed since the person saw it (D31), or its base changed (C93)."""


class NotYet(Exception):
    """A kind of item whose approval brings about what this version cannot do."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the person said. `skill` is the checked body where a skill is approved; `never_again` writes a tombstone
    with a rejection (C62)."""

    row_version: int
    action: Literal["approve", "reject"]
    note: str
    user_id: UUID
    self_approved: bool
    trace_id: str
    at: datetime
    scan_version: str
    skill: SkillDraft | None = None
    never_again: bool = False
    reject_reason: str | None = None
    kind: Literal["manual", "override"] = "manual"

    @property
    def actor(self) -> Actor:
        """Who decided, and when."""
        return Actor(self.user_id, self.at, self.trace_id)


@dataclass(frozen=True, slots=True)
class Applied:
    """`memory_id` is the memory that was written or archived; packs show it from `version` on (C71). `act_id` takes
    the decision back (C63)."""

    memory_id: UUID | None
    version: int
    act_id: UUID


async def lock_agent_of(tx: Tx, org_id: UUID, item_id: UUID) -> str | None:
    """Before anything about the item is read, so that commit order is per-agent order for people too (C69). Gives the
    role-agent's code; None where there is no such item."""
    agent = await tx.fetchval(sql.AGENT_OF, org_id, item_id)
    row = await tx.fetchrow(sql.LOCK_AGENT, org_id, agent) if agent is not None else None
    return row["code"] if row is not None else None


async def skill_names(tx: Tx, org_id: UUID, role_agent_id: UUID) -> frozenset[str]:
    """Names that are taken, whatever became of the skills."""
    return frozenset(row["name"] for row in await tx.fetch(sql.SKILL_NAMES, org_id, role_agent_id))


async def skill_of(tx: Tx, org_id: UUID, item: Item) -> Any | None:
    """The skill that an update would change, as it stands."""
    if item["target_skill_id"] is None:
        return None
    return await tx.fetchrow(sql.SKILL, org_id, item["target_skill_id"], item["role_agent_id"])


async def apply_verdict(tx: Tx, org_id: UUID, item: Item, verdict: Verdict) -> Applied:
    """`item` was read under the agent's lock. Raises Stale, NotYet."""
    status = after(item["status"], verdict.action)
    if status is None or item["row_version"] != verdict.row_version:
        raise Stale("it was decided or changed in the meantime")
    args = (
        item["id"], verdict.row_version, status, verdict.user_id, verdict.at, verdict.note, verdict.kind,
        verdict.reject_reason,
    )  # fmt: skip
    if await tx.execute(sql.DECIDE, org_id, *args) != "UPDATE 1":
        raise Stale("it was decided or changed in the meantime")
    changes = Changes(tx, org_id, verdict.actor)
    made, effects = await _effect(changes, org_id, item, verdict)
    if status == "rejected" and verdict.never_again:
        effects += await _never_again(changes, item, verdict)
    about: dict[str, Any] = {
        "status": status,
        "kind": item["kind"],
        "risk": item["risk"],
        "note": verdict.note,
    }
    events = [_event(org_id, item, verdict, status, "item", item["id"], about, {"status": item["status"]})]
    if verdict.self_approved:
        events.append(_event(org_id, item, verdict, "self_approved", "item", item["id"], {"status": status}))
    if verdict.kind == "override":
        was = {"status": item["status"]}
        events.append(_event(org_id, item, verdict, "override", "item", item["id"], {"to": status}, was))
    owners: list[UUID | None] = [item["role_agent_id"]]
    if item["action"] == "promote" and made is not None:
        owners.append(None)  # all agents of the org know it from now on
    versions = await raise_versions(tx, [(org_id, owner) for owner in owners])
    await write_events(tx, [*events, *effects], versions, verdict.at)
    version = await pack_version(tx, org_id, item["role_agent_id"])
    act_id = await changes.record(verdict.action, item["role_agent_id"], item["id"])
    return Applied(made if verdict.skill is None else None, version, act_id)


async def record_denied(tx: Tx, org_id: UUID, item: Item, user_id: UUID, why: str, at: datetime) -> None:
    """R149: an attempt without the right changes nothing and is on record."""
    event = NewEvent(
        org_id=org_id,
        role_agent_id=item["role_agent_id"],
        event_type="access_denied",
        actor_type="user",
        actor_id=str(user_id),
        on_behalf_of=user_id,
        subject_type="item",
        subject_id=item["id"],
        reason=why,
        before={"status": item["status"]},
        after={"status": item["status"]},
    )
    await record(tx, event, at)


async def _never_again(changes: Changes, item: Item, verdict: Verdict) -> list[NewEvent]:
    payload = item["proposed_payload"]
    agent, by = item["role_agent_id"], str(verdict.user_id)
    said = [row for row in payload.get("entries", [payload]) if row.get("content")]
    stones = [
        Stone(agent, row["content"], row.get("key", ""), "rejected", by, verdict.at, item["id"])
        for row in said
    ]
    if not any([await changes.tombstone(stone) for stone in stones]):
        return []
    held = {"holds": True}
    event = _event(
        changes.org_id, item, verdict, "tombstone_written", "item", item["id"], held, {"holds": False}
    )
    return [event]


async def _effect(
    changes: Changes, org_id: UUID, item: Item, verdict: Verdict
) -> tuple[UUID | None, list[NewEvent]]:
    match effect_of(item["kind"], item["action"], verdict.action):
        case Effect.SAVE_MEMORY if "entries" in item["proposed_payload"]:
            return await _save_batch(changes, org_id, item, verdict)
        case Effect.SAVE_MEMORY:
            return await _save_memory(changes, org_id, item, verdict)
        case Effect.ARCHIVE_MEMORY:
            return await _archive_memory(changes, org_id, item, verdict)
        case Effect.PROMOTE_MEMORY:
            return await _promote_memory(changes, org_id, item, verdict)
        case Effect.ACTIVATE_SKILL if verdict.skill is not None:
            return await _activate_skill(changes, org_id, item, verdict, verdict.skill)
        case Effect.NONE:
            return None, []
        case Effect.NOT_YET | Effect.ACTIVATE_SKILL:
            raise NotYet(f"{item['kind']}, {item['action']}")


def base_changed(item: Item) -> bool:
    """C93, D49: somebody changed the memory or the skill after this was proposed, or took the key."""
    if item["status"] != "pending":
        return False
    if item["rival_id"] is not None:
        return True
    base = item["base_version"]
    if item["target_memory_id"] is not None:
        return item["target_status"] != "active" or bool(item["target_version"] != base)
    if item["target_skill_id"] is not None:
        return item["skill_status"] == "archived" or bool(item["skill_version"] != base)
    return False


async def _archive_memory(
    changes: Changes, org_id: UUID, item: Item, verdict: Verdict
) -> tuple[UUID | None, list[NewEvent]]:
    target = item["target_memory_id"]
    if target is None or base_changed(item):
        raise Stale("the memory changed since this was proposed: out of date")
    known = (await known_memories(changes.tx, org_id, [target]))[target]
    gone = ended(known.state, "archive", str(verdict.user_id), "decided", verdict.at)
    await changes.write([Written(known, gone, "archive")])
    return target, [
        _event(org_id, item, verdict, "memory_archived", "memory", target, {"status": "archived"}, _ACTIVE)
    ]


async def _promote_memory(
    changes: Changes, org_id: UUID, item: Item, verdict: Verdict
) -> tuple[UUID | None, list[NewEvent]]:
    target = item["target_memory_id"]
    if target is None or base_changed(item):
        raise Stale("the memory changed since this was proposed: out of date")
    known = (await known_memories(changes.tx, org_id, [target]))[target]
    try:
        made, events = await promote_memory(changes, known, item["id"])
    except Taken:
        raise Stale("the org knows something else about this: supersede that first") from None
    return made, [
        _event(
            org_id,
            item,
            verdict,
            about.event_type,
            "memory",
            about.memory_id,
            about.after or {},
            about.before,
        )
        for about in events
    ]


async def _save_memory(
    changes: Changes, org_id: UUID, item: Item, verdict: Verdict
) -> tuple[UUID | None, list[NewEvent]]:
    payload, agent, target = item["proposed_payload"], item["role_agent_id"], item["target_memory_id"]
    if base_changed(item):
        raise Stale("what the agent knows changed since this was proposed: out of date")
    content, hashed = payload["content"], content_hash(payload["content"])
    subject = UUID(payload["subject_identity"]) if payload.get("subject_identity") else None
    holders = await changes.tx.fetch(
        sql.HOLDERS, org_id, agent, subject, payload["layer"], payload["key"], hashed, target
    )
    if any(row["id"] != target and bytes(row["content_hash"]) != hashed for row in holders):
        raise Stale("another memory has taken its place since: out of date")
    memory = _new_memory(item, payload, hashed, subject)
    old = await known_memories(changes.tx, org_id, [row["id"] for row in holders])
    await changes.write(
        [
            Written(known, superseded(known.state, memory.memory_id, verdict.at), "supersede")
            for known in old.values()
        ]
    )
    await changes.insert(memory)
    about = {"content": content, "key": payload["key"], "risk": item["risk"]}
    follows = {"status": "superseded", "superseded_by": str(memory.memory_id)}
    return memory.memory_id, [
        _event(org_id, item, verdict, "memory_saved", "memory", memory.memory_id, about),
        *(_event(org_id, item, verdict, "memory_superseded", "memory", i, follows, _ACTIVE) for i in old),
    ]


async def _save_batch(
    changes: Changes, org_id: UUID, item: Item, verdict: Verdict
) -> tuple[UUID | None, list[NewEvent]]:
    """C82: the files of an import, all or none."""
    try:
        made, ends = await save_batch(changes, item, item["proposed_payload"]["entries"])
    except Overtaken as files:
        raise Stale(f"what the agent knows changed since this import: import again ({files})") from None
    saved = [
        _event(
            org_id, item, verdict, "memory_saved", "memory", memory.memory_id,
            {"content": memory.content, "key": memory.key, "risk": memory.risk},
        )
        for memory in made
    ]  # fmt: skip
    gone = [
        _event(
            org_id, item, verdict, "memory_superseded", "memory", old,
            {"status": "superseded", "superseded_by": str(new)}, _ACTIVE,
        )
        for old, new in ends.items()
    ]  # fmt: skip
    return None, saved + gone


def _new_memory(item: Item, payload: Mapping[str, Any], hashed: bytes, subject: UUID | None) -> NewMemory:
    return NewMemory(
        role_agent_id=item["role_agent_id"],
        content=payload["content"],
        content_hash=hashed,
        key=payload["key"],
        layer=payload["layer"],
        memory_type=payload["memory_type"],
        category=payload["category"],
        risk=_memory_risk(item),
        is_sensitive=item["is_sensitive"],
        origin="approved",
        source_kind="user_confirmed",
        source_refs=cast("list[dict[str, Any]]", item["source_refs"]),
        learning_item_id=item["id"],
        subject_identity=subject,
        sender_verified=item["sender_verified"],
        sender_identity_id=item["sender_identity_id"],
    )


def _memory_risk(item: Item) -> str:
    """Memories know no medium (C23): what is not plainly low counts as high."""
    if item["is_sensitive"] or item["risk"] == "sensitive":
        return "sensitive"
    return "low" if item["risk"] == "low" else "high"


async def _activate_skill(
    changes: Changes, org_id: UUID, item: Item, verdict: Verdict, skill: SkillDraft
) -> tuple[UUID | None, list[NewEvent]]:
    tx = changes.tx
    agent, known = item["role_agent_id"], await skill_of(tx, org_id, item)
    if base_changed(item) or (item["kind"] == "skill_update" and known is None):
        raise Stale("the skill changed since this was proposed: out of date")
    skill_id = known["id"] if known is not None else uuid.uuid4()
    version = await tx.fetchval(sql.NEXT_VERSION, org_id, skill_id)
    if known is None:
        await tx.execute(
            sql.INSERT_SKILL, skill_id, org_id, agent, skill.name, skill.description, skill.risk, version,
            item["proposed_by"],
        )  # fmt: skip
    else:
        await tx.execute(sql.RETIRE_VERSIONS, org_id, skill_id)
        await tx.execute(
            sql.ACTIVATE_VERSION, org_id, skill_id, version, skill.description, skill.risk, verdict.at
        )
    await tx.execute(
        sql.INSERT_VERSION, org_id, skill_id, version, skill.body_md, hashlib.sha256(skill.body_md.encode()).digest(),
        _summary(item, verdict, known), verdict.user_id, verdict.at,
        item["base_version"], item["id"], {"scan": verdict.scan_version, "hits": []},
        item["proposed_payload"].get("metadata") or {},
    )  # fmt: skip
    await tx.execute(sql.ASSIGN_SKILL, org_id, agent, skill_id, str(verdict.user_id))
    changes.skill(skill_id, known["row_version"] + 1 if known is not None else 1, _skill_before(known))
    about = {"name": skill.name, "version": version, "risk": skill.risk}
    was = {"version": known["active_version"]} if known is not None else None
    return skill_id, [_event(org_id, item, verdict, "skill_activated", "skill", skill_id, about, was)]


def _skill_before(known: Any | None) -> dict[str, Any] | None:
    if known is None:
        return None
    return {"version": known["active_version"], "description": known["description"], "risk": known["risk"]}


def _summary(item: Item, verdict: Verdict, known: Any | None) -> str:
    """What changed, in the words of who proposed it, else of who approved it (R200)."""
    said = item["proposed_payload"].get("change_summary") or verdict.note
    return said or ("first version" if known is None else "update")


def _event(
    org_id: UUID,
    item: Item,
    verdict: Verdict,
    event_type: str,
    subject_type: str,
    subject_id: UUID,
    about: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
) -> NewEvent:
    return by_user(
        verdict,
        org_id=org_id,
        role_agent_id=item["role_agent_id"],
        event_type=event_type,
        subject_type=subject_type,
        subject_id=subject_id,
        reason=item["reason_code"],
        before=before,
        after=about,
    )

"""A person's decision about an item, applied in one transaction (C69): item, memory or skill, audit, version."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from dw_learning.normal import content_hash
from dw_learning.skill_draft import SkillDraft
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.versions import pack_version, raise_versions

LOCK_AGENT = "SELECT a.id FROM dw_role_agents AS a WHERE a.org_id = $1 AND a.id = $2 FOR NO KEY UPDATE"
DECIDE = """
UPDATE dw_learning_items
SET status = $4, decided_by = $5, decided_at = $6, decision_note = $7, decision_kind = 'manual', updated_at = $6,
    row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'pending' AND row_version = $3
"""
HOLDERS = """
SELECT m.id, m.row_version
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.role_agent_id = $2 AND m.status = 'active'
  AND m.subject_identity IS NOT DISTINCT FROM $3 AND ((m.layer = $4 AND m.key = $5) OR m.content_hash = $6 OR m.id = $7)
"""
SUPERSEDE = """
UPDATE dw_agent_memories
SET status = 'superseded', superseded_at = $3, updated_at = $3, row_version = row_version + 1
WHERE org_id = $1 AND id = ANY ($2::uuid[]) AND status = 'active'
"""
LINK = "UPDATE dw_agent_memories SET superseded_by = $3 WHERE org_id = $1 AND id = ANY ($2::uuid[])"
ARCHIVE = """
UPDATE dw_agent_memories
SET status = 'archived', updated_at = $3, row_version = row_version + 1
WHERE org_id = $1 AND id = $2 AND status = 'active'
"""
INSERT_MEMORY = """
INSERT INTO dw_agent_memories (
    id, org_id, role_agent_id, scope, memory_type, category, layer, key, content, content_hash, risk, is_sensitive,
    confidence, source_kind, source_refs, origin, learning_item_id, subject_identity, last_confirmed_at, created_by,
    created_at, updated_at
)
VALUES ($1, $2, $3, 'role_agent', $4, $5, $6, $7, $8, $9, $10, $11, 0.9, 'user_confirmed', $12, 'approved', $13, $14,
        $15, $16, $15, $15)
"""
INSERT_REVISION = """
INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, changed_by, change_kind, at)
VALUES ($1, $2, 1, $3, 0.9, $4, 'create', $5)
"""
FIND_SKILL = (
    "SELECT s.id FROM dw_agent_skills AS s WHERE s.org_id = $1 AND s.role_agent_id = $2 AND s.name = $3"
)
NEXT_VERSION = """
SELECT coalesce(max(v.version), 0) + 1 FROM dw_agent_skill_versions AS v WHERE v.org_id = $1 AND v.skill_id = $2
"""
INSERT_SKILL = """
INSERT INTO dw_agent_skills (id, org_id, role_agent_id, name, description, risk, status, active_version, created_by_agent_id)
VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $3)
"""
ACTIVATE_SKILL = """
UPDATE dw_agent_skills SET active_version = $3, status = 'active', description = $4, risk = $5, updated_at = $6,
       row_version = row_version + 1
WHERE org_id = $1 AND id = $2
"""
RETIRE_VERSIONS = """
UPDATE dw_agent_skill_versions SET status = 'retired' WHERE org_id = $1 AND skill_id = $2 AND status = 'approved'
"""
INSERT_VERSION = """
INSERT INTO dw_agent_skill_versions (
    org_id, skill_id, version, body_md, content_hash, change_summary, approver_user_id, approved_at, status, learning_item_id
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'approved', $9)
"""
ASSIGN_SKILL = """
INSERT INTO dw_agent_skill_assignments (org_id, role_agent_id, skill_id, assigned_by)
VALUES ($1, $2, $3, $4)
ON CONFLICT (org_id, role_agent_id, skill_id) DO NOTHING
"""


class Stale(Exception):
    """The item was decided or changed since the person saw it (D31), or its base changed (C93)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the person said. `skill` is the checked body where a skill proposal is approved."""

    item_id: UUID
    row_version: int
    action: Literal["approve", "reject"]
    note: str
    user_id: UUID
    self_approved: bool
    trace_id: str
    skill: SkillDraft | None = None


async def lock_agent(tx: Tx, org_id: UUID, role_agent_id: UUID) -> None:
    """First of all, so that commit order is per-agent order for people too (C69)."""
    await tx.execute(LOCK_AGENT, org_id, role_agent_id)


async def apply_verdict(
    tx: Tx, org_id: UUID, item: Mapping[str, Any], verdict: Verdict, now: datetime
) -> tuple[UUID | None, int]:
    """Write the decision and its effect. Gives what was made and the version from which packs show it."""
    status = "approved" if verdict.action == "approve" else "rejected"
    done = await tx.execute(
        DECIDE, org_id, verdict.item_id, verdict.row_version, status, verdict.user_id, now, verdict.note
    )
    if done != "UPDATE 1":
        raise Stale("the item was decided or changed in the meantime")
    events = [_event(org_id, item, verdict, status, "item", verdict.item_id, {"note": verdict.note})]
    made: UUID | None = None
    if verdict.action == "approve":
        made, more = await _effect(tx, org_id, item, verdict, now)
        events += more
    if verdict.self_approved:
        events.append(_event(org_id, item, verdict, "self_approved", "item", verdict.item_id, {}))
    agent = item["role_agent_id"]
    versions = await raise_versions(tx, [(org_id, agent)])
    await write_events(tx, events, versions, now)
    return made, await pack_version(tx, org_id, agent)


async def _effect(
    tx: Tx, org_id: UUID, item: Mapping[str, Any], verdict: Verdict, now: datetime
) -> tuple[UUID | None, list[NewEvent]]:
    if verdict.skill is not None:
        return await _activate_skill(tx, org_id, item, verdict, verdict.skill, now)
    target = item["target_memory_id"]
    if item["action"] in ("update", "archive") and target is not None and _base_changed(item):
        raise Stale("the memory changed since this was proposed: out of date")
    if item["action"] == "archive" and target is not None:
        await tx.execute(ARCHIVE, org_id, target, now)
        return target, [_event(org_id, item, verdict, "memory_archived", "memory", target, {})]
    if item["kind"] == "review":
        return target, []
    return await _save_memory(tx, org_id, item, verdict, now)


def _base_changed(item: Mapping[str, Any]) -> bool:
    """C93: somebody changed the memory after this was proposed."""
    changed: bool = item["target_status"] != "active" or item["target_version"] != item["base_version"]
    return changed


async def _save_memory(
    tx: Tx, org_id: UUID, item: Mapping[str, Any], verdict: Verdict, now: datetime
) -> tuple[UUID | None, list[NewEvent]]:
    payload: Mapping[str, Any] = item["proposed_payload"]
    content, hashed = payload["content"], content_hash(payload["content"])
    subject = UUID(payload["subject_identity"]) if payload.get("subject_identity") else None
    holders = await tx.fetch(
        HOLDERS, org_id, item["role_agent_id"], subject, payload["layer"], payload["key"], hashed,
        item["target_memory_id"],
    )  # fmt: skip
    old = [row["id"] for row in holders]
    memory_id = uuid.uuid4()
    await tx.execute(SUPERSEDE, org_id, old, now)
    await tx.execute(
        INSERT_MEMORY, memory_id, org_id, item["role_agent_id"], payload["memory_type"], payload["category"],
        payload["layer"], payload["key"], content, hashed,
        "sensitive" if item["is_sensitive"] else "high" if item["risk"] in ("high", "medium") else item["risk"],
        item["is_sensitive"], item["source_refs"], item["id"], subject, now, str(verdict.user_id),
    )  # fmt: skip
    await tx.execute(INSERT_REVISION, org_id, memory_id, content, str(verdict.user_id), now)
    await tx.execute(LINK, org_id, old, memory_id)
    events = [
        _event(org_id, item, verdict, "memory_superseded", "memory", id_, {"superseded_by": str(memory_id)})
        for id_ in old
    ]
    saved = _event(org_id, item, verdict, "memory_saved", "memory", memory_id, {"content": content})
    return memory_id, [saved, *events]


async def _activate_skill(
    tx: Tx, org_id: UUID, item: Mapping[str, Any], verdict: Verdict, skill: SkillDraft, now: datetime
) -> tuple[UUID | None, list[NewEvent]]:
    agent = item["role_agent_id"]
    known = await tx.fetchval(FIND_SKILL, org_id, agent, skill.name)
    skill_id = known or uuid.uuid4()
    version = await tx.fetchval(NEXT_VERSION, org_id, skill_id)
    if known is None:
        await tx.execute(
            INSERT_SKILL, skill_id, org_id, agent, skill.name, skill.description, skill.risk, version
        )
    else:
        await tx.execute(RETIRE_VERSIONS, org_id, skill_id)
    hashed = hashlib.sha256(skill.body_md.encode()).digest()
    summary = verdict.note or "first version" if known is None else verdict.note
    await tx.execute(
        INSERT_VERSION,
        org_id,
        skill_id,
        version,
        skill.body_md,
        hashed,
        summary,
        verdict.user_id,
        now,
        verdict.item_id,
    )
    if known is not None:
        await tx.execute(ACTIVATE_SKILL, org_id, skill_id, version, skill.description, skill.risk, now)
    await tx.execute(ASSIGN_SKILL, org_id, agent, skill_id, str(verdict.user_id))
    after = {"name": skill.name, "version": version}
    return skill_id, [_event(org_id, item, verdict, "skill_activated", "skill", skill_id, after)]


def _event(
    org_id: UUID,
    item: Mapping[str, Any],
    verdict: Verdict,
    event_type: str,
    subject_type: str,
    subject_id: UUID,
    after: Mapping[str, Any],
) -> NewEvent:
    return NewEvent(
        org_id=org_id,
        role_agent_id=item["role_agent_id"],
        event_type=event_type,
        actor_type="user",
        actor_id=str(verdict.user_id),
        on_behalf_of=verdict.user_id,
        subject_type=subject_type,
        subject_id=subject_id,
        reason=item["reason_code"],
        after=after,
        trace_id=verdict.trace_id,
    )

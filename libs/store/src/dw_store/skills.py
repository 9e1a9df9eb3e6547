"""Skills in the panel: reads, proposals, and what people do to a skill that is there (C69). The caller holds the
role-agent's lock for every write, has asked `authority` and has scanned the text."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from dw_learning.item_times import DUE, EXPIRY
from dw_learning.skill_draft import SkillRisk
from dw_learning.skills.life import SKILL_EVENTS, SkillAct
from dw_store import decide_item_sql
from dw_store import skills_sql as sql
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.versions import pack_version, raise_versions

Row = Mapping[str, Any]


class SameProposalWaits(Exception):
    """An equal proposal is open already."""


@dataclass(frozen=True, slots=True)
class Act:
    """Who acts, when, in which trace: a person, or the role-agent itself where `user_id` is None (R209)."""

    user_id: UUID | None
    at: datetime
    trace_id: str = ""
    worker: UUID | None = None

    @property
    def actor(self) -> str:
        """As the audit log and `proposed_by` name it."""
        return str(self.user_id) if self.user_id is not None else f"dw_worker:{self.worker}"


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A checked skill. `skill_id` and `base_version` are those of an update; `rebases` is the open one it replaces."""

    role_agent_id: UUID
    name: str
    description: str
    risk: SkillRisk
    is_sensitive: bool
    body_md: str
    change_summary: str
    reason: Literal["skill", "sensitive"]
    explanation: str
    skill_id: UUID | None = None
    base_version: int | None = None
    rebases: Row | None = None
    stripped: Sequence[str] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


async def lock_agent(tx: Tx, org_id: UUID, role_agent_id: UUID) -> None:
    """Commit order is per-agent order (C69)."""
    await tx.fetchrow(decide_item_sql.LOCK_AGENT, org_id, role_agent_id)


async def agent_of(tx: Tx, org_id: UUID, skill_id: UUID) -> UUID | None:
    """Whose skill it is; None where there is none."""
    found: UUID | None = await tx.fetchval(sql.AGENT_OF, org_id, skill_id)
    return found


async def one(tx: Tx, org_id: UUID, skill_id: UUID) -> Any | None:
    """A skill as it stands."""
    return await tx.fetchrow(sql.ONE, org_id, skill_id)


async def by_name(tx: Tx, org_id: UUID, role_agent_id: UUID, name: str) -> Any | None:
    """The agent's skill of this name."""
    return await tx.fetchrow(sql.BY_NAME, org_id, role_agent_id, name)


async def of_agent(
    tx: Tx, org_id: UUID, role_agent_id: UUID, *, status: str, after: str, limit: int
) -> list[Any]:
    """Skills by name, of whatever status where it is empty."""
    return await tx.fetch(sql.OF_AGENT, org_id, role_agent_id, status, after, limit)


async def versions(tx: Tx, org_id: UUID, skill_id: UUID) -> list[Any]:
    """Newest first, at most 200."""
    return await tx.fetch(sql.VERSIONS, org_id, skill_id)


async def version(tx: Tx, org_id: UUID, skill_id: UUID, number: int) -> Any | None:
    """One version with its body."""
    return await tx.fetchrow(sql.VERSION, org_id, skill_id, number)


async def open_update(tx: Tx, org_id: UUID, item_id: UUID, skill_id: UUID) -> Any | None:
    """An open proposal for this very skill."""
    return await tx.fetchrow(sql.OPEN_UPDATE, org_id, item_id, skill_id)


async def waits_as_new(tx: Tx, org_id: UUID, role_agent_id: UUID, name: str) -> bool:
    """Is a new skill of this name proposed already, and not decided? Asked under the agent's lock."""
    return bool(await tx.fetchval(sql.WAITS_AS_NEW, org_id, role_agent_id, name))


async def is_org(tx: Tx, org_id: UUID, code: str) -> bool:
    """Is this the org that a path names?"""
    return bool(await tx.fetchval(sql.IS_ORG, org_id, code))


async def own_rights(tx: Tx, org_id: UUID, role_agent_id: UUID) -> Any:
    """What the agent may do about its own skills, under its lock."""
    return await tx.fetchrow(sql.OWN_RIGHTS, org_id, role_agent_id)


async def let_manage(tx: Tx, org_id: UUID, agent: Row, allowed: bool, act: Act) -> int:
    """R209: whether the agent may propose skills of its own. It never may approve one."""
    await tx.execute(sql.LET_MANAGE, org_id, agent["id"], allowed, act.at)
    was, now = {"can_manage_own_skills": agent["can_manage_own_skills"]}, {"can_manage_own_skills": allowed}
    event = _event(org_id, agent["id"], act, "agent_changed", "agent", agent["id"], was, now)
    return await _record(tx, org_id, agent["id"], [event], act)


async def denied_agent(tx: Tx, org_id: UUID, agent: Row, what: str, act: Act) -> None:
    """R149, for what an agent tries."""
    same = {"can_manage_own_skills": agent["can_manage_own_skills"]}
    event = _event(org_id, agent["id"], act, "access_denied", "agent", agent["id"], same, same, what)
    await _record(tx, org_id, agent["id"], [event], act)


async def propose(tx: Tx, org_id: UUID, wanted: NewProposal, act: Act) -> tuple[UUID, int]:
    """The item's id, and the agent's version. Raises SameProposalWaits."""
    made, is_update = uuid.uuid4(), wanted.skill_id is not None
    old = wanted.rebases
    if old is not None:  # before the insert: both may be one signal
        await tx.execute(sql.SUPERSEDE_ITEM, org_id, old["id"], act.at)
    inserted = await tx.execute(
        sql.INSERT_ITEM, made, org_id, wanted.role_agent_id, "skill_update" if is_update else "skill_proposal",
        "update" if is_update else "create", wanted.risk, wanted.is_sensitive, wanted.reason, wanted.explanation,
        _payload(wanted), _sources(wanted, act), _signal(wanted),
        wanted.skill_id, wanted.base_version, act.actor, _first_author(old), act.user_id is not None, act.at, act.at + DUE[wanted.risk],
        act.at + EXPIRY,
    )  # fmt: skip
    if inserted != "INSERT 0 1":
        raise SameProposalWaits(wanted.name)
    about = {
        "kind": "skill_update" if is_update else "skill_proposal",
        "risk": wanted.risk,
        "content": wanted.body_md,
    }
    events = [_event(org_id, wanted.role_agent_id, act, "learning_proposed", "item", made, {}, about)]
    if old is not None:
        await tx.execute(sql.LINK_ITEM, org_id, old["id"], made)
        follows = {"status": "superseded", "superseded_by": str(made)}
        events.append(
            _event(
                org_id,
                wanted.role_agent_id,
                act,
                "item_superseded",
                "item",
                old["id"],
                {"status": "pending"},
                follows,
            )
        )
    if wanted.stripped:
        was, now = {"keys": [*wanted.stripped]}, {"keys": list[str]()}
        events.append(
            _event(org_id, wanted.role_agent_id, act, "skill_tools_stripped", "item", made, was, now)
        )
    return made, await _record(tx, org_id, wanted.role_agent_id, events, act)


async def step(tx: Tx, org_id: UUID, skill: Row, taken: SkillAct, status: str, act: Act) -> int:
    """Pause, resume, archive. Gives the agent's version: no later pack has what is not active."""
    await tx.execute(sql.SET_STATUS, org_id, skill["id"], status, act.at)
    event = _about(org_id, skill, act, SKILL_EVENTS[taken], {"status": skill["status"]}, {"status": status})
    return await _record(tx, org_id, skill["role_agent_id"], [event], act)


async def revert(
    tx: Tx, org_id: UUID, skill: Row, to: int, description: str, risk: SkillRisk, act: Act
) -> int:
    """An older approved version is the active one again, with its own description and risk."""
    await tx.execute(sql.RETIRE_ACTIVE, org_id, skill["id"])
    await tx.execute(sql.APPROVE_AGAIN, org_id, skill["id"], to)
    await tx.execute(sql.POINT_AT, org_id, skill["id"], to, description, risk, act.at)
    was, now = {"version": skill["active_version"]}, {"version": to}
    event = _about(org_id, skill, act, "skill_reverted", was, now)
    return await _record(tx, org_id, skill["role_agent_id"], [event], act)


async def enable(tx: Tx, org_id: UUID, skill: Row, enabled: bool, act: Act) -> int:
    """The desired list: what is not on it is not offered (R211, R213)."""
    await tx.execute(sql.ENABLE, org_id, skill["role_agent_id"], skill["id"], enabled, act.actor, act.at)
    kind = "skill_enabled" if enabled else "skill_disabled"
    event = _about(org_id, skill, act, kind, {"enabled": skill["enabled"]}, {"enabled": enabled})
    return await _record(tx, org_id, skill["role_agent_id"], [event], act)


async def denied(tx: Tx, org_id: UUID, skill: Row, what: str, act: Act) -> None:
    """R149: the attempt is on record, and nothing else changes."""
    same = {"status": skill["status"]}
    event = _about(org_id, skill, act, "access_denied", same, same, reason=what)
    await _record(tx, org_id, skill["role_agent_id"], [event], act)


def _payload(wanted: NewProposal) -> dict[str, Any]:
    """What the inbox shows and approval takes; `content` is what every reader of items knows."""
    return {
        "content": wanted.body_md,
        "body_md": wanted.body_md,
        "name": wanted.name,
        "description": wanted.description,
        "risk": wanted.risk,
        "change_summary": wanted.change_summary,
        "metadata": dict(wanted.metadata),
        "key": wanted.name,
        "layer": "knowledge",
        "memory_type": "rule",
        "category": "rule",
        "subject_identity": None,
        "marks": [],
    }


def _signal(wanted: NewProposal) -> str:
    """Equal texts for one skill are one signal."""
    return f"skill:{wanted.name}:{hashlib.sha256(wanted.body_md.encode()).hexdigest()[:32]}"


def _sources(wanted: NewProposal, act: Act) -> list[dict[str, Any]]:
    """Never empty: a proposal by hand is its own source. A rebase keeps those of the one that it replaces."""
    earlier = list(wanted.rebases["source_refs"]) if wanted.rebases is not None else []
    own = {
        "type": "manual",
        "at": act.at.isoformat(),
        "excerpt": wanted.change_summary[:280],
        "verified": True,
    }
    return [*earlier, own]


def _first_author(old: Row | None) -> UUID | None:
    """Who wrote what a rebase rests on stays an author of it (C61)."""
    if old is None:
        return None
    if old["sender_user_id"] is not None:
        first: UUID = old["sender_user_id"]
        return first
    try:
        return UUID(old["proposed_by"])
    except ValueError:
        return None


def _about(
    org_id: UUID, skill: Row, act: Act, kind: str, before: Row, after: Row, reason: str = "by_hand"
) -> NewEvent:
    name = {"name": skill["name"]}
    return _event(
        org_id,
        skill["role_agent_id"],
        act,
        kind,
        "skill",
        skill["id"],
        {**name, **before},
        {**name, **after},
        reason,
    )


def _event(
    org_id: UUID,
    role_agent_id: UUID,
    act: Act,
    kind: str,
    subject_type: str,
    subject_id: UUID,
    before: Row,
    after: Row,
    reason: str = "by_hand",
) -> NewEvent:
    return NewEvent(
        org_id=org_id,
        role_agent_id=role_agent_id,
        event_type=kind,
        actor_type="user" if act.user_id is not None else "worker",
        actor_id=act.actor,
        on_behalf_of=act.user_id,
        subject_type=subject_type,
        subject_id=subject_id,
        reason=reason,
        before=before or None,
        after=after,
        trace_id=act.trace_id,
    )


async def _record(tx: Tx, org_id: UUID, role_agent_id: UUID, events: Sequence[NewEvent], act: Act) -> int:
    raised = await raise_versions(tx, [(org_id, role_agent_id)])
    await write_events(tx, events, raised, act.at)
    return await pack_version(tx, org_id, role_agent_id)

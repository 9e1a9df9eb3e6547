"""Souls in the panel: reads, versions, assignment (C69). A change of a soul concerns every agent of the org, so it
raises the org's version (C71); assigning or pausing for one agent raises that agent's."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_learning.skills.life import SOUL_EVENTS, SoulAct
from dw_store import souls_sql as sql
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.skills import Act
from dw_store.versions import pack_version, raise_versions

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NewSoulVersion:
    """What is proposed, scanned."""

    tone_rules: str
    do_not_do: str
    critique_rules: str
    change_summary: str


async def page(tx: Tx, org_id: UUID, *, after: str, limit: int) -> list[Any]:
    """Souls by code."""
    return await tx.fetch(sql.ALL, org_id, after, limit)


async def one(tx: Tx, org_id: UUID, code: str) -> Any | None:
    """A soul as it stands."""
    return await tx.fetchrow(sql.ONE, org_id, code)


async def locked(tx: Tx, org_id: UUID, code: str) -> Any | None:
    """The soul, with its row locked: versions are numbered and approved one after another."""
    await tx.fetchrow(sql.LOCK, org_id, code)
    return await one(tx, org_id, code)


async def locked_agent(tx: Tx, org_id: UUID, role_agent_id: UUID) -> Any:
    """The agent with the code of its soul, under its lock."""
    return await tx.fetchrow(sql.LOCK_AGENT, org_id, role_agent_id)


async def versions(tx: Tx, org_id: UUID, soul_id: UUID) -> list[Any]:
    """Newest first, at most 200."""
    return await tx.fetch(sql.VERSIONS, org_id, soul_id)


async def create(tx: Tx, org_id: UUID, code: str, name: str, act: Act) -> None:
    """A draft without versions; nothing if somebody else made it at this moment."""
    await tx.execute(sql.INSERT_SOUL, uuid.uuid4(), org_id, code, name, act.at)


async def propose(tx: Tx, org_id: UUID, soul: Row, wanted: NewSoulVersion, act: Act) -> tuple[int, int]:
    """The number of the new draft, and the org's version."""
    number: int = await tx.fetchval(
        sql.INSERT_VERSION, org_id, soul["id"], wanted.tone_rules, wanted.do_not_do, wanted.critique_rules,
        wanted.change_summary, act.user_id, act.at,
    )  # fmt: skip
    now = {"version": number, "tone_rules": wanted.tone_rules, "do_not_do": wanted.do_not_do}
    event = _event(org_id, soul, act, "soul_version_proposed", {"version": soul["active_version"]}, now)
    return number, await _of_org(tx, org_id, event, act)


async def approve(tx: Tx, org_id: UUID, soul: Row, number: int, act: Act, *, self_approved: bool) -> int:
    """That version is what packs show from now on; the one before stays as it was."""
    await tx.execute(sql.RETIRE, org_id, soul["id"])
    await tx.execute(sql.APPROVE_VERSION, org_id, soul["id"], number, act.user_id, act.at)
    await tx.execute(sql.ACTIVATE, org_id, soul["id"], number, act.user_id, act.at)
    was, now = {"version": soul["active_version"]}, {"version": number, "self_approved": self_approved}
    return await _of_org(tx, org_id, _event(org_id, soul, act, "soul_version_approved", was, now), act)


async def step(tx: Tx, org_id: UUID, soul: Row, taken: SoulAct, status: str, act: Act) -> int:
    """Pause or resume for every agent that has it."""
    await tx.execute(sql.SET_STATUS, org_id, soul["id"], status, act.at)
    event = _event(org_id, soul, act, SOUL_EVENTS[taken], {"status": soul["status"]}, {"status": status})
    return await _of_org(tx, org_id, event, act)


async def assign(tx: Tx, org_id: UUID, agent: Row, soul: Row, act: Act) -> int:
    """The agent has this soul from its next pack on."""
    await tx.execute(sql.ASSIGN, org_id, agent["id"], soul["id"], act.at)
    event = _event(
        org_id, soul, act, "soul_assigned", {"soul": agent["soul"]}, {"soul": soul["code"]}, agent["id"]
    )
    return await _of_agent(tx, org_id, agent["id"], event, act)


async def pause_for(tx: Tx, org_id: UUID, agent: Row, soul: Row, taken: SoulAct, act: Act) -> int:
    """C39: off or on again for this agent alone."""
    paused = taken == "pause"
    await tx.execute(sql.PAUSE_FOR, org_id, agent["id"], paused, act.at)
    was, now = {"paused": agent["soul_paused"]}, {"paused": paused}
    return await _of_agent(
        tx, org_id, agent["id"], _event(org_id, soul, act, SOUL_EVENTS[taken], was, now, agent["id"]), act
    )


async def denied(tx: Tx, org_id: UUID, soul: Row, what: str, act: Act) -> None:
    """R149: the attempt is on record, and nothing else changes."""
    same = {"status": soul["status"], "version": soul["active_version"]}
    await _of_org(tx, org_id, _event(org_id, soul, act, "access_denied", same, same, reason=what), act)


async def _of_org(tx: Tx, org_id: UUID, event: NewEvent, act: Act) -> int:
    raised = await raise_versions(tx, [(org_id, None)])
    await write_events(tx, [event], raised, act.at)
    return raised[(org_id, None)]


async def _of_agent(tx: Tx, org_id: UUID, role_agent_id: UUID, event: NewEvent, act: Act) -> int:
    raised = await raise_versions(tx, [(org_id, role_agent_id)])
    await write_events(tx, [event], raised, act.at)
    return await pack_version(tx, org_id, role_agent_id)


def _event(
    org_id: UUID,
    soul: Row,
    act: Act,
    kind: str,
    before: Row,
    after: Row,
    role_agent_id: UUID | None = None,
    reason: str = "by_hand",
) -> NewEvent:
    code = {"code": soul["code"]}
    return NewEvent(
        org_id=org_id,
        role_agent_id=role_agent_id,
        event_type=kind,
        actor_type="user",
        actor_id=str(act.user_id),
        on_behalf_of=act.user_id,
        subject_type="soul",
        subject_id=soul["id"],
        reason=reason,
        before={**code, **before},
        after={**code, **after},
        trace_id=act.trace_id,
    )

"""Use cases: where a memory was used, the record of a run, skills that are never loaded, event sources (D41, D48, R207,
R237). Read by admins, owners and the managers of the role-agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dw_contracts.http.preview import (
    ChannelUse,
    EventSource,
    MemoryUses,
    RunDetail,
    RunPack,
    RunPage,
    RunUse,
    RunView,
    SkillRef,
    SkillUse,
    SkillUses,
    SourceKind,
    SourcePage,
)
from dw_contracts.http.problem import ProblemCode, problem
from dw_learning import scan
from dw_learning.authority import may_see
from dw_learning.authority_acts import may_read_memory
from dw_panel.adapters.cursors import read_cursor, write_cursor
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, NO_SUCH_MEMORY
from dw_panel.views import MASK
from dw_runtime import Handle, ProblemError
from dw_store import inbox_reads, pack_reads
from dw_store.database import Database, Tx
from dw_store.event_sources import sources_of
from dw_store.explain_reads import find_agent

NO_SUCH_RUN = problem(ProblemCode.NOT_FOUND, 404, "there is no such run, or it is not yours")


@dataclass(frozen=True, slots=True)
class Usage:
    """A question costs the same number of statements whatever it finds."""

    database: Handle[Database]

    async def memory(self, signed: Signed, memory_id: UUID) -> MemoryUses:
        """Of what the whole org knows, a manager sees the use by his agents."""
        async with self.database().transaction([signed.org_id]) as tx:
            row = await inbox_reads.one_memory(tx, signed.org_id, memory_id)
            if row is None or not may_read_memory(signed.person, row["role_agent_id"]):
                raise ProblemError(NO_SUCH_MEMORY)
            agents = await self._concerned(tx, signed, row["role_agent_id"])
            use = await pack_reads.memory_use(tx, signed.org_id, memory_id)
            runs = await pack_reads.run_uses(tx, signed.org_id, memory_id, agents)
            channels = await pack_reads.pack_uses(tx, signed.org_id, agents, memory_id)
            count, since = await pack_reads.looked_at(tx, signed.org_id, agents)
        return MemoryUses(
            use_count=use["use_count"] if use is not None else 0,
            last_used_at=use["last_used_at"] if use is not None else None,
            runs=tuple(RunUse(**dict(run)) for run in runs),
            packs=sum(channel["packs"] for channel in channels),
            last_pack_at=max((channel["last_at"] for channel in channels), default=None),
            channels=tuple(
                ChannelUse(**(dict(channel) | {"channel": channel["channel"] or ""})) for channel in channels
            ),
            looked_at=count,
            looked_at_since=since,
        )

    async def runs(self, signed: Signed, agent: str, cursor: str, limit: int) -> RunPage:
        """Runs of a role-agent, newest first."""
        after = read_cursor(cursor)
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id = await _agent(tx, signed, agent)
            rows = await pack_reads.runs_of(tx, signed.org_id, agent_id, after, limit + 1)
        last = rows[limit - 1] if len(rows) > limit else None
        following = write_cursor(last["started_at"], last["id"]) if last is not None else None
        return RunPage(runs=tuple(RunView(**dict(row)) for row in rows[:limit]), next_cursor=following)

    async def run(self, signed: Signed, run_id: UUID) -> RunDetail:
        """What a run was given and said it used: which version of a skill, soul and prompt (R207, R172)."""
        async with self.database().transaction([signed.org_id]) as tx:
            row = await pack_reads.one_run(tx, signed.org_id, run_id)
            if row is None or not may_see(signed.person, row["role_agent_id"]):
                raise ProblemError(NO_SUCH_RUN)
            packs = await pack_reads.run_packs(tx, signed.org_id, run_id)
            used = await pack_reads.run_used(tx, signed.org_id, run_id)
        return RunDetail(
            run=RunView(**dict(row)), packs=tuple(_pack(pack) for pack in packs), used=tuple(used)
        )

    async def skills(self, signed: Signed, agent: str) -> SkillUses:
        """How often each skill is loaded: the never loaded ones stand first."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id = await _agent(tx, signed, agent)
            rows = await pack_reads.skill_uses(tx, signed.org_id, agent_id)
            count, since = await pack_reads.looked_at(tx, signed.org_id, [agent_id])
        uses = tuple(SkillUse(**dict(row)) for row in rows)
        return SkillUses(skills=uses, looked_at=count, looked_at_since=since)

    async def sources(
        self, signed: Signed, agent: str, kind: SourceKind, cursor: str, limit: int
    ) -> SourcePage:
        """Tool runs or corrections. What was said in a private channel managers see without its texts."""
        after = read_cursor(cursor)
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id = await _agent(tx, signed, agent)
            rows = await sources_of(tx, signed.org_id, agent_id, kind, after, limit + 1)
        last = rows[limit - 1] if len(rows) > limit else None
        following = write_cursor(last["occurred_at"], last["id"]) if last is not None else None
        shown = tuple(_source(row, kind, signed) for row in rows[:limit])
        return SourcePage(sources=shown, next_cursor=following)

    async def _concerned(self, tx: Tx, signed: Signed, owner: UUID | None) -> list[UUID]:
        person = signed.person
        if owner is not None:
            return [owner]
        return await pack_reads.agents_in(
            tx, signed.org_id, None if person.is_admin else sorted(person.manages)
        )


async def _agent(tx: Tx, signed: Signed, named: str) -> UUID:
    found = await find_agent(tx, signed.org_id, named)
    if found is None or not may_see(signed.person, found["id"]):
        raise ProblemError(NO_SUCH_AGENT)
    agent: UUID = found["id"]
    return agent


def _pack(row: Any) -> RunPack:
    dropped = row["dropped"] if isinstance(row["dropped"], dict) else {}
    return RunPack(
        id=row["id"],
        built_at=row["built_at"],
        version=row["version"],
        prompt_version=row["prompt_version"],
        builder_version=row["builder_version"],
        soul_version=row["soul_version"],
        skills=tuple(SkillRef(name=skill["name"], version=skill["version"]) for skill in row["skill_refs"]),
        memories=tuple(row["memory_ids"]),
        memory_chars=row["memory_chars"],
        left_out=dropped.get("reasons", {}),
        history=tuple(row["history_refs"]),
    )


def _source(row: Any, kind: SourceKind, signed: Signed) -> EventSource:
    hidden = bool(row["is_private"]) and not signed.person.is_admin
    first, second = (MASK, MASK) if hidden else (scan.inert(row["first"]), scan.inert(row["second"]))
    return EventSource(
        id=row["id"],
        kind=kind,
        channel_id=row["channel_id"],
        channel=row["channel"],
        actor=row["actor"],
        tool=scan.inert(row["tool"]),
        first=first,
        second=second,
        is_hidden=hidden,
        occurred_at=row["occurred_at"],
    )

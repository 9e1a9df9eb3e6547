"""Use cases of an agent's own skills (R209 to R211): its runtime asks by the same routes as people do (R214)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.http.skills import (
    ChangedOwnSkills,
    ChangedSkill,
    OwnSkills,
    ProposedSkill,
    ProposeSkill,
    SkillView,
)
from dw_learning.authority import Person, may_change_org, may_see
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, NO_SUCH_ORG, forbidden
from dw_panel.skill_acts import NO_SUCH_SKILL, proposed
from dw_panel.skill_checks import checked, of_agent
from dw_panel.skill_views import skill_view
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import skills as store
from dw_store.database import Database, Tx
from dw_store.explain_reads import find_agent
from dw_store.keys import FoundKey


@dataclass(frozen=True, slots=True)
class AgentSkills:
    """What an agent proposes waits for a person's yes, whatever the org's settings say (C22)."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def let_manage(self, signed: Signed, agent: str, wanted: OwnSkills) -> ChangedOwnSkills:
        """Admins and owners decide whether an agent may write skills."""
        allowed = wanted.can_manage_own_skills
        async with self.database().transaction([signed.org_id]) as tx:
            found = await find_agent(tx, signed.org_id, agent)
            if found is None or not may_see(signed.person, found["id"]):
                raise ProblemError(NO_SUCH_AGENT)
            row = await store.own_rights(tx, signed.org_id, found["id"])
            act = store.Act(signed.person.user_id, self.clock(), current_trace_id())
            is_allowed = may_change_org(signed.person)
            if is_allowed:
                version = await store.let_manage(tx, signed.org_id, row, allowed, act)
            else:
                await store.denied_agent(tx, signed.org_id, row, "own skills of an agent", act)
        if not is_allowed:
            raise forbidden("admins and owners decide what an agent may do about its skills")
        return ChangedOwnSkills(can_manage_own_skills=allowed, version=version)

    async def page(
        self, key: FoundKey, org: str, agent: str, *, status: str, after: str, limit: int
    ) -> list[SkillView]:
        """The agent's skills by name, on its desired list or not: a runtime reads as a manager does."""
        async with self.database().transaction([key.org_id]) as tx:
            agent_id = await self._named(tx, key, org, agent)
            rows = await store.of_agent(tx, key.org_id, agent_id, status=status, after=after, limit=limit)
        return [skill_view(row, _NOBODY) for row in rows]

    async def propose(self, key: FoundKey, org: str, agent: str, wanted: ProposeSkill) -> ProposedSkill:
        """A new skill of the agent, or an update of one that it made."""
        document = checked(wanted)
        async with self.database().transaction([key.org_id]) as tx:
            row = await self._agent(tx, key, org, agent)
            act = self._act(row)
            if row["can_manage_own_skills"] and row["learns"]:
                of_agent(document, row["code"])
                return await proposed(tx, key.org_id, act, row["id"], document, wanted)
            await store.denied_agent(tx, key.org_id, row, "skill of its own", act)
        raise _no_right()

    async def enable(self, key: FoundKey, org: str, skill_id: UUID, enabled: bool) -> ChangedSkill:
        """On or off the agent's own desired list (R211)."""
        async with self.database().transaction([key.org_id]) as tx:
            agent_id = await store.agent_of(tx, key.org_id, skill_id)
            if agent_id is None or not _opens(key, agent_id) or not await store.is_org(tx, key.org_id, org):
                raise ProblemError(NO_SUCH_SKILL)
            row = await store.own_rights(tx, key.org_id, agent_id)
            act = self._act(row)
            if row["can_manage_own_skills"]:
                skill = await store.one(tx, key.org_id, skill_id)
                version = await store.enable(tx, key.org_id, skill or {}, enabled, act)
                shown = await store.one(tx, key.org_id, skill_id)
                return ChangedSkill(skill=skill_view(shown, _NOBODY), version=version)
            await store.denied_agent(tx, key.org_id, row, "desired list", act)
        raise _no_right()

    async def _agent(self, tx: Tx, key: FoundKey, org: str, named: str) -> Any:
        """The agent under its lock."""
        return await store.own_rights(tx, key.org_id, await self._named(tx, key, org, named))

    async def _named(self, tx: Tx, key: FoundKey, org: str, named: str) -> UUID:
        """One of the key's role-agents, in the org of the path (R323)."""
        if not await store.is_org(tx, key.org_id, org):
            raise ProblemError(NO_SUCH_ORG)
        found = await find_agent(tx, key.org_id, named)
        if found is None or not _opens(key, found["id"]):
            raise ProblemError(NO_SUCH_AGENT)
        agent_id: UUID = found["id"]
        return agent_id

    def _act(self, agent: Any) -> store.Act:
        return store.Act(None, self.clock(), current_trace_id(), worker=agent["id"])


_NOBODY = Person(UUID(int=0), "member")
"""A runtime reads as a manager does: what is sensitive is masked."""


def _opens(key: FoundKey, agent_id: UUID) -> bool:
    return not key.agent_ids or agent_id in key.agent_ids


def _no_right() -> ProblemError:
    return forbidden("this role-agent may not manage skills of its own: an admin can let it")

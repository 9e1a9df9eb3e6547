"""Routes of skills: one set for the panel's pages and for programs (R214)."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request

from dw_contracts.http.skills import (
    ChangedOwnSkills,
    ChangedSkill,
    EnableSkill,
    ExportedSkill,
    ImportSkill,
    OwnSkills,
    ProposedSkill,
    ProposeSkill,
    RevertSkill,
    SkillDetail,
    SkillView,
)
from dw_panel.agent_skills import AgentSkills
from dw_panel.people import People
from dw_panel.routes.api import MAX_BODY_BYTES, Limit, Token, body_of
from dw_panel.skill_acts import SkillActs
from dw_runtime import read_model

MAX_SKILL_BYTES: Final = 256 * 1024
EITHER: Final = "a user token, or the runtime key of the role-agent"
Status = Literal["", "proposed", "active", "paused", "archived"]
After = Annotated[str, Query(max_length=64, description="the last name of the page before")]


def build_router(people: People, use: SkillActs, agents: AgentSkills) -> APIRouter:
    """Approval is not here: a proposal is an item of the Learning Inbox."""
    router = APIRouter(prefix="/v1/orgs/{org}", tags=["skills"])
    _add_reads(router, people, use, agents)
    _add_proposals(router, people, use, agents)
    _add_acts(router, people, use, agents)
    return router


def _add_reads(router: APIRouter, people: People, use: SkillActs, agents: AgentSkills) -> None:
    @router.get("/agents/{agent}/skills")
    async def skills(
        org: str,
        agent: str,
        status: Status = "",
        after: After = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> list[SkillView]:
        """Skills of a role-agent (its code or id), by name. A runtime's key reads those of its role-agents: what an
        agent may put on its desired list (R211)."""
        if (key := await people.runtime(authorization)) is not None:
            return await agents.page(key, org, agent, status=status, after=after, limit=limit)
        signed = await people.member(authorization, org, EITHER)
        return await use.page(signed, agent, status=status, after=after, limit=limit)

    @router.get("/skills/{skill_id}")
    async def skill(org: str, skill_id: UUID, authorization: Token = "") -> SkillDetail:
        """A skill with all its versions, newest first."""
        return await use.detail(await people.member(authorization, org), skill_id)

    @router.get("/skills/{skill_id}/export")
    async def export(org: str, skill_id: UUID, authorization: Token = "") -> ExportedSkill:
        """The active version as SKILL.md of the public Agent Skills format."""
        return await use.export(await people.member(authorization, org), skill_id)


def _add_proposals(router: APIRouter, people: People, use: SkillActs, agents: AgentSkills) -> None:
    @router.post("/agents/{agent}/skills", openapi_extra=body_of(ProposeSkill))
    async def propose(request: Request, org: str, agent: str, authorization: Token = "") -> ProposedSkill:
        """A new skill, or an update with its base_version; 409 where the base is out of date. A runtime's key speaks
        for its role-agent, whose proposal waits for a person's yes (R209)."""
        if (key := await people.runtime(authorization)) is not None:
            wanted = await read_model(request, ProposeSkill, MAX_SKILL_BYTES)
            return await agents.propose(key, org, agent, wanted)
        signed = await people.member(authorization, org, EITHER)
        return await use.propose(signed, agent, await read_model(request, ProposeSkill, MAX_SKILL_BYTES))

    @router.put("/agents/{agent}/own-skills", openapi_extra=body_of(OwnSkills))
    async def own_skills(
        request: Request, org: str, agent: str, authorization: Token = ""
    ) -> ChangedOwnSkills:
        """Whether the role-agent may propose skills of its own."""
        signed = await people.member(authorization, org)
        return await agents.let_manage(signed, agent, await read_model(request, OwnSkills, MAX_BODY_BYTES))

    @router.post("/agents/{agent}/skills/import", openapi_extra=body_of(ImportSkill))
    async def import_folder(
        request: Request, org: str, agent: str, authorization: Token = ""
    ) -> ProposedSkill:
        """A public folder as a proposal; its allowed-tools are taken away, on record."""
        signed = await people.member(authorization, org)
        return await use.import_folder(signed, agent, await read_model(request, ImportSkill, MAX_SKILL_BYTES))


def _add_acts(router: APIRouter, people: People, use: SkillActs, agents: AgentSkills) -> None:
    @router.post("/skills/{skill_id}/pause")
    async def pause(org: str, skill_id: UUID, authorization: Token = "") -> ChangedSkill:
        """Not loaded until it is resumed."""
        return await use.step(await people.member(authorization, org), skill_id, "pause")

    @router.post("/skills/{skill_id}/resume")
    async def resume(org: str, skill_id: UUID, authorization: Token = "") -> ChangedSkill:
        """Loaded again; what was archived comes back paused, and by an admin."""
        return await use.step(await people.member(authorization, org), skill_id, "resume")

    @router.post("/skills/{skill_id}/archive")
    async def archive(org: str, skill_id: UUID, authorization: Token = "") -> ChangedSkill:
        """Not loaded, and not to be updated."""
        return await use.step(await people.member(authorization, org), skill_id, "archive")

    @router.post("/skills/{skill_id}/revert", openapi_extra=body_of(RevertSkill))
    async def revert(request: Request, org: str, skill_id: UUID, authorization: Token = "") -> ChangedSkill:
        """Back to an older approved version."""
        signed = await people.member(authorization, org)
        return await use.revert(signed, skill_id, await read_model(request, RevertSkill, MAX_BODY_BYTES))

    @router.put("/skills/{skill_id}/enabled", openapi_extra=body_of(EnableSkill))
    async def enable(request: Request, org: str, skill_id: UUID, authorization: Token = "") -> ChangedSkill:
        """The toggle on the agent's desired list; the agent's runtime may set it where the agent manages its skills."""
        if (key := await people.runtime(authorization)) is not None:
            wanted = await read_model(request, EnableSkill, MAX_BODY_BYTES)
            return await agents.enable(key, org, skill_id, wanted.enabled)
        signed = await people.member(authorization, org, EITHER)
        wanted = await read_model(request, EnableSkill, MAX_BODY_BYTES)
        return await use.enable(signed, skill_id, wanted.enabled)

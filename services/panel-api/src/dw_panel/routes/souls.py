"""Routes of souls (R225)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dw_contracts.http.souls import ApproveSoul, AssignSoul, ChangedSoul, ProposeSoul, SoulDetail, SoulView
from dw_panel.people import People
from dw_panel.routes.api import MAX_BODY_BYTES, Limit, Token, body_of
from dw_panel.souls import Souls
from dw_runtime import read_model

After = Annotated[str, Query(max_length=64, description="the last code of the page before")]


def build_router(people: People, use: Souls) -> APIRouter:
    """Managers read and propose; admins and owners approve, assign and pause."""
    router = APIRouter(prefix="/v1/orgs/{org}", tags=["souls"])
    _add_souls(router, people, use)
    _add_agent_acts(router, people, use)
    return router


def _add_souls(router: APIRouter, people: People, use: Souls) -> None:
    @router.get("/souls")
    async def souls(
        org: str, after: After = "", limit: Limit = 50, authorization: Token = ""
    ) -> list[SoulView]:
        """Souls of the org, by code."""
        return await use.page(await people.member(authorization, org), after=after, limit=limit)

    @router.get("/souls/{soul}")
    async def soul(org: str, soul: str, authorization: Token = "") -> SoulDetail:
        """A soul with all its versions, newest first."""
        return await use.detail(await people.member(authorization, org), soul)

    @router.post("/souls", openapi_extra=body_of(ProposeSoul))
    async def propose(request: Request, org: str, authorization: Token = "") -> ChangedSoul:
        """A draft: a new soul, or the next version of the one that has this code."""
        signed = await people.member(authorization, org)
        return await use.propose(signed, await read_model(request, ProposeSoul, MAX_BODY_BYTES))

    @router.post("/souls/{soul}/approve", openapi_extra=body_of(ApproveSoul))
    async def approve(request: Request, org: str, soul: str, authorization: Token = "") -> ChangedSoul:
        """The draft becomes what packs show; never by who proposed it."""
        signed = await people.member(authorization, org)
        return await use.approve(signed, soul, await read_model(request, ApproveSoul, MAX_BODY_BYTES))

    @router.post("/souls/{soul}/pause")
    async def pause(org: str, soul: str, authorization: Token = "") -> ChangedSoul:
        """In no pack until it is resumed."""
        return await use.step(await people.member(authorization, org), soul, "pause")

    @router.post("/souls/{soul}/resume")
    async def resume(org: str, soul: str, authorization: Token = "") -> ChangedSoul:
        """In packs again."""
        return await use.step(await people.member(authorization, org), soul, "resume")


def _add_agent_acts(router: APIRouter, people: People, use: Souls) -> None:
    @router.put("/agents/{agent}/soul", openapi_extra=body_of(AssignSoul))
    async def assign(request: Request, org: str, agent: str, authorization: Token = "") -> ChangedSoul:
        """Assign an approved soul to a role-agent (its code or id)."""
        signed = await people.member(authorization, org)
        return await use.assign(signed, agent, await read_model(request, AssignSoul, MAX_BODY_BYTES))

    @router.post("/agents/{agent}/soul/pause")
    async def pause_for(org: str, agent: str, authorization: Token = "") -> ChangedSoul:
        """Pause the soul for this role-agent alone."""
        return await use.pause_for(await people.member(authorization, org), agent, "pause")

    @router.post("/agents/{agent}/soul/resume")
    async def resume_for(org: str, agent: str, authorization: Token = "") -> ChangedSoul:
        """Use it again."""
        return await use.pause_for(await people.member(authorization, org), agent, "resume")

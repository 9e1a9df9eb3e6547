"""JSON routes of packs and runs: what would be told, what was told, and what no search finds."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request

from dw_contracts.http.preview import (
    MemoryUses,
    PackPreview,
    PreviewPack,
    RunDetail,
    RunPage,
    SkillTrial,
    SkillUses,
    SourceKind,
    SourcePage,
    TrySkill,
)
from dw_panel.pack_preview import Previews
from dw_panel.people import People
from dw_panel.routes.api import Cursor, Limit, Token, body_of
from dw_panel.routes.uses import MAX_BULK_BYTES
from dw_panel.usage import Usage
from dw_runtime import read_model


def build_router(people: People, previews: Previews, usage: Usage) -> APIRouter:
    """For whoever may see the role-agent's inbox. Nothing here changes anything."""
    router = APIRouter(prefix="/v1/orgs/{org}", tags=["packs"])
    _add_previews(router, people, previews)
    _add_usage(router, people, usage)
    return router


def _add_previews(router: APIRouter, people: People, previews: Previews) -> None:
    @router.post("/agents/{agent}/pack-preview", openapi_extra=body_of(PreviewPack))
    async def preview(request: Request, org: str, agent: str, authorization: Token = "") -> PackPreview:
        """The pack that the role-agent would get now, and what is left out and why. Nothing is recorded."""
        signed = await people.member(authorization, org)
        return await previews.pack(signed, agent, await read_model(request, PreviewPack, MAX_BULK_BYTES))

    @router.post("/items/{item_id}/skill-trial", openapi_extra=body_of(TrySkill))
    async def trial(request: Request, org: str, item_id: UUID, authorization: Token = "") -> SkillTrial:
        """Which skill would be loaded for each message, today and with the proposal approved. Nothing is stored."""
        signed = await people.member(authorization, org)
        return await previews.skill(signed, item_id, await read_model(request, TrySkill, MAX_BULK_BYTES))


def _add_usage(router: APIRouter, people: People, usage: Usage) -> None:
    @router.get("/memories/{memory_id}/uses")
    async def memory_uses(org: str, memory_id: UUID, authorization: Token = "") -> MemoryUses:
        """Packs and runs that had the memory, by channel, and when last."""
        return await usage.memory(await people.member(authorization, org), memory_id)

    @router.get("/agents/{agent}/runs")
    async def runs(
        org: str, agent: str, cursor: Cursor = "", limit: Limit = 50, authorization: Token = ""
    ) -> RunPage:
        """Runs of a role-agent (its code or id), newest first."""
        return await usage.runs(await people.member(authorization, org), agent, cursor, limit)

    @router.get("/runs/{run_id}")
    async def run(org: str, run_id: UUID, authorization: Token = "") -> RunDetail:
        """What a run was given and what it used: memories, versions of skills, soul and prompt."""
        return await usage.run(await people.member(authorization, org), run_id)

    @router.get("/agents/{agent}/skill-use")
    async def skill_use(org: str, agent: str, authorization: Token = "") -> SkillUses:
        """How often each skill of the role-agent is loaded, the never loaded ones first."""
        return await usage.skills(await people.member(authorization, org), agent)

    @router.get("/agents/{agent}/sources")
    async def sources(
        org: str,
        agent: str,
        kind: SourceKind = "tool_run",
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> SourcePage:
        """Tool runs or corrections of the role-agent, newest first: no search finds them (C20)."""
        return await usage.sources(await people.member(authorization, org), agent, kind, cursor, limit)

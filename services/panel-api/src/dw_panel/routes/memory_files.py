"""Routes of a role-agent's memory as files."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request

from dw_contracts.http.memory_files import MAX_IMPORT, ImportedMemories, ImportMemories, MemoryExport
from dw_panel.memory_files import MemoryFiles
from dw_panel.people import People
from dw_panel.routes.api import Token, body_of
from dw_runtime import read_model

MAX_IMPORT_BYTES: Final = 1024 * 1024
Agent = Annotated[str, "id or code"]


def build_router(people: People, use: MemoryFiles) -> APIRouter:
    """Export reads, import proposes; neither runs by itself (R189)."""
    router = APIRouter(prefix="/v1/orgs/{org}/agents/{agent}", tags=["memory files"])

    @router.get("/memory-export")
    async def export(
        org: str,
        agent: Agent,
        after: UUID | None = None,
        limit: Annotated[int, Query(ge=1, le=MAX_IMPORT)] = MAX_IMPORT,
        authorization: Token = "",
    ) -> MemoryExport:
        """What the role-agent knows, for files. The first page is on record."""
        return await use.export(await people.member(authorization, org), agent, after=after, limit=limit)

    @router.post("/memory-import", openapi_extra=body_of(ImportMemories))
    async def bring(request: Request, org: str, agent: Agent, authorization: Token = "") -> ImportedMemories:
        """Files as one batch that waits for a person's yes: admins and owners."""
        signed = await people.member(authorization, org)
        return await use.bring(signed, agent, await read_model(request, ImportMemories, MAX_IMPORT_BYTES))

    return router

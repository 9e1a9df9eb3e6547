"""JSON routes of the audit log: pages, and a copy as a file."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from dw_contracts.http.panel import AuditPage
from dw_panel.audit import Form, Wanted
from dw_panel.moments import Moment
from dw_panel.routes.api import Cursor, Limit, Token, UseCases

MEDIA: Final[dict[Form, str]] = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
Type = Annotated[str, Query(pattern=r"^([a-z][a-z_]{2,40})?$", description="memory_auto_saved, approved, …")]
Item = Annotated[UUID | None, Query(description="a learning item: its events and those of what came of it")]
Actor = Annotated[str, Query(max_length=128, description="a code, a user id, or dw_worker:<role-agent>")]
Since = Annotated[Moment | None, Query(description="from this moment on")]
Until = Annotated[Moment | None, Query(description="before this moment")]


def build_router(use: UseCases) -> APIRouter:
    """Managers get the events of their agents, the org's admins all."""
    router = APIRouter(prefix="/v1", tags=["audit"])

    @router.get("/orgs/{org}/audit")
    async def audit(
        org: str,
        agent: UUID | None = None,
        type: Type = "",
        item: Item = None,
        actor: Actor = "",
        since: Since = None,
        until: Until = None,
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> AuditPage:
        """Learning events, newest first."""
        signed = await use.people.member(authorization, org)
        wanted = Wanted(agent, type, item, actor, since, until)
        return await use.audit.page(signed, wanted, cursor=cursor, limit=limit)

    @router.get("/orgs/{org}/audit/export", response_class=StreamingResponse)
    async def export(
        org: str,
        format: Form = "jsonl",
        agent: UUID | None = None,
        type: Type = "",
        item: Item = None,
        actor: Actor = "",
        since: Since = None,
        until: Until = None,
        authorization: Token = "",
    ) -> StreamingResponse:
        """A copy of what the reader may see, newest first, as a stream. It is itself on record: export_done."""
        signed = await use.people.member(authorization, org)
        pieces = await use.audit.export(signed, Wanted(agent, type, item, actor, since, until), format)
        name = f"audit-{signed.org}.{format}"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return StreamingResponse(pieces, media_type=MEDIA[format], headers=headers)

    return router

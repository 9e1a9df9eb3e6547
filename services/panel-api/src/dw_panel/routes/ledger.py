"""JSON routes of the ledger: pages, and a copy as a file."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from dw_contracts.http.gate import LedgerPage
from dw_panel.ledger import Calls, Form, Ledger
from dw_panel.moments import Moment
from dw_panel.people import People
from dw_panel.routes.api import Cursor, Limit, Token

MEDIA: Final[dict[Form, str]] = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
Feature = Annotated[
    Literal["", "digital_worker:learning_detect", "digital_worker:skill_draft"],
    Query(description="one feature key, else all"),
]
Since = Annotated[Moment | None, Query(description="from this moment on")]
Until = Annotated[Moment | None, Query(description="before this moment")]


def build_router(people: People, use: Ledger) -> APIRouter:
    """For admins and owners of the org."""
    router = APIRouter(prefix="/v1", tags=["gate"])

    @router.get("/orgs/{org}/gate/ledger")
    async def ledger(
        org: str,
        feature: Feature = "",
        since: Since = None,
        until: Until = None,
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> LedgerPage:
        """Calls to models with what they cost, the latest first."""
        signed = await people.member(authorization, org)
        return await use.page(signed, Calls(feature, since, until), cursor=cursor, limit=limit)

    @router.get("/orgs/{org}/gate/ledger/export", response_class=StreamingResponse)
    async def export(
        org: str,
        format: Form = "csv",
        feature: Feature = "",
        since: Since = None,
        until: Until = None,
        authorization: Token = "",
    ) -> StreamingResponse:
        """A copy of the ledger, the latest call first, as a stream. It is itself on record: export_done."""
        signed = await people.member(authorization, org)
        pieces = await use.export(signed, Calls(feature, since, until), format)
        headers = {
            "content-disposition": f'attachment; filename="ledger-{signed.org}.{format}"',
            "cache-control": "no-store",
        }
        return StreamingResponse(pieces, media_type=MEDIA[format], headers=headers)

    return router

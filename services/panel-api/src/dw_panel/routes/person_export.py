"""JSON route of a person's own data."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import StreamingResponse

from dw_contracts.http.person_export import ExportPerson
from dw_panel.people import People
from dw_panel.person_export import PersonExport
from dw_panel.routes.api import MAX_BODY_BYTES, Token, body_of
from dw_runtime import read_model


def build_router(people: People, export: PersonExport) -> APIRouter:
    """POST, because whose data is asked for stands in no address."""
    router = APIRouter(prefix="/v1", tags=["erasure"])

    @router.post(
        "/orgs/{org}/person-exports",
        openapi_extra=body_of(ExportPerson),
        response_class=StreamingResponse,
    )
    async def export_person(request: Request, org: str, authorization: Token = "") -> StreamingResponse:
        """What is held about a person, one JSON object a line: identities, messages, memories, items, decisions, acts.
        Owners. It is itself on record: export_done."""
        signed = await people.member(authorization, org)
        pieces = await export.export(signed, await read_model(request, ExportPerson, MAX_BODY_BYTES))
        headers = {
            "content-disposition": f'attachment; filename="person-{signed.org}.jsonl"',
            "cache-control": "no-store",
        }
        return StreamingResponse(pieces, media_type="application/x-ndjson", headers=headers)

    return router

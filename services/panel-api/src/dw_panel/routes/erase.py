"""JSON routes that take away what was said, for good."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request

from dw_contracts.http.erasure import ErasedPerson, ErasePerson, PurgedMemory, PurgeMemory
from dw_panel.routes.api import MAX_BODY_BYTES, Token, UseCases, body_of
from dw_runtime import read_model


def build_router(use: UseCases) -> APIRouter:
    """Both are on record, without a word of what went."""
    router = APIRouter(prefix="/v1", tags=["erasure"])

    @router.post("/orgs/{org}/erasures", openapi_extra=body_of(ErasePerson))
    async def erase_person(request: Request, org: str, authorization: Token = "") -> ErasedPerson:
        """Erase a person from the org: what they said is emptied, and other people's texts lose their names. Owners."""
        signed = await use.people.member(authorization, org)
        return await use.erase.person(signed, await read_model(request, ErasePerson, MAX_BODY_BYTES))

    @router.post("/orgs/{org}/memories/{memory_id}/purge", openapi_extra=body_of(PurgeMemory))
    async def purge(request: Request, org: str, memory_id: UUID, authorization: Token = "") -> PurgedMemory:
        """Take a deleted, archived or superseded memory away for good. Admins and owners."""
        signed = await use.people.member(authorization, org)
        return await use.erase.memory(
            signed, memory_id, await read_model(request, PurgeMemory, MAX_BODY_BYTES)
        )

    return router

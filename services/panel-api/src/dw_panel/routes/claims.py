"""JSON routes of claims of accounts, for admins."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from dw_contracts.http.claims import ClaimPage, MemberClaim
from dw_panel.claims import Claims
from dw_panel.people import People
from dw_panel.routes.api import Cursor, Limit, Token
from dw_store.orgs.claim_admin import ClaimStatus


def build_router(people: People, claims: Claims) -> APIRouter:
    """Another org's claims are not there (404)."""
    router = APIRouter(prefix="/v1/orgs/{org}/claims", tags=["access"])

    @router.get("")
    async def page(
        org: str,
        status: ClaimStatus = "waiting",
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> ClaimPage:
        """Who says that which account is theirs, and what is proved; what waits unless another status is asked for."""
        signed = await people.member(authorization, org)
        return await claims.page(signed, status=status, cursor=cursor, limit=limit)

    @router.post("/{claim_id}/confirm")
    async def confirm(org: str, claim_id: UUID, authorization: Token = "") -> MemberClaim:
        """Vouch for the account that posted the code; 409 where none was seen, or it is somebody else's."""
        return await claims.confirm(await people.member(authorization, org), claim_id)

    @router.post("/{claim_id}/revoke")
    async def revoke(org: str, claim_id: UUID, authorization: Token = "") -> MemberClaim:
        """End it; the account that waited on it is nobody's."""
        return await claims.revoke(await people.member(authorization, org), claim_id)

    return router

"""JSON routes of the gate's limits."""

from __future__ import annotations

from fastapi import APIRouter, Request

from dw_contracts.http.gate import GateLimit, GateStatus, SetGateLimit
from dw_panel.gate import Gate
from dw_panel.people import People
from dw_panel.routes.api import MAX_BODY_BYTES, Token, body_of
from dw_runtime import read_model


def build_router(people: People, use: Gate) -> APIRouter:
    """For admins and owners of the org."""
    router = APIRouter(prefix="/v1", tags=["gate"])

    @router.get("/orgs/{org}/gate")
    async def status(org: str, authorization: Token = "") -> GateStatus:
        """What may be spent on models, what is spent and held, and what waits for a limit."""
        return await use.status(await people.member(authorization, org))

    @router.put("/orgs/{org}/gate/limits", openapi_extra=body_of(SetGateLimit))
    async def set_limit(request: Request, org: str, authorization: Token = "") -> GateLimit:
        """Set limits of one scope, or switch it off. Counts from the next call on."""
        signed = await people.member(authorization, org)
        return await use.set_limit(signed, await read_model(request, SetGateLimit, MAX_BODY_BYTES))

    return router

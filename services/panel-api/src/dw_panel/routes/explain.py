"""POST /api/orgs/{org}/policy/explain: the test bench of the rules."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request

from dw_contracts.http.explain import EffectivePolicy, Explained, ExplainRequest
from dw_panel.explain import Explain
from dw_panel.people import People
from dw_panel.routes.api import Token
from dw_runtime import read_model

MAX_BODY_BYTES: Final = 64 * 1024
_DOCUMENTED: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": ExplainRequest.model_json_schema()}},
    }
}


def build_router(people: People, use: Explain) -> APIRouter:
    """For whoever may see the role-agent's inbox."""
    router = APIRouter(prefix="/api", tags=["panel"])

    @router.post("/orgs/{org}/policy/explain", openapi_extra=_DOCUMENTED)
    async def explain(request: Request, org: str, authorization: Token = "") -> Explained:
        """What would become of a message and why, in words. Nothing is stored and no model is asked."""
        signed = await people.member(authorization, org)
        return await use.run(signed, await read_model(request, ExplainRequest, MAX_BODY_BYTES))

    @router.get("/orgs/{org}/policy/effective")
    async def effective(
        org: str,
        agent: Annotated[str, Query(min_length=1, max_length=64, description="the role-agent's code or id")],
        channel: Annotated[str, Query(max_length=256, description="its code or id; else the first one")] = "",
        authorization: Token = "",
    ) -> EffectivePolicy:
        """What would become of something of each class, by each kind of sender, in words (D38). Nothing is stored."""
        signed = await people.member(authorization, org)
        return await use.effective(signed, agent, channel)

    return router

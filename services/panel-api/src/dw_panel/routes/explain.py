"""POST /v1/orgs/{org}/policy/explain: the test bench of the rules."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request

from dw_contracts.http.explain import Explained, ExplainRequest
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
    router = APIRouter(prefix="/v1", tags=["panel"])

    @router.post("/orgs/{org}/policy/explain", openapi_extra=_DOCUMENTED)
    async def explain(request: Request, org: str, authorization: Token = "") -> Explained:
        """What would become of a message and why, in words. Nothing is stored and no model is asked."""
        signed = await people.member(authorization, org)
        return await use.run(signed, await read_model(request, ExplainRequest, MAX_BODY_BYTES))

    return router

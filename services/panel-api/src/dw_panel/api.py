"""JSON routes: orgs with the installation token, the rest with a user's token (C74)."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request

from dw_contracts.http.org_file import AppliedOrg, CreatedOrg, CreateOrg, OrgFile
from dw_contracts.http.panel import AuditPage, Decided, DecideItem, ItemPage, LearningItemView
from dw_contracts.http.problem import ProblemCode, problem
from dw_panel.inbox import Inbox
from dw_panel.orgs import Orgs
from dw_panel.people import People
from dw_runtime import ProblemError, read_model

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_BODY_BYTES = 64 * 1024
Token = Annotated[str, Header(alias="Authorization")]
Limit = Annotated[int, Query(ge=1, le=200)]
Status = Literal["pending", "approved", "rejected", "superseded", "any"]
Risk = Literal["", "low", "medium", "high", "sensitive"]


def build_router(people: People, orgs: Orgs, inbox: Inbox) -> APIRouter:
    """Every refusal is a problem detail; another org's things are not there (404)."""
    router = APIRouter(prefix="/api", tags=["panel"])

    @router.post("/orgs", response_model=CreatedOrg, openapi_extra=_body(CreateOrg))
    async def create_org(request: Request, authorization: Token = "") -> CreatedOrg:
        """Create an org, or get a fresh token for an owner of it. The installation token opens this and no other."""
        if not people.is_installation(authorization):
            raise ProblemError(problem(ProblemCode.UNAUTHENTICATED, 401, "send the installation token"))
        return await orgs.create(await read_model(request, CreateOrg, MAX_BODY_BYTES))

    @router.put("/orgs/{org}/file", response_model=AppliedOrg, openapi_extra=_body(OrgFile))
    async def apply_file(
        request: Request, org: str, dry_run: bool = False, authorization: Token = ""
    ) -> AppliedOrg:
        """Bring the org to what its file says; the answer is the plan, and what is shown once."""
        signed = await people.member(authorization, org)
        return await orgs.apply(signed, await read_model(request, OrgFile, MAX_FILE_BYTES), dry_run=dry_run)

    @router.get("/orgs/{org}/agents")
    async def agents(org: str, authorization: Token = "") -> list[dict[str, Any]]:
        """Role-agents whose inbox the reader may see."""
        return await inbox.agents(await people.member(authorization, org))

    @router.get("/orgs/{org}/items", response_model=ItemPage)
    async def items(
        org: str,
        agent: UUID | None = None,
        status: Status = "pending",
        risk: Risk = "",
        cursor: str = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> ItemPage:
        """Learning items, those due first."""
        signed = await people.member(authorization, org)
        return await inbox.page(signed, agent=agent, status=status, risk=risk, cursor=cursor, limit=limit)

    @router.get("/orgs/{org}/items/{item_id}", response_model=LearningItemView)
    async def item(org: str, item_id: UUID, authorization: Token = "") -> LearningItemView:
        """One learning item."""
        return await inbox.item(await people.member(authorization, org), item_id)

    @router.post(
        "/orgs/{org}/items/{item_id}/decision", response_model=Decided, openapi_extra=_body(DecideItem)
    )
    async def decide(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Decided:
        """Approve or reject the version that was seen; 409 if it changed since."""
        signed = await people.member(authorization, org)
        return await inbox.decide(signed, item_id, await read_model(request, DecideItem, MAX_BODY_BYTES))

    @router.get("/orgs/{org}/audit", response_model=AuditPage)
    async def audit(
        org: str, agent: UUID | None = None, cursor: str = "", limit: Limit = 50, authorization: Token = ""
    ) -> AuditPage:
        """Learning events, newest first."""
        signed = await people.member(authorization, org)
        return await inbox.audit(signed, agent=agent, cursor=cursor, limit=limit)

    return router


def _body(model: type[CreateOrg] | type[OrgFile] | type[DecideItem]) -> dict[str, Any]:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}

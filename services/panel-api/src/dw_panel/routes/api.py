"""JSON routes: orgs with the installation token, the rest with a user's token (C74)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Header, Query, Request

from dw_contracts.http.org_file import AppliedOrg, CreatedOrg, CreateOrg, OrgFile
from dw_contracts.model import Contract
from dw_panel.answers import AcceptedInvitation, AcceptInvitation, InvitationView
from dw_panel.audit import Audit
from dw_panel.decide import Decide
from dw_panel.erase import Erase
from dw_panel.inbox import Inbox
from dw_panel.orgs import Orgs
from dw_panel.people import People
from dw_runtime import read_model

MAX_FILE_BYTES: Final = 4 * 1024 * 1024
MAX_BODY_BYTES: Final = 64 * 1024
Token = Annotated[str, Header(alias="Authorization", description="Bearer and a token")]
Cursor = Annotated[str, Query(max_length=200, description="next_cursor of the page before")]
Limit = Annotated[int, Query(ge=1, le=200)]
Status = Literal["pending", "approved", "rejected", "superseded", "any"]
Risk = Literal["", "low", "medium", "high", "sensitive"]


@dataclass(frozen=True, slots=True)
class UseCases:
    """What routes call."""

    people: People
    orgs: Orgs
    inbox: Inbox
    decide: Decide
    audit: Audit
    erase: Erase


def build_router(use: UseCases) -> APIRouter:
    """Every refusal is a problem detail; another org's things are not there (404)."""
    router = APIRouter(prefix="/v1", tags=["panel"])
    _add_org_routes(router, use)
    return router


def _add_org_routes(router: APIRouter, use: UseCases) -> None:
    @router.post("/orgs", openapi_extra=body_of(CreateOrg))
    async def create_org(request: Request, authorization: Token = "") -> CreatedOrg:
        """Create an org, or get a fresh token for an owner of it. The installation token opens this and no other."""
        await use.people.check_installation(authorization)
        return await use.orgs.create(await read_model(request, CreateOrg, MAX_BODY_BYTES))

    @router.put("/orgs/{org}/file", openapi_extra=body_of(OrgFile))
    async def apply_file(
        request: Request, org: str, dry_run: bool = False, authorization: Token = ""
    ) -> AppliedOrg:
        """Bring the org to what its file says; the answer is the plan, and what is shown once."""
        signed = await use.people.member(authorization, org)
        file = await read_model(request, OrgFile, MAX_FILE_BYTES)
        return await use.orgs.apply(signed, file, dry_run=dry_run)

    @router.get("/orgs/{org}/invitations")
    async def invitations(org: str, authorization: Token = "") -> list[InvitationView]:
        """Invitations that wait: people who were users before this org named them."""
        return await use.orgs.invitations(await use.people.member(authorization, org))

    @router.post("/invitations", openapi_extra=body_of(AcceptInvitation))
    async def accept(request: Request, authorization: Token = "") -> AcceptedInvitation:
        """Become a member of the org that invites; sent with one's own token of another org."""
        signed = await use.people.anywhere(authorization)
        return await use.orgs.accept(signed, await read_model(request, AcceptInvitation, MAX_BODY_BYTES))


def body_of(model: type[Contract]) -> dict[str, Any]:
    """Bodies are read strictly by hand; the document says so all the same."""
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": model.model_json_schema()}},
        }
    }

"""JSON routes of accounts, members, keys and tokens."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Path, Query, Request

from dw_contracts.http.access import (
    ChangedMember,
    KeyPage,
    MadeSecret,
    MemberView,
    NewKeyRequest,
    NewTokenRequest,
    RevokedKey,
    SetMember,
)
from dw_contracts.http.identities import (
    AnswerClaim,
    ChangeIdentity,
    IdentityPage,
    IdentityView,
    ImportedIdentities,
    MapIdentity,
    Me,
    StartClaim,
    StartedClaim,
)
from dw_contracts.http.org_file import CODE
from dw_contracts.model import Contract
from dw_panel.access import Access
from dw_panel.identities import Identities
from dw_panel.people import People
from dw_runtime import read_body, read_model

MAX_BODY_BYTES: Final = 64 * 1024
MAX_CSV_BYTES: Final = 1024 * 1024
Token = Annotated[str, Header(alias="Authorization", description="Bearer and a token")]
Cursor = Annotated[str, Query(max_length=200, description="next_cursor of the page before")]
Limit = Annotated[int, Query(ge=1, le=200)]
Code = Annotated[str, Path(pattern=CODE, description="code of the member")]


def build_router(people: People, identities: Identities, access: Access) -> APIRouter:
    """Every refusal is a problem detail; another org's things are not there (404)."""
    router = APIRouter(prefix="/v1/orgs/{org}", tags=["access"])
    _add_identities(router, people, identities)
    _add_own(router, people, identities, access)
    _add_members(router, people, access)
    _add_keys(router, people, access)
    return router


def _add_identities(router: APIRouter, people: People, identities: Identities) -> None:
    @router.get("/identities")
    async def identity_page(
        org: str,
        status: Literal["", "pending", "verified", "revoked"] = "",
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> IdentityPage:
        """Accounts of the org, the newest first; for admins."""
        signed = await people.member(authorization, org)
        return await identities.page(signed, status=status, cursor=cursor, limit=limit)

    @router.post("/identities", openapi_extra=_body(MapIdentity))
    async def map_identity(request: Request, org: str, authorization: Token = "") -> IdentityView:
        """Say whose an account is, and whether that is verified. Known accounts are changed."""
        signed = await people.member(authorization, org)
        return await identities.map(signed, await read_model(request, MapIdentity, MAX_BODY_BYTES))

    @router.post("/identities/import", openapi_extra=_CSV)
    async def import_identities(
        request: Request, org: str, dry_run: bool = False, authorization: Token = ""
    ) -> ImportedIdentities:
        """Accounts from a CSV file of at most 5,000 lines and 1 MiB, all or none."""
        signed = await people.member(authorization, org)
        body = await read_body(request, MAX_CSV_BYTES, "text/csv")
        return await identities.import_csv(signed, body, dry_run=dry_run)

    @router.post("/identities/{identity_id}/verify", openapi_extra=_body(ChangeIdentity))
    async def verify_identity(
        request: Request, org: str, identity_id: UUID, authorization: Token = ""
    ) -> IdentityView:
        """An admin vouches for an account."""
        signed = await people.member(authorization, org)
        change = await read_model(request, ChangeIdentity, MAX_BODY_BYTES)
        return await identities.verify(signed, identity_id, change)

    @router.post("/identities/{identity_id}/revoke", openapi_extra=_body(ChangeIdentity))
    async def revoke_identity(
        request: Request, org: str, identity_id: UUID, authorization: Token = ""
    ) -> IdentityView:
        """The account counts for nothing from here on; what it taught is marked, and reviewed where it matters."""
        signed = await people.member(authorization, org)
        change = await read_model(request, ChangeIdentity, MAX_BODY_BYTES)
        return await identities.revoke(signed, identity_id, change)


def _add_own(router: APIRouter, people: People, identities: Identities, access: Access) -> None:
    @router.get("/me")
    async def me(org: str, authorization: Token = "") -> Me:
        """Who is signed in, with accounts and claims of their own."""
        return await identities.me(await people.member(authorization, org))

    @router.post("/me/claims", openapi_extra=_body(StartClaim))
    async def start_claim(request: Request, org: str, authorization: Token = "") -> StartedClaim:
        """A code that proves an account: post it from there within ten minutes. Five an hour."""
        signed = await people.member(authorization, org)
        return await identities.start_claim(signed, await read_model(request, StartClaim, MAX_BODY_BYTES))

    @router.post("/me/claims/{claim_id}/answer", openapi_extra=_body(AnswerClaim))
    async def answer_claim(
        request: Request, org: str, claim_id: UUID, authorization: Token = ""
    ) -> IdentityView:
        """Say whether the account that posted the code is yours. Look at it first: GET /me shows it."""
        signed = await people.member(authorization, org)
        answer = await read_model(request, AnswerClaim, MAX_BODY_BYTES)
        return await identities.answer_claim(signed, claim_id, answer)

    @router.post("/me/tokens", openapi_extra=_body(NewTokenRequest))
    async def make_token(request: Request, org: str, authorization: Token = "") -> MadeSecret:
        """Another token of one's own, shown once."""
        signed = await people.member(authorization, org)
        return await access.make_token(signed, await read_model(request, NewTokenRequest, MAX_BODY_BYTES))


def _add_members(router: APIRouter, people: People, access: Access) -> None:
    @router.get("/members")
    async def members(
        org: str,
        after: Annotated[str, Query(max_length=63, description="code of the last one seen")] = "",
        limit: Limit = 100,
        authorization: Token = "",
    ) -> list[MemberView]:
        """Members by code, removed ones too; for admins."""
        return await access.members(await people.member(authorization, org), after=after, limit=limit)

    @router.put("/members/{code}", openapi_extra=_body(SetMember))
    async def set_member(request: Request, org: str, code: Code, authorization: Token = "") -> ChangedMember:
        """Add, change or bring back a member. Somebody known elsewhere by mail is invited."""
        signed = await people.member(authorization, org)
        return await access.set_member(signed, code, await read_model(request, SetMember, MAX_BODY_BYTES))

    @router.delete("/members/{code}")
    async def remove_member(org: str, code: Code, authorization: Token = "") -> ChangedMember:
        """End a membership, and all that came with it. The last owner stays (409)."""
        return await access.remove_member(await people.member(authorization, org), code)


def _add_keys(router: APIRouter, people: People, access: Access) -> None:
    @router.get("/keys")
    async def keys(
        org: str, revoked: bool = False, cursor: Cursor = "", limit: Limit = 100, authorization: Token = ""
    ) -> KeyPage:
        """Keys, tokens and sessions without their secrets: the org's for admins, one's own for everybody else."""
        signed = await people.member(authorization, org)
        return await access.keys(signed, revoked=revoked, cursor=cursor, limit=limit)

    @router.post("/keys", openapi_extra=_body(NewKeyRequest))
    async def make_key(request: Request, org: str, authorization: Token = "") -> MadeSecret:
        """A key for a gateway or a runtime, shown once."""
        signed = await people.member(authorization, org)
        return await access.make_key(signed, await read_model(request, NewKeyRequest, MAX_BODY_BYTES))

    @router.post("/keys/{key_id}/revoke")
    async def revoke_key(org: str, key_id: UUID, authorization: Token = "") -> RevokedKey:
        """A key, token or session opens nothing any more."""
        return await access.revoke(await people.member(authorization, org), key_id)


_CSV: Final[dict[str, Any]] = {
    "requestBody": {"required": True, "content": {"text/csv": {"schema": {"type": "string"}}}}
}


def _body(model: type[Contract]) -> dict[str, Any]:
    """Bodies are read strictly by hand; the document says so all the same."""
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": model.model_json_schema()}},
        }
    }

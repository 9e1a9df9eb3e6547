"""JSON routes of what people do with items, memories and rules: /v1/orgs/{org}/... with a user's token (C74)."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from dw_contracts.http import learning as bodies
from dw_contracts.http.learning import Acted, BulkDone
from dw_contracts.http.panel import Decided, DecideItem, ItemPage, LearningItemView
from dw_panel.answers import AgentView
from dw_panel.lists import Assigned, ItemQuery
from dw_panel.routes.api import MAX_BODY_BYTES, Cursor, Limit, Risk, Status, Token, UseCases, body_of
from dw_panel.routes.memories import add_memory_routes
from dw_panel.routes.uses import MAX_BULK_BYTES, LearningUses, Text
from dw_runtime import read_model
from dw_store.inbox_reads import Sort

Kind = Literal["", "memory_proposal", "skill_proposal", "skill_update", "review", "soul_update"]


def build_learning_router(use: UseCases, more: LearningUses) -> APIRouter:
    """Every refusal is a problem detail; another org's things are not there (404)."""
    router = APIRouter(prefix="/v1/orgs/{org}", tags=["learning"])
    _add_item_lists(router, use, more)
    _add_item_acts(router, use, more)
    add_memory_routes(router, use, more)
    return router


def _add_item_lists(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    @router.get("/agents")
    async def agents(org: str, authorization: Token = "") -> list[AgentView]:
        """Role-agents whose inbox the reader may see."""
        return await use.inbox.agents(await use.people.member(authorization, org))

    @router.get("/items", response_model=ItemPage)
    async def items(
        org: str,
        agent: UUID | None = None,
        status: Status = "pending",
        risk: Risk = "",
        kind: Kind = "",
        reason: Annotated[str, Query(max_length=64)] = "",
        sensitive: bool | None = None,
        assigned: Assigned = "",
        overdue: bool = False,
        escalated: bool = False,
        q: Text = "",
        sort: Sort = "due",
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> Response:
        """Learning items by filter; a cursor belongs to its filter and order."""
        signed = await use.people.member(authorization, org)
        asked = ItemQuery(
            agent=agent, status=status, risk=risk, kind=kind, reason=reason, sensitive=sensitive, assigned=assigned,
            overdue=overdue, escalated=escalated, text=q, sort=sort, cursor=cursor, limit=limit,
        )  # fmt: skip
        page = await more.lists.items(
            signed, asked
        )  # checked when it was built: once is enough for fifty items
        return Response(page.model_dump_json(), media_type="application/json")

    @router.get("/items/{item_id}")
    async def item(org: str, item_id: UUID, authorization: Token = "") -> LearningItemView:
        """One learning item."""
        return await use.inbox.item(await use.people.member(authorization, org), item_id)


def _add_item_acts(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    people, acts = use.people, more.items

    @router.post("/items/bulk", openapi_extra=body_of(bodies.BulkAct))
    async def bulk(request: Request, org: str, authorization: Token = "") -> BulkDone:
        """Approve, reject or reassign up to a hundred items; each has its own result."""
        signed = await people.member(authorization, org)
        return await more.bulk.run(signed, await read_model(request, bodies.BulkAct, MAX_BULK_BYTES))

    @router.post("/items/{item_id}/decision", openapi_extra=body_of(DecideItem))
    async def decide(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Decided:
        """Approve or reject the version that was seen; 409 with what became of it if it changed since."""
        signed = await people.member(authorization, org)
        return await use.decide.run(signed, item_id, await read_model(request, DecideItem, MAX_BODY_BYTES))

    @router.put("/items/{item_id}/text", openapi_extra=body_of(bodies.EditItem))
    async def edit(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """Another text before approval; also the rebase of an item that is out of date."""
        signed = await people.member(authorization, org)
        return await acts.edit(signed, item_id, await read_model(request, bodies.EditItem, MAX_BODY_BYTES))

    @router.put("/items/{item_id}/reviewer", openapi_extra=body_of(bodies.AssignItem))
    async def assign(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """Hand it to somebody who may decide it."""
        signed = await people.member(authorization, org)
        return await acts.assign(
            signed, item_id, await read_model(request, bodies.AssignItem, MAX_BODY_BYTES)
        )

    @router.put("/items/{item_id}/claim")
    async def claim(org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """Nobody else works on it for a quarter of an hour."""
        return await acts.claim(await people.member(authorization, org), item_id)

    @router.delete("/items/{item_id}/claim")
    async def release(org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """Others may work on it again."""
        return await acts.release(await people.member(authorization, org), item_id)

    @router.put("/items/{item_id}/sensitivity", openapi_extra=body_of(bodies.MarkItem))
    async def mark(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """From now on admins and owners decide it; they alone take the mark off."""
        signed = await people.member(authorization, org)
        return await acts.mark(signed, item_id, await read_model(request, bodies.MarkItem, MAX_BODY_BYTES))

    @router.post("/items/{item_id}/conversion", openapi_extra=body_of(bodies.ConvertItem))
    async def convert(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """A memory proposal becomes a skill proposal, or the other way round."""
        signed = await people.member(authorization, org)
        return await acts.convert(
            signed, item_id, await read_model(request, bodies.ConvertItem, MAX_BODY_BYTES)
        )

    @router.post("/items/{item_id}/override", openapi_extra=body_of(bodies.OverrideItem))
    async def override(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """Decide otherwise what was decided: admins and owners, as a new decision."""
        signed = await people.member(authorization, org)
        body = await read_model(request, bodies.OverrideItem, MAX_BODY_BYTES)
        return await more.undo.override(signed, item_id, body)

    @router.post("/items/{item_id}/feedback", openapi_extra=body_of(bodies.ItemFeedback))
    async def item_feedback(request: Request, org: str, item_id: UUID, authorization: Token = "") -> Acted:
        """Somebody else says so too: evidence, never approval."""
        signed = await people.member(authorization, org)
        await read_model(request, bodies.ItemFeedback, MAX_BODY_BYTES)
        return await acts.confirm(signed, item_id)

    @router.post("/acts/{act_id}/undo")
    async def undo(org: str, act_id: UUID, authorization: Token = "") -> Acted:
        """Take back what one did oneself, within 30 seconds; 409 if it changed since."""
        return await more.undo.undo(await people.member(authorization, org), act_id)

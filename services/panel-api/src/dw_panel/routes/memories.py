"""JSON routes of what people do with memories, role-agents' ways of learning, and rules: /v1/orgs/{org}/..."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request

from dw_contracts.http import learning as bodies
from dw_contracts.http.learning import Acted, RevisionList, RuleList, RulePreview, RuleView, TombstonePage
from dw_panel.answers import MemoryPage, MemoryView
from dw_panel.lists import MemoryQuery
from dw_panel.people import Signed
from dw_panel.routes.api import MAX_BODY_BYTES, Cursor, Limit, Token, UseCases, body_of
from dw_panel.routes.uses import MAX_BULK_BYTES, LearningUses, Text
from dw_runtime import read_model

MemoryStatus = Literal["active", "superseded", "archived", "deleted", "any"]
Layer = Literal["", "operating", "knowledge", "session"]
MemoryRisk = Literal["", "low", "high", "sensitive"]
Origin = Literal["", "auto_saved", "approved", "manual", "promoted", "imported"]
Change = Callable[[Signed, UUID, bodies.ChangeMemory], Awaitable[Acted]]


def add_memory_routes(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    """The life of a memory."""
    _add_memory_lists(router, use, more)
    _add_memory_acts(router, use, more)
    _add_agent_acts(router, use, more)
    _add_rules(router, use, more)


def _add_memory_lists(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    people, lists = use.people, more.lists

    @router.get("/memories")
    async def memories(
        org: str,
        agent: UUID | None = None,
        status: MemoryStatus = "active",
        layer: Layer = "",
        memory_type: Annotated[str, Query(max_length=32)] = "",
        risk: MemoryRisk = "",
        origin: Origin = "",
        q: Text = "",
        cursor: Cursor = "",
        limit: Limit = 50,
        authorization: Token = "",
    ) -> MemoryPage:
        """What a role-agent knows or knew, or without one what the whole org knows; newest first."""
        signed = await people.member(authorization, org)
        asked = MemoryQuery(agent, status, layer, memory_type, risk, origin, q, cursor, limit)
        return await lists.memories(signed, asked)

    @router.get("/memories/{memory_id}")
    async def memory(org: str, memory_id: UUID, authorization: Token = "") -> MemoryView:
        """One memory, of whatever status."""
        return await lists.memory(await people.member(authorization, org), memory_id)

    @router.get("/memories/{memory_id}/revisions")
    async def revisions(org: str, memory_id: UUID, authorization: Token = "") -> RevisionList:
        """How it came to be what it is."""
        return await lists.revisions(await people.member(authorization, org), memory_id)

    @router.get("/tombstones")
    async def tombstones(
        org: str, agent: UUID, cursor: Cursor = "", limit: Limit = 50, authorization: Token = ""
    ) -> TombstonePage:
        """What does not come back."""
        return await lists.tombstones(await people.member(authorization, org), agent, cursor, limit)


def _add_memory_acts(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    people, acts = use.people, more.memories

    @router.post("/memories", openapi_extra=body_of(bodies.AddMemories))
    async def add(request: Request, org: str, authorization: Token = "") -> Acted:
        """Write memories by hand: admins and owners."""
        signed = await people.member(authorization, org)
        return await acts.add(signed, await read_model(request, bodies.AddMemories, MAX_BULK_BYTES))

    @router.post("/memories/{memory_id}/feedback", openapi_extra=body_of(bodies.MemoryFeedback))
    async def feedback(request: Request, org: str, memory_id: UUID, authorization: Token = "") -> Acted:
        """Confirm, reject, edit or delete: any member. Without authority an edit or a deletion is a proposal."""
        signed = await people.member(authorization, org)
        body = await read_model(request, bodies.MemoryFeedback, MAX_BODY_BYTES)
        return await acts.feedback(signed, memory_id, body)

    @router.post("/memories/{memory_id}/supersede", openapi_extra=body_of(bodies.SupersedeMemory))
    async def supersede(request: Request, org: str, memory_id: UUID, authorization: Token = "") -> Acted:
        """Another text in its place."""
        signed = await people.member(authorization, org)
        body = await read_model(request, bodies.SupersedeMemory, MAX_BODY_BYTES)
        return await acts.supersede(signed, memory_id, body)

    for name, act in (
        ("delete", acts.delete),
        ("restore", acts.restore),
        ("promote", acts.promote),
        ("promotion-proposal", acts.propose_promotion),
    ):
        _add_change(router, use, name, act)

    @router.delete("/tombstones/{tombstone_id}")
    async def lift(org: str, tombstone_id: UUID, authorization: Token = "") -> Acted:
        """It may be learned again: admins and owners."""
        return await acts.lift(await people.member(authorization, org), tombstone_id)


def _add_change(router: APIRouter, use: UseCases, name: str, act: Change) -> None:
    @router.post(
        f"/memories/{{memory_id}}/{name}",
        name=f"memory_{name.replace('-', '_')}",
        openapi_extra=body_of(bodies.ChangeMemory),
    )
    async def change(request: Request, org: str, memory_id: UUID, authorization: Token = "") -> Acted:
        """Delete, restore, promote, or propose to promote."""
        signed = await use.people.member(authorization, org)
        body = await read_model(request, bodies.ChangeMemory, MAX_BODY_BYTES)
        return await act(signed, memory_id, body)


def _add_agent_acts(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    people, acts = use.people, more.agents

    @router.put("/agents/{agent}/mode", openapi_extra=body_of(bodies.ChangeMode))
    async def mode(request: Request, org: str, agent: UUID, authorization: Token = "") -> Acted:
        """What the role-agent saves by itself: admins and owners."""
        signed = await people.member(authorization, org)
        return await acts.mode(signed, agent, await read_model(request, bodies.ChangeMode, MAX_BODY_BYTES))

    @router.post("/agents/{agent}/pause")
    async def pause(org: str, agent: UUID, authorization: Token = "") -> Acted:
        """Nothing is learned until it is resumed, neither then nor later."""
        return await acts.learning(await people.member(authorization, org), agent, enabled=False)

    @router.post("/agents/{agent}/resume")
    async def resume(org: str, agent: UUID, authorization: Token = "") -> Acted:
        """Learn again from now on."""
        return await acts.learning(await people.member(authorization, org), agent, enabled=True)

    @router.put("/agents/{agent}/channels/{channel}")
    async def assign(org: str, agent: UUID, channel: UUID, authorization: Token = "") -> Acted:
        """The role-agent listens in the channel."""
        return await acts.assign(await people.member(authorization, org), agent, channel)

    @router.delete("/agents/{agent}/channels/{channel}")
    async def unassign(org: str, agent: UUID, channel: UUID, authorization: Token = "") -> Acted:
        """It listens there no more."""
        return await acts.unassign(await people.member(authorization, org), agent, channel)

    @router.put("/channels/{channel}/learning", openapi_extra=body_of(bodies.ChannelLearning))
    async def channel_learning(request: Request, org: str, channel: UUID, authorization: Token = "") -> Acted:
        """Off, propose, or as the role-agent's mode says."""
        signed = await people.member(authorization, org)
        body = await read_model(request, bodies.ChannelLearning, MAX_BODY_BYTES)
        return await acts.channel_learning(signed, channel, body)

    @router.post("/agents/{agent}/suggestions", openapi_extra=body_of(bodies.Suggest))
    async def suggest(request: Request, org: str, agent: UUID, authorization: Token = "") -> Acted:
        """A correction or local context, by managers of a channel of the role-agent; it becomes an item."""
        signed = await people.member(authorization, org)
        return await acts.suggest(signed, agent, await read_model(request, bodies.Suggest, MAX_BODY_BYTES))


def _add_rules(router: APIRouter, use: UseCases, more: LearningUses) -> None:
    people, rules = use.people, more.rules

    @router.get("/rules")
    async def listed(org: str, authorization: Token = "") -> RuleList:
        """In the order in which they are asked."""
        return await rules.list(await people.member(authorization, org))

    @router.post("/rules/preview", openapi_extra=body_of(bodies.NewRule))
    async def preview(request: Request, org: str, authorization: Token = "") -> RulePreview:
        """What a rule would mean, in words, and what it fits today. Nothing is saved."""
        signed = await people.member(authorization, org)
        return await rules.preview(signed, await read_model(request, bodies.NewRule, MAX_BODY_BYTES))

    @router.post("/rules", openapi_extra=body_of(bodies.NewRule))
    async def add(request: Request, org: str, authorization: Token = "") -> RuleView:
        """It counts from the next decision on. It can add a wall and never take one away."""
        signed = await people.member(authorization, org)
        return await rules.add(signed, await read_model(request, bodies.NewRule, MAX_BODY_BYTES))

    @router.delete("/rules/{rule_id}")
    async def remove(org: str, rule_id: UUID, authorization: Token = "") -> Acted:
        """It counts no more."""
        return await rules.remove(await people.member(authorization, org), rule_id)

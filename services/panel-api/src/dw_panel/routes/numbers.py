"""JSON routes of the inbox's numbers and of the policy in force."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from dw_contracts.http.numbers import EffectivePolicy, InboxNumbers
from dw_panel.numbers import InboxFigures
from dw_panel.people import People
from dw_panel.routes.api import Token

Days = Annotated[int, Query(ge=1, le=366, description="the period: so many days until now")]


def build_router(people: People, figures: InboxFigures) -> APIRouter:
    """Counts and words; nobody's texts."""
    router = APIRouter(prefix="/v1/orgs/{org}", tags=["learning"])

    @router.get("/numbers")
    async def numbers(
        org: str, agent: UUID | None = None, days: Days = 28, authorization: Token = ""
    ) -> InboxNumbers:
        """What waits by age, what was decided and how fast, what was saved by itself and taken back, and the caps."""
        return await figures.numbers(await people.member(authorization, org), agent, days)

    @router.get("/agents/{agent}/policy")
    async def policy(org: str, agent: UUID, authorization: Token = "") -> EffectivePolicy:
        """What happens when somebody says something, by kind of sender, thing and channel, in words."""
        return await figures.policy(await people.member(authorization, org), agent)

    return router

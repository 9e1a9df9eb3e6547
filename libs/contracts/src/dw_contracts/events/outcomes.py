"""learning.outcomes.v1: what triage let go, one record a batch and partition (C51 a)."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Contract, Message


class Skip(Contract):
    """One event that ends here, at no cost: no more than it takes to find it, since most events end so. Repeats of it
    are removed by event id."""

    event_id: UUID = Field(description="the event")
    reason: str = Field(description="why, as a code")


class SkipOutcomes(Message):
    """The skips of one batch of one partition."""

    ce_type: ClassVar[str] = "dw.skip_outcomes.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    partition: int = Field(ge=0, description="partition of chat.events.v1")
    first_offset: int = Field(ge=0, description="first offset of the batch")
    last_offset: int = Field(ge=0, description="last offset of the batch")
    triage_version: str = Field(description="rules and model of triage")
    at: AwareDatetime = Field(description="when")
    skips: tuple[Skip, ...] = Field(description="in offset order")

"""POST /v1/events and GET /v1/events/{id}: what a chat gateway sends and gets (C46, C49 to C51)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, Field, field_validator, model_validator

from dw_contracts.events.chat import MAX_TEXT_BYTES, Correction, EventKind, Flags, Platform, ReplyTo, Tool
from dw_contracts.http.problem import Problem
from dw_contracts.model import Contract

MAX_BATCH_EVENTS = 1_000
MAX_BATCH_BYTES = 4 * 1024 * 1024


class InboundSender(Contract):
    """Who, as the platform's own payload says. No field here, nor any other, makes anybody verified."""

    platform: Platform = Field(description="must be the channel's platform")
    workspace_ref: str = Field(default="", max_length=256, description="team or guild (C48)")
    external_user_id: str = Field(
        min_length=1, max_length=256, description="the account's id on the platform"
    )
    kind: Literal["human", "bot", "system"] = Field(default="human", description="what the platform says")
    display_name: str | None = Field(default=None, max_length=256, description="shown to people")


class InboundEvent(Contract):
    """One event as a gateway publishes it. Unknown fields are ignored: a sender cannot vouch for himself."""

    channel: str = Field(
        min_length=1, max_length=256, description="our channel id, or the platform's own reference"
    )
    kind: EventKind = Field(default=EventKind.MESSAGE_IN, description="what happened")
    message_ref: str = Field(min_length=1, max_length=256, description="the platform's id of the message")
    revision: int = Field(default=0, ge=0, lt=2**53, description="edit time in ms; 0 is the original")
    sender: InboundSender = Field(description="who")
    flags: Flags = Field(default=Flags(), description="marks of foreign words")
    text: str = Field(default="", description="at most 16 KiB of UTF-8")
    reply_to: ReplyTo | None = Field(default=None, description="the message it answers")
    thread_ref: str | None = Field(default=None, max_length=256, description="the platform's thread")
    correction: Correction | None = Field(default=None, description="only and always with kind correction")
    tool: Tool | None = Field(default=None, description="only and always with kind tool_run")
    imported: bool = Field(default=False, description="back-filled history: never learned from")
    occurred_at: AwareDatetime | None = Field(
        default=None, description="the platform's clock; else the receipt"
    )

    @field_validator("text")
    @classmethod
    def _is_short_enough(cls, text: str) -> str:
        if len(text.encode()) > MAX_TEXT_BYTES:
            raise ValueError(f"text is over {MAX_TEXT_BYTES} bytes of UTF-8")
        return text

    @model_validator(mode="after")
    def _parts_fit_the_kind(self) -> Self:
        if (self.correction is not None) != (self.kind is EventKind.CORRECTION):
            raise ValueError("correction stands with kind correction, and only there")
        if (self.tool is not None) != (self.kind is EventKind.TOOL_RUN):
            raise ValueError("tool stands with kind tool_run, and only there")
        if self.kind in (EventKind.MESSAGE_IN, EventKind.MESSAGE_OUT) and not self.text.strip():
            raise ValueError("text is empty")
        if self.occurred_at is not None and not 1970 <= self.occurred_at.year <= 2100:
            raise ValueError("occurred_at is no time of a message (1970 to 2100)")
        if self.kind is EventKind.EDIT and self.revision == 0:
            raise ValueError("an edit needs its revision (the platform's edit time in ms)")
        return self


class InboundBatch(Contract):
    """Several events in one request. Each is judged by itself: mixed results come as 207."""

    events: tuple[dict[str, Any], ...] = Field(
        min_length=1, max_length=MAX_BATCH_EVENTS, description="InboundEvent, 1 to 1,000"
    )


class AcceptedEvent(Contract):
    """One event as written to chat.events.v1: one for each role-agent that listens."""

    event_id: UUID = Field(description="for GET /v1/events/{id} and `dw trace`")
    role_agent_id: UUID = Field(description="the listening role-agent")


class Accepted(Contract):
    """202: Kafka has acknowledged. No events where nobody listens in the channel."""

    status: Literal["accepted"] = Field(default="accepted", description="durable from here on")
    events: tuple[AcceptedEvent, ...] = Field(description="one a listening role-agent")
    trace_id: str = Field(default="", description="trace of this request; empty when it is not sampled")


class RowResult(Contract):
    """One row of a batch's answer."""

    index: int = Field(ge=0, description="place in the request")
    status: int = Field(description="202, or the status this row alone would have got")
    events: tuple[AcceptedEvent, ...] = Field(default=(), description="with 202")
    problem: Problem | None = Field(default=None, description="with anything else")


class BatchResult(Contract):
    """202 if every row was accepted, 207 otherwise."""

    accepted: int = Field(ge=0, description="rows accepted")
    refused: int = Field(ge=0, description="rows refused")
    results: tuple[RowResult, ...] = Field(description="in order of the request")
    trace_id: str = Field(default="", description="trace of this request; empty when it is not sampled")


class EventWait(Contract):
    """It is accepted, and waits for a limit of its org; nobody has to do anything with it."""

    reason: str = Field(description="what it waits for: as in a refusal of the gate, or unavailable")
    since: datetime = Field(description="when it was parked")
    resets_at: datetime | None = Field(
        description="when the limit ends by itself; null: when somebody changes it"
    )
    expires_at: datetime = Field(description="when it ends without having taught anything")


class EventStatus(Contract):
    """What became of an event, for the gateway that sent it (C51)."""

    event_id: UUID = Field(description="the event")
    status: Literal["accepted", "decided"] = Field(description="accepted: on its way, or let go by triage")
    outcomes: tuple[str, ...] = Field(default=(), description="outcome of each item, in order")
    waiting: EventWait | None = Field(default=None, description="where it waits for a limit of its org")

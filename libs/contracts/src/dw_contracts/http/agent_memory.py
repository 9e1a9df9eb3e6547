"""Runs, and the memory API of an agent at work (S3; R178 to R187, C2, C60, C74)."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.events.detections import MAX_MEMORY_CHARS
from dw_contracts.model import Contract

MAX_RUN_MINUTES = 60
MAX_DELETIONS = 20
MAX_ENTRIES = 200
MAX_NOTES = 50
"""Notes of one run at most."""
MAX_USED = 60


class StartRun(Contract):
    """Body of POST /v1/runs, sent by an AI runtime with its key."""

    role_agent: str = Field(min_length=1, max_length=64, description="the role-agent's id or code")
    channel: str = Field(
        min_length=1, max_length=256, description="our channel id, or the platform's own reference"
    )
    event_id: UUID | None = Field(
        default=None, description="the event to be answered; without one nothing is stored at once"
    )
    minutes: int = Field(
        default=MAX_RUN_MINUTES, ge=1, le=MAX_RUN_MINUTES, description="how long its token opens anything"
    )


class StartedRun(Contract):
    """The run, and the token that the agent gets for it. It is shown once."""

    run_id: UUID = Field(description="the run")
    token: str = Field(description="send it as Authorization: Bearer")
    expires_at: AwareDatetime = Field(description="then it opens nothing")
    org_id: UUID = Field(description="what the token is bound to: the tenant")
    role_agent_id: UUID = Field(description="... the role-agent")
    channel_id: UUID = Field(description="... the channel")
    event_id: UUID | None = Field(default=None, description="... the event")
    memory: str = Field(description="path of the role-agent's memory")
    event_known: bool | None = Field(
        default=None,
        description="whether the event has arrived; until it has, and for an event of nobody here, nothing is stored "
        "at once. None without an event",
    )
    ignored_fields: tuple[str, ...] = Field(
        default=(),
        description="names in the body that the route does not know; left out where there are none",
    )


class ReportRun(Contract):
    """Body of POST /v1/runs/{run_id}/report, sent with the run's token: what it used, and how it ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    used: tuple[UUID, ...] = Field(
        default=(),
        max_length=MAX_USED,
        description="memories that the reply rests on; each counts once a run",
    )
    status: Literal["succeeded", "failed", "cancelled"] | None = Field(
        default=None, description="the run is over: its token opens nothing from now on"
    )


class ReportedRun(Contract):
    """What was taken down."""

    run_id: UUID = Field(description="the run")
    counted: int = Field(description="memories that were not counted for this run before")
    status: str = Field(description="running, or how it ended")


class MemoryEntry(Contract):
    """One active memory, as the agent sees it."""

    id: UUID = Field(description="the memory")
    scope: Literal["org", "role_agent"] = Field(description="org-wide ones can be read, not written")
    layer: Literal["operating", "knowledge", "session"] = Field(
        description="how the user works, what is known, this run"
    )
    key: str = Field(description="topic key")
    content: str = Field(description="text; quoted data, never an instruction")
    memory_type: str = Field(description="fact, preference, ...")
    status: Literal["active"] = Field(description="superseded ones are not shown")
    metadata: dict[str, Any] = Field(default={}, description="free JSON")
    source_session: str | None = Field(default=None, description="the run that wrote it, if one did")
    created_at: AwareDatetime = Field(description="when it was learned")
    updated_at: AwareDatetime = Field(description="when it changed last")


class MemoryPage(Contract):
    """Entries in a stable order: by layer and key."""

    entries: tuple[MemoryEntry, ...] = Field(description="at most 200")
    next: UUID | None = Field(default=None, description="send it as `after` for the next page")


class MemorySummary(Contract):
    """What a session starts with (R174)."""

    operating: tuple[MemoryEntry, ...] = Field(description="how the user works, most used first")
    knowledge: tuple[MemoryEntry, ...] = Field(description="what was learned last")
    version: int = Field(description="as in a pack")


class PutMemory(Contract):
    """Body of PUT: one entry, created or updated by its key. It is a candidate like any other (C2, C60)."""

    key: str = Field(min_length=1, max_length=110, description="topic key")
    content: str = Field(min_length=1, max_length=MAX_MEMORY_CHARS, description="text that stands alone")
    layer: Literal["operating", "knowledge", "session"] = Field(
        default="knowledge",
        description="by itself an agent writes knowledge only; operating is kept in a proposal; session is a note "
        "that this run alone reads, gone after 7 days (C42)",
    )
    memory_type: Literal["fact", "preference"] = Field(
        default="fact", description="a preference belongs to the sender of the run's event"
    )
    scope: Literal["role_agent"] = Field(
        default="role_agent", description="org-wide memory comes by promotion alone (R7, R89, C34)"
    )
    metadata: dict[str, Any] = Field(default={}, max_length=20, description="free JSON, kept with the entry")


class MemoryAnswer(Contract):
    """What became of a PUT or DELETE: 200 stored or deleted, 202 proposed, 422 rejected."""

    status: Literal["stored", "deleted", "proposed", "rejected"] = Field(description="what became of it")
    reason: str = Field(description="why, as a code; empty where it was simply done")
    explanation: str = Field(default="", description="the same in words")
    memory_id: UUID | None = Field(default=None, description="of what was stored, or is gone")
    item_id: UUID | None = Field(default=None, description="the learning item that waits for a person")
    version: int = Field(description="send it as at_least_version to see the change (C71)")
    ignored_fields: tuple[str, ...] = Field(
        default=(),
        description="names in the body that the route does not know; left out where there are none",
    )

"""BuildAgentContext and SearchAgentHistory (R154 to R177, C71, C80, C81)."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Contract

MAX_ROLE_AGENT_MEMORIES = 20
MAX_ORG_MEMORIES = 10
MAX_MEMORY_CHARS = 3_000
MAX_RECENT = 50
"""Messages of a channel that a pack brings along at most, and only where it was asked for them (R166, R176)."""


class ContextSender(Contract):
    """Who wrote the message to be answered: a preference is shown only to the person it is about (C65)."""

    platform: str = Field(description="platform of the account")
    workspace_ref: str = Field(default="", description="team or guild")
    external_user_id: str = Field(min_length=1, description="the account")


class BuildContextRequest(Contract):
    """Body of POST /v1/context."""

    role_agent: str = Field(min_length=1, max_length=64, description="the role-agent's id or code")
    channel: str = Field(
        min_length=1, max_length=256, description="our channel id, or the platform's own reference"
    )
    message: str = Field(default="", max_length=16_384, description="the message to be answered")
    sender: ContextSender | None = Field(default=None, description="who wrote it")
    at_least_version: int = Field(default=0, ge=0, description="the pack is at least as new as this (C71)")
    run_id: UUID | None = Field(
        default=None, description="the run that the pack is for; the record of packs names it (R207)"
    )
    recent: int = Field(
        default=0,
        ge=0,
        le=MAX_RECENT,
        description="the newest messages of the channel to bring along; none unless asked (R166, R176)",
    )


class PackMemory(Contract):
    """One memory in the pack."""

    id: UUID = Field(description="the memory")
    scope: Literal["org", "role_agent"] = Field(description="org-wide ones stand first")
    layer: Literal["operating", "knowledge"] = Field(description="operating before knowledge")
    memory_type: str = Field(description="fact, preference, ...")
    text: str = Field(description="never cut")


class PackSkill(Contract):
    """One skill in the pack."""

    name: str = Field(description="kebab-case name")
    version: int = Field(description="the approved version")
    body: str = Field(description="markdown")


class PackSoul(Contract):
    """The posture of the role-agent; grants nothing."""

    code: str = Field(description="such as balanced_helper")
    version: int = Field(description="the approved version")
    tone_rules: str = Field(description="markdown")
    do_not_do: str = Field(description="markdown")


class Dropped(Contract):
    """What is not in the pack although it is active, and why (D46)."""

    id: UUID = Field(description="the memory or skill")
    reason: Literal["count", "chars", "org_count", "subject", "conflict", "uncertain"] = Field(
        description="why"
    )
    instead: UUID | None = Field(
        default=None, description="of a conflict: the org-wide memory that stands instead (C19)"
    )


class HistoryMessage(Contract):
    """One message of the past. It is an untrusted quote."""

    event_id: UUID = Field(description="the event")
    text: str = Field(description="redacted, harmless")
    sender: str = Field(description="display name or account")
    sender_kind: Literal["human", "bot", "system"] = Field(
        default="human", description="what the platform says"
    )
    verified: bool = Field(description="resolved at the time of the query")
    occurred_at: AwareDatetime = Field(description="when it was said")


class ContextPack(Contract):
    """What the AI runtime puts into a prompt: bounded, in order, with the reason for all that was left out."""

    role_agent_id: UUID = Field(description="the role-agent")
    version: int = Field(
        description="grows with each change of agent or org; what a write was answered with (C71)"
    )
    soul: PackSoul | None = Field(default=None, description="absent when paused")
    memories: tuple[PackMemory, ...] = Field(
        description="at most 20 of the role-agent, 10 of the org, 3,000 characters"
    )
    skills: tuple[PackSkill, ...] = Field(default=(), description="only relevant ones")
    memory_chars: int = Field(description="characters of memory text")
    dropped: tuple[Dropped, ...] = Field(
        default=(), description="active ones that did not fit, nearest first"
    )
    more_dropped: bool = Field(default=False, description="more were dropped than are listed")
    history: tuple[HistoryMessage, ...] = Field(
        default=(), description="the newest messages of the channel, oldest first; empty unless asked (R166)"
    )
    prompt_version: str = Field(
        default="", description="version of the prompt that the blocks are rendered by (R172)"
    )
    blocks: dict[str, str] = Field(
        description="rendered prompt blocks: soul, memory (quoted data), skills; history only if asked"
    )
    built_at: AwareDatetime = Field(description="when")


class SearchRequest(Contract):
    """Body of POST /v1/history/search."""

    role_agent: str = Field(min_length=1, max_length=64, description="the role-agent's id or code")
    channel: str = Field(min_length=1, max_length=256, description="where the question comes from")
    query: str = Field(max_length=1_024, description="any text is safe")
    phrasings: tuple[Annotated[str, Field(max_length=1_024)], ...] = Field(
        default=(),
        max_length=4,
        description="other ways to ask the same, in any language: one search for all",
    )
    limit: int = Field(default=10, ge=1, le=50, description="hits at most, each of another thread")
    neighbours: int = Field(default=2, ge=0, le=10, description="messages beside each hit at most")
    include_unproven: bool = Field(
        default=False, description="also unverified accounts, bots, forwards, imports (C81)"
    )


class HistoryHit(HistoryMessage):
    """The best message of a thread, with what stands beside it: the answer is often the next message."""

    channel_id: UUID = Field(description="where it was said")
    thread_ref: str | None = Field(default=None, description="the platform's thread")
    snippet: str = Field(default="", description="the part of the text that matched")
    neighbours: tuple[HistoryMessage, ...] = Field(default=(), description="in order of time")


class SearchResult(Contract):
    """Hits, best first."""

    hits: tuple[HistoryHit, ...] = Field(description="best first")
    query_redacted: bool = Field(
        default=False, description="a secret was cut out of what was asked, and not looked for"
    )
    ignored_fields: tuple[str, ...] = Field(
        default=(),
        description="names in the body that the route does not know; left out where there are none",
    )

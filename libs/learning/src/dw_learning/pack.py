"""Assembly of the ContextPack: which memories go into a prompt, in which order, and why the others do not.

Order (R159, C17, C80): org-wide before role-agent, operating before knowledge, then usage, then recency. A budget is
never stretched and a memory is never cut: one that does not fit is left out whole, and a shorter one behind it may
still get in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Literal, NamedTuple
from uuid import UUID

from dw_contracts.http.context import (
    MAX_MEMORY_CHARS,
    MAX_ORG_MEMORIES,
    MAX_ROLE_AGENT_MEMORIES,
    ContextPack,
    PackSkill,
    PackSoul,
)
from dw_learning.pack_blocks import render_blocks

MAX_DROPPED_LISTED = 50
_NEVER = datetime.min.replace(tzinfo=UTC)
_id = attrgetter("id")

Scope = Literal["org", "role_agent"]
Layer = Literal["operating", "knowledge"]
DropReason = Literal["count", "chars", "org_count", "subject", "conflict", "uncertain"]


class ActiveMemory(NamedTuple):
    """An active memory as the pack needs it. Layer session never comes here: it belongs to one run (C42).

    A tuple, because some forty are made for every reply.
    """

    id: UUID
    scope: Scope
    layer: Layer
    memory_type: str
    key: str
    text: str
    subject: UUID | None = None
    """The identity whose preference it is; only that person's own messages see it (C65)."""
    use_count: int = 0
    last_used_at: datetime | None = None
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Soul:
    """The assigned soul with both places from which it can be switched off (C39)."""

    approved: PackSoul
    soul_paused: bool = False
    agent_paused: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, and what was left out with its reason, nearest first."""

    memories: tuple[ActiveMemory, ...]
    chars: int
    dropped: tuple[tuple[UUID, DropReason], ...]


def assemble(
    *,
    role_agent_id: UUID,
    version: int,
    memories: Iterable[ActiveMemory],
    sender: UUID | None,
    soul: Soul | None,
    built_at: datetime,
    skills: Sequence[PackSkill] = (),
    foreign: Sequence[UUID] = (),
    more_active: bool = False,
) -> ContextPack:
    """The whole pack. `foreign` are other people's preferences, of which only the ids are known; `more_active` says
    that there are active memories behind those given, all lower in order."""
    choice = choose(memories, sender)
    dropped = [*choice.dropped, *((memory, "subject") for memory in foreign)]
    shown = shown_soul(soul)
    return ContextPack.model_validate(  # in one go: a tenth of the price of making each entry by itself
        {
            "role_agent_id": role_agent_id,
            "version": version,
            "soul": shown,
            "memories": [_entry(memory) for memory in choice.memories],
            "skills": skills,
            "memory_chars": choice.chars,
            "dropped": [{"id": memory, "reason": reason} for memory, reason in dropped[:MAX_DROPPED_LISTED]],
            "more_dropped": more_active or len(dropped) > MAX_DROPPED_LISTED,
            "blocks": render_blocks(shown, [(m.scope, m.text) for m in choice.memories], skills),
            "built_at": built_at,
        }
    )


def choose(memories: Iterable[ActiveMemory], sender: UUID | None) -> Choice:
    """Apply subject, precedence and the three budgets in order. Pure: the same input gives the same pack."""
    by_id = sorted(memories, key=_id)  # for ties: sorting is stable
    ordered = sorted(by_id, key=_rank, reverse=True)
    org_keys = {(m.layer, m.key) for m in ordered if m.scope == "org" and m.subject is None}
    left = {"org": MAX_ORG_MEMORIES, "role_agent": MAX_ROLE_AGENT_MEMORIES}
    chars = 0
    chosen: list[ActiveMemory] = []
    dropped: list[tuple[UUID, DropReason]] = []
    for memory in ordered:
        reason = _drop_reason(memory, sender, org_keys, left[memory.scope], MAX_MEMORY_CHARS - chars)
        if reason is not None:
            dropped.append((memory.id, reason))
            continue
        chosen.append(memory)
        left[memory.scope] -= 1
        chars += len(memory.text)
    return Choice(tuple(chosen), chars, tuple(dropped))


def shown_soul(soul: Soul | None) -> PackSoul | None:
    """A soul that is paused, itself or for this agent, is in no pack (R162)."""
    if soul is None or soul.soul_paused or soul.agent_paused:
        return None
    return soul.approved


def _drop_reason(
    memory: ActiveMemory,
    sender: UUID | None,
    org_keys: set[tuple[Layer, str]],
    places: int,
    chars: int,
) -> DropReason | None:
    if memory.subject is not None and memory.subject != sender:
        return "subject"
    if memory.scope == "role_agent" and memory.subject is None and (memory.layer, memory.key) in org_keys:
        return "conflict"  # C19: the org's word stands, also where it found no place itself
    if places <= 0:
        return "org_count" if memory.scope == "org" else "count"
    return "chars" if len(memory.text) > chars else None


def _rank(memory: ActiveMemory) -> tuple[bool, bool, int, datetime, datetime]:
    return (
        memory.scope == "org",
        memory.layer == "operating",
        memory.use_count,
        memory.last_used_at or _NEVER,
        memory.made_at or _NEVER,
    )


def _entry(memory: ActiveMemory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "scope": memory.scope,
        "layer": memory.layer,
        "memory_type": memory.memory_type,
        "text": memory.text,
    }

"""Assembly of the ContextPack: which memories go into a prompt, in which order, and why the others do not.

Order (R159, C17, C80): org-wide before role-agent, operating before knowledge, then usage, then recency. A budget is
never stretched and a memory is never cut: one that does not fit is left out whole, and a shorter one behind it may
still get in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Literal, NamedTuple, TypedDict

from dw_contracts.http.context import (
    MAX_MEMORY_CHARS,
    MAX_ORG_MEMORIES,
    MAX_ROLE_AGENT_MEMORIES,
    PackSkill,
    PackSoul,
)
from dw_learning.pack_blocks import render_blocks

MAX_DROPPED_LISTED = 50
_id = attrgetter("id")

Scope = Literal["org", "role_agent"]
Layer = Literal["operating", "knowledge"]
DropReason = Literal["count", "chars", "org_count", "subject", "conflict", "uncertain"]


class ActiveMemory(NamedTuple):
    """An active memory as the pack needs it. Layer session never comes here: it belongs to one run (C42).

    Some forty are made for every reply: hence a tuple, ids as text since they only pass through, and times as seconds
    since the epoch since only their order counts.
    """

    id: str
    scope: Scope
    layer: Layer
    memory_type: str
    key: str
    text: str
    subject: str | None = None
    """The identity whose preference it is; only that person's own messages see it (C65)."""
    use_count: int = 0
    used_at: float | None = None
    made_at: float = 0.0


class Entry(TypedDict):
    """One memory of a pack: contracts' PackMemory before it is JSON."""

    id: str
    scope: Scope
    layer: Layer
    memory_type: str
    text: str


class LeftOut(TypedDict):
    """One active memory that is not in the pack: contracts' Dropped before it is JSON."""

    id: str
    reason: DropReason


class Pack(TypedDict):
    """contracts' ContextPack before it is JSON. Its parts are valid by construction, so nothing is validated again."""

    role_agent_id: str
    version: int
    soul: PackSoul | None
    memories: list[Entry]
    skills: Sequence[PackSkill]
    memory_chars: int
    dropped: list[LeftOut]
    more_dropped: bool
    blocks: dict[str, str]
    built_at: datetime


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
    dropped: tuple[LeftOut, ...]


def assemble(
    *,
    role_agent_id: str,
    version: int,
    memories: Iterable[ActiveMemory],
    sender: str | None,
    soul: Soul | None,
    built_at: datetime,
    skills: Sequence[PackSkill] = (),
    foreign: Sequence[str] = (),
    more_active: bool = False,
) -> Pack:
    """The whole pack. `foreign` are other people's preferences, of which only the ids are known; `more_active` says
    that there are active memories behind those given, all lower in order."""
    choice = choose(memories, sender)
    dropped = [*choice.dropped, *(LeftOut(id=memory, reason="subject") for memory in foreign)]
    shown = shown_soul(soul)
    return {
        "role_agent_id": role_agent_id,
        "version": version,
        "soul": shown,
        "memories": [_entry(memory) for memory in choice.memories],
        "skills": skills,
        "memory_chars": choice.chars,
        "dropped": dropped[:MAX_DROPPED_LISTED],
        "more_dropped": more_active or len(dropped) > MAX_DROPPED_LISTED,
        "blocks": render_blocks(shown, [(m.scope, m.text) for m in choice.memories], skills),
        "built_at": built_at,
    }


def choose(memories: Iterable[ActiveMemory], sender: str | None) -> Choice:
    """Apply subject, precedence and the three budgets in order. Pure: the same input gives the same pack."""
    by_id = sorted(memories, key=_id)  # for ties: sorting is stable
    ordered = sorted(by_id, key=_rank, reverse=True)
    org_keys = {(m.layer, m.key) for m in ordered if m.scope == "org" and m.subject is None}
    left = {"org": MAX_ORG_MEMORIES, "role_agent": MAX_ROLE_AGENT_MEMORIES}
    chars = 0
    chosen: list[ActiveMemory] = []
    dropped: list[LeftOut] = []
    for memory in ordered:
        reason = _drop_reason(memory, sender, org_keys, left[memory.scope], MAX_MEMORY_CHARS - chars)
        if reason is not None:
            dropped.append({"id": memory.id, "reason": reason})
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
    sender: str | None,
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


def _rank(memory: ActiveMemory) -> tuple[bool, bool, int, float, float]:
    return (
        memory.scope == "org",
        memory.layer == "operating",
        memory.use_count,
        memory.used_at or 0.0,
        memory.made_at,
    )


def _entry(memory: ActiveMemory) -> Entry:
    return {
        "id": memory.id,
        "scope": memory.scope,
        "layer": memory.layer,
        "memory_type": memory.memory_type,
        "text": memory.text,
    }

"""Assembly of the ContextPack: which memories go into a prompt, in which order, and why the others do not.

Order (R159, C17, C80): org-wide before role-agent, operating before knowledge, then usage, then recency. A budget is
never stretched and a memory is never cut: one that does not fit is left out whole, and a shorter one behind it may
still get in.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Literal, NamedTuple, NotRequired, TypedDict

from dw_contracts.http.context import (
    MAX_MEMORY_CHARS,
    MAX_ORG_MEMORIES,
    MAX_ROLE_AGENT_MEMORIES,
    HistoryMessage,
    PackSkill,
    PackSoul,
)
from dw_learning.pack_blocks import render_blocks
from dw_learning.pack_prompt import CURRENT

MAX_DROPPED_LISTED = 50
MAX_MATCHES = 8
"""Of the twenty places, those that the message's own matches may take (C80)."""
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
    instead: NotRequired[str]


class WhyLeftOut(NamedTuple):
    """What the record of a pack keeps of them: the nearest, how many for which reason, and whether there are more."""

    nearest: Sequence[LeftOut]
    reasons: Mapping[str, int]
    more: bool


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
    history: list[HistoryMessage]
    prompt_version: str
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
    return packed(
        choice,
        role_agent_id=role_agent_id,
        version=version,
        soul=shown_soul(soul),
        blocks=render_blocks(shown_soul(soul), [(m.scope, m.text) for m in choice.memories], skills),
        built_at=built_at,
        skills=skills,
        also_dropped=[LeftOut(id=memory, reason="subject") for memory in foreign],
        more_active=more_active,
    )


def packed(
    choice: Choice,
    *,
    role_agent_id: str,
    version: int,
    soul: PackSoul | None,
    blocks: dict[str, str],
    built_at: datetime,
    skills: Sequence[PackSkill],
    also_dropped: Sequence[LeftOut],
    more_active: bool,
) -> Pack:
    """A choice in the form that is answered."""
    dropped = [*choice.dropped, *also_dropped]
    return {
        "role_agent_id": role_agent_id,
        "version": version,
        "soul": soul,
        "memories": [entry_of(memory) for memory in choice.memories],
        "skills": skills,
        "memory_chars": choice.chars,
        "dropped": dropped[:MAX_DROPPED_LISTED],
        "more_dropped": more_active or len(dropped) > MAX_DROPPED_LISTED,
        "history": [],
        "prompt_version": CURRENT.version,
        "blocks": blocks,
        "built_at": built_at,
    }


class Ordered:
    """Active memories in the order of the pack, prepared once for many packs. Immutable.

    Places are those of `memories`: the org's first, then the role-agent's from `own_from` on.
    """

    __slots__ = ("for_all", "memories", "org_words", "over_count", "own_from", "shortest", "sizes")

    def __init__(self, memories: Iterable[ActiveMemory]) -> None:
        by_id = sorted(memories, key=_id)  # for ties: sorting is stable
        self.memories = tuple(sorted(by_id, key=_rank, reverse=True))
        of_org = [m for m in self.memories if m.scope == "org"]
        self.own_from = len(of_org)
        self.org_words = {(m.layer, m.key): m.id for m in reversed(of_org) if m.subject is None}
        self.over_count: list[LeftOut | None] = [
            {"id": m.id, "reason": "count"}
            if m.subject is None and (m.layer, m.key) not in self.org_words
            else None
            for m in self.memories
        ]
        """By place of the role-agent's: how it is left out where nothing but the count stands against it."""
        self.sizes = array("L", [len(m.text) for m in self.memories])
        self.shortest = min(self.sizes, default=1)
        self.for_all = bytes([left is not None for left in self.over_count])
        """By place of the role-agent's: whether everybody may see it."""

    def hidden(self, place: int, sender: str | None) -> LeftOut | None:
        """How a memory is left out whatever room there is: it is another person's, or the org's word stands (C19), also
        where that found no place itself."""
        memory = self.memories[place]
        if memory.subject is not None:
            return None if memory.subject == sender else {"id": memory.id, "reason": "subject"}
        if place < self.own_from or (memory.layer, memory.key) not in self.org_words:
            return None
        return {
            "id": memory.id,
            "reason": "conflict",
            "instead": self.org_words[(memory.layer, memory.key)],
        }


def choose(memories: Iterable[ActiveMemory], sender: str | None) -> Choice:
    """Apply subject, precedence and the three budgets in order. Pure: the same input gives the same pack."""
    return choose_ordered(Ordered(memories), sender)


def choose_ordered(
    ordered: Ordered, sender: str | None, matched: Sequence[int] = (), *, enough: int | None = None
) -> Choice:
    """The choice; `matched` are at most MAX_MATCHES places of the role-agent's memories that speak of the message,
    best first. They come after the org's word and after operating memories, before all others (C17, C80); in the pack
    they stand where their rank puts them. With `enough`, looking ends when that many were dropped and none fits."""
    budget = Budget(ordered, sender)
    memories, own = ordered.memories, range(ordered.own_from, len(ordered.memories))
    for place in range(ordered.own_from):
        budget.claim(place)
    if matched:
        for place in own:
            if memories[place].layer != "operating" or budget.own <= len(matched):
                break
            budget.claim(place)
        for place in matched:
            budget.claim(place)
    for place in own:
        if budget.own <= 0 or budget.chars < ordered.shortest:
            budget.leave_out(range(place, own.stop), enough)
            break
        budget.claim(place)
    dropped = sorted(budget.dropped.items())
    return Choice(
        tuple(memories[place] for place in sorted(budget.chosen)),
        MAX_MEMORY_CHARS - budget.chars,
        tuple(left for _, left in dropped),
    )


class Budget:
    """What is left while places are claimed. Each place is decided once."""

    __slots__ = ("_ordered", "_sender", "chars", "chosen", "dropped", "org", "own")

    def __init__(self, ordered: Ordered, sender: str | None) -> None:
        self._ordered = ordered
        self._sender = sender
        self.org, self.own, self.chars = MAX_ORG_MEMORIES, MAX_ROLE_AGENT_MEMORIES, MAX_MEMORY_CHARS
        self.chosen: set[int] = set()
        self.dropped: dict[int, LeftOut] = {}

    def leave_out(self, places: range, enough: int | None) -> None:
        """No memory of the role-agent fits any more: these are dropped, until enough are."""
        over, dropped, chosen = self._ordered.over_count, self.dropped, self.chosen
        for place in places:
            if enough is not None and len(dropped) >= enough:
                return
            left = over[place] if self.own <= 0 else None
            if left is None:
                self.claim(place)
            elif place not in chosen and place not in dropped:
                dropped[place] = left

    def claim(self, place: int) -> None:
        """In, or out with its reason."""
        if place in self.chosen or place in self.dropped:
            return
        memory = self._ordered.memories[place]
        if (
            self._ordered.over_count[place] is not None
            and memory.scope == "role_agent"
            and self.own > 0
            and len(memory.text) <= self.chars
        ):  # most claims: nobody's taste, no word of the org on it, and there is room
            self.chosen.add(place)
            self.chars -= len(memory.text)
            self.own -= 1
            return
        left = self._ordered.hidden(place, self._sender) or self._over(memory)
        if left is not None:
            self.dropped[place] = left
            return
        self.chosen.add(place)
        self.chars -= len(memory.text)
        if memory.scope == "org":
            self.org -= 1
        else:
            self.own -= 1

    def _over(self, memory: ActiveMemory) -> LeftOut | None:
        """How it is left out by the budgets."""
        of_org = memory.scope == "org"
        if (self.org if of_org else self.own) <= 0:
            return {"id": memory.id, "reason": "org_count" if of_org else "count"}
        return {"id": memory.id, "reason": "chars"} if len(memory.text) > self.chars else None


def shown_soul(soul: Soul | None) -> PackSoul | None:
    """A soul that is paused, itself or for this agent, is in no pack (R162)."""
    if soul is None or soul.soul_paused or soul.agent_paused:
        return None
    return soul.approved


def _rank(memory: ActiveMemory) -> tuple[bool, bool, int, float, float]:
    return (
        memory.scope == "org",
        memory.layer == "operating",
        memory.use_count,
        memory.used_at or 0.0,
        memory.made_at,
    )


def entry_of(memory: ActiveMemory) -> Entry:
    """A memory in the form that is answered."""
    return {
        "id": memory.id,
        "scope": memory.scope,
        "layer": memory.layer,
        "memory_type": memory.memory_type,
        "text": memory.text,
    }

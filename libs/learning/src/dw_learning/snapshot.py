"""One role-agent as packs need it, whole, under one version (C71): what is kept in memory, and the choice from it.

Everything that many packs share is prepared once: the order, the match index, the quoted lines. A snapshot is
immutable in what it says; what it prepares late is a function of that alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

from dw_contracts.http.context import MAX_MEMORY_CHARS, MAX_ROLE_AGENT_MEMORIES, PackSkill, PackSoul
from dw_learning.conflicts import Conflict, conflicts_of
from dw_learning.memory_match import MatchIndex, Terms, asked_terms, terms_of
from dw_learning.pack import (
    MAX_DROPPED_LISTED,
    MAX_MATCHES,
    ActiveMemory,
    Choice,
    LeftOut,
    Ordered,
    Pack,
    Soul,
    choose_ordered,
    packed,
    shown_soul,
)
from dw_learning.pack_blocks import memory_line, render_lines
from dw_learning.skill_choice import NO_SKILL, Offer, SkillIndex, choose_skill

Account = tuple[str, str, str]
"""Platform, workspace, account."""
FAR: Final = float("inf")
PREPARED_AT_ONCE: Final = 50
NO_TERMS: Final[Terms] = frozenset()


class Shape(NamedTuple):
    """What decides the content of a pack from one snapshot: equal shapes give equal packs but for their time."""

    sender: str | None
    matched: tuple[int, ...]
    skill: int | None
    uncertain: tuple[int, ...]


@dataclass(slots=True)
class Known:
    """What was prepared for a memory's text; passed on from snapshot to snapshot, as most texts stay."""

    text: str
    terms: Terms | None = None
    line: str | None = None


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """The rows behind a snapshot. `channels` are all names of the channels in which the agent listens, `people` the
    accounts whose preferences are among the memories, `expires_at` the first moment (seconds since the epoch) at
    which one of the memories is over. `more_active`: there are active memories behind those given."""

    role_agent_id: str
    code: str
    version: int
    memories: Sequence[ActiveMemory]
    soul: Soul | None = None
    channels: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[Account, str] = field(default_factory=dict)
    skills: Sequence[Offer] = ()
    more_active: bool = False
    expires_at: float = FAR


class AgentSnapshot:
    """See the module. `earlier` lends what it has prepared for texts that are still the same."""

    def __init__(self, facts: AgentFacts, earlier: AgentSnapshot | None = None) -> None:
        self.facts = facts
        self.version = facts.version
        self.soul: PackSoul | None = shown_soul(facts.soul)
        self.ordered = Ordered(facts.memories)
        self.skills = SkillIndex(facts.skills)
        known = earlier.known if earlier is not None else {}
        self.known: dict[str, Known] = {}
        for memory in self.ordered.memories:
            found = known.get(memory.id)
            same = found is not None and found.text == memory.text
            self.known[memory.id] = found if same and found is not None else Known(memory.text)
        own = self.ordered.memories[self.ordered.own_from :]
        self._matches_count = (
            len(own) > MAX_ROLE_AGENT_MEMORIES or sum(len(m.text) for m in own) > MAX_MEMORY_CHARS
        )
        self._index: MatchIndex | None = None
        self._conflicts: tuple[Conflict, ...] | None = None

    @property
    def weight(self) -> int:
        """What it counts in a bounded cache: memories and skills."""
        return 1 + len(self.ordered.memories) + len(self.skills.offers)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All that the org's word overrules here (C19), whether or not a pack would list it. Looked for once."""
        if self._conflicts is None:
            self._conflicts = conflicts_of(self.ordered)
        return self._conflicts

    def prepare(self) -> Iterator[None]:
        """Prepare what the first message would have to wait for, in parts: each step takes about a millisecond."""
        if not self._matches_count:
            return
        for place, memory in enumerate(self.ordered.memories[self.ordered.own_from :], start=1):
            self._terms(memory)
            if place % PREPARED_AT_ONCE == 0:
                yield
        self._own_index()

    def person(self, account: Account | None) -> str | None:
        """The identity of a sender whose preferences are here. Everybody else sees the same pack."""
        return self.facts.people.get(account) if account is not None else None

    def shape(self, account: Account | None, message: str) -> Shape:
        """What the message and its sender choose. All that is done for each request."""
        sender = self.person(account)
        if not message:
            return Shape(sender, (), None, ())
        asked = asked_terms(message) if self._matches_count else NO_TERMS
        skill = choose_skill(self.skills, message) if self.skills.offers else NO_SKILL
        return Shape(sender, self._matches(sender, asked), skill.chosen, skill.uncertain)

    def choice(self, shape: Shape) -> Choice:
        """The memories of a shape."""
        return choose_ordered(self.ordered, shape.sender, shape.matched, enough=MAX_DROPPED_LISTED + 1)

    def pack(self, shape: Shape, built_at: datetime) -> Pack:
        """The whole pack of a shape."""
        choice = self.choice(shape)
        skills = self._skills(shape)
        return packed(
            choice,
            role_agent_id=self.facts.role_agent_id,
            version=self.version,
            soul=self.soul,
            blocks=render_lines(self.soul, [self._line(m) for m in choice.memories], skills),
            built_at=built_at,
            skills=skills,
            also_dropped=[_uncertain(self.skills.offers[place]) for place in shape.uncertain],
            more_active=self.facts.more_active,
        )

    def _matches(self, sender: str | None, asked: Terms) -> tuple[int, ...]:
        if not self._matches_count or not asked:
            return ()
        first, memories, words = self.ordered.own_from, self.ordered.memories, self.ordered.org_words

        def may_stand(place: int) -> bool:
            memory = memories[first + place]
            if memory.subject is not None:
                return memory.subject == sender
            return (memory.layer, memory.key) not in words

        return tuple(first + place for place in self._own_index().best(asked, MAX_MATCHES, may_stand))

    def _own_index(self) -> MatchIndex:
        if self._index is None:
            own = self.ordered.memories[self.ordered.own_from :]
            self._index = MatchIndex([self._terms(memory) for memory in own])
        return self._index

    def _terms(self, memory: ActiveMemory) -> Terms:
        known = self.known[memory.id]
        if known.terms is None:
            known.terms = terms_of(memory.text)
        return known.terms

    def _line(self, memory: ActiveMemory) -> str:
        known = self.known[memory.id]
        if known.line is None:
            known.line = memory_line(memory.scope, memory.text)
        return known.line

    def _skills(self, shape: Shape) -> list[PackSkill]:
        if shape.skill is None:
            return []
        offer = self.skills.offers[shape.skill]
        return [PackSkill(name=offer.name, version=offer.version, body=offer.body)]


def _uncertain(offer: Offer) -> LeftOut:
    return {"id": offer.id, "reason": "uncertain"}

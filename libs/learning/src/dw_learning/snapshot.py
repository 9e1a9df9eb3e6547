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
from dw_learning.pack_json import Around, Draw, PackJson, PlacedMemory, Standing, placed_memory
from dw_learning.skill_choice import NO_SKILL, Offer, SkillIndex, choose_skill

Account = tuple[str, str, str]
"""Platform, workspace, account."""
FAR: Final = float("inf")
PREPARED_AT_ONCE: Final = 50
NO_TERMS: Final[Terms] = frozenset()
MAX_STANDINGS: Final = 16
"""Senders with preferences of their own for whom the first places are kept rendered."""


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
        self._json = PackJson(Around(facts.role_agent_id, facts.version, self.soul, facts.more_active))
        self._standings: dict[str | None, Standing] = {}
        self._placed: dict[int, PlacedMemory] = {}

    @property
    def weight(self) -> int:
        """What it counts in a bounded cache: memories and skills. What is kept rendered of them is at most as much again."""
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
        if self._index is None:
            index = MatchIndex(terms := self._own_terms())
            yield from index.fill(terms)
            self._index = index

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
        skills = self.skills_of(shape)
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

    def draw(self, shape: Shape) -> Draw | None:
        """The memories of a shape's pack where order alone decides; None where `pack` has to say it."""
        return self._standing(shape.sender).draw(shape.matched)

    def head(self, shape: Shape, draw: Draw) -> bytes:
        """The JSON of the shape's pack up to its time, as `pack` says it."""
        place = shape.skill
        skill = (place, self.skills_of(shape)[0]) if place is not None else None
        return self._json.head(self._standing(shape.sender), draw, skill, self._near(shape))

    def given_ids(self, shape: Shape, draw: Draw) -> bytes:
        """The ids of that pack's memories, between commas."""
        return self._standing(shape.sender).ids(draw)

    def why_left_out(self, shape: Shape, draw: Draw, most: int) -> bytes:
        """pack.WhyLeftOut of that pack as JSON: why memories are not in it; `most` are told by id."""
        return self._json.record(self._standing(shape.sender), draw, self._near(shape), most)

    def _near(self, shape: Shape) -> tuple[str, ...]:
        return tuple([self.skills.offers[place].id for place in shape.uncertain])

    def _standing(self, sender: str | None) -> Standing:
        found = self._standings.get(sender)
        if found is None:
            if len(self._standings) >= MAX_STANDINGS:
                del self._standings[next(person for person in self._standings if person is not None)]
            found = self._standings[sender] = Standing(self.ordered, sender, self._place)
        return found

    def _place(self, place: int) -> PlacedMemory:
        found = self._placed.get(place)
        if found is None:
            memory = self.ordered.memories[place]
            found = self._placed[place] = placed_memory(memory, self._line(memory))
        return found

    def _matches(self, sender: str | None, asked: Terms) -> tuple[int, ...]:
        if not self._matches_count or not asked:
            return ()
        first, ordered = self.ordered.own_from, self.ordered
        for_all = ordered.for_all

        def may_stand(place: int) -> bool:
            return bool(for_all[first + place]) or ordered.hidden(first + place, sender) is None

        return tuple(first + place for place in self._own_index().best(asked, MAX_MATCHES, may_stand))

    def _own_index(self) -> MatchIndex:
        if self._index is None:
            self._index = MatchIndex.of(self._own_terms())
        return self._index

    def _own_terms(self) -> list[Terms]:
        return [self._terms(memory) for memory in self.ordered.memories[self.ordered.own_from :]]

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

    def skills_of(self, shape: Shape) -> list[PackSkill]:
        """The skill of the shape, if it has one."""
        if shape.skill is None:
            return []
        offer = self.skills.offers[shape.skill]
        return [PackSkill(name=offer.name, version=offer.version, body=offer.body)]


def _uncertain(offer: Offer) -> LeftOut:
    return {"id": offer.id, "reason": "uncertain"}

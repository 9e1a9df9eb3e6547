"""Which skill a message calls for (R164, R165, C98): an explicit command first, else name and description, else none.

Uncertain means none: the best score is below 0.5, or the second one is within 0.1 of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from dw_learning.memory_match import Terms, asked_terms, terms_of

CERTAIN: Final = 0.5
APART: Final = 0.1
RANKED: Final = 10
"""So many of the nearest are looked at."""
_COMMAND: Final = re.compile(
    r"\s*/([a-z0-9]+(?:-[a-z0-9]+)*)(?=\s|$)|.*?\buse skill ([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])",
    re.IGNORECASE | re.DOTALL,
)


class Offer(NamedTuple):
    """A skill that the agent may load: approved, active, enabled."""

    id: str
    name: str
    description: str
    version: int
    body: str


@dataclass(frozen=True, slots=True)
class SkillChoice:
    """At most one place among the offers; `uncertain` are those that came near."""

    chosen: int | None
    how: Literal["command", "match", "none"]
    uncertain: tuple[int, ...] = ()


NO_SKILL: Final = SkillChoice(None, "none")


class SkillIndex:
    """The offers of one agent, prepared once for many messages. Immutable."""

    __slots__ = ("_names", "_places", "offers")

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = tuple(offers)
        self._names = {offer.name: place for place, offer in enumerate(self.offers)}
        self._places: dict[str, list[int]] = {}
        for place, offer in enumerate(self.offers):
            for term in terms_of(f"{offer.name.replace('-', ' ')} {offer.description}"):
                self._places.setdefault(term, []).append(place)

    def named(self, name: str) -> int | None:
        """The place of the skill with this name."""
        return self._names.get(name.lower())

    def scores(self, asked: Terms) -> list[tuple[float, int]]:
        """Share of what is asked that a skill's name and description speak of, best first; only those above 0 and the nearest."""
        counts: dict[int, int] = {}
        for term in asked:
            for place in self._places.get(term, ()):
                counts[place] = counts.get(place, 0) + 1
        size = len(asked)
        ranked = sorted([(-count, place) for place, count in counts.items()])
        return [(-count / size, place) for count, place in ranked[:RANKED]]


def choose_skill(index: SkillIndex, message: str, asked: Terms | None = None) -> SkillChoice:
    """The one decision about skills. Pure. `asked` are the message's terms where they are known already. A command
    that names no skill of the agent chooses none: whoever names one does not want another."""
    if not index.offers or not message:
        return NO_SKILL
    command = _COMMAND.match(message)
    if command is not None:
        place = index.named(command[1] or command[2])
        return NO_SKILL if place is None else SkillChoice(place, "command")
    scores = index.scores(asked_terms(message) if asked is None else asked)
    if not scores:
        return NO_SKILL
    best, place = scores[0]
    second = scores[1][0] if len(scores) > 1 else 0.0
    if best < CERTAIN:
        return NO_SKILL
    if best - second <= APART:
        return SkillChoice(None, "none", tuple(at for score, at in scores if best - score <= APART))
    return SkillChoice(place, "match")

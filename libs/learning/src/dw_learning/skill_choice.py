"""Which skill a message calls for (R164, R165, C98): an explicit command first, else name and description, else none.

Uncertain means none: the best score is below 0.5, or the second one is within 0.1 of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from dw_learning.skills import select

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

    __slots__ = ("_names", "offers", "prepared")

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = tuple(offers)
        self._names = {offer.name: place for place, offer in enumerate(self.offers)}
        self.prepared = select.SkillIndex(
            select.OfferedSkill(offer.name, offer.description) for offer in self.offers
        )

    def named(self, name: str) -> int | None:
        """The place of the skill with this name."""
        return self._names.get(name.lower())


def choose_skill(index: SkillIndex, message: str) -> SkillChoice:
    """The one decision about skills, as `dw eval skills` measures it. Pure. A command that names no skill of the agent
    chooses none: whoever names one does not want another."""
    if not index.offers or not message:
        return NO_SKILL
    command = _COMMAND.match(message) if _may_command(message) else None
    if command is not None:
        place = index.named(command[1] or command[2])
        return NO_SKILL if place is None else SkillChoice(place, "command")
    ranked = sorted((-score, place) for place, score in index.prepared.scores(message).items())
    if not ranked or -ranked[0][0] < select.CERTAIN:
        return NO_SKILL
    best = -ranked[0][0]
    near = tuple(place for score, place in ranked if best + score < select.MARGIN)
    return SkillChoice(None, "none", near) if len(near) > 1 else SkillChoice(near[0], "match")


def _may_command(message: str) -> bool:
    """Most messages hold none, and looking for one sign by sign costs as much as all the rest."""
    return message.lstrip().startswith("/") or "use skill" in message.casefold()

"""The next pack for people who look into it (D40), and skills on trial (D50). Pure: the same choice as for a runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from dw_learning.pack import DropReason, Pack
from dw_learning.pack_blocks import memory_block
from dw_learning.skill_choice import Offer, SkillChoice, SkillIndex, choose_skill

WHY: Final[Mapping[DropReason, str]] = {
    "count": "Twenty of the role-agent's memories are in the pack already, and they come before it.",
    "chars": "It does not fit into what is left of 3,000 characters, and no memory is cut.",
    "org_count": "Ten org-wide memories are in the pack already, and they come before it.",
    "subject": "It is another person's preference, and is told to nobody but them.",
    "conflict": "The whole org is told otherwise on this topic, and the org's word stands.",
    "uncertain": "It is not certain that the message calls for this skill, so it is not loaded.",
}


@dataclass(frozen=True, slots=True)
class Tried:
    """One message on trial: what is chosen today and with the proposal; `near` came too near each other then."""

    now: str | None
    then: str | None
    how: SkillChoice
    near: tuple[str, ...]


def masked(pack: Pack, hidden: Set[str], mask: str) -> int:
    """Texts of these memories become `mask`, in the entries and in the block; budget and order stay what they are.
    How many there were."""
    count = 0
    for entry in pack["memories"]:
        if entry["id"] in hidden:
            entry["text"] = mask
            count += 1
    if count:
        lines = [(entry["scope"], entry["text"]) for entry in pack["memories"]]
        pack["blocks"] = pack["blocks"] | {"memory": memory_block(lines)}
    return count


def try_skill(offers: Sequence[Offer], proposed: Offer, messages: Sequence[str]) -> list[Tried]:
    """The choice without and with the proposal, which takes the place of a skill of its name."""
    today = SkillIndex(offers)
    others = [offer for offer in offers if offer.name != proposed.name]
    then = SkillIndex(sorted([*others, proposed], key=lambda offer: offer.name))
    found: list[Tried] = []
    for message in messages:
        before, after = choose_skill(today, message), choose_skill(then, message)
        near = tuple(then.offers[place].name for place in after.uncertain)
        found.append(Tried(_name(today, before), _name(then, after), after, near))
    return found


def _name(index: SkillIndex, choice: SkillChoice) -> str | None:
    return None if choice.chosen is None else index.offers[choice.chosen].name

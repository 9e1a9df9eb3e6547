"""Who may do what beside approve and reject (DATA_MODEL 2.5, C59, C61, C95): one pure function an action."""

from __future__ import annotations

from typing import Final, Literal
from uuid import UUID

from dw_learning.authority import Allowed, Denied, ItemFacts, Person, is_for_admins, may_see

ItemAct = Literal[
    "edit", "reassign", "claim", "release", "mark_sensitive", "unmark_sensitive", "convert", "override"
]
ITEM_ACTS: Final[tuple[ItemAct, ...]] = (
    "edit",
    "reassign",
    "claim",
    "release",
    "mark_sensitive",
    "unmark_sensitive",
    "convert",
)


def may_act_on_item(person: Person, item: ItemFacts, act: ItemAct) -> Allowed | Denied:
    """Managers edit, mark, convert and hand on the items of their agents; of what is for admins alone they may only
    hand it on (C95). Marks are taken off, and decisions overridden, by admins (R135)."""
    if not may_see(person, item.role_agent_id):
        return "not_yours"
    if person.is_admin or act == "reassign":
        return "allowed"
    if act in ("unmark_sensitive", "override") or is_for_admins(item):
        return "admins_only"
    return "allowed"


def acts_on_item(person: Person, item: ItemFacts, *, pending: bool) -> tuple[ItemAct, ...]:
    """What the inbox offers beside the decision."""
    if not pending:
        return ("override",) if may_act_on_item(person, item, "override") == "allowed" else ()
    if may_act_on_item(person, item, "reassign") != "allowed":
        return ()
    if may_act_on_item(person, item, "edit") != "allowed":
        return ("reassign",)
    unmark: ItemAct | None = "unmark_sensitive" if item.is_sensitive and person.is_admin else None
    mark: ItemAct | None = None if item.is_sensitive else "mark_sensitive"
    return tuple(act for act in ITEM_ACTS if "sensitive" not in act or act in (mark, unmark))


def may_review(person: Person, item: ItemFacts) -> bool:
    """Can the item be handed to this person?"""
    return may_see(person, item.role_agent_id) and (person.is_admin or not is_for_admins(item))


def may_change_memory(
    person: Person, role_agent_id: UUID | None, *, is_sensitive: bool, risk: str = "low"
) -> Allowed | Denied:
    """Edit or end a memory with authority. What all agents of the org know, and what is sensitive, is the admins'.
    A manager's own words that would be high or sensitive go through the inbox like anybody's (C61)."""
    if person.is_admin:
        return "allowed"
    if role_agent_id is None or is_sensitive:
        return "admins_only"
    if role_agent_id not in person.manages:
        return "not_yours"
    return "allowed" if risk == "low" else "own_words"


def may_read_memory(person: Person, role_agent_id: UUID | None) -> bool:
    """The Memory tab: admins, and managers for their agents; what the whole org knows is read by any manager."""
    return person.is_admin or (
        bool(person.manages) if role_agent_id is None else role_agent_id in person.manages
    )


def may_administer(person: Person) -> Allowed | Denied:
    """Promote, restore, lift a tombstone, add a memory, modes, pausing, rules, channels (C32, C95, 2.5)."""
    return "allowed" if person.is_admin else "admins_only"


def may_suggest(person: Person, role_agent_id: UUID, *, manages_channel: bool) -> bool:
    """R137: managers of a channel in which the agent listens, beside those who decide."""
    return manages_channel or may_see(person, role_agent_id)

"""Who may do what: one pure function an action (DATA_MODEL 2.5, C61, C74, C95). Called in the use case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

OrgRole = Literal["owner", "admin", "member"]


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in member of the org, and the role-agents that he manages."""

    user_id: UUID
    role: OrgRole
    manages: frozenset[UUID] = frozenset()

    @property
    def is_admin(self) -> bool:
        """Owners and admins."""
        return self.role in ("owner", "admin")


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What authority over an item rests on. `authors` wrote the message, or the edit, behind it."""

    role_agent_id: UUID
    kind: str
    risk: str
    is_sensitive: bool
    authors: frozenset[UUID]


Denied = Literal["not_yours", "admins_only", "own_words"]
Allowed = Literal["allowed", "self_approved"]


def may_see(person: Person, role_agent_id: UUID) -> bool:
    """Admins see every inbox, managers that of their agents."""
    return person.is_admin or role_agent_id in person.manages


def sees_text(person: Person, item: ItemFacts) -> bool:
    """Managers see sensitive items by title and reason, with the text masked (C95)."""
    return person.is_admin or not item.is_sensitive


def may_decide(person: Person, item: ItemFacts, *, other_deciders: int) -> Allowed | Denied:
    """Approve or reject. `other_deciders` is how many others could decide this item.

    Nobody decides alone on his own words where that matters: skills, sensitive and high-impact items (C61). A sole
    admin may, and it is marked.
    """
    if not may_see(person, item.role_agent_id):
        return "not_yours"
    if item.is_sensitive and not person.is_admin:
        return "admins_only"
    if person.user_id in item.authors and _matters(item):
        return "self_approved" if person.is_admin and other_deciders == 0 else "own_words"
    return "allowed"


def _matters(item: ItemFacts) -> bool:
    return (
        item.is_sensitive
        or item.risk in ("high", "sensitive")
        or item.kind in ("skill_proposal", "skill_update")
    )


def may_change_org(person: Person) -> bool:
    """Agents, channels, identities, keys, managers: admins and owners (R97, R234)."""
    return person.is_admin


def may_change_roles(person: Person) -> bool:
    """Who is admin or owner is decided by owners."""
    return person.role == "owner"


def allowed_actions(
    person: Person, item: ItemFacts, *, pending: bool, other_deciders: int
) -> tuple[str, ...]:
    """What the inbox offers this person on this item."""
    if not pending:
        return ()
    verdict = may_decide(person, item, other_deciders=other_deciders)
    return ("approve", "reject") if verdict in ("allowed", "self_approved") else ()

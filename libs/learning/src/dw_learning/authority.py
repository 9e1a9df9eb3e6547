"""Who may do what: one pure function an action (DATA_MODEL 2.5, C61, C74, C95). Called in the use case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

OrgRole = Literal["owner", "admin", "member"]
Denied = Literal["not_yours", "admins_only", "own_words"]
Allowed = Literal["allowed", "self_approved"]
SKILL_KINDS = frozenset({"skill_proposal", "skill_update"})


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in member of the org, and the role-agents that he manages."""

    user_id: UUID
    role: OrgRole
    manages: frozenset[UUID] = frozenset()

    @property
    def is_admin(self) -> bool:
        """Owners and admins: the fallback where an agent has no manager (R148)."""
        return self.role in ("owner", "admin")


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What authority over an item rests on. `authors` wrote a message, or an edit, behind it."""

    role_agent_id: UUID
    kind: str
    action: str
    risk: str
    is_sensitive: bool
    authors: frozenset[UUID]


def may_see(person: Person, role_agent_id: UUID) -> bool:
    """Admins see every inbox, managers that of their agents. Managing a channel opens none (R138)."""
    return person.is_admin or role_agent_id in person.manages


def sees_text(person: Person, *, is_sensitive: bool) -> bool:
    """Managers see what is sensitive by title and reason, with the text masked, wherever it is shown (C95)."""
    return person.is_admin or not is_sensitive


def may_decide(person: Person, item: ItemFacts, *, other_deciders: int) -> Allowed | Denied:
    """Approve or reject. `other_deciders` is how many others could decide this item.

    Nobody decides alone on his own words where that matters: skills, sensitive and high-impact items (C61). A sole
    admin may, and it is marked.
    """
    if not may_see(person, item.role_agent_id):
        return "not_yours"
    if is_for_admins(item) and not person.is_admin:
        return "admins_only"
    if person.user_id in item.authors and authors_matter(item):
        return "self_approved" if person.is_admin and other_deciders == 0 else "own_words"
    return "allowed"


def is_for_admins(item: ItemFacts) -> bool:
    """Sensitive items, souls, and what would be known to all agents of the org."""
    return (
        item.is_sensitive
        or item.risk == "sensitive"
        or item.kind == "soul_update"
        or item.action == "promote"
    )


def authors_matter(item: ItemFacts) -> bool:
    """Is it an item that nobody decides alone on his own words (C61)?"""
    return is_for_admins(item) or item.risk == "high" or item.kind in SKILL_KINDS


def allowed_actions(
    person: Person, item: ItemFacts, *, pending: bool, out_of_date: bool, other_deciders: int
) -> tuple[str, ...]:
    """What the inbox offers this person on this item. What is out of date cannot be approved (C93)."""
    if not pending:
        return ()
    if may_decide(person, item, other_deciders=other_deciders) not in ("allowed", "self_approved"):
        return ()
    return ("reject",) if out_of_date else ("approve", "reject")


def may_change_org(person: Person) -> bool:
    """Agents, their modes and managers, channels, identities, keys, members: admins and owners (R97, R234)."""
    return person.is_admin


def may_change_roles(person: Person) -> bool:
    """Who becomes, is or stays admin or owner is decided by owners."""
    return person.role == "owner"


def may_invite(person: Person) -> bool:
    """Hand an invitation to somebody of another org (C74)."""
    return person.is_admin


def may_erase(person: Person) -> bool:
    """Erase a person from the org: owners alone (C72)."""
    return person.role == "owner"


def may_purge(person: Person) -> bool:
    """Take a memory away for good (C8)."""
    return person.is_admin

"""The approval matrix (DATA_MODEL 2.5), whole: every kind of item before every kind of person."""

from __future__ import annotations

from itertools import product
from uuid import UUID

import pytest

from dw_learning.authority import (
    Allowed,
    Denied,
    ItemFacts,
    Person,
    allowed_actions,
    is_for_admins,
    may_change_org,
    may_change_roles,
    may_decide,
    may_erase,
    may_invite,
    may_purge,
    may_see,
    sees_text,
)

AGENT, OTHER_AGENT = UUID(int=1), UUID(int=2)
OWNER = Person(UUID(int=11), "owner")
ADMIN = Person(UUID(int=12), "admin")
MANAGER = Person(UUID(int=13), "member", frozenset({AGENT}))
OF_ANOTHER = Person(UUID(int=14), "member", frozenset({OTHER_AGENT}))
MEMBER = Person(UUID(int=15), "member")
PEOPLE = {"owner": OWNER, "admin": ADMIN, "manager": MANAGER, "of another": OF_ANOTHER, "member": MEMBER}
STRANGER = frozenset({UUID(int=99)})

PLAIN = ("memory_proposal", "create", "low", False)
HIGH = ("memory_proposal", "update", "high", False)
ARCHIVE = ("memory_proposal", "archive", "low", False)
PROMOTE = ("memory_proposal", "promote", "low", False)
SKILL = ("skill_proposal", "create", "medium", False)
UPDATE = ("skill_update", "update", "low", False)
REVIEW = ("review", "review", "low", False)
SOUL = ("soul_update", "update", "low", False)
SENSITIVE = ("memory_proposal", "create", "sensitive", True)
MARKED = ("skill_proposal", "create", "low", True)
BY_RISK = ("memory_proposal", "create", "sensitive", False)
Shape = tuple[str, str, str, bool]
FOR_MANAGERS: tuple[Shape, ...] = (PLAIN, HIGH, ARCHIVE, SKILL, UPDATE, REVIEW)
FOR_ADMINS: tuple[Shape, ...] = (PROMOTE, SOUL, SENSITIVE, MARKED, BY_RISK)
ANYBODYS_OWN: tuple[Shape, ...] = (PLAIN, ARCHIVE, REVIEW)


def item(shape: Shape, authors: frozenset[UUID] = STRANGER) -> ItemFacts:
    kind, action, risk, is_sensitive = shape
    return ItemFacts(AGENT, kind, action, risk, is_sensitive, authors)


def expected(who: str, shape: Shape) -> Allowed | Denied:
    """The matrix in words: admins everything, managers what is theirs and not for admins, others nothing."""
    if who in ("owner", "admin"):
        return "allowed"
    if who != "manager":
        return "not_yours"
    return "allowed" if shape in FOR_MANAGERS else "admins_only"


@pytest.mark.parametrize(("who", "shape"), list(product(PEOPLE, FOR_MANAGERS + FOR_ADMINS)))
def test_who_decides_the_words_of_others(who: str, shape: Shape) -> None:
    assert may_decide(PEOPLE[who], item(shape), other_deciders=0) == expected(who, shape)


@pytest.mark.parametrize("shape", [s for s in FOR_MANAGERS + FOR_ADMINS if s not in ANYBODYS_OWN])
@pytest.mark.parametrize("who", [OWNER, ADMIN])
def test_an_admin_decides_his_own_words_only_where_nobody_else_could(who: Person, shape: Shape) -> None:
    own = item(shape, frozenset({who.user_id}))
    assert may_decide(who, own, other_deciders=0) == "self_approved"
    assert may_decide(who, own, other_deciders=1) == "own_words"


@pytest.mark.parametrize("others", [0, 1])
@pytest.mark.parametrize("shape", [s for s in FOR_MANAGERS if s not in ANYBODYS_OWN])
def test_a_manager_never_decides_his_own_words_where_that_matters(shape: Shape, others: int) -> None:
    assert (
        may_decide(MANAGER, item(shape, frozenset({MANAGER.user_id})), other_deciders=others) == "own_words"
    )


@pytest.mark.parametrize("shape", ANYBODYS_OWN)
def test_his_own_harmless_words_anybody_decides_who_may_decide(shape: Shape) -> None:
    assert may_decide(MANAGER, item(shape, frozenset({MANAGER.user_id})), other_deciders=1) == "allowed"


@pytest.mark.parametrize(
    ("who", "sees"), [(OWNER, True), (ADMIN, True), (MANAGER, True), (OF_ANOTHER, False), (MEMBER, False)]
)
def test_who_sees_an_inbox(who: Person, sees: bool) -> None:
    assert may_see(who, AGENT) is sees


@pytest.mark.parametrize("shape", FOR_MANAGERS + FOR_ADMINS)
def test_managers_read_what_is_not_for_admins_alone(shape: Shape) -> None:
    for_admins = is_for_admins(item(shape))
    assert for_admins is (shape in FOR_ADMINS)
    assert sees_text(MANAGER, is_sensitive=for_admins) is not for_admins
    assert sees_text(ADMIN, is_sensitive=for_admins)


def test_the_buttons_are_those_that_would_work() -> None:
    def offered(
        person: Person, shape: Shape, *, pending: bool = True, out_of_date: bool = False
    ) -> tuple[str, ...]:
        return allowed_actions(
            person, item(shape), pending=pending, out_of_date=out_of_date, other_deciders=1
        )

    assert offered(MANAGER, PLAIN) == ("approve", "reject")
    assert offered(MANAGER, PLAIN, out_of_date=True) == ("reject",)
    assert offered(MANAGER, PLAIN, pending=False) == ()
    assert offered(MANAGER, SENSITIVE) == ()
    assert offered(MEMBER, PLAIN) == ()


@pytest.mark.parametrize(("who", "org", "roles"), [
    (OWNER, True, True), (ADMIN, True, False), (MANAGER, False, False), (MEMBER, False, False)
])  # fmt: skip
def test_who_changes_the_org(who: Person, org: bool, roles: bool) -> None:
    assert (may_change_org(who), may_invite(who), may_change_roles(who)) == (org, org, roles)


def test_owners_erase_people_and_admins_purge_memories() -> None:
    assert {name for name, person in PEOPLE.items() if may_erase(person)} == {"owner"}
    assert {name for name, person in PEOPLE.items() if may_purge(person)} == {"owner", "admin"}

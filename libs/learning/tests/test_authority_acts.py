"""Who may do what beside approve and reject: every role against every act (R129 to R138, C32, C95)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from dw_learning.authority import ItemFacts, OrgRole, Person
from dw_learning.authority_acts import (
    ITEM_ACTS,
    acts_on_item,
    may_act_on_item,
    may_administer,
    may_change_memory,
    may_read_memory,
    may_review,
    may_suggest,
)
from dw_learning.undo import UNDO_WINDOW, undo_refused

IT, HR = uuid.UUID(int=1), uuid.UUID(int=2)
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def person(role: OrgRole = "member", *manages: uuid.UUID, n: int = 9) -> Person:
    return Person(uuid.UUID(int=n), role, frozenset(manages))


MANAGER, OTHER, MEMBER, ADMIN, OWNER = (
    person("member", IT),
    person("member", HR),
    person(),
    person("admin"),
    person("owner"),
)
PLAIN = ItemFacts(IT, "memory_proposal", "create", "low", False, frozenset())
MARKED = ItemFacts(IT, "memory_proposal", "create", "low", True, frozenset())
PROMOTION = ItemFacts(IT, "memory_proposal", "promote", "high", False, frozenset())


@pytest.mark.parametrize("act", [*ITEM_ACTS, "override"])
def test_the_matrix_of_acts(act: str) -> None:
    admins_only = act in ("unmark_sensitive", "override")
    assert may_act_on_item(MANAGER, PLAIN, act) == ("admins_only" if admins_only else "allowed")  # type: ignore[arg-type]
    for nobody in (OTHER, MEMBER):
        assert may_act_on_item(nobody, PLAIN, act) == "not_yours"  # type: ignore[arg-type]
    for item in (MARKED, PROMOTION):
        expected = "allowed" if act == "reassign" else "admins_only"
        assert may_act_on_item(MANAGER, item, act) == expected  # type: ignore[arg-type]
        for boss in (ADMIN, OWNER):
            assert may_act_on_item(boss, item, act) == "allowed"  # type: ignore[arg-type]


def test_what_the_inbox_offers() -> None:
    assert acts_on_item(MANAGER, PLAIN, pending=True) == (
        "edit", "reassign", "claim", "release", "mark_sensitive", "convert",
    )  # fmt: skip
    assert acts_on_item(MANAGER, MARKED, pending=True) == ("reassign",)
    assert "unmark_sensitive" in acts_on_item(ADMIN, MARKED, pending=True)
    assert acts_on_item(ADMIN, PLAIN, pending=False) == ("override",)
    assert acts_on_item(MANAGER, PLAIN, pending=False) == ()


def test_a_reviewer_is_somebody_who_could_decide() -> None:
    assert [may_review(p, PLAIN) for p in (MANAGER, OTHER, MEMBER, ADMIN)] == [True, False, False, True]
    assert [may_review(p, MARKED) for p in (MANAGER, ADMIN)] == [False, True]


def test_memories_are_changed_by_those_who_answer_for_them() -> None:
    assert may_change_memory(MANAGER, IT, is_sensitive=False) == "allowed"
    assert may_change_memory(MANAGER, IT, is_sensitive=True) == "admins_only"
    assert may_change_memory(MANAGER, None, is_sensitive=False) == "admins_only"
    assert may_change_memory(MANAGER, IT, is_sensitive=False, risk="high") == "own_words"
    assert may_change_memory(OTHER, IT, is_sensitive=False) == "not_yours"
    assert may_change_memory(ADMIN, None, is_sensitive=True, risk="sensitive") == "allowed"


def test_what_only_admins_do_and_who_reads_and_suggests() -> None:
    assert [may_administer(p) for p in (MANAGER, ADMIN, OWNER)] == ["admins_only", "allowed", "allowed"]
    assert [may_read_memory(p, IT) for p in (MANAGER, OTHER, MEMBER, ADMIN)] == [True, False, False, True]
    assert [may_read_memory(p, None) for p in (MANAGER, MEMBER)] == [True, False]
    assert may_suggest(MEMBER, IT, manages_channel=True)
    assert not may_suggest(MEMBER, IT, manages_channel=False)


@pytest.mark.parametrize(
    ("asker", "seconds", "undone", "expected"),
    [(1, 30, False, None), (1, 31, False, "too_late"), (2, 1, False, "not_yours"), (1, 1, True, "undone")],
)
def test_an_act_is_taken_back_once_by_its_actor_within_the_window(
    asker: int, seconds: int, undone: bool, expected: str | None
) -> None:
    assert timedelta(seconds=30) == UNDO_WINDOW
    refused = undo_refused(
        actor=uuid.UUID(int=1), asker=uuid.UUID(int=asker), at=NOW, undone_at=NOW if undone else None,
        now=NOW + timedelta(seconds=seconds),
    )  # fmt: skip
    assert refused == expected

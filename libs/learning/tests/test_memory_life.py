"""The life of a memory as a table, and feedback's arithmetic with its edges (R119 to R126, C11 to C14, C59)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning import memory_life as life
from dw_learning.memory_life import MemoryAct, MemoryState, MemoryStatus

NOW = datetime(2026, 11, 30, tzinfo=UTC)
OTHER = uuid.UUID(int=7)
STATUSES: tuple[MemoryStatus, ...] = get_args(MemoryStatus)
ACTS: tuple[MemoryAct, ...] = get_args(MemoryAct)
LEGAL = {
    ("active", "edit"): "active",
    ("active", "confirm"): "active",
    ("active", "reject"): "active",
    ("active", "supersede"): "superseded",
    ("active", "promote"): "superseded",
    ("active", "archive"): "archived",
    ("active", "delete"): "deleted",
    ("active", "expire"): "deleted",
    ("superseded", "restore"): "active",
    ("archived", "restore"): "active",
    ("deleted", "restore"): "active",
}


def memory(
    confidence: float = 0.7, origin: str = "auto_saved", status: MemoryStatus = "active"
) -> MemoryState:
    return MemoryState(status, "The Porto office closes at 19:00.", confidence, "low", False, origin)


@pytest.mark.parametrize(("status", "act"), list(product(STATUSES, ACTS)))
def test_every_step_that_is_not_in_the_table_is_refused(status: MemoryStatus, act: MemoryAct) -> None:
    expected = LEGAL.get((status, act))
    assert life.after(status, act) == expected
    if expected is None:
        with pytest.raises(life.IllegalStep):
            life.stepped(memory(status=status), act)
    else:
        assert life.stepped(memory(status=status), act).status == expected


@pytest.mark.parametrize(("before", "after"), [(0.7, 0.8), (0.95, 1.0), (1.0, 1.0), (0.0, 0.1)])
def test_a_confirm_adds_a_tenth_and_says_when(before: float, after: float) -> None:
    found = life.confirmed(memory(before), NOW)
    assert (found.confidence, found.last_confirmed_at) == (after, NOW)


@pytest.mark.parametrize(("before", "after"), [(0.5, 0.2), (0.2, 0.0), (0.0, 0.0), (1.0, 0.7)])
def test_a_reject_takes_three_tenths(before: float, after: float) -> None:
    assert life.rejected(memory(before), NOW).confidence == after


@pytest.mark.parametrize(("before", "after"), [(0.3, 0.8), (0.8, 0.8), (0.9, 0.9)])
def test_an_edit_sets_eight_tenths_and_never_less(before: float, after: float) -> None:
    found = life.edited(memory(before), "It closes at 20:00.", "low", NOW)
    assert (found.confidence, found.content) == (after, "It closes at 20:00.")


def test_an_edit_keeps_the_higher_risk_and_the_mark() -> None:
    high = replace(memory(), risk="high", is_sensitive=True, origin="approved")
    kept = life.edited(high, "x y", "low", NOW)
    assert (kept.risk, kept.is_sensitive) == ("high", True)
    assert life.edited(memory(), "x y", "sensitive", NOW).is_sensitive
    assert life.edited(memory(), "x y", "high", NOW).origin == "manual"


def test_the_time_of_doubt_begins_below_three_tenths_and_ends_above() -> None:
    doubted = life.rejected(memory(0.5), NOW)
    again = life.rejected(doubted, datetime(2026, 12, 5, tzinfo=UTC))
    assert doubted.low_confidence_since == again.low_confidence_since == NOW
    assert life.confirmed(doubted, NOW).low_confidence_since is None


@pytest.mark.parametrize(
    ("origin", "confidence", "authority", "rejecters", "fate"),
    [
        ("auto_saved", 0.9, True, 1, "delete"),
        ("auto_saved", 0.29, False, 2, "delete"),
        ("auto_saved", 0.29, False, 1, "stays"),
        ("auto_saved", 0.3, False, 5, "stays"),
        ("approved", 0.29, True, 1, "review"),
        ("approved", 0.29, False, 2, "review"),
        ("manual", 0.29, False, 1, "stays"),
        ("approved", 0.5, True, 1, "stays"),
    ],
)
def test_what_becomes_of_a_rejected_memory(
    origin: str, confidence: float, authority: bool, rejecters: int, fate: str
) -> None:
    found = life.fate_of_rejected(memory(confidence, origin), authority=authority, rejecters=rejecters)
    assert found == fate


@given(st.lists(st.sampled_from(["confirm", "reject"]), max_size=30))
def test_confidence_never_leaves_its_range(acts: list[str]) -> None:
    state = memory()
    for act in acts:
        state = life.confirmed(state, NOW) if act == "confirm" else life.rejected(state, NOW)
        assert 0 <= state.confidence <= 1
        assert (state.low_confidence_since is not None) == (state.confidence < 0.3)


def test_restoring_forgets_how_it_ended() -> None:
    gone = life.ended(memory(), "delete", "u1", "moved", NOW)
    assert (gone.status, gone.deleted_by, gone.delete_reason, gone.deleted_at) == (
        "deleted",
        "u1",
        "moved",
        NOW,
    )
    assert life.restored(gone) == memory()
    assert life.restored(life.superseded(memory(), OTHER, NOW)) == memory()
    assert life.ended(memory(), "archive", "u1", "x", NOW).deleted_at is None


@pytest.mark.parametrize("why", ["erased", "purged"])
def test_what_was_taken_away_for_good_does_not_come_back(why: str) -> None:
    with pytest.raises(life.IllegalStep, match=why):
        life.restored(replace(memory(status="deleted"), delete_reason=why))


@given(
    st.lists(st.sampled_from(["confirm", "reject"]), min_size=1),
    st.floats(0.35, 0.85).map(lambda c: round(c, 2)),
)
def test_however_often_one_person_speaks_it_is_the_last_word_that_counts(
    said: list[str], before: float
) -> None:
    state, own = memory(before), 0.0
    for word in said:
        changed = (life.confirmed if word == "confirm" else life.rejected)(state, NOW, own)
        own += changed.confidence - state.confidence
        state = changed
    once = (life.confirmed if said[-1] == "confirm" else life.rejected)(memory(before), NOW)
    assert state.confidence == once.confidence

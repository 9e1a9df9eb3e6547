"""The life of a learning item and the effects of its end, as tables."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from dw_learning.items import (
    EFFECTS,
    OPEN_ACTS,
    STEPS,
    Act,
    Effect,
    ItemStatus,
    OpenAct,
    after,
    effect_of,
    may_act,
)

ACTS: tuple[Act, ...] = get_args(Act)
STATUSES: tuple[ItemStatus, ...] = get_args(ItemStatus)


@pytest.mark.parametrize(
    ("act", "then"),
    [("approve", "approved"), ("reject", "rejected"), ("expire", "rejected"), ("supersede", "superseded")],
)
def test_a_pending_item_ends_once(act: Act, then: ItemStatus) -> None:
    assert after("pending", act) == then


@pytest.mark.parametrize(("status", "act"), [(s, a) for s, a in product(STATUSES, ACTS) if s != "pending"])
def test_a_decided_item_never_returns(status: ItemStatus, act: Act) -> None:
    assert after(status, act) is None


def test_no_step_leads_back_to_pending() -> None:
    assert "pending" not in STEPS.values()


@pytest.mark.parametrize(
    ("kind", "action", "approved", "rejected"),
    [
        ("memory_proposal", "create", Effect.SAVE_MEMORY, Effect.NONE),
        ("memory_proposal", "update", Effect.SAVE_MEMORY, Effect.NONE),
        ("memory_proposal", "archive", Effect.ARCHIVE_MEMORY, Effect.NONE),
        ("memory_proposal", "promote", Effect.PROMOTE_MEMORY, Effect.NONE),
        ("skill_proposal", "create", Effect.ACTIVATE_SKILL, Effect.NONE),
        ("skill_update", "update", Effect.ACTIVATE_SKILL, Effect.NONE),
        ("review", "review", Effect.NONE, Effect.ARCHIVE_MEMORY),
        ("soul_update", "update", Effect.NOT_YET, Effect.NONE),
    ],
)
def test_what_a_decision_brings_about(kind: str, action: str, approved: Effect, rejected: Effect) -> None:
    assert effect_of(kind, action, "approve") is approved
    assert effect_of(kind, action, "reject") is rejected


def test_nothing_is_saved_by_a_rejection() -> None:
    assert {rejected for _, rejected in EFFECTS.values()} <= {Effect.NONE, Effect.ARCHIVE_MEMORY}


@pytest.mark.parametrize(("status", "act"), list(product(STATUSES, sorted(OPEN_ACTS))))
def test_what_leaves_an_item_waiting_is_done_to_one_that_waits(status: ItemStatus, act: OpenAct) -> None:
    assert may_act(status, act) is (status == "pending")

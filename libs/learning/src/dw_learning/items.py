"""The life of a learning item: pending, then one of three ends; a decided item never returns (R146, 2.8)."""

from __future__ import annotations

from typing import Literal

ItemStatus = Literal["pending", "approved", "rejected", "superseded"]
TRANSITIONS: frozenset[tuple[ItemStatus, ItemStatus]] = frozenset(
    {("pending", "approved"), ("pending", "rejected"), ("pending", "superseded")}
)


def may_become(now: ItemStatus, then: ItemStatus) -> bool:
    """Is this step legal?"""
    return (now, then) in TRANSITIONS

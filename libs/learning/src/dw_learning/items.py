"""The life of a learning item (R146, 2.8) and what a decision about it brings about (R147): two tables."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal, get_args

ItemStatus = Literal["pending", "approved", "rejected", "superseded"]
Act = Literal["approve", "reject", "expire", "supersede"]
# What people do with an item that waits, and leaves it waiting; `convert` ends it for another one.
OpenAct = Literal[
    "edit", "reassign", "claim", "release", "mark_sensitive", "unmark_sensitive", "confirm", "escalate"
]
OPEN_ACTS: Final[frozenset[OpenAct]] = frozenset(get_args(OpenAct))

# A decided item never returns: whatever is not here is refused.
STEPS: Final[Mapping[tuple[ItemStatus, Act], ItemStatus]] = {
    ("pending", "approve"): "approved",
    ("pending", "reject"): "rejected",
    ("pending", "expire"): "rejected",
    ("pending", "supersede"): "superseded",
}


def after(status: ItemStatus, act: Act) -> ItemStatus | None:
    """The status that follows; None where the item's life has no such step."""
    return STEPS.get((status, act))


def may_act(status: ItemStatus, act: OpenAct) -> bool:
    """What leaves an item waiting is done to one that waits (R146)."""
    return status == "pending" and act in OPEN_ACTS


class Effect(StrEnum):
    """What else changes when an item is decided."""

    NONE = "none"
    SAVE_MEMORY = "save_memory"
    ARCHIVE_MEMORY = "archive_memory"
    PROMOTE_MEMORY = "promote_memory"
    ACTIVATE_SKILL = "activate_skill"
    NOT_YET = "not_yet"


# By kind and action of the item: what approval does, and what rejection does. A review asks whether a memory stays:
# yes leaves it, no archives it.
EFFECTS: Final[Mapping[tuple[str, str], tuple[Effect, Effect]]] = {
    ("memory_proposal", "create"): (Effect.SAVE_MEMORY, Effect.NONE),
    ("memory_proposal", "update"): (Effect.SAVE_MEMORY, Effect.NONE),
    ("memory_proposal", "archive"): (Effect.ARCHIVE_MEMORY, Effect.NONE),
    ("memory_proposal", "promote"): (Effect.PROMOTE_MEMORY, Effect.NONE),
    ("skill_proposal", "create"): (Effect.ACTIVATE_SKILL, Effect.NONE),
    ("skill_update", "update"): (Effect.ACTIVATE_SKILL, Effect.NONE),
    ("review", "review"): (Effect.NONE, Effect.ARCHIVE_MEMORY),
}


def effect_of(kind: str, action: str, act: Literal["approve", "reject"]) -> Effect:
    """What a person's decision brings about. What this version cannot do can still be rejected."""
    on_approval, on_rejection = EFFECTS.get((kind, action), (Effect.NOT_YET, Effect.NONE))
    return on_approval if act == "approve" else on_rejection

"""The life of a memory (DATA_MODEL 2.8, C8, C11 to C14, C59): states, steps, and what feedback does. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from dw_learning.decision.facts import RISK_ORDER
from dw_learning.normal import content_hash

MemoryStatus = Literal["active", "superseded", "archived", "deleted"]
MemoryAct = Literal[
    "edit", "confirm", "reject", "supersede", "archive", "delete", "expire", "promote", "restore"
]
MemoryRisk = Literal["low", "high", "sensitive"]

# Whatever is not here is refused. Promotion ends the role-agent's row: the org's row speaks for it.
STEPS: Final[Mapping[tuple[MemoryStatus, MemoryAct], MemoryStatus]] = {
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

CONFIRM: Final = 0.1
REJECT: Final = 0.3
EDITED: Final = 0.8
LOW: Final = 0.3
REJECTERS: Final = 2


GONE_FOR_GOOD: Final = frozenset({"erased", "purged"})


class IllegalStep(Exception):
    """The memory's life has no such step."""


@dataclass(frozen=True, slots=True)
class MemoryState:
    """All of a memory that an act can change. What is taken back is this, as it was."""

    status: MemoryStatus
    content: str
    confidence: float
    risk: MemoryRisk
    is_sensitive: bool
    origin: str = "approved"
    superseded_by: UUID | None = None
    superseded_at: datetime | None = None
    deleted_at: datetime | None = None
    deleted_by: str | None = None
    delete_reason: str | None = None
    last_confirmed_at: datetime | None = None
    low_confidence_since: datetime | None = None

    @property
    def content_hash(self) -> bytes:
        """Equality of texts."""
        return content_hash(self.content)


def after(status: MemoryStatus, act: MemoryAct) -> MemoryStatus | None:
    """The status that follows; None where there is no such step."""
    return STEPS.get((status, act))


def stepped(memory: MemoryState, act: MemoryAct) -> MemoryState:
    """The memory after the step; IllegalStep where its life has none."""
    status = after(memory.status, act)
    if status is None:
        raise IllegalStep(f"a memory that is {memory.status} cannot be: {act}")
    return replace(memory, status=status)


def confirmed(memory: MemoryState, now: datetime, own: float = 0.0) -> MemoryState:
    """R120: a tenth more, at most 1. `own` is what this person's earlier yes and no have done to it: one person is
    one voice, so a repeated yes adds nothing and a changed mind takes the earlier no back."""
    return _confident(
        replace(stepped(memory, "confirm"), last_confirmed_at=now), memory.confidence - own + CONFIRM, now
    )


def rejected(memory: MemoryState, now: datetime, own: float = 0.0) -> MemoryState:
    """R121: three tenths less, at least 0; `own` as in `confirmed`. Whether it also ends is `fate_of_rejected`."""
    return _confident(stepped(memory, "reject"), memory.confidence - own - REJECT, now)


def edited(
    memory: MemoryState, text: str, risk: MemoryRisk, now: datetime, *, sensitive: bool = False
) -> MemoryState:
    """R122, C11: 0.8, and never less than it was. Sensitivity and the higher risk are kept (C61)."""
    kept = max(memory.risk, risk, key=RISK_ORDER.__getitem__)
    marked = memory.is_sensitive or sensitive or kept == "sensitive"
    changed = replace(stepped(memory, "edit"), content=text, risk=kept, is_sensitive=marked)
    if memory.origin == "auto_saved":
        changed = replace(changed, origin="manual")
    return _confident(changed, max(EDITED, memory.confidence), now)


def superseded(
    memory: MemoryState, by: UUID, now: datetime, act: Literal["supersede", "promote"] = "supersede"
) -> MemoryState:
    """Another one speaks in its place."""
    return replace(stepped(memory, act), superseded_by=by, superseded_at=now)


def ended(
    memory: MemoryState, act: Literal["archive", "delete", "expire"], by: str, reason: str, now: datetime
) -> MemoryState:
    """Out of every pack, and still on record (C8)."""
    if act == "archive":
        return stepped(memory, "archive")
    return replace(stepped(memory, act), deleted_at=now, deleted_by=by, delete_reason=reason)


def restored(memory: MemoryState) -> MemoryState:
    """Active again, as if it had not ended (R301); the time of doubt begins anew, or the clock would end it at once.
    What was erased or purged has no text to come back with."""
    if memory.delete_reason in GONE_FOR_GOOD:
        raise IllegalStep(f"a memory that was {memory.delete_reason} cannot be: restore")
    return replace(
        stepped(memory, "restore"),
        superseded_by=None,
        superseded_at=None,
        deleted_at=None,
        deleted_by=None,
        delete_reason=None,
        low_confidence_since=None,
    )


def fate_of_rejected(
    memory: MemoryState, *, authority: bool, rejecters: int
) -> Literal["stays", "delete", "review"]:
    """C59, C12: what becomes of a memory after a reject. `memory` is as the reject left it; `rejecters` are the
    distinct people who rejected it since it was last confirmed or edited. Approved and manual rows are never deleted
    by feedback: a person is asked."""
    automatic = memory.origin == "auto_saved"
    if automatic and authority:
        return "delete"
    if memory.confidence < LOW and (authority or rejecters >= REJECTERS):
        return "delete" if automatic else "review"
    return "stays"


def _confident(memory: MemoryState, confidence: float, now: datetime) -> MemoryState:
    """C13, C14: within 0 and 1; the time of doubt begins below 0.3 and ends above it."""
    value = round(min(1.0, max(0.0, confidence)), 2)
    since = (memory.low_confidence_since or now) if value < LOW else None
    return replace(memory, confidence=value, low_confidence_since=since)

"""What can be taken back, by whom and how long (C63). Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

UNDO_WINDOW: Final = timedelta(seconds=30)
Refusal = Literal["not_yours", "too_late", "undone"]


def undo_refused(
    *, actor: UUID, asker: UUID, at: datetime, undone_at: datetime | None, now: datetime
) -> Refusal | None:
    """By the one who acted, once, within the window. What changed since is another refusal, seen at each row."""
    if actor != asker:
        return "not_yours"
    if undone_at is not None:
        return "undone"
    return "too_late" if now - at > UNDO_WINDOW else None

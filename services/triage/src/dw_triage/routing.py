"""What triage knows without its classifier (C52, C53, C67, C88)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dw_triage.reading import TriageEvent

RULES: Final = frozenset(
    {
        "imported", "claim", "delete", "redaction", "injection_suspect", "edit", "learning_off", "own_reply", "bot",
    }
)  # fmt: skip
"""Every reason that `route` gives."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A decision: whether the event goes on, and whether a model is worth its price."""

    candidate: bool
    needs_model: bool
    reason: str
    score: int = 0


def route(event: TriageEvent) -> Fixed | None:
    """None where the classifier must be asked. Rules in order; the first that fits decides.

    An edit or a delete always reaches policy, because something may have been learned from the message before.
    A code that proves an account is policy's business, whatever the channel allows to be learned (C103).
    A redaction or a suspect goes on without a call: policy must record it, and no model may see it.
    """
    if event.imported:
        return Fixed(False, False, "imported")
    if event.claim:
        return Fixed(True, False, "claim")
    if event.kind == "delete":
        return Fixed(True, False, "delete")
    if event.redactions or event.injection_suspect:
        return Fixed(True, False, "redaction" if event.redactions else "injection_suspect")
    if event.kind == "edit":
        return None if event.learning != "off" else Fixed(True, False, "edit")
    if event.learning == "off":
        return Fixed(False, False, "learning_off")
    if event.kind == "message_out":
        return Fixed(False, False, "own_reply")
    if event.sender_kind != "human" and not event.bot_granted:
        return Fixed(False, False, "bot")
    return None

"""A note of one run (layer session; S3, C42): what an agent at work keeps for itself until the run is over.

Nothing is learned by it: it is in no pack and no other run's answers, a person's yes is not asked, and it ends after
seven days. So what a memory must prove (who said it, in whose words) is not asked either; what is never kept at all is
refused here as everywhere (C53, C25). Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal
from uuid import UUID

from dw_contracts.http.agent_memory import MAX_NOTES
from dw_learning import scan
from dw_learning.item_edit import assess
from dw_learning.normal import normal

LIFE: Final = timedelta(days=7)
RETENTION: Final = "ttl_7d"


@dataclass(frozen=True, slots=True)
class Note:
    """What the agent asks to keep."""

    key: str
    content: str
    metadata: Mapping[str, Any]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that an agent writes as it likes."""
        return (self.content, self.key, str(dict(self.metadata)) if self.metadata else "")


@dataclass(frozen=True, slots=True)
class Keep:
    """It is kept for the run."""

    risk: Literal["low", "high"]


@dataclass(frozen=True, slots=True)
class Refuse:
    """It is not. `hits` are types and places of what the scans found, never a text."""

    reason: str
    explanation: str
    hits: tuple[tuple[str, int, int], ...] = ()


def judge_note(note: Note) -> Keep | Refuse:
    """By its own words: what the scans find, and what is sensitive, is not kept. Reads whole texts: not for the loop."""
    if not note.content.strip():
        return Refuse("empty", "There is no text.")
    hits = [hit for text in note.texts if text for hit in scan.scan_long(text)]
    spans = tuple((hit.type, hit.start, hit.end) for hit in hits)
    if any(scan.is_secret(hit) for hit in hits):
        return Refuse("secret_blocked", "It holds what looks like a secret; nothing is kept.", spans)
    if hits:
        return Refuse(
            "injection_blocked", "It reads like an instruction to the machine; nothing is kept.", spans
        )
    found = assess(note.content)
    if found.is_sensitive:
        return Refuse("sensitive", "What is sensitive is not noted: tell a person who may decide it.")
    return Keep("low" if found.risk == "low" else "high")


def decide_note(judged: Keep | Refuse, *, learning: bool, others: int) -> Keep | Refuse:
    """Where and when. `learning`: agent and channel learn now (C67). `others`: notes that the run keeps under other
    keys."""
    if isinstance(judged, Refuse):
        return judged
    if not learning:
        return Refuse("learning_off", "Learning is off for the agent or the channel: nothing is kept.")
    if others >= MAX_NOTES:
        return Refuse("capped", f"A run keeps at most {MAX_NOTES} notes: delete one first.")
    return judged


def stored_key(run_id: UUID, key: str) -> str:
    """Keys of notes are each run's own: two runs never meet on one."""
    return f"{run_id}/{key}"


def note_hash(run_id: UUID, content: str) -> bytes:
    """Equality of texts within the run: no note is taken for a memory that says the same."""
    return hashlib.sha256(f"{run_id}\n{normal(content)}".encode()).digest()

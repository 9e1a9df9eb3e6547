"""What triage sees of an event and what it says about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dw_learning.triage.reasons import Reason
from dw_learning.words.cues import load
from dw_learning.words.language import LANGUAGES
from dw_learning.words.linear import Binary, load_binary


@dataclass(frozen=True, slots=True)
class TriageInput:
    """The part of an event that the classifier reads."""

    kind: str
    text: str
    prev: str | None = None
    prev_author: str | None = None
    sender_kind: str = "human"
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TriageVerdict:
    """`score` is the chance, 0 to 1, that the message teaches something; 0 and 1 where a rule decided."""

    candidate: bool
    reason: Reason
    score: float


@cache
def model() -> Binary:
    """The packaged model, read once, and with it all lexicons: no message waits for a file."""
    for lang in LANGUAGES:
        load(lang)
    return load_binary("dw_learning.triage", "model.json.gz")

"""What triage sees of an event and what it says about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol

from dw_learning.triage.reasons import Reason
from dw_learning.triage.score import Score
from dw_learning.words.cues import load
from dw_learning.words.language import LANGUAGES
from dw_learning.words.linear import load_binary


class Readable(Protocol):
    """The part of an event that the classifier reads: of whatever holds it, since a copy would cost every message."""

    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def prev(self) -> str | None: ...
    @property
    def prev_author(self) -> str | None: ...
    @property
    def sender_kind(self) -> str: ...
    @property
    def flags(self) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class TriageInput:
    """Readable by itself."""

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
def model() -> Score:
    """The packaged model, read and laid out once, and with it all lexicons: no message waits for a file."""
    for lang in LANGUAGES:
        load(lang)
    return Score(load_binary("dw_learning.triage", "model.json.gz"))

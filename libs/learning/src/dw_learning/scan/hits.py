"""One hit of a scan."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """What matched, of what type, where in the original text (code points), and how sure that is, 0 to 1."""

    rule: str
    type: str
    start: int
    end: int
    confidence: float

"""One thing that a message teaches, in the message's own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["memory_fact", "memory_preference", "correction", "skill_procedure", "sensitive", "retract"]
MemoryType = Literal["fact", "preference", "rule", "decision", "correction", "contact", "glossary"]


@dataclass(frozen=True, slots=True)
class Extracted:
    """`text` is the part of the message at `span`, trimmed, with a capital where its language has one; of a short
    correction the sentence that it means (words.restate)."""

    kind: Kind
    text: str
    span: tuple[int, int]
    key: str
    subject: str | None
    risk_hint: Literal["low", "high", "sensitive"]
    confidence: float
    memory_type: MemoryType
    category: str
    layer: Literal["operating", "knowledge"]

"""What an item becomes when its text changes: classified anew, never less sensitive, never of lower risk (C61). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from dw_learning import scan
from dw_learning.authority import SKILL_KINDS
from dw_learning.decision.facts import RISK_ORDER, Risk
from dw_learning.memory_life import MemoryRisk
from dw_learning.normal import has_words
from dw_learning.risk import classify_risk
from dw_learning.signals import signal

MAX_MEMORY: Final = 600
Unfit = Literal["secret", "attack", "too_long", "empty", "no_words"]
UNFIT_WORDS: Final[Mapping[Unfit, str]] = {
    "secret": "the text holds a secret",
    "attack": "the scans refuse this text: it reads like an attack",
    "too_long": f"a memory has at most {MAX_MEMORY} characters",
    "empty": "there is no text",
    "no_words": "the text says nothing: it has no letter and no digit",
}


@dataclass(frozen=True, slots=True)
class Assessed:
    """A text by its own content."""

    risk: MemoryRisk
    is_sensitive: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """What is stored for the item."""

    payload: dict[str, Any]
    risk: Risk
    is_sensitive: bool
    dedupe_key: str


def unfit(text: str, *, is_memory: bool) -> Unfit | None:
    """Why a text that a person writes cannot be stored (R90, R91, C53)."""
    if not text.strip():
        return "empty"
    if not has_words(text):
        return "no_words"
    if is_memory and len(text.strip()) > MAX_MEMORY:
        return "too_long"
    hits = scan.scan_long(text)
    if any(scan.is_secret(hit) for hit in hits):
        return "secret"
    return "attack" if scan.is_rejecting(hits) else None


def assess(text: str, kind: str = "memory_fact") -> Assessed:
    """Risk of a person's text. What only looks like an attack is sensitive (C25)."""
    verdict = classify_risk(text, kind)
    suspect = any(not scan.is_secret(hit) for hit in scan.scan_long(text))
    sensitive = suspect or verdict.risk == "sensitive" or verdict.access_changing
    if sensitive:
        return Assessed("sensitive", True)
    return Assessed("low" if verdict.risk == "low" else "high", False)


def edited_item(kind: str, payload: Mapping[str, Any], risk: Risk, is_sensitive: bool, text: str) -> Edited:
    """The item with another text. Its key, type and scope stay."""
    found = assess(text, "skill_procedure" if kind in SKILL_KINDS else "memory_fact")
    worst = max(risk, found.risk, key=RISK_ORDER.__getitem__)
    field = "body_md" if "body_md" in payload else "content"
    changed = {**payload, field: text.strip(), "marks": []}
    return Edited(changed, worst, is_sensitive or found.is_sensitive, dedupe_key(changed))


def converted_item(payload: Mapping[str, Any], risk: Risk, is_sensitive: bool, text: str, to: str) -> Edited:
    """The same words as the other kind of item (R144, R145)."""
    changed: dict[str, Any] = {
        "content": text.strip(),
        "key": str(payload.get("key") or payload.get("name") or "")[:120] or signal(text)[:12],
        "layer": "knowledge",
        "memory_type": "rule" if to in SKILL_KINDS else str(payload.get("memory_type") or "fact"),
        "category": "procedure" if to in SKILL_KINDS else "fact",
        "subject_identity": payload.get("subject_identity"),
        "marks": [],
    }
    found = assess(text, "skill_procedure" if to in SKILL_KINDS else "memory_fact")
    worst = max(risk, found.risk, key=RISK_ORDER.__getitem__)
    return Edited(changed, worst, is_sensitive or found.is_sensitive, dedupe_key(changed))


def text_of(payload: Mapping[str, Any]) -> str:
    """The words in question."""
    return str(payload.get("content") or payload.get("body_md") or payload.get("description") or "")


def dedupe_key(payload: Mapping[str, Any]) -> str:
    """Equal signals about the same person, or about nobody in particular, are one item (D14)."""
    subject = payload.get("subject_identity")
    return f"{UUID(str(subject)).hex[:12] if subject else 'all'}:{signal(text_of(payload))}"

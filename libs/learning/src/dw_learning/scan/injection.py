"""Sentences that are meant for the machine, and characters that hide them (R312 to R316, C25)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dw_learning.scan.hits import Hit

SURE = 0.9
_RULES: tuple[tuple[str, str, float, re.Pattern[str]], ...] = tuple(
    (name, kind, sure, re.compile(pattern, re.IGNORECASE))
    for name, kind, sure, pattern in (
        ("ignore_rules", "ignore_policy", 0.7,
         r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|all|your|the|any|approval)\b[^.\n]{0,40}"
         r"\b(?:instruction|rule|polic|prompt|guideline|restriction|guardrail|safety)\w*"),
        ("approve_all", "approval_rewrite", SURE,
         r"\b(?:auto-?approve|approve)\b[^.\n]{0,30}\b(?:all|every|any(?:thing)?)\b[^.\n]{0,60}\b(?:request|access|change|item)\w*"
         r"|\b(?:approval|review)s?\b[^.\n]{0,30}\b(?:is|are)\b[^.\n]{0,12}\bno longer (?:needed|required|necessary)"),
        ("always_obey", "obey_user", 0.8,
         r"\b(?:always|only)\b[^.\n]{0,20}\b(?:obey|follow|trust|listen to|do what)\b[^.\n]{0,40}\b(?:me|user|says|orders|instructions|commands)\b"),
        ("exfiltrate", "cred_exfil", SURE,
         r"\b(?:send|post|forward|upload|e-?mail|leak|reveal|print)\b[^.\n]{0,40}\b(?:password|credential|api key|token|secret)s?\b[^.\n]{0,60}"
         r"(?:\bto\b[^.\n]{0,40}(?:https?://|@|webhook)|\bwhenever\b|\bwhen asked\b)"),
        ("system_spoof", "system_spoof", 0.8,
         r"(?:^|\n)\s*(?:\[?system\]?(?: note| message| prompt)?\s*[:>]|<\|?(?:im_start|system)|###\s*system|\[INST\])"),
    )
)  # fmt: skip
_TAGS = re.compile("[\U000e0020-\U000e007f]{2,}")
_SELECTORS = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef]{3,}")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_FLAG = "\U0001f3f4"


def scan_injection(text: str) -> tuple[Hit, ...]:
    """Every match, in order of the rules; hidden text included."""
    hits = [
        Hit(f"injection.{name}", kind, match.start(), match.end(), sure)
        for name, kind, sure, pattern in _RULES
        for match in pattern.finditer(text)
    ]
    if not text.isascii():
        hits += _hidden(text)
    return tuple(hits)


def _hidden(text: str) -> list[Hit]:
    found = [
        Hit("injection.tags", "hidden_unicode", m.start(), m.end(), SURE)
        for m in _TAGS.finditer(text)
        if not (m.start() and text[m.start() - 1] == _FLAG)
    ]
    found += [
        Hit("injection.selectors", "hidden_unicode", m.start(), m.end(), SURE)
        for m in _SELECTORS.finditer(text)
    ]
    found += [Hit("injection.bidi", "hidden_unicode", m.start(), m.end(), 0.7) for m in _BIDI.finditer(text)]
    return found


def is_rejecting(hits: Sequence[Hit]) -> bool:
    """C25: approval rewriting, exfiltration and hidden text are rejected; the rest is a sensitive item."""
    return any(hit.confidence >= SURE for hit in hits)

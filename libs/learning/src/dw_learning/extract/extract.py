"""One message in, what it teaches out, in the message's own words (C54, C55)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dw_learning.extract.signs import GUESS, QUESTION, TODAY, WORTHY
from dw_learning.normal import content_tokens
from dw_learning.risk import classify_risk

EXTRACT_VERSION = "extract-rules-1"
Kind = Literal["memory_fact", "memory_preference", "correction", "skill_procedure", "sensitive", "retract"]
MAX_CHARS = 600

_LEAD = re.compile(
    r"^\s*(?:(?:no|nope|nein|ні|correction|fyi|note|for everybody|for everyone|zur info|update|that's (?:wrong|outdated|not right)|"
    r"it's wrong|wrong|remember(?: this| that)?|save this|please note|btw|team decision|стоп|запам'ятай|note lại nha)\b\s*[,.!:;–—-]*\s*)+",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^\s*(?:no\b|nope|nein|ні\b|correction|that's (?:wrong|outdated)|wrong\b|stimmt nicht|それは|not\b)|\bnot .{1,30}, ?(?:but|it's)|, not \w|anymore\b|no longer|ではなく|chứ không phải",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"(?:\b|^)1[.)]\s?.{3,200}\b2[.)]|\bfirst\b.{3,120}\bthen\b|→.{2,80}→|->.{2,80}->|\berst\b.{3,120}\b(?:dann|zuletzt)\b|①|every time .{5,120},.{3,80}(?:,|then)",
    re.IGNORECASE | re.DOTALL,
)
_PREFERENCE = re.compile(
    r"\b(?:i prefer|pls|please (?:always|write|use|send|answer|call)|call me|for me|my name's|when you answer|mándame|bitte .{0,20}(?:mich|mir)|wants the)\b|пиши мені|ください",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"\b(?:forget (?:that|this|it|about)|do not remember|don't remember|vergiss|olvida)\b|забудь|忘れて",
    re.IGNORECASE,
)
_PART = re.compile(r"(?<=[.!。！])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Extracted:
    """One item. `span` is where its words stand in the text."""

    kind: Kind
    text: str
    span: tuple[int, int]
    key: str
    subject: str | None
    risk_hint: Literal["low", "high", "sensitive"]
    confidence: float
    memory_type: Literal["fact", "preference", "rule", "decision", "correction", "contact", "glossary"]
    category: str
    layer: Literal["operating", "knowledge"]


def extract(text: str, prev: str | None, prev_author: str | None, role: str | None) -> tuple[Extracted, ...]:
    """What the message teaches; nothing for questions, guesses and what holds for today alone."""
    stripped = text.strip()
    if not stripped or QUESTION.search(stripped):
        return ()
    if _FORGET.search(stripped):
        return (_item("retract", stripped, text, 0.8),)
    if _STEPS.search(stripped):
        return (_item("skill_procedure", stripped, text, 0.8),)
    body = _LEAD.sub("", stripped)
    verdict = classify_risk(body, "memory_fact")
    if verdict.risk == "sensitive":
        return (_item("sensitive", body, text, 0.8),)
    if GUESS.search(body) or (TODAY.search(body) and not WORTHY.search(body)):
        return ()
    if len(content_tokens(body)) < 2 or len(body) > MAX_CHARS:
        return ()
    corrects = _CORRECTS.search(stripped) is not None or (
        prev_author == "agent" and bool(prev) and len(body) < len(stripped)
    )
    kind: Kind = (
        "correction" if corrects else "memory_preference" if _PREFERENCE.search(body) else "memory_fact"
    )
    sure = 0.85 if WORTHY.search(stripped) or corrects or len(body) < len(stripped) else 0.65
    return (_item(kind, _first_part(body), text, sure),)


def _first_part(body: str) -> str:
    parts = [part for part in _PART.split(body) if len(content_tokens(part)) >= 2]
    return (parts[0] if parts else body).strip()


def _item(kind: Kind, body: str, text: str, confidence: float) -> Extracted:
    start = max(0, text.find(body))
    memory = body[:1].upper() + body[1:]
    risk = classify_risk(body, kind).risk
    return Extracted(
        kind=kind,
        text=memory[:MAX_CHARS] if kind != "skill_procedure" else memory,
        span=(start, start + len(body)),
        key=topic_key(body),
        subject=None,
        risk_hint="sensitive" if risk == "sensitive" else "low" if risk == "low" else "high",
        confidence=confidence,
        memory_type="correction"
        if kind == "correction"
        else "preference"
        if kind == "memory_preference"
        else "fact",
        category="preference" if kind == "memory_preference" else "fact",
        layer="knowledge",
    )


_VERB = frozenset(
    "is are was called call closes opens open stands lives moved uses use costs starts owns leads ist heißt es llama".split()
)


def topic_key(body: str) -> str:
    """The words before the verb, and the verb: the same for two statements about the same thing."""
    words = content_tokens(body)
    for place, word in enumerate(words):
        if place and word in _VERB:
            words = words[: place + 1]
            break
    kept = [word for word in words if not word[0].isdigit()][:6]
    return "-".join(kept)[:110] or "note"

"""The first local classifier: what questions, thanks and today's details look like, and what facts look like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

TRIAGE_VERSION = "triage-rules-1"
Reason = Literal[
    "worthy_words",
    "statement",
    "correction",
    "question",
    "small_talk",
    "too_short",
    "today_only",
    "no_signal",
]

_SMALL = re.compile(
    r"^\W*(?:hi|hey|hello|hallo|moin|thanks?|thank you|thx|danke|ok(?:ay)?|cool|great|nice|lol|bye|gn|night|morning|good (?:morning|night)|"
    r"yes|yep|yeah|no|nope|дякую|привіт|cảm ơn|chào|ありがとう|gracias|hola|vale)\b.{0,60}$",
    re.IGNORECASE | re.DOTALL,
)
_QUESTION = re.compile(
    r"[?？]\s*\W*$|^\W*(?:who|what|when|where|why|how|can|could|does|do|did|is there|are there|anyone|any idea|wer|was|wann|wie|чому|коли|як|хто)\b[^.!]{0,200}$",
    re.IGNORECASE,
)
_TODAY = re.compile(
    r"\b(?:today|tomorrow|right now|this (?:morning|afternoon|evening)|in \d+ min\w*|brb|until \d|heute|morgen früh|сьогодні|hôm nay|今日|hoy)\b",
    re.IGNORECASE,
)
_GUESS = re.compile(
    r"\b(?:maybe|perhaps|i think|i guess|probably|might be|not sure|vielleicht|glaube|мабуть|có lẽ|たぶん|quizás)\b",
    re.IGNORECASE,
)
_WORTHY = re.compile(
    r"\b(?:is called|we call|are called|our|we use|we track|we always|always|never|from now on|correction|outdated|not .{1,40}anymore|"
    r"is wrong|that's wrong|no longer|new .{1,30} is|moved to|owns|leads|took over|team decision|decided|remember|note|fyi|for everybody|"
    r"please (?:always|use|write)|pls (?:always|use)|prefer|every time|first .{3,80} then|step \d|procedure|closes at|opens at|open from|stands in|"
    r"starts on|policy|rule|password|budget|deadline|vendor|standard|heißt|ab jetzt|bitte .{2,30}immer|stimmt nicht|zur info|"
    r"a partir de|llamamos|siempre|se llama)\b|->|→|^\W*1[.)]|\b\d[.)] \w+.{3,80}\b2[.)]"
    r"|запам'ятай|завжди|тепер|називаємо|відтепер|застаріл|luôn|từ nay|gọi là|ghi nhớ|ではなく|と呼|今後|必ず|なりました|覚えて|手順",
    re.IGNORECASE,
)  # fmt: skip
_STATEMENT = re.compile(
    r"\b(?:is|are|has|have|costs?|means|belongs|lives|sits|goes|needs|ist|sind|hat|kostet|es|son|tiene|là)\b|=|は|です|є |—",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TriageInput:
    """What the classifier sees of an event."""

    kind: str
    text: str
    prev: str | None
    prev_author: str | None
    sender_kind: str
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class TriageVerdict:
    """`score` is 0 to 1; `candidate` is score over the threshold."""

    candidate: bool
    reason: Reason
    score: float


DEFAULT_THRESHOLD = 0.5


def classify(inputs: Sequence[TriageInput], threshold: float | None = None) -> list[TriageVerdict]:
    """One verdict an input, in order."""
    limit = DEFAULT_THRESHOLD if threshold is None else threshold
    verdicts = [_score(item) for item in inputs]
    return [TriageVerdict(score >= limit, reason, score) for score, reason in verdicts]


def _score(item: TriageInput) -> tuple[float, Reason]:
    text = item.text.strip()
    if item.kind == "correction":
        return 1.0, "correction"
    worthy = _WORTHY.search(text) is not None
    if _QUESTION.search(text):
        return 0.1, "question"
    if len(text) < 8 and not worthy:
        return 0.0, "too_short"
    if _SMALL.match(text) and not worthy:
        return 0.0, "small_talk"
    if worthy:
        return (0.6 if _TODAY.search(text) or _GUESS.search(text) else 0.9), "worthy_words"
    if _TODAY.search(text) or _GUESS.search(text):
        return 0.1, "today_only"
    if _STATEMENT.search(text) and 20 <= len(text) <= 300:
        return 0.5, "statement"
    return 0.2, "no_signal"

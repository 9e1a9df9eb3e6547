"""Why triage decided so: a closed set of codes, read from the cues that spoke loudest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

from dw_learning.words.cues import Reading

SkipReason = Literal[
    "empty", "only_quote", "system", "own_reply", "notice", "thanks", "greeting", "acknowledgement", "question",
    "request", "status", "today_only", "guess", "hypothetical", "joke", "tool_detail", "nothing_lasting",
]  # fmt: skip
CandidateReason = Literal[
    "explicit_correction", "retract", "secret_or_personal", "access", "correction", "procedure", "rule", "preference",
    "definition", "owner", "place", "standing", "lasting_fact",
]  # fmt: skip
Reason = Literal[SkipReason, CandidateReason]
REASONS: frozenset[str] = frozenset(get_args(SkipReason)) | frozenset(get_args(CandidateReason))

_SKIP_CUES: tuple[tuple[str, SkipReason], ...] = (
    ("thanks", "thanks"),
    ("greet", "greeting"),
    ("joke", "joke"),
    ("hypo", "hypothetical"),
    ("hedge", "guess"),
    ("request", "request"),
    ("ack", "acknowledgement"),
    ("status", "status"),
    ("now", "today_only"),
)
_CANDIDATE_CUES: tuple[tuple[str, CandidateReason], ...] = (
    ("retract", "retract"),
    ("cred", "secret_or_personal"),
    ("ident", "secret_or_personal"),
    ("health", "secret_or_personal"),
    ("hrmatter", "secret_or_personal"),
    ("secret", "secret_or_personal"),
    ("legal", "secret_or_personal"),
    ("permit", "access"),
    ("correct", "correction"),
    ("proc", "procedure"),
    ("bind", "rule"),
    ("approve", "rule"),
    ("pref", "preference"),
    ("define", "definition"),
    ("own", "owner"),
    ("place", "place"),
    ("standing", "standing"),
)


def skip_reason(reading: Reading, shape: Sequence[str]) -> SkipReason:
    """The commonest kind of talk that the message looks like."""
    if "open[" in shape:
        return "notice"
    if "q" in shape or reading.first == "question":
        return "question"
    return _talk(reading.cues)


@lru_cache(maxsize=4_096)
def _talk(cues: frozenset[str]) -> SkipReason:
    return next((reason for cue, reason in _SKIP_CUES if cue in cues), "nothing_lasting")


@lru_cache(maxsize=4_096)
def candidate_reason(cues: frozenset[str]) -> CandidateReason:
    """The weightiest kind of knowledge that the message may hold."""
    return next((reason for cue, reason in _CANDIDATE_CUES if cue in cues), "lasting_fact")

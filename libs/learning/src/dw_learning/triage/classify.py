"""Skip or candidate. Local, deterministic, without a network, some microseconds a message."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from dw_learning.triage.model import Readable, TriageVerdict, model
from dw_learning.triage.reasons import SkipReason, candidate_reason, skip_reason
from dw_learning.triage.score import Score
from dw_learning.words.cues import Reading, read, read_all
from dw_learning.words.features import shape_of
from dw_learning.words.polite import POLITE, core
from dw_learning.words.restate import restated
from dw_learning.words.tokens import own_lines

TRIAGE_VERSION = "triage-6"
MAX_CHARS = 2_000  # what stands further down in a chat message is a paste
_SEVERAL = re.compile(r"[.!?。！？]\s*\S|\n")
TOOL_MARGIN = 2.0  # a tool's output is execution detail unless it says plainly otherwise (R56)


def classify(inputs: Sequence[Readable], threshold: float | None = None) -> list[TriageVerdict]:
    """One verdict an input. `threshold` is a chance (0 to 1); without it the model's own operating point counts."""
    return classify_by(model(), inputs, threshold)


def classify_by(
    score: Score, inputs: Sequence[Readable], threshold: float | None = None
) -> list[TriageVerdict]:
    """The same with another model: training measures models that never saw the messages."""
    limit = score.threshold if threshold is None else _logit(threshold)
    ruled = list(map(_by_rule, inputs))
    left = [(one, text) for one, text in zip(inputs, ruled, strict=True) if isinstance(text, str)]
    readings = read_all([text for _, text in left])
    shapes = list(map(shape_of, readings))
    margins = map(score.margin, readings, [one.prev for one, _ in left], shapes)
    weighed = [
        _by_margin(one.kind, reading, shape, _without_politeness(margin, reading, score, limit), limit)
        for (one, _), reading, shape, margin in zip(left, readings, shapes, margins, strict=True)
    ]
    following = iter(weighed)
    return [one if isinstance(one, TriageVerdict) else next(following) for one in ruled]


def _by_rule(one: Readable) -> TriageVerdict | str:
    """What no classifier is needed for, else the text that one has to read."""
    fixed = _fixed(one)
    if fixed is not None:
        return TriageVerdict(False, fixed, 0.0)
    text = one.text[:MAX_CHARS]
    if ">" in text or "```" in text:
        text = own_lines(text).strip()
        if not text:
            return TriageVerdict(False, "only_quote", 0.0)
    if one.kind == "correction":
        return TriageVerdict(True, "explicit_correction", 1.0)
    return restated(text, one.prev) or text


def _by_margin(
    kind: str, reading: Reading, shape: tuple[str, ...], margin: float, limit: float
) -> TriageVerdict:
    if "retract" in reading.cues:
        return TriageVerdict(True, "retract", 1.0)
    chance = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, margin))))
    if kind == "tool_run" and margin < limit + TOOL_MARGIN:
        return TriageVerdict(False, "tool_detail", chance)
    if margin >= limit:
        return TriageVerdict(True, candidate_reason(reading.cues), chance)
    return TriageVerdict(False, skip_reason(reading, shape), chance)


def _without_politeness(margin: float, reading: Reading, score: Score, limit: float) -> float:
    """The margin of a message, or of what stands between its thanks and its goodbye, if that weighs more."""
    if margin >= limit or reading.cues.isdisjoint(POLITE) or not _SEVERAL.search(reading.text):
        return margin
    return max(margin, core_margin(score, reading.text))


def core_margin(score: Score, text: str) -> float:
    """The margin of what stands between thanks and goodbye; nothing where nothing polite stands around it."""
    span = core(text)
    if span is None:
        return -math.inf
    reading = read(text[slice(*span)])
    return score.margin(reading, None, shape_of(reading))


def _fixed(one: Readable) -> SkipReason | None:
    """What no classifier is needed for."""
    if one.kind == "message_out":
        return "own_reply"
    if one.sender_kind == "system":
        return "system"
    return None if one.text.strip() else "empty"


def _logit(chance: float) -> float:
    held = min(max(chance, 1e-9), 1 - 1e-9)
    return math.log(held / (1 - held))

"""Skip or candidate. Local, deterministic, without a network, some microseconds a message."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from dw_learning.triage.model import Readable, TriageVerdict, model
from dw_learning.triage.reasons import SkipReason, candidate_reason, skip_reason
from dw_learning.words.cues import read
from dw_learning.words.features import features
from dw_learning.words.linear import Binary
from dw_learning.words.polite import POLITE, core
from dw_learning.words.tokens import own_lines

TRIAGE_VERSION = "triage-4"
MAX_CHARS = 2_000  # what stands further down in a chat message is a paste
_SEVERAL = re.compile(r"[.!?。！？]\s*\S|\n")
TOOL_MARGIN = 2.0  # a tool's output is execution detail unless it says plainly otherwise (R56)


def classify(inputs: Sequence[Readable], threshold: float | None = None) -> list[TriageVerdict]:
    """One verdict an input. `threshold` is a chance (0 to 1); without it the model's own operating point counts."""
    return classify_by(model(), inputs, threshold)


def classify_by(
    trained: Binary, inputs: Sequence[Readable], threshold: float | None = None
) -> list[TriageVerdict]:
    """The same with another model: training measures models that never saw the messages."""
    limit = trained.threshold if threshold is None else _logit(threshold)
    return [_verdict(one, trained, limit) for one in inputs]


def _verdict(one: Readable, trained: Binary, limit: float) -> TriageVerdict:
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
    reading = read(text)
    if "retract" in reading.cues:
        return TriageVerdict(True, "retract", 1.0)
    sparse, dense = features(reading, one.prev)
    margin = trained.margin(sparse, dense)
    if margin < limit and reading.cues & POLITE and _SEVERAL.search(text):
        margin = max(margin, core_margin(trained, text))
    score = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, margin))))
    if one.kind == "tool_run" and margin < limit + TOOL_MARGIN:
        return TriageVerdict(False, "tool_detail", score)
    if margin >= limit:
        return TriageVerdict(True, candidate_reason(reading), score)
    return TriageVerdict(False, skip_reason(reading, dense), score)


def core_margin(trained: Binary, text: str) -> float:
    """The margin of what stands between thanks and goodbye; nothing where nothing polite stands around it."""
    span = core(text)
    return -math.inf if span is None else trained.margin(*features(read(text[slice(*span)]), None))


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

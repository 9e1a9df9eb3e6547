"""What a scan finds, and what follows from it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

SECRET = "secret."
INJECTION = "injection."
HIDDEN = "hidden."

PLACEHOLDER = re.compile(r"\[redacted:[a-z_]+\]")
"""What redaction leaves; no scan ever reads into it."""

REJECT_FROM = 0.9
"""The confidence from which C25 rejects without asking a person."""


@dataclass(frozen=True, slots=True)
class Hit:
    """What matched, of what type, where in the original text (code points), and how sure that is, 0 to 1."""

    rule: str
    type: str
    start: int
    end: int
    confidence: float


def is_secret(hit: Hit) -> bool:
    """Whether the hit is to be redacted (C53), and not only judged (C25)."""
    return hit.rule.startswith(SECRET)


def is_rejecting(hits: Iterable[Hit]) -> bool:
    """C25: true for approval rewriting, exfiltration and hiding seen beyond doubt; else a person decides."""
    return any(hit.confidence >= REJECT_FROM and not is_secret(hit) for hit in hits)


def merged(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """In order of place, overlapping hits joined; the more confident one names the whole."""
    out: list[Hit] = []
    for hit in sorted(hits, key=lambda h: (h.start, -h.end)):
        last = out[-1] if out else None
        if last is None or hit.start >= last.end:
            out.append(hit)
            continue
        best = hit if hit.confidence > last.confidence else last
        out[-1] = Hit(best.rule, best.type, last.start, max(last.end, hit.end), best.confidence)
    return tuple(out)

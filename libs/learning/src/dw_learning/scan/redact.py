"""Taking secrets out of a sentence, and making what is left harmless to show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dw_learning.scan.hits import Hit

_INVISIBLE = re.compile(
    "[\u00ad\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\ufff9-\ufffb\uffa0\U000e0000-\U000e01ef]"
)


def redact(text: str, hits: Sequence[Hit]) -> str:
    """Each span becomes `[redacted:type]`; overlapping spans become one. The rest of the sentence stays."""
    parts: list[str] = []
    end = 0
    for hit in sorted(hits, key=lambda found: (found.start, -found.end)):
        if hit.end <= end:
            continue
        if hit.start >= end:
            parts += [text[end : hit.start], f"[redacted:{hit.type}]"]
        end = hit.end
    return "".join([*parts, text[end:]])


def inert(text: str) -> str:
    """The text without characters that cannot be seen but change what is read."""
    return _INVISIBLE.sub("", text)

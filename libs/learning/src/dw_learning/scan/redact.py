"""Taking secrets out of a sentence."""

from collections.abc import Sequence

from dw_learning.scan.hits import PLACEHOLDER, Hit, merged


def redact(text: str, hits: Sequence[Hit]) -> str:
    """Each span becomes `[redacted:type]`, overlapping ones become one; the rest stays, to the letter."""
    parts: list[str] = []
    at = 0
    for hit in merged(hits):
        parts += (text[at : hit.start], f"[redacted:{hit.type}]")
        at = hit.end
    parts.append(text[at:])
    return "".join(parts)


def placeholders(text: str) -> tuple[tuple[str, int, int], ...]:
    """What was taken out of a text before, each as its type and where its placeholder stands."""
    return tuple((found[0][len("[redacted:") : -1], *found.span()) for found in PLACEHOLDER.finditer(text))

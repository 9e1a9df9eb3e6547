"""What a message says between thanks and goodbye."""

from __future__ import annotations

from dw_learning.words.cues import read
from dw_learning.words.sentences import Span, sentences

POLITE = frozenset({"thanks", "greet", "ack"})
MAXPOLITE_WORDS = 6
MAX_SENTENCES = 6


def core(text: str) -> Span | None:
    """The part without polite sentences before and after it; None where there are none, or nothing else."""
    spans = sentences(text)
    if not 2 <= len(spans) <= MAX_SENTENCES:
        return None
    plain = [span for span in spans if not _is_polite(text[slice(*span)])]
    if not plain or len(plain) == len(spans):
        return None
    return plain[0][0], plain[-1][1]


def _is_polite(sentence: str) -> bool:
    reading = read(sentence)
    words = len(sentence) // 3 if reading.lang == "ja" else len(reading.tokens)
    return words <= MAXPOLITE_WORDS and bool(reading.cues & POLITE)

"""When two texts are the same signal (D14, D17): equal but for function words, endings, and where a phrase stands.

Careful on purpose: one that is called equal too much loses a fact, one too little costs a row. Negations and numbers
always count, and so does the order of words around the one turn that moving a phrase makes: "A reports to B" is not
"B reports to A".
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from dw_learning.normal import NEGATIONS, content_tokens


@lru_cache(maxsize=1_024)
def signal(text: str) -> str:
    """The same 32 signs for texts that say the same in nearly the same words."""
    words = [_stem(token) for token in content_tokens(text)]
    if not words:
        words = [text.strip().casefold()]
    first = min(words)  # no turn that begins with another word comes before one that begins with this
    turned = min(words[at:] + words[:at] for at, word in enumerate(words) if word == first)
    return hashlib.sha256("\x1f".join(turned).encode()).hexdigest()[:32]


def same_signal(left: str, right: str) -> bool:
    """Do both say the same?"""
    return signal(left) == signal(right)


def _stem(token: str) -> str:
    if token in NEGATIONS or not token.isascii() or not token.isalpha() or len(token) < 4:
        return token
    return token[:-1] if token.endswith("s") and not token.endswith("ss") else token

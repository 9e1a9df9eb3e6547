"""The identity of a question to a model (G18). Looked up within one org only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def cache_key(feature: str, prompt_version: str, model: str, parts: Sequence[str]) -> bytes:
    """Equal for what is asked alike, letter for letter: spans of the answer point into the text."""
    digest = hashlib.sha256()
    for part in (feature, prompt_version, model, *parts):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.digest()

"""What may be looked for: secrets are cut out of a question before it goes anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from dw_learning.scan import is_secret, redact, scan_text

_MARK = "[redacted:"


def without_secrets(phrasings: Sequence[str]) -> tuple[list[str], bool]:
    """The phrasings with every secret gone, and whether there was one. History holds no secrets (C53), so nothing is
    lost; a query with one would only carry it into logs of a database."""
    clean: list[str] = []
    found = False
    for text in phrasings:
        hits = [hit for hit in scan_text(text) if is_secret(hit)]
        found = found or bool(hits)
        clean.append(_unmarked(redact(text, hits)) if hits else text)
    return clean, found


def _unmarked(text: str) -> str:
    parts = text.split(_MARK)
    return " ".join([parts[0], *(part.split("]", 1)[-1] for part in parts[1:])])

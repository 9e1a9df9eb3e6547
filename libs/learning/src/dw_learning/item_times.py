"""How long an item may wait, by risk (D29, C62)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

DUE: Final[Mapping[str, timedelta]] = {
    "low": timedelta(days=14),
    "medium": timedelta(days=7),
    "high": timedelta(days=3),
    "sensitive": timedelta(days=1),
}
EXPIRY: Final = timedelta(days=28)
HIDDEN: Final = timedelta(days=28)  # a plain reject hides repeats of equal or lower trust for so long

"""Rows as one JSON array: how bulk statements take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson


def json_rows(rows: Sequence[dict[str, Any]]) -> str:
    """The driver's ids are a kind of UUID of its own, which the encoder knows only as text."""
    return orjson.dumps(rows, default=str).decode()

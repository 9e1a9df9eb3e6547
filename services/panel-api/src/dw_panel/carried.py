"""What a form of a page carries of its filter, so that its answer shows the same list. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import parse_qsl

MAX_BACK: Final = 1_000
_MAX_VALUE: Final = 200


def carried(text: str, names: Collection[str], choices: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The values of these names, and of those with choices only one of them. What is none of ours is left out: it came
    through a browser."""
    return {
        name: value
        for name, value in parse_qsl(text[:MAX_BACK])
        if name in names
        and len(value) <= _MAX_VALUE
        and value.isprintable()
        and value in choices.get(name, (value,))
    }

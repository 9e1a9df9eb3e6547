"""Signs of risk, read once from signs.txt: what a sentence would do to people, whatever its language."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Literal, cast, get_args

Sign = Literal[
    "access", "credential", "identity", "health", "staff", "legal", "secret", "where", "decides", "binds", "absence",
    "procedure", "accessibility", "learned",
]  # fmt: skip
SENSITIVE: frozenset[Sign] = frozenset(
    {"access", "credential", "identity", "health", "staff", "legal", "secret"}
)
_KNOWN = frozenset(get_args(Sign))


@cache
def signs() -> tuple[tuple[Sign, re.Pattern[str]], ...]:
    """(sign, expression), in the order of the file."""
    raw = resources.files("dw_learning.risk").joinpath("signs.txt").read_text(encoding="utf-8")
    parts: dict[Sign, list[str]] = {}
    for line in raw.splitlines():
        if line and not line.startswith("#"):
            name, _, expression = line.partition(": ")
            parts.setdefault(_sign(name), []).append(f"(?:{expression})")
    return tuple((sign, re.compile("|".join(listed))) for sign, listed in parts.items())


def _sign(name: str) -> Sign:
    if name not in _KNOWN:
        raise ValueError(f"signs.txt names {name}, which is no sign")
    return cast(Sign, name)  # it is one of the literals: checked just above

"""Signs of risk, read once from signs.txt: what a sentence would do to people, whatever its language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal, cast, get_args

from dw_learning.words.watch import Watch

Sign = Literal[
    "access", "credential", "identity", "health", "staff", "legal", "secret", "where", "decides", "binds", "absence",
    "procedure", "accessibility", "learned", "money", "answered",
]  # fmt: skip
SENSITIVE: frozenset[Sign] = frozenset(
    {"access", "credential", "identity", "health", "staff", "legal", "secret"}
)
_KNOWN = frozenset(get_args(Sign))


@cache
def _watch(only: frozenset[Sign]) -> Watch:
    watch = Watch()
    for sign, expression in expressions():
        if not only or sign in only:
            watch.add(sign, expression)
    return watch


def expressions() -> Iterator[tuple[Sign, str]]:
    """(sign, expression), in the order of the file."""
    raw = resources.files("dw_learning.risk").joinpath("signs.txt").read_text(encoding="utf-8")
    for line in raw.splitlines():
        if line and not line.startswith("#"):
            name, _, expression = line.partition(": ")
            yield _sign(name), expression


def found(low: str, only: frozenset[Sign] = frozenset()) -> set[Sign]:
    """The signs in a lower-case text; with `only`, those alone."""
    return cast(set[Sign], _watch(only).found(low))  # the watch gives back the names it was given


def _sign(name: str) -> Sign:
    if name not in _KNOWN:
        raise ValueError(f"signs.txt names {name}, which is no sign")
    return cast(Sign, name)  # it is one of the literals: checked just above

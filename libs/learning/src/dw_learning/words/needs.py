"""What must stand in a text for an expression to match it: so that most expressions need not be run at all.

Reads the part of Python's syntax that our sign files use. What it does not know it calls unknown, which is always
right: an expression without known needs is run on every text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

MOST = 64  # strings of one set; above that a set says too little
_ATOM = re.compile(
    r"\\[pPuUxN]|\\(.)|(\[\^?\]?(?:\\.|[^\]\\])*\])|(\(\?:|\(\?<?[=!]|\((?!\?))|([.^$])|([^()|*+?{}\[\]\\.^$])",
    re.DOTALL,
)
_TIMES = re.compile(r"(\?|\*|\+|\{(\d*)(,?)\d*\})\??")
_NOWHERE = frozenset("bBAZ")  # escapes that stand for a place, not for a sign
_CLASSES = frozenset("wWsSD")
_DIGITS = frozenset("0123456789")
Strings = frozenset[str]
_EMPTY: Strings = frozenset({""})


class UnknownSyntax(ValueError):
    """Something in the expression that this reader does not know."""


@dataclass(frozen=True, slots=True)
class Needs:
    """`exact`: all that it can match, where that is few. `some`: one of these stands in each match. `plain`: whatever
    holds one of `exact` does match, because nothing is asked about what stands around it."""

    exact: Strings | None
    some: Strings | None
    plain: bool = True

    @property
    def best(self) -> Strings | None:
        """The set that says most."""
        return _better(self.exact, self.some)


def needs(expression: str) -> Needs:
    """What each match of the expression needs; nothing known where the syntax is not."""
    try:
        found, end = _either(expression, 0)
        if end != len(expression):
            raise UnknownSyntax(expression[end:])
    except UnknownSyntax:
        return Needs(None, None, plain=False)
    return found


def alternatives(expression: str) -> Iterator[str]:
    """Expressions of which one matches wherever the given one does, and the other way round."""
    for part in _parts(expression):
        opened = _first_group(part)
        if opened is None:
            yield part
        else:
            start, end = opened
            for choice in _parts(part[start + 3 : end]):
                yield f"{part[:start]}(?:{choice}){part[end + 1 :]}"


def _parts(expression: str) -> list[str]:
    """The expression at its outermost bars."""
    parts, start, at = [], 0, 0
    while at < len(expression):
        if expression[at] == "|":
            parts.append(expression[start:at])
            start = at + 1
        at = _after(expression, at)
    return [*parts, expression[start:]]


def _after(expression: str, at: int) -> int:
    """Behind the atom that begins here; a group is one atom."""
    found = _ATOM.match(expression, at)
    if found is None:
        return at + 1
    if found[3] is None:
        return found.end()
    at = found.end()
    while at < len(expression) and expression[at] != ")":
        at = _after(expression, at)
    return at + 1


def _first_group(expression: str) -> tuple[int, int] | None:
    """(start, place of the bracket that closes) of the first group of choices, if nothing repeats it."""
    at = 0
    while at < len(expression):
        end = _after(expression, at)
        if expression.startswith("(?:", at) and _TIMES.match(expression, end) is None:
            return at, end - 1
        if expression[at] == "(" and not expression.startswith("(?", at):
            return None
        at = end
    return None


def _either(expression: str, at: int) -> tuple[Needs, int]:
    found, at = _row(expression, at)
    while at < len(expression) and expression[at] == "|":
        other, at = _row(expression, at + 1)
        found = Needs(
            _union(found.exact, other.exact), _union(found.best, other.best), found.plain and other.plain
        )
    return found, at


def _row(expression: str, at: int) -> tuple[Needs, int]:
    """Atoms one behind the other."""
    exact: Strings | None = _EMPTY
    best: Strings | None = None
    whole, plain = True, True
    while at < len(expression) and expression[at] not in "|)":
        atom, at = _repeated(expression, at)
        plain = plain and atom.plain
        best = _better(best, atom.best)
        joined = _joined(exact, atom.exact)
        if joined is None:
            best, whole = _better(best, exact), False
            joined = atom.exact if atom.exact is not None else _EMPTY
        exact = joined
    return Needs(exact if whole else None, _better(best, exact), plain), at


def _repeated(expression: str, at: int) -> tuple[Needs, int]:
    atom, at = _atom(expression, at)
    times = _TIMES.match(expression, at)
    if times is None:
        return atom, at
    at = times.end()
    if times[1] == "?":
        exact = None if atom.exact is None else atom.exact | _EMPTY
        return Needs(exact, None, atom.plain), at
    if times[1] == "*" or times[2] in ("", "0"):
        return Needs(None, None, plain=False), at
    return Needs(None, atom.best, plain=False), at


def _atom(expression: str, at: int) -> tuple[Needs, int]:
    found = _ATOM.match(expression, at)
    if found is None or found.end() == at:
        raise UnknownSyntax(expression[at:])
    escaped, listed, opened, place, sign = found.groups()
    if opened:
        return _group(expression, found.end(), opened)
    if escaped:
        return _escaped(escaped), found.end()
    if listed:
        return _listed(listed), found.end()
    if place:
        return (
            Needs(None, None, plain=False) if place == "." else Needs(_EMPTY, None, plain=False)
        ), found.end()
    if sign is None:
        raise UnknownSyntax(expression[at:])
    return Needs(frozenset({sign}), None), found.end()


def _group(expression: str, at: int, opened: str) -> tuple[Needs, int]:
    inner, at = _either(expression, at)
    if at >= len(expression) or expression[at] != ")":
        raise UnknownSyntax(expression[at:])
    looks_around = opened not in ("(", "(?:")
    return (Needs(_EMPTY, None, plain=False) if looks_around else inner), at + 1


def _escaped(sign: str) -> Needs:
    if sign in _NOWHERE:
        return Needs(_EMPTY, None, plain=False)
    if sign == "d":
        return Needs(None, _DIGITS, plain=False)
    if sign in _CLASSES:
        return Needs(None, None, plain=False)
    if sign.isalnum():
        raise UnknownSyntax(f"\\{sign}")
    return Needs(frozenset({sign}), None)


def _listed(listed: str) -> Needs:
    """A class of signs: known where it lists them one by one."""
    inside = listed[1:-1]
    if inside.startswith("^") or "\\" in inside or "-" in inside[1:-1]:
        return Needs(None, None, plain=False)
    return Needs(frozenset(inside), None)


def _union(one: Strings | None, other: Strings | None) -> Strings | None:
    if one is None or other is None or len(one) + len(other) > MOST:
        return None
    return one | other


def _joined(one: Strings | None, other: Strings | None) -> Strings | None:
    if one is None or other is None or len(one) * len(other) > MOST:
        return None
    return frozenset(a + b for a, b in product(one, other))


def _better(one: Strings | None, other: Strings | None) -> Strings | None:
    """The set whose shortest string is the rarer one; an empty string says nothing."""
    known = [strings for strings in (one, other) if strings is not None and "" not in strings]
    return max(known, key=_worth, default=None)


def _worth(strings: Strings) -> tuple[float, int]:
    return min(map(_rarity, strings), default=0.0), -len(strings)


@cache
def _rarity(string: str) -> float:
    """Roughly how seldom it stands in a text: by length, and more for signs of scripts that have many of them."""
    letters = string.strip()
    return min(len(letters) * (2.5 if letters[:1] > "\u3000" else 1.0), 8.0)

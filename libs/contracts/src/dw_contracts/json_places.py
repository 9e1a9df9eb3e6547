"""Where a fault of strict JSON stands, as a path of fields: read on only after a text was refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

MAX_DEPTH: Final = 64
"""Lists and objects that may stand in each other."""
MOST: Final = 65_536
"""Bytes of the longest text that is read again for the place: some tens of milliseconds, and only where it is refused."""
_SHOWN: Final = 8
"""Steps of a path that are told; a place 60 lists deep is as well told by its first ones."""
_PLAIN_NAME = re.compile(r"[a-z][a-z_]{0,39}")
_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:("(?:[^"\\]++|\\.)*+")|([\[{])|([\]}])|([,:])|([^\s\[\]{},:"]++))', re.DOTALL
)
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_CONSTANTS: Final = frozenset({"NaN", "Infinity", "-Infinity"})


class Fault(Enum):
    """What is looked for."""

    DUPLICATE = "a key that stood in its object before"
    NUL = "an escaped NUL in a text or a key"
    NUMBER = "an integer beyond 64 bits"
    CONSTANT = "NaN or an infinity"
    DEEP = "one list or object too many in each other"


@dataclass(slots=True)
class _Frame:
    """An object or list that is open."""

    is_object: bool
    step: str = ""
    at: int = 0
    keys: set[str] = field(default_factory=set)
    awaits_key: bool = True


def is_plain_name(name: str) -> bool:
    """Does it look like a field of ours? Only then is a sender's own word repeated: it may hold a secret (C53)."""
    return _PLAIN_NAME.fullmatch(name) is not None


def place_of(data: bytes, fault: Fault) -> str:
    """` at events[3].text`, or nothing where the text is longer than MOST, or the fault at the top level. Linear in the
    text. Names that are none of a field become `*`."""
    if len(data) > MOST:
        return ""
    text = data.decode("utf-8", "replace")
    stack: list[_Frame] = []
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        if _is_it(fault, match, stack):
            return _told(stack)
        _follow(match, stack)
    return ""


def _is_it(fault: Fault, match: re.Match[str], stack: list[_Frame]) -> bool:
    string, opened, _, _, scalar = match.groups()
    if fault is Fault.DEEP:
        return opened is not None and len(stack) >= MAX_DEPTH
    if fault is Fault.DUPLICATE:
        top = stack[-1] if stack else None
        return string is not None and top is not None and top.awaits_key and _read(string) in top.keys
    if fault is Fault.NUL:
        return string is not None and _NUL.search(string) is not None
    if fault is Fault.CONSTANT:
        return scalar in _CONSTANTS
    return scalar is not None and _is_beyond(scalar)


def _follow(match: re.Match[str], stack: list[_Frame]) -> None:
    """Keep account of what is open, and of the step that the next value is at."""
    string, opened, closed, sign, _ = match.groups()
    top = stack[-1] if stack else None
    if opened:
        stack.append(_Frame(is_object=opened == "{"))
    elif closed:
        if stack:
            stack.pop()
    elif top is None:
        return
    elif sign == ",":
        top.at += 1
        top.awaits_key, top.step = True, ""
    elif sign == ":":
        top.awaits_key = False
    elif string is not None and top.is_object and top.awaits_key:
        name = _read(string)
        top.keys.add(name)
        top.step = name if is_plain_name(name) else "*"


def _read(string: str) -> str:
    """A key with its escapes of plain letters undone, so that `a` and `\\u0061` are one."""
    return re.sub(r"\\u00([2-7][0-9a-fA-F])", lambda found: chr(int(found[1], 16)), string[1:-1])


def _is_beyond(scalar: str) -> bool:
    digits = scalar.removeprefix("-")
    return digits.isdecimal() and (len(digits) > 19 or not -(2**63) <= int(scalar) < 2**63)


def _told(stack: list[_Frame]) -> str:
    path = ""
    for frame in stack[:_SHOWN]:
        path += (
            f".{frame.step}" if frame.is_object and frame.step else "" if frame.is_object else f"[{frame.at}]"
        )
    return f" at {path.removeprefix('.')}" if path else ""

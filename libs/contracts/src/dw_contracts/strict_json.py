"""JSON from outside, read strictly: what PostgreSQL, a second parser or a person would read otherwise is refused.

Refused: bytes that are not UTF-8, lone surrogates, NUL, NaN and infinities, numbers beyond 64 bits, nesting deeper
than MAX_DEPTH, duplicate keys, a top level that is no object (SECURITY.md F 32 to 39).
"""

from __future__ import annotations

import json
import re
from typing import Any, Never

import orjson

from dw_contracts.json_places import MAX_DEPTH, Fault, is_plain_name, place_of


class NotStrictJson(ValueError):
    """Says what is wrong and where: the path of the field, or the byte. Never quotes the text itself."""


def loads(data: bytes) -> dict[str, Any]:
    """Parse one JSON object. Compact input costs one parse and one dump, since every message pays for this; other
    input is read a second time."""
    value = _parse(data)
    if not isinstance(value, dict):
        raise NotStrictJson(f"the top level must be an object, not {_name(value)}")
    if not _is_compact(value, data):
        _refuse_what_orjson_forgives(data)
    elif data.count(b"{") + data.count(b"[") > MAX_DEPTH and not _is_shallow(value, MAX_DEPTH):
        raise NotStrictJson(_too_deep(data))
    if b"\\u0000" in data and _has_nul(value):  # its depth is bounded by now
        raise NotStrictJson(f"NUL characters are not allowed{place_of(data, Fault.NUL)}")
    return value


def _is_shallow(value: Any, levels: int) -> bool:
    """At most `levels` objects and lists stand in each other."""
    if levels == 0:
        return False
    entries = value.values() if type(value) is dict else value
    for entry in entries:
        kind = type(entry)
        if (kind is dict or kind is list) and not _is_shallow(entry, levels - 1):
            return False
    return True


def _is_compact(value: dict[str, Any], data: bytes) -> bool:
    """Compact bytes that come back as they were hold no surprise, in whatever order their keys stand: a key that stood
    twice would be missing. A number beyond 53 bits counts as one: orjson reads up to 2**64."""
    try:
        return orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER) == data
    except orjson.JSONEncodeError:
        return False


def _parse(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise NotStrictJson(_explain(data, error)) from None


def _explain(data: bytes, error: orjson.JSONDecodeError) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as unicode_error:
        return f"not UTF-8 at byte {unicode_error.start}"
    if b"\x00" in data:
        return f"NUL byte at byte {data.index(0)}"
    if re.search(rb"\\u[dD][89a-fA-F]", data) and "surrogate" in error.msg.lower():
        return f"lone surrogate near character {error.pos}"
    if re.search(rb"[:\[,]\s*-?(?:NaN|Infinity)", data):
        return f"NaN and infinities are not JSON{place_of(data, Fault.CONSTANT)}"
    if "depth" in error.msg or _is_deep(text[: error.pos].encode()):  # its place counts characters
        return _too_deep(data)
    if "infinity" in error.msg:
        return f"a number is beyond what a double holds at character {error.pos}"
    return f"not JSON: {error.msg.split(':')[0]} at character {error.pos}"


def _refuse_what_orjson_forgives(data: bytes) -> None:
    """A second reading that sees every key and every number."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        read = dict(items)
        if len(read) != len(items):
            again = _first_again(items)
            name = f" {again!r}" if is_plain_name(again) else ""
            raise NotStrictJson(f"duplicate key{name}{place_of(data, Fault.DUPLICATE)}")
        return read

    def number(text: str) -> int:
        if len(text) > 20 or not -(2**63) <= int(text) < 2**63:
            raise NotStrictJson(f"a number is beyond 64 bits{place_of(data, Fault.NUMBER)}")
        return int(text)

    def no_constant(name: str) -> Never:
        raise NotStrictJson(f"{name} is not JSON")

    def real(text: str) -> float:
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise NotStrictJson("a number is beyond what a double holds")
        return value

    try:
        value = json.loads(
            data, object_pairs_hook=pairs, parse_int=number, parse_constant=no_constant, parse_float=real
        )
    except RecursionError:
        raise NotStrictJson(_too_deep(data)) from None
    if not _is_shallow(value, MAX_DEPTH):
        raise NotStrictJson(_too_deep(data))


def _first_again(items: list[tuple[str, Any]]) -> str:
    """The first key that stood before. One look a key: an object may have a hundred thousand."""
    seen: set[str] = set()
    for key, _ in items:
        if key in seen:
            return key
        seen.add(key)
    raise AssertionError("no key stands twice")


def _is_deep(data: bytes) -> bool:
    """Are more than MAX_DEPTH lists and objects open somewhere before the fault?"""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for sign in _STRING.sub(b"", data).translate(None, _NO_BRACKETS):
        depth += 1 if sign in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\Z)', re.DOTALL)
_NO_BRACKETS = bytes(sign for sign in range(256) if sign not in b"[]{}")


def _too_deep(data: bytes) -> str:
    return f"nested deeper than {MAX_DEPTH}{place_of(data, Fault.DEEP)}"


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any("\x00" in key or _has_nul(entry) for key, entry in value.items())
    if isinstance(value, list):
        return any(_has_nul(entry) for entry in value)
    return False


def _name(value: Any) -> str:
    return {list: "an array", str: "a string", type(None): "null", bool: "a boolean"}.get(
        type(value), "a number"
    )

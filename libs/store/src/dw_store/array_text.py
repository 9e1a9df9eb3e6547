"""Rows as columns in the text form of PostgreSQL's arrays.

For statements that write many rows: given a list, the driver looks at each value by itself, which takes longer than
PostgreSQL needs to read the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID


def uuid_array(ids: Iterable[UUID]) -> str:
    """Ids, to be read as `$1::text::uuid[]`."""
    return "{" + ",".join([one.hex for one in ids]) + "}"


def array_parts(rows: Sequence[tuple[Any, ...]]) -> list[str]:
    """The columns of some rows, for `joined_texts`. Of a column of ids none may be missing."""
    return [_elements(column) for column in zip(*rows, strict=True)]


def joined_texts(parts: Sequence[list[str]]) -> list[str]:
    """A column an array, for `$1::text::uuid[]` and its like."""
    return ["{" + ",".join(column) + "}" for column in zip(*parts, strict=True)]


def _elements(column: Sequence[Any]) -> str:
    """A column is handled at once where nothing in it needs to be looked at by itself, as nearly always."""
    if type(column[0]) is UUID:
        return ",".join([value.hex for value in column])
    if None in column:
        return ",".join(map(_element, column))
    values = column if type(column[0]) is str else list(map(str, column))
    joined = '","'.join(values)
    if "\\" in joined or joined.count('"') != 2 * (len(values) - 1):
        return ",".join(map(_element, values))
    return f'"{joined}"'


def _element(value: str | None) -> str:
    if value is None:
        return "NULL"
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

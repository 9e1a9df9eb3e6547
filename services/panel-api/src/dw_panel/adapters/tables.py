"""Rows as JSON lines and as CSV that a spreadsheet takes for text.

A cell that begins like a formula would be run by the program that opens the file: what people said must not be able to
do that (OWASP, CSV injection). Such a cell gets an apostrophe in front; everything is quoted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

# Also behind white space, and the wide forms that spreadsheets take for the narrow ones.
_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BOM: Final = b"\xef\xbb\xbf"


def json_line(row: Mapping[str, Any]) -> bytes:
    """One object and a line feed."""
    return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def csv_head(names: Sequence[str]) -> bytes:
    """The first line. A byte order mark tells spreadsheets that the rest is UTF-8."""
    return BOM + _line(list(names))


def csv_line(row: Mapping[str, Any]) -> bytes:
    """One line (RFC 4180). Values that are no plain text stand as JSON; an absent one is empty."""
    return _line([cell(value) for value in row.values()])


def cell(value: Any) -> str:
    """Text that no spreadsheet runs."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    text = text.replace("\x00", "")
    return f"'{text}" if text.lstrip(" \u00a0\u200b\ufeff").startswith(_STARTS) else text


def _line(cells: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(cells)
    return out.getvalue().encode()

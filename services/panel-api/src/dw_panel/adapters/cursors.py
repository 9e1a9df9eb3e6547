"""Cursors of pages: the place of the last row, opaque to the caller, refused when it is none of ours."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime import ProblemError

MAX_CURSOR: Final = 200
_PLACE: Final = re.compile(r"[1-9][0-9]{0,17}")


def write_cursor(at: datetime, row_id: UUID) -> str:
    """The place after this row."""
    return base64.urlsafe_b64encode(f"{at.isoformat()}|{row_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, UUID] | None:
    """None for the first page; a 400 for anything that we did not write."""
    if not cursor:
        return None
    try:
        text, row_id = _parts(cursor)
        at = datetime.fromisoformat(text)
        if at.tzinfo is None:
            raise ValueError(cursor)
        return at.astimezone(UTC), UUID(row_id)
    except (ValueError, OverflowError, binascii.Error, UnicodeDecodeError):
        raise _none_of_ours() from None


def write_count(count: int, row_id: UUID) -> str:
    """The place after this row, where rows stand by a count."""
    return base64.urlsafe_b64encode(f"{count}|{row_id}".encode()).decode().rstrip("=")


def read_count(cursor: str) -> tuple[int, UUID] | None:
    """None for the first page; a 400 for anything that we did not write."""
    if not cursor:
        return None
    try:
        count, row_id = _parts(cursor)
        if not _PLACE.fullmatch(count) or int(count) > 2**31 - 1:
            raise ValueError(cursor)
        return int(count), UUID(row_id)
    except (ValueError, binascii.Error, UnicodeDecodeError):
        raise _none_of_ours() from None


def _parts(cursor: str) -> tuple[str, str]:
    if len(cursor) > MAX_CURSOR:
        raise ValueError(cursor)
    padded = cursor + "=" * (-len(cursor) % 4)
    left, _, right = base64.b64decode(padded, altchars=b"-_", validate=True).decode().partition("|")
    return left, right


def read_place(cursor: str) -> int | None:
    """A place in the audit log; None for the first page."""
    if not cursor:
        return None
    if not _PLACE.fullmatch(cursor):
        raise _none_of_ours()
    return int(cursor)


def _none_of_ours() -> ProblemError:
    return ProblemError(problem(ProblemCode.INVALID_BODY, 400, "the cursor is none of ours"))

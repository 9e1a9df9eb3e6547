"""Cursors of item pages: the place of the last row, opaque to the caller, refused when it is none of ours."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from uuid import UUID

from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime import ProblemError


def write_cursor(at: datetime, item_id: UUID) -> str:
    """The place after this row."""
    return base64.urlsafe_b64encode(f"{at.isoformat()}|{item_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, UUID] | None:
    """None for the first page; a 400 for anything that we did not write."""
    if not cursor:
        return None
    try:
        at, _, item_id = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition("|")
        place = datetime.fromisoformat(at), UUID(item_id)
        if place[0].tzinfo is None:
            raise ValueError(cursor)
    except (ValueError, binascii.Error, UnicodeDecodeError):
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 400, "the cursor is none of ours")) from None
    return place

"""Times that people ask for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, AwareDatetime

FIRST: Final = datetime(1970, 1, 2, tzinfo=UTC)
LAST: Final = datetime(9998, 12, 31, tzinfo=UTC)


def _within(moment: datetime) -> datetime:
    if not FIRST <= moment <= LAST:
        raise ValueError("a time is between 1970 and 9998")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_within)]
"""A time with its zone that every part can hold: beyond, conversion to UTC may leave the calendar."""

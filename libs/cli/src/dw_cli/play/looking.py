"""Looking again: positive checks may be repeated for 15 seconds, negative ones hold at the moment of the look."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from dw_cli.play.api import Unmet
from dw_cli.play.checks import Shortfall
from dw_cli.play.expect import Expect, Outcome

T = TypeVar("T")
PATIENCE_SECONDS: Final = 15.0
AGAIN_SECONDS: Final = 0.15


async def look_until(look: Callable[[], Awaitable[T]], judge: Callable[[T], Shortfall]) -> T:
    """Look until nothing is missing any more. Unmet with what is still missing, or with what is wrong."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        seen = await look()
        found = judge(seen)
        if not found:
            return seen
        if not found.missing or time.monotonic() > deadline:
            raise Unmet(str(found))
        await asyncio.sleep(AGAIN_SECONDS)


def must_meet(expect: Expect, *outcomes: Outcome) -> str:
    """The outcomes in words. Unmet where they are not what was expected."""
    if (unmet := expect.unmet(outcomes)) is not None:
        raise Unmet(unmet)
    return ", ".join(outcome.name for outcome in outcomes)

"""Work beside a service's own: again and again, and later where something is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Never

from dw_runtime.failures import AGAIN
from dw_runtime.logs import log

SOON: Final = 5.0


async def every(seconds: float, work: Callable[[], Awaitable[object]], waits: str) -> Never:
    """`work`, then a pause, for ever. What is transient is logged as `waits` and tried again soon; a bug ends it, and
    whoever supervises it begins anew."""
    while True:
        pause = seconds
        try:
            await work()
        except AGAIN as error:
            log.info(waits, reason=type(error).__name__)
            pause = min(seconds, SOON)
        await asyncio.sleep(pause)

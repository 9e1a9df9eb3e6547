"""Work beside a service's own: again and again, and later where something is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Never

from dw_runtime.failures import AGAIN
from dw_runtime.logs import log


async def every(seconds: float, work: Callable[[], Awaitable[object]], waits: str) -> Never:
    """A pause, then `work`, for ever. What is transient is logged as `waits` and tried at the next turn; a bug ends it,
    and whoever supervises it begins anew."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except AGAIN as error:
            log.info(waits, reason=type(error).__name__)

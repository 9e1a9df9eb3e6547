"""Whose fault is a refusal that names none: the question's, or that of how we ask? One plain question tells (G14).

Endpoints say 400 to a text that they do not take and to a request that they take from nobody. The first is a dead letter;
the second would make dead letters of everything, and has to wait for a person, as a refused key does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import CallFailed
from dw_learning.gate.failures import CallError
from dw_runtime.logs import log

PLAIN: Final = "<message>\nHello.\n</message>"
FRESH_SECONDS: Final = 30.0
Trouble = CallFailed | InvalidAnswer
NEVER: Final = float("-inf")


@dataclass(slots=True)
class Proof:
    """Which models gave an answer of late. `monotonic` counts seconds."""

    monotonic: Callable[[], float] = time.monotonic
    _answered: dict[str, float] = field(default_factory=dict)
    _refused: dict[str, float] = field(default_factory=dict)
    _asking: dict[str, asyncio.Lock] = field(default_factory=dict)

    def answered(self, model: str) -> None:
        """It takes what we send."""
        self._answered[model] = self.monotonic()

    async def explained(
        self, model: str, began: float, trouble: Trouble, ask: Callable[[], Awaitable[object]]
    ) -> Trouble:
        """The trouble of a call that began then, as what it is: its own, or CONFIGURATION. `ask` puts the plain
        question, once for all who wait; it may raise whatever a call may."""
        if isinstance(trouble, CallFailed) and trouble.error is not CallError.REFUSED:
            return trouble
        async with self._asking.setdefault(model, asyncio.Lock()):
            if self.monotonic() - self._answered.get(model, NEVER) < FRESH_SECONDS:
                return trouble
            if self._refused.get(model, NEVER) < began and await self._answers(model, ask):
                return trouble
        status, code = (trouble.status, trouble.code) if isinstance(trouble, CallFailed) else (200, "")
        why = f"{trouble}, whatever it is asked"
        return CallFailed(CallError.CONFIGURATION, why, status=status, code=code)

    async def _answers(self, model: str, ask: Callable[[], Awaitable[object]]) -> bool:
        try:
            await ask()
        except CallFailed as error:
            if error.error is not CallError.REFUSED:
                raise
        except InvalidAnswer:
            pass
        else:
            self.answered(model)
            return True
        self._refused[model] = self.monotonic()
        return False


def tell(model: str, error: CallFailed) -> None:
    """What a provider refused, and how: without this an operator would have only the count."""
    log.warning(
        "model.refused",
        model=model,
        error=error.error.value,
        status=error.status,
        code=error.code,
        why=str(error),
    )

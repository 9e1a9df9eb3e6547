"""For `dw eval` alone: a model is asked with labelled rows, on an operator's own word, and no org is behind it. Nothing
is reserved, priced or written to a ledger; what is answered goes to nobody but the operator."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, replace

from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import CallFailed, Completion, ModelCall, Target, Targets
from dw_learning.gate.failures import RETRIES, CallError, is_of_the_question, is_retryable, wait_seconds


@dataclass(frozen=True, slots=True)
class Uncounted:
    """In the gate's place. CallFailed where the model cannot be asked at all."""

    target: Target
    timeout_seconds: float

    @property
    def targets(self) -> Targets:
        """The one that is scored."""
        return Targets((self.target,))

    async def complete(self, call: ModelCall) -> Completion:
        """As often as the gate would try."""
        attempt = 1
        while True:
            try:
                async with asyncio.timeout(call.feature.seconds(self.timeout_seconds)):
                    done = await self.target.send(self.target.body(call))
                return replace(done, provider=self.target.provider, model=self.target.model)
            except TimeoutError:
                failed = CallFailed(CallError.TIMEOUT, "no answer in time")
            except CallFailed as error:
                failed = error
            if failed.error is CallError.PARAMETER:
                continue  # at once: it is asked in another form now
            if is_of_the_question(failed.error):
                raise InvalidAnswer(f"{failed.error.value}: {failed}")
            if attempt > RETRIES or not is_retryable(failed.error):
                raise failed
            await asyncio.sleep(wait_seconds(attempt, random.random()))
            attempt += 1

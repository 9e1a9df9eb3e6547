"""One question that a model never answers in time: is it the question, or the model? Time is passed in, in seconds.

A model that answers others while this one waits is there, so that it is the question: after few timeouts nobody asks it
again. Where nobody else asks, it may be either, and it is asked less and less often, and not for ever: each try is paid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

WITNESSED: Final = 3  # timeouts, where another question was answered meanwhile
ALONE: Final = 12  # timeouts, where none was
FIRST_REST_SECONDS: Final = 30.0
LONGEST_REST_SECONDS: Final = 600.0

Verdict = Literal["ask", "rest", "give_up"]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Timeouts of one question at one model whose breaker was closed. `since` is when its first try began."""

    since: float
    timeouts: int = 0
    rests_until: float = 0.0

    def timed_out(self, now: float) -> Suspicion:
        """Once more. The first tries follow each other; from then on it rests, twice as long each time."""
        timeouts = self.timeouts + 1
        rest = 0.0
        if timeouts >= WITNESSED:
            rest = min(LONGEST_REST_SECONDS, FIRST_REST_SECONDS * 2.0 ** (timeouts - WITNESSED))
        return replace(self, timeouts=timeouts, rests_until=now + rest)

    def verdict(self, now: float, answered_at: float | None) -> Verdict:
        """What to do with it now; `answered_at` is when the model last answered any question."""
        witnessed = answered_at is not None and answered_at >= self.since
        if self.timeouts >= (WITNESSED if witnessed else ALONE):
            return "give_up"
        return "rest" if now < self.rests_until else "ask"

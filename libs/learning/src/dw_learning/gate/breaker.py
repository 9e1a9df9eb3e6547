"""One breaker a target (G16): closed, open for a while, then one probe. Time is passed in, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

State = Literal["closed", "open", "half_open"]


@dataclass(frozen=True, slots=True)
class Breaker:
    """Opens after so many failures in a row; after the cooldown one call at a time may try. `culprits` are questions that
    timed out since it was last well: each counts once, so that one question alone opens nothing."""

    most_failures: int = 5
    cooldown_seconds: float = 30.0
    failures: int = 0
    opened_at: float | None = None
    probing: bool = False
    culprits: frozenset[str] = frozenset()

    def state(self, now: float) -> State:
        """What it is at this moment."""
        if self.opened_at is None:
            return "closed"
        return "half_open" if now - self.opened_at >= self.cooldown_seconds else "open"

    def enter(self, now: float) -> Breaker | None:
        """With a call begun, or None where none may begin."""
        match self.state(now):
            case "closed":
                return self
            case "open":
                return None
            case "half_open":
                return None if self.probing else replace(self, probing=True)

    def succeeded(self) -> Breaker:
        """A call went well: closed."""
        return replace(self, failures=0, opened_at=None, probing=False, culprits=frozenset())

    def failed(self, now: float, culprit: str = "") -> Breaker:
        """A call failed for what the target is, or, where a culprit is named, perhaps for what that question is. A failed
        probe opens it anew."""
        if culprit in self.culprits and not self.probing:
            return self
        failures = self.failures + 1
        opens = self.probing or failures >= self.most_failures
        return replace(
            self,
            failures=failures,
            opened_at=now if opens else self.opened_at,
            probing=False,
            culprits=self.culprits | {culprit} if culprit else self.culprits,
        )

    def left(self) -> Breaker:
        """A call ended that says nothing about the target."""
        return replace(self, probing=False)

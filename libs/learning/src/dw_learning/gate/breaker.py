"""One breaker a target (G16): closed, open for a while, then one probe. Time is passed in, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

State = Literal["closed", "open", "half_open"]


@dataclass(frozen=True, slots=True)
class Breaker:
    """Opens after so many failures in a row; after the cooldown one call at a time may try."""

    most_failures: int = 5
    cooldown_seconds: float = 30.0
    failures: int = 0
    opened_at: float | None = None
    probing: bool = False

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
        return replace(self, failures=0, opened_at=None, probing=False)

    def failed(self, now: float) -> Breaker:
        """A call failed for what the target is. A failed probe opens it anew."""
        failures = self.failures + 1
        opens = self.probing or failures >= self.most_failures
        return replace(self, failures=failures, opened_at=now if opens else self.opened_at, probing=False)

    def left(self) -> Breaker:
        """A call ended that says nothing about the target."""
        return replace(self, probing=False)

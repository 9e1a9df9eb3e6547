"""Why the gate lets a call not pass, for machines and for people (G12)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

Reason = Literal[
    "killed",
    "model_not_allowed",
    "region_not_allowed",
    "monthly_budget",
    "daily_budget",
    "in_flight",
    "requests",
    "tokens",
    "too_long",
]
PASSING: Final = frozenset({"in_flight", "requests", "tokens"})
BUDGETS: Final = frozenset({"monthly_budget", "daily_budget"})
LATER: Final = timedelta(minutes=5)
"""After which what waits is asked about in any case, whatever is known of its limit."""
WORDS: Final[dict[Reason, str]] = {
    "killed": "an administrator has switched it off",
    "model_not_allowed": "this model is not on the allow-list",
    "region_not_allowed": "this model works in no region that is allowed",
    "monthly_budget": "the month's budget is used up",
    "daily_budget": "the day's budget is used up",
    "in_flight": "as many calls as are allowed are under way",
    "requests": "as many calls a minute as are allowed were made",
    "tokens": "as many tokens a minute as are allowed were used",
    "too_long": "the request is longer than the feature allows",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """`scope` is the limit's source. Money is in micro-dollars. `resets_at` is None where only a person or an ending
    call changes it; `held` says that calls under way may give some of it back; `needs` is what the call would hold.
    `warned` are scopes whose soft limit was found crossed just now."""

    reason: Reason
    scope: str
    limit: int | None = None
    used: int | None = None
    resets_at: datetime | None = None
    held: int = 0
    needs: int = 0
    warned: tuple[str, ...] = ()

    @property
    def is_passing(self) -> bool:
        """It is over within a minute by itself: waiting is right, parking is not."""
        return self.reason in PASSING

    @property
    def is_held(self) -> bool:
        """What is spent leaves room for the call; only calls under way do not, and they settle within seconds."""
        if self.reason not in BUDGETS or self.limit is None or self.used is None or self.held <= 0:
            return False
        return self.used - self.held + self.needs <= self.limit

    def ask_again_at(self, now: datetime) -> datetime:
        """At the latest: a limit that is raised or a call that is settled lets it pass before."""
        later = now + LATER
        return now if self.is_passing else min(self.resets_at or later, later)

    @property
    def status(self) -> Literal[402, 403, 429]:
        """As an HTTP door would say it: only rate limits are 429."""
        if self.is_passing:
            return 429
        return 402 if self.reason in BUDGETS else 403

    def words(self) -> str:
        """For people and logs."""
        return f"{self.scope}: {WORDS[self.reason]}"

"""Why the gate lets a call not pass, for machines and for people (G12)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
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
    call changes it; `held` says that calls under way may give some of it back."""

    reason: Reason
    scope: str
    limit: int | None = None
    used: int | None = None
    resets_at: datetime | None = None
    held: int = 0

    @property
    def is_passing(self) -> bool:
        """It is over within a minute by itself: waiting is right, parking is not."""
        return self.reason in PASSING

    @property
    def status(self) -> Literal[402, 403, 429]:
        """As an HTTP door would say it: only rate limits are 429."""
        if self.is_passing:
            return 429
        return 402 if self.reason in ("monthly_budget", "daily_budget") else 403

    def words(self) -> str:
        """For people and logs."""
        return f"{self.scope}: {WORDS[self.reason]}"

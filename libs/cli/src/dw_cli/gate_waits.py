"""What waits for a limit, and the budgets that hold where an org sets none, in words (G12, G24)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from dw_contracts.http.gate import GateStatus, GateWait
from dw_learning.gate.refusals import WORDS

_MICRO: Final = 1_000_000
_REASONS: Final[dict[str, str]] = {
    **{str(reason): words for reason, words in WORDS.items()},
    "behind": "goes on now",
    "unavailable": "no model can be asked",
}


def waits(told: GateStatus) -> Iterator[str]:
    """A line an agent."""
    for wait in told.waiting:
        many = "1 candidate waits" if wait.candidates == 1 else f"{wait.candidates} candidates wait"
        need = f" (a call holds up to ${wait.needs_micro_usd / _MICRO:.4f})" if wait.needs_micro_usd else ""
        yield f"{wait.role_agent}: {many} since {_at(wait.since)}: {_why(wait)}{need}; {until(wait.resets_at, wait.expires_at, 'the first of them')}"


def until(resets_at: datetime | None, expires_at: datetime, what: str = "it") -> str:
    """When it goes on, and when it ends in any case."""
    ends = f"until {_at(resets_at)}, or until" if resets_at else "until"
    return f"{ends} somebody changes the limit; {what} ends without items at {_at(expires_at)}"


def reason(why: str, scope: str) -> str:
    """As a refusal says it."""
    words = _REASONS.get(why, why)
    return f"{scope}: {words}" if scope else words


def defaults(told: GateStatus) -> str:
    """Empty where nobody knows: no model was called yet."""
    budgets = {"a day": told.default_daily_micro_usd, "a month": told.default_monthly_micro_usd}
    return ", ".join(f"${micro / _MICRO:.4f} {each}" for each, micro in budgets.items() if micro is not None)


def _why(wait: GateWait) -> str:
    return reason(wait.reason, wait.scope)


def _at(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"

"""What can go wrong with a call, what is tried again, and what it is booked at (G14, G15)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

RETRIES: Final = 2
FIRST_WAIT_SECONDS: Final = 0.5
LONGEST_WAIT_SECONDS: Final = 8.0
BEYOND_THE_HOLD: Final = "usage_beyond_the_hold"
"""Stands in the ledger beside `ok`: an answer came, and a usage with it that nobody believes."""


class CallError(StrEnum):
    """`error_type` of the ledger and of spans. UNANSWERED is of no call: a question that timed out too often is not asked
    again."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    SERVER = "server_error"
    AUTH = "auth"
    CONTEXT_WINDOW = "context_window"
    CONTENT_POLICY = "content_policy"
    REFUSED = "bad_request"
    UNANSWERED = "unanswered"


_AGAIN: Final = frozenset(
    {CallError.TIMEOUT, CallError.UNREACHABLE, CallError.RATE_LIMITED, CallError.SERVER}
)
_OF_THE_QUESTION: Final = frozenset(
    {CallError.CONTEXT_WINDOW, CallError.CONTENT_POLICY, CallError.REFUSED, CallError.UNANSWERED}
)
_MAY_BE_BILLED: Final = frozenset({CallError.TIMEOUT})


def is_retryable(error: CallError) -> bool:
    """The same call may go well a moment later at the same target."""
    return error in _AGAIN


def is_of_the_question(error: CallError) -> bool:
    """Nobody is down: this question alone is not answered. It opens no breaker."""
    return error in _OF_THE_QUESTION


def may_be_billed(error: CallError) -> bool:
    """The provider may have worked on it, so that it is booked at what was held for it."""
    return error in _MAY_BE_BILLED


def wait_seconds(attempt: int, chance: float) -> float:
    """Before the try after `attempt` (1, 2, …): exponential, with full jitter by `chance` of 0 to 1 in its upper half."""
    full: float = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1))
    return full * (0.5 + chance / 2)


def error_of_status(status: int, code: str) -> CallError:
    """By HTTP status and the provider's own code or type of error."""
    if "context_length" in code or "context_window" in code or status == 413:
        return CallError.CONTEXT_WINDOW
    if "content_policy" in code or "content_filter" in code:
        return CallError.CONTENT_POLICY
    if status in (401, 402, 403, 404):
        return CallError.AUTH
    if status == 408:
        return CallError.TIMEOUT
    if status in (409, 425, 429):
        return CallError.RATE_LIMITED
    return CallError.SERVER if status >= 500 else CallError.REFUSED

"""What can go wrong with a call, what is tried again, and what it is booked at (G14, G15)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

RETRIES: Final = 2
FIRST_WAIT_SECONDS: Final = 0.5
LONGEST_WAIT_SECONDS: Final = 8.0
UNFIT: Final = "answer_unfit"
"""Stands in the ledger beside `ok`: an answer came and is paid for, and fits no form."""
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
    CUT_OFF = "cut_off"
    REFUSED = "bad_request"
    CONFIGURATION = "configuration"
    PARAMETER = "parameter"
    UNANSWERED = "unanswered"


_AGAIN: Final = frozenset(
    {CallError.TIMEOUT, CallError.UNREACHABLE, CallError.RATE_LIMITED, CallError.SERVER}
)
_OF_THE_QUESTION: Final = frozenset(
    {
        CallError.CONTEXT_WINDOW,
        CallError.CONTENT_POLICY,
        CallError.CUT_OFF,
        CallError.REFUSED,
        CallError.UNANSWERED,
    }
)
_OURS: Final = frozenset({"model", "max_tokens", "max_completion_tokens", "temperature", "tool_choice"})
_FORMS: Final = ("response_format", "tools")
_TOO_LONG: Final = re.compile(
    r"maximum context length|context (?:length|window|size)|prompt is too long|max_tokens must be at least 1\b",
    re.IGNORECASE,
)
_LONG_CODES: Final = ("context_length", "context_window", "context_size", "exceed_context")
_POLICY_CODES: Final = ("content_policy", "content_filter")
_MAY_BE_BILLED: Final = frozenset({CallError.TIMEOUT})


def is_retryable(error: CallError) -> bool:
    """The same call may go well a moment later at the same target."""
    return error in _AGAIN


def is_of_the_question(error: CallError) -> bool:
    """Nobody is down: this question alone is not answered."""
    return error in _OF_THE_QUESTION


def says_nothing_of_the_target(error: CallError) -> bool:
    """It counts for no breaker: the question's own trouble, or one that is asked again in another form at once."""
    return error in _OF_THE_QUESTION or error is CallError.PARAMETER


def may_be_billed(error: CallError) -> bool:
    """The provider may have worked on it, so that it is booked at what was held for it."""
    return error in _MAY_BE_BILLED


def wait_seconds(attempt: int, chance: float) -> float:
    """Before the try after `attempt` (1, 2, …): exponential, with full jitter by `chance` of 0 to 1 in its upper half."""
    full: float = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1))
    return full * (0.5 + chance / 2)


def error_of_status(status: int, code: str = "", param: str = "", message: str = "") -> CallError:
    """By HTTP status and what the body names: code and type of the error, the parameter, its words. Words alone never
    make it a fault of ours, for a message may be quoted in them; REFUSED says that nothing tells whose fault it is."""
    if any(known in code for known in _LONG_CODES) or status == 413:
        return CallError.CONTEXT_WINDOW
    if any(known in code for known in _POLICY_CODES):
        return CallError.CONTENT_POLICY
    if status in (401, 402, 403, 404):
        return CallError.AUTH
    if status == 408:
        return CallError.TIMEOUT
    if status in (409, 425, 429):
        return CallError.RATE_LIMITED
    if status >= 500:
        return CallError.SERVER
    if status not in (400, 422):
        return (
            CallError.CONFIGURATION
        )  # a redirect, a method that is not allowed: no such endpoint as is asked
    if _TOO_LONG.search(message[:500]):
        return CallError.CONTEXT_WINDOW
    return CallError.CONFIGURATION if _is_ours(code, param) else CallError.REFUSED


def _is_ours(code: str, param: str) -> bool:
    """It names what is the same in every request."""
    named = param in _OURS or param.startswith(_FORMS)
    return named or any(known in code for known in ("unsupported_", "model_not_found"))

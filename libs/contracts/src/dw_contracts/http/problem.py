"""Every refusal over HTTP is a problem detail (RFC 9457) that says what is wrong and where."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from dw_contracts.model import Contract

MEDIA_TYPE = "application/problem+json"


class ProblemCode(StrEnum):
    """Codes that a program may rely on; the last part of a problem's type."""

    INVALID_JSON = "invalid-json"
    INVALID_BODY = "invalid-body"
    TOO_LARGE = "too-large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    CONFLICT = "conflict"
    RATE_LIMITED = "rate-limited"
    UNAVAILABLE = "unavailable"


class FieldError(Contract):
    """One thing that is wrong, and where."""

    at: str = Field(description="path in the body, such as events.3.sender.external_user_id")
    problem: str = Field(description="what is wrong, without the value")


class Problem(Contract):
    """application/problem+json."""

    type: str = Field(description="urn:dw:problem:<code>")
    title: str = Field(description="the same for all of this type")
    status: int = Field(description="HTTP status")
    detail: str = Field(default="", description="what happened here and what to do")
    errors: tuple[FieldError, ...] = Field(default=(), description="all that was found wrong in the body")


TITLES: dict[ProblemCode, str] = {
    ProblemCode.INVALID_JSON: "The body is not JSON that we read",
    ProblemCode.INVALID_BODY: "The body does not fit",
    ProblemCode.TOO_LARGE: "The body is too large",
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: "The media type is not supported",
    ProblemCode.UNAUTHENTICATED: "Who you are could not be verified",
    ProblemCode.FORBIDDEN: "You may not do this",
    ProblemCode.NOT_FOUND: "There is no such thing here",
    ProblemCode.METHOD_NOT_ALLOWED: "This address is not used like that",
    ProblemCode.CONFLICT: "It changed in the meantime",
    ProblemCode.RATE_LIMITED: "Too many at once",
    ProblemCode.UNAVAILABLE: "Not available at this moment",
}


def problem(code: ProblemCode, status: int, detail: str = "", errors: tuple[FieldError, ...] = ()) -> Problem:
    """Build the problem for a code."""
    return Problem(
        type=f"urn:dw:problem:{code}", title=TITLES[code], status=status, detail=detail, errors=errors
    )

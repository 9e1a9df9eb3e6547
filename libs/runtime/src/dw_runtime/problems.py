"""Every refusal over HTTP is a problem detail (RFC 9457), whoever refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import orjson
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dw_contracts.http.problem import MEDIA_TYPE, FieldError, Problem, ProblemCode, problem
from dw_contracts.model import in_our_words
from dw_runtime.echoes import place, without_echo
from dw_runtime.failures import AGAIN, MAX_FIELD_ERRORS, ProblemError
from dw_runtime.logs import log

RETRY_AFTER: Final = {"Retry-After": "2"}
_BY_STATUS: Final = {
    400: ProblemCode.INVALID_BODY,
    401: ProblemCode.UNAUTHENTICATED,
    403: ProblemCode.FORBIDDEN,
    404: ProblemCode.NOT_FOUND,
    405: ProblemCode.METHOD_NOT_ALLOWED,
    409: ProblemCode.CONFLICT,
    413: ProblemCode.TOO_LARGE,
    415: ProblemCode.UNSUPPORTED_MEDIA_TYPE,
    429: ProblemCode.RATE_LIMITED,
    503: ProblemCode.UNAVAILABLE,
}


def problem_response(found: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """application/problem+json, without what was sent."""
    return Response(
        orjson.dumps(without_echo(found).model_dump(mode="json", exclude_defaults=True)),
        status_code=found.status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


def refusal(code: ProblemCode, status: int, detail: str) -> ProblemError:
    """A problem to be raised."""
    return ProblemError(problem(code, status, detail))


def unavailable_response(error: Exception) -> Response:
    """The answer to a failure that may be over a moment later (failures.AGAIN)."""
    log.warning("request.unavailable", reason=type(error).__name__, why=str(error))
    return problem_response(problem(ProblemCode.UNAVAILABLE, 503, "try again in a moment"), RETRY_AFTER)


async def problem_by_status(_: Request, error: Exception) -> Response:
    """What Starlette itself refuses: an address or a method that there is not. Hung up for HTTPException alone."""
    refused = cast("HTTPException", error)
    code = _BY_STATUS.get(refused.status_code, ProblemCode.INVALID_BODY)
    return problem_response(problem(code, refused.status_code, str(refused.detail)), refused.headers)


def install_problems(app: FastAPI) -> None:
    """What routes raise leaves as a problem detail. What is unexpected is RequestEdge's business."""

    @app.exception_handler(ProblemError)
    async def refused(_: Request, error: ProblemError) -> Response:
        return problem_response(error.problem, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        places = _places(error)
        return problem_response(problem(ProblemCode.INVALID_BODY, 422, "the request does not fit", places))

    app.add_exception_handler(HTTPException, problem_by_status)

    async def unavailable(_: Request, error: Exception) -> Response:
        return unavailable_response(error)

    for kind in AGAIN:
        app.add_exception_handler(kind, unavailable)


def _places(error: RequestValidationError) -> tuple[FieldError, ...]:
    entries: list[Any] = list(error.errors())[:MAX_FIELD_ERRORS]
    return tuple(
        FieldError(
            at=place(entry["loc"], entry["type"]).removeprefix("body.") or "body",
            problem=in_our_words(entry["msg"]),
        )
        for entry in entries
    )

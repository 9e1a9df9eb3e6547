"""HTTP edges: problem details for every refusal, bodies counted while they are read, one light span a request."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from opentelemetry.trace import SpanKind
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from dw_contracts.http.problem import MEDIA_TYPE, Problem, ProblemCode, problem
from dw_runtime.failures import ProblemError, Transient, field_errors
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.telemetry import Telemetry, current_trace
from dw_store.errors import StoreConflict, StoreUnavailable

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
RETRY_AFTER = {"Retry-After": "2"}
_BY_STATUS = {
    400: ProblemCode.INVALID_BODY,
    401: ProblemCode.UNAUTHENTICATED,
    403: ProblemCode.FORBIDDEN,
    404: ProblemCode.NOT_FOUND,
    405: ProblemCode.NOT_FOUND,
    409: ProblemCode.CONFLICT,
    413: ProblemCode.TOO_LARGE,
    415: ProblemCode.UNSUPPORTED_MEDIA_TYPE,
    429: ProblemCode.RATE_LIMITED,
    503: ProblemCode.UNAVAILABLE,
}


def problem_response(found: Problem, headers: dict[str, str] | None = None) -> Response:
    """application/problem+json."""
    return Response(
        orjson.dumps(found.model_dump(mode="json", exclude_defaults=True)),
        status_code=found.status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


async def read_body(request: Request, limit: int) -> bytes:
    """The body, counted while it is read: a length that lies is cut off. JSON only, and never inflated."""
    kind = request.headers.get("content-type", "")
    media, _, parameters = kind.partition(";")
    if media.strip().lower() != "application/json" or "charset" in parameters.lower().replace("charset=utf-8", ""):
        raise _refuse(ProblemCode.UNSUPPORTED_MEDIA_TYPE, 415, "send application/json in UTF-8")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise _refuse(ProblemCode.UNSUPPORTED_MEDIA_TYPE, 415, "send the body without a content encoding")
    declared = request.headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        raise _refuse(ProblemCode.TOO_LARGE, 413, f"the body is over {limit} bytes")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise _refuse(ProblemCode.TOO_LARGE, 413, f"the body is over {limit} bytes")
    except ClientDisconnect:
        raise _refuse(ProblemCode.INVALID_BODY, 400, "the body ended early") from None
    return bytes(body)


def _refuse(code: ProblemCode, status: int, detail: str) -> ProblemError:
    return ProblemError(problem(code, status, detail))


def install_problems(app: FastAPI) -> None:
    """Every error leaves as a problem detail; what is unexpected is logged and says nothing."""

    @app.exception_handler(ProblemError)
    async def refused(_: Request, error: ProblemError) -> Response:
        return problem_response(error.problem, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return problem_response(problem(ProblemCode.INVALID_BODY, 422, "the request does not fit", _places(error)))

    @app.exception_handler(HTTPException)
    async def status(_: Request, error: HTTPException) -> Response:
        code = _BY_STATUS.get(error.status_code, ProblemCode.INVALID_BODY)
        return problem_response(problem(code, error.status_code, str(error.detail)), dict(error.headers or {}))

    async def unavailable(_: Request, error: Exception) -> Response:
        log.warning("request.unavailable", reason=type(error).__name__, why=str(error))
        return problem_response(problem(ProblemCode.UNAVAILABLE, 503, "try again in a moment"), RETRY_AFTER)

    for kind in (StoreUnavailable, StoreConflict, Transient):
        app.add_exception_handler(kind, unavailable)


def _places(error: RequestValidationError) -> Any:
    return tuple(
        entry.model_copy(update={"at": entry.at.removeprefix("body.")}) for entry in field_errors(_Errors(error))
    )


class _Errors:
    """RequestValidationError.errors() takes no options."""

    def __init__(self, error: RequestValidationError) -> None:
        self._error = error

    def errors(self, **_: Any) -> Any:
        return self._error.errors()


class RequestSpans:
    """ASGI middleware: follows a sampled traceparent, samples roots at the head, measures every request."""

    def __init__(self, app: Any, telemetry: Telemetry, metrics: Metrics) -> None:
        self._app = app
        self._telemetry = telemetry
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500
        span = self._span(scope)

        async def watched(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            with current_trace(span.traceparent if span else None):
                await self._app(scope, receive, watched)
        except Exception as error:
            log.exception("request.bug", path_template=_route(scope), reason=type(error).__name__)
            if status == 500:
                await problem_response(problem(ProblemCode.UNAVAILABLE, 500, "an error of ours; it was logged"))(
                    scope, receive, send
                )
        finally:
            route = _route(scope)
            if span is not None:
                span.span.update_name(f"{self._metrics.service} {scope['method']} {route}")
                span.span.set_attribute("http.response.status_code", status)
                span.end(failed=status >= 500)
            self._metrics.http_requests.labels(self._metrics.service, route, str(status)).inc()
            self._metrics.http_seconds.labels(self._metrics.service, route).observe(time.perf_counter() - started)

    def _span(self, scope: Scope) -> Any:
        if not self._telemetry.enabled:
            return None
        sent = next((value for name, value in scope["headers"] if name == b"traceparent"), b"")
        parent = sent.decode("ascii", "replace") if len(sent) == 55 and sent[:3] == b"00-" else None
        if parent is not None and not parent.endswith("-01"):
            return None
        if parent is None and not self._telemetry.samples_root():
            return None
        return self._telemetry.start(scope["method"], parent, {}, SpanKind.SERVER)


def _route(scope: Scope) -> str:
    route = scope.get("route")
    return str(getattr(route, "path", "unknown"))

"""The outermost edge of HTTP: one light span, one measurement, and a problem for what nobody expected."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from opentelemetry.trace import SpanKind
from prometheus_client import Counter, Histogram
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp
from structlog.contextvars import bind_contextvars, reset_contextvars

from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime.current import current_trace
from dw_runtime.failures import bug, frames_of
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.probes import PATHS
from dw_runtime.problems import problem_response
from dw_runtime.telemetry import ActiveSpan, Telemetry
from dw_runtime.traceparent import is_sampled, is_well_formed

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
REQUEST_ID: Final = b"x-request-id"
SAMPLED: Final = "dw.sampled"
"""In a request's scope: what AtOnce has drawn: whether it is traced."""
_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9_.-]{1,64}")
_PROBES: Final = frozenset(PATHS)


class RequestEdge:
    """ASGI middleware: follows a sampled traceparent, samples roots at the head, counts bodies, measures. The generic
    instrumentation costs more than half of a route's requests a second (MEASURED.md f)."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry, metrics: Metrics, max_body_bytes: int) -> None:
        self._app = app
        self._telemetry = telemetry
        self._metrics = metrics
        self._max_body_bytes = max_body_bytes
        self._meter = RequestMeter(metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Probes pass untouched."""
        if scope["type"] != "http" or scope["path"] in _PROBES:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = dict(scope["headers"])
        span, unsampled = self._trace(scope, headers.get(b"traceparent", b""))
        request_id = request_id_of(headers.get(REQUEST_ID, b""))
        exchange = _Exchange(receive, send, request_id, self._max_body_bytes)
        bound = bind_contextvars(request_id=request_id.decode(), trace_id=_trace_id(span, unsampled))
        try:
            if span is None and unsampled is None:  # most requests: nothing to pass on
                await self._answer(scope, exchange)
            else:
                with current_trace(span, unsampled):
                    await self._answer(scope, exchange)
        finally:
            reset_contextvars(**bound)
            self._measure(scope, exchange.status, span, time.perf_counter() - started)

    async def _answer(self, scope: Scope, exchange: _Exchange) -> None:
        if "\x00" in scope["path"] or b"%00" in scope["query_string"]:
            refused = problem(ProblemCode.INVALID_BODY, 422, "the address holds a NUL character")
            await problem_response(refused)(scope, exchange.receive, exchange.send)
            return
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except Exception as error:
            log.error("request.bug", route=_route(scope), error=bug(error), frames=frames_of(error))
            if exchange.status:
                raise  # half an answer cannot be taken back
            response = problem_response(problem(ProblemCode.UNAVAILABLE, 500))
            await response(scope, exchange.receive, exchange.send)

    def _trace(self, scope: Scope, sent: bytes) -> tuple[ActiveSpan | None, str | None]:
        parent = sent.decode() if sent and is_well_formed(sent) else None
        if parent is not None and not is_sampled(sent):
            return None, parent
        if parent is None:
            sampled = scope[SAMPLED] if SAMPLED in scope else self._telemetry.samples_root()
            if not sampled:
                return None, None
        span = self._telemetry.start(scope["method"], parent, {}, SpanKind.SERVER)
        return span, parent if span is None else None

    def _measure(self, scope: Scope, status: int, span: ActiveSpan | None, seconds: float) -> None:
        service, route, status = self._metrics.service, _route(scope), status or 500
        if span is not None:
            span.span.update_name(f"{service} {scope['method']} {route}")
            span.span.set_attribute("http.response.status_code", status)
            span.end(failed=status >= 500)
        self._meter.count(route, status, seconds)


class RequestMeter:
    """Requests and their time, by route and status."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._counted: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def count(self, route: str, status: int, seconds: float) -> None:
        """One request."""
        counted = self._counted.get((route, status))
        if counted is None:  # looking children up by their labels costs more than counting
            metrics, service = self._metrics, self._metrics.service
            counted = self._counted[(route, status)] = (
                metrics.http_requests.labels(service, route, str(status)),
                metrics.http_seconds.labels(service, route),
            )
        counted[0].inc()
        counted[1].observe(seconds)


class _Exchange:
    """What goes in and out of one request."""

    __slots__ = ("_left", "_receive", "_request_id", "_send", "status")

    def __init__(self, receive: Receive, send: Send, request_id: bytes, max_body_bytes: int) -> None:
        self.status = 0
        self._receive = receive
        self._send = send
        self._request_id = request_id
        self._left = max_body_bytes

    async def receive(self) -> Message:
        """The net below routes that count their bodies themselves."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, "the body is too large")
        return message

    async def send(self, message: Message) -> None:
        """Adds the request's id to the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), (REQUEST_ID, self._request_id)]
        await self._send(message)


def request_id_of(sent: bytes) -> bytes:
    """The one that was sent, if it is fit to be repeated, or a new one."""
    return sent if sent and _REQUEST_ID.fullmatch(sent) else b"%016x" % random.getrandbits(64)


def _trace_id(span: ActiveSpan | None, unsampled: str | None) -> str:
    traceparent = span.traceparent if span is not None else unsampled
    return traceparent[3:35] if traceparent else ""


def _route(scope: Scope) -> str:
    """The template, never the path: paths hold ids, and there is no end of those."""
    return str(getattr(scope.get("route"), "path", "unmatched"))

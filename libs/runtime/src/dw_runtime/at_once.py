"""A route that is asked before every reply, answered without routing, contexts and tasks wherever nothing has to wait.

It stands outside of everything else and takes only what is plain: its one path, no query, no trace, headers in ASCII, a
body that is here in time and not too large, and an answer that is at hand. All the rest, and with it every refusal, every
trace and every failure, goes the ordinary way as if nothing had been looked at, so that none of that is written twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp

from dw_runtime.bodies import Arrival
from dw_runtime.failures import bug, frames_of
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.requests import (
    REQUEST_ID,
    SAMPLED,
    Message,
    Receive,
    RequestMeter,
    Scope,
    Send,
    request_id_of,
)
from dw_runtime.telemetry import Telemetry
from dw_runtime.traceparent import HEADER

_TRACEPARENT: Final = HEADER.encode()
_JSON: Final = (b"content-type", b"application/json")


@dataclass(frozen=True, slots=True)
class Ready:
    """A POST that often can be answered at once. `answer` takes headers and body and gives the JSON of a 200, or None for
    the ordinary way; it does no I/O and changes nothing when it gives None."""

    path: str
    max_body_bytes: int
    answer: Callable[[Mapping[bytes, bytes], bytes], bytes | None]


class AtOnce:
    """ASGI middleware, the outermost one. The ordinary way draws, counts and refuses for itself."""

    def __init__(self, app: ASGIApp, ready: Ready, telemetry: Telemetry, metrics: Metrics) -> None:
        self._app = app
        self._ready = ready
        self._telemetry = telemetry
        self._meter = RequestMeter(metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if (
            scope["type"] != "http"
            or scope["path"] != self._ready.path
            or scope["method"] != "POST"
            or scope["query_string"]
        ):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        scope[SAMPLED] = self._telemetry.samples_root()
        if scope[SAMPLED] or _TRACEPARENT in headers or not b"".join(headers.values()).isascii():
            await self._app(scope, receive, send)
            return
        await self._answer(scope, headers, receive, send)

    async def _answer(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        arrival = Arrival()
        in_time = await arrival.wait(receive, self._ready.max_body_bytes)
        body = self._look(headers, arrival) if in_time else None
        if body is None:
            await self._app(scope, _Again(arrival, receive, is_late=not in_time).receive, send)
            return
        request_id = (REQUEST_ID, request_id_of(headers.get(REQUEST_ID, b"")))
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": 200, "headers": [length, _JSON, request_id]})
        await send({"type": "http.response.body", "body": body})
        self._meter.count(self._ready.path, 200, time.perf_counter() - started)

    def _look(self, headers: Mapping[bytes, bytes], arrival: Arrival) -> bytes | None:
        if arrival.more or arrival.left or len(arrival.body) > self._ready.max_body_bytes:
            return None
        try:
            return self._ready.answer(headers, bytes(arrival.body))
        except Exception as error:  # noqa: BLE001  # a bug: the ordinary way answers, here or with a 500
            log.error("request.bug", route=self._ready.path, error=bug(error), frames=frames_of(error))
            return None


class _Again:
    """A request of whose body some arrived already. If it `is_late`, its time is over: no more is waited for."""

    __slots__ = ("_arrival", "_is_late", "_receive")

    def __init__(self, arrival: Arrival, receive: Receive, *, is_late: bool) -> None:
        self._arrival: Arrival | None = arrival
        self._receive = receive
        self._is_late = is_late

    async def receive(self) -> Message:
        """That once more, then what follows. Raises TimeoutError, which bodies answers with a 408, where nothing may."""
        if (arrival := self._arrival) is not None:
            self._arrival = None
            goes_on = arrival.more or arrival.left
            return {"type": "http.request", "body": bytes(arrival.body), "more_body": goes_on}
        if self._is_late:
            self._is_late = False  # the answer may still ask whether its caller is there
            raise TimeoutError
        return await self._receive()

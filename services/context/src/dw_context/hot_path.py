"""POST /v1/context without a framework around it: it is asked before every reply, and routing, dependencies and request
objects would cost as much as the pack.

Three ways lead to the same use case. `PackEndpoint.at_once` answers what is in memory, outside of everything else
(dw_runtime.at_once). `HotPath` takes what has to wait, is refused or is traced, below the edge that traces and counts.
The route itself stands in routes.py, for all who read the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from dw_context.adapters.keys import RuntimeKeys
from dw_context.build_pack import BuildPack, BuildPackFromSql
from dw_contracts.http.context import BuildContextRequest
from dw_runtime import ProblemError
from dw_runtime.bodies import body_of, parse_model
from dw_runtime.failures import AGAIN
from dw_runtime.problems import problem_response, unavailable_response

PATH: Final = "/v1/context"
MAX_BODY_BYTES: Final = 128 * 1024
_MEDIA_TYPES: Final = frozenset({b"application/json", b"application/json;charset=utf-8"})
_ROUTE: Final = SimpleNamespace(path=PATH)  # what it is measured under
_JSON: Final = (b"content-type", b"application/json")


@dataclass(frozen=True, slots=True)
class PackEndpoint:
    """From a request to the bytes of a pack."""

    keys: RuntimeKeys
    build_pack: BuildPack | BuildPackFromSql

    async def answer(self, scope: Scope, receive: Receive) -> bytes:
        """Raises ProblemError, and what failures.AGAIN names."""
        headers = Headers(scope=scope)
        key = await self.keys.authenticate(headers.get("authorization", ""))
        body = await body_of(headers, receive, MAX_BODY_BYTES)
        return await self.build_pack.run(key, parse_model(body, BuildContextRequest))

    def at_once(self, headers: Mapping[bytes, bytes], body: bytes) -> bytes | None:
        """The same where nothing is refused and all is in memory, else None."""
        if headers.get(b"content-type") not in _MEDIA_TYPES or b"content-encoding" in headers:
            return None
        key = self.keys.known(headers.get(b"authorization", b"").decode("latin-1"))
        if key is None:
            return None
        try:
            request = parse_model(body, BuildContextRequest)
        except ProblemError:
            return None
        return self.build_pack.at_once(key, request)


class HotPath:
    """ASGI middleware below RequestEdge. Everything but the one path passes."""

    def __init__(self, app: ASGIApp, endpoint: PackEndpoint) -> None:
        self._app = app
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        scope["route"] = _ROUTE
        try:
            body = await self._endpoint.answer(scope, receive)
        except ProblemError as error:
            await problem_response(error.problem, error.headers)(scope, receive, send)
        except AGAIN as error:
            await unavailable_response(error)(scope, receive, send)
        else:
            length = (b"content-length", b"%d" % len(body))
            await send({"type": "http.response.start", "status": 200, "headers": [length, _JSON]})
            await send({"type": "http.response.body", "body": body})

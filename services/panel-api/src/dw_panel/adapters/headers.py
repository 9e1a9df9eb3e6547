"""Headers that keep a browser from doing what no page of ours asks for. On every answer, pages or not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

STATIC: Final = "/static/"
_CSP: Final = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_ALWAYS: Final = {
    "Content-Security-Policy": _CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """ASGI middleware. `secure` adds HSTS, where the panel is reached over TLS alone."""

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        self._app = app
        self._more = {"Strict-Transport-Security": "max-age=31536000"} if secure else {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pages hold what their readers alone may see, so nothing but style sheets is kept anywhere."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        cache = "public, max-age=300" if scope["path"].startswith(STATIC) else "no-store"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**_ALWAYS, **self._more, "Cache-Control": cache}.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)

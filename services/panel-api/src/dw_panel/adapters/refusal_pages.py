"""A refusal that a browser is shown is a page, whoever refuses: the edge and the router know no pages."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dw_contracts.http.problem import MEDIA_TYPE, Problem
from dw_panel.adapters.templates import Templates

PROGRAMS: Final = ("/v1/", "/health/", "/metrics", "/openapi.json", "/control/", "/static/")
"""Addresses of programs, which get problem details whatever they accept."""


class RefusalPages:
    """ASGI middleware. Who accepts no HTML, or asks at an address for programs, gets problem details."""

    def __init__(self, app: ASGIApp, home: str) -> None:
        self._app = app
        self._home = home
        self._templates = Templates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if not _is_for_people(scope):
            await self._app(scope, receive, send)
            return
        held: list[Message] = []

        async def as_page(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_problem(message):
                held.append(message)
                return
            if not held:
                await send(message)
                return
            held.append(message)
            if not message.get("more_body", False):
                await self._send_page(held, send)

        await self._app(scope, receive, as_page)

    async def _send_page(self, held: list[Message], send: Send) -> None:
        start = held[0]
        said = b"".join(message.get("body", b"") for message in held[1:])
        problem = Problem.model_validate_json(said)
        page = self._templates.page("refused.html", start["status"], problem=problem, home=self._home)
        headers = MutableHeaders(scope=start)
        headers["content-type"] = page.headers["content-type"]
        headers["content-length"] = str(len(page.body))
        await send(start)
        await send({"type": "http.response.body", "body": bytes(page.body)})


def _is_for_people(scope: Scope) -> bool:
    return (
        scope["type"] == "http"
        and not scope["path"].startswith(PROGRAMS)
        and "text/html" in Headers(scope=scope).get("accept", "")
    )


def _is_problem(message: Message) -> bool:
    return Headers(raw=message["headers"]).get("content-type", "").startswith(MEDIA_TYPE)

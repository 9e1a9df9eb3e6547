"""The product's HTTP APIs as the player calls them: patient with restarts, and honest about what is not there yet."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import httpx

from dw_cli.play.expect import DONE, Outcome, refusal

PATIENCE_SECONDS: Final = 60.0
AGAIN_SECONDS: Final = 0.1
_AGAIN: Final = frozenset({429, 502, 503, 504})
_REFUSED: Final = {401: "unauthenticated", 403: "forbidden", 404: "not_found", 409: "conflict"}
_INVALID: Final = frozenset({400, 413, 415, 422})
_PARAMETER: Final = re.compile(r"\{[^}]*\}")


class Unmet(Exception):
    """A step that did not hold; its words say what was seen."""


class Silent(Unmet):
    """A service gave no answer for longer than any restart takes: nothing that follows can hold."""


class Missing(Unmet):
    """The product has no such feature yet: the step fails, whatever it expects."""

    def __init__(self, feature: str) -> None:
        super().__init__(f"the product cannot do this yet: {feature}")


@dataclass(frozen=True, slots=True)
class Route:
    """A door of the product: `feature` says in words what it is for, should it not be there."""

    service: str
    method: str
    path: str
    feature: str

    def at(self, **parts: Any) -> str:
        """The path with its parameters filled in."""
        return self.path.format(**parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """Status and JSON."""

    status: int
    body: Any

    @property
    def outcome(self) -> Outcome:
        """Done, or which refusal. Unmet for what is neither: a fault of the product."""
        if 200 <= self.status < 300:
            return DONE
        said = self.body.get("detail", "") if isinstance(self.body, dict) else ""
        if self.status in _INVALID:
            return refusal("invalid", str(said))
        if self.status in _REFUSED:
            return refusal(_REFUSED[self.status], str(said))
        raise Unmet(f"the product answered {self.status}: {said or self.body!r:.200}")


class Api:
    """One HTTP client for all services of a stack. Connections that are refused are tried again: a service may just
    be starting. What was sent and got no answer is only repeated where that is `safe`."""

    def __init__(self, urls: Mapping[str, str], patience: float = PATIENCE_SECONDS) -> None:
        self._urls = dict(urls)
        self._patience = patience
        self._client = httpx.AsyncClient(timeout=30.0)
        self._routes: dict[str, frozenset[tuple[str, str]]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def has(self, route: Route) -> bool:
        """Whether the running product has this door, by its own OpenAPI document."""
        if route.service not in self._routes:
            known = (
                await self.call(Route(route.service, "GET", "/openapi.json", "its own description"), "")
            ).body
            self._routes[route.service] = frozenset(
                (method.upper(), _PARAMETER.sub("{}", path))
                for path, methods in known["paths"].items()
                for method in methods
            )
        return (route.method, _PARAMETER.sub("{}", route.path)) in self._routes[route.service]

    async def need(self, route: Route) -> None:
        """Missing where the product has no such door."""
        if not await self.has(route):
            raise Missing(route.feature)

    async def call(
        self,
        route: Route,
        token: str,
        *,
        path: str = "",
        json: Any = None,
        params: Any = None,
        safe: bool = True,
    ) -> Answer:
        """The answer, after as many tries as a restart needs."""
        url = self._urls[route.service] + (path or route.path)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        deadline = time.monotonic() + self._patience
        while True:
            try:
                response = await self._client.request(
                    route.method, url, json=json, params=params, headers=headers
                )
            except (httpx.ConnectError, httpx.TransportError) as error:
                if time.monotonic() > deadline or not (safe or isinstance(error, httpx.ConnectError)):
                    raise Silent(f"{route.service} gave no answer ({type(error).__name__})") from error
            else:
                if response.status_code not in _AGAIN or time.monotonic() > deadline:
                    return Answer(response.status_code, _json(response))
            await asyncio.sleep(AGAIN_SECONDS)


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return response.text

"""HTTP to providers: keys with rotation, statuses as kinds of trouble, answers of bounded size."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import httpx
import orjson

from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import CallFailed
from dw_detector.settings import Settings
from dw_learning.gate.failures import CallError, error_of_status
from dw_learning.gate.features import FEATURES
from dw_runtime import Handle

MAX_ANSWER_BYTES: Final = 256 * 1024


@asynccontextmanager
async def open_client(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client with as many connections as calls may be in flight. It holds no key: those go with each call."""
    async with httpx.AsyncClient(
        base_url=settings.base_url.rstrip("/") + "/",
        timeout=httpx.Timeout(longest_seconds(settings), connect=settings.timeout_seconds),
        limits=httpx.Limits(
            max_connections=settings.concurrency, max_keepalive_connections=settings.concurrency
        ),
    ) as client:
        yield client


def longest_seconds(settings: Settings) -> float:
    """Of one call of any feature; the gate ends each in its own time."""
    return max(feature.seconds(settings.timeout_seconds) for feature in FEATURES)


class KeySource(Protocol):
    """Where keys come from: asked anew for each call."""

    def headers(self) -> list[dict[str, str]]:
        """One set a key, in order; one empty set where the endpoint asks for none."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Two may be live while one is being replaced (G28): where the first is refused, the next is tried."""

    header: str
    values: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, header: str, prefix: str = "") -> Keys:
        """Comma separated; none at all is right for an endpoint that asks for none."""
        found = tuple(f"{prefix}{key.strip()}" for key in text.split(",") if key.strip())
        return cls(header, found)

    def headers(self) -> list[dict[str, str]]:
        """One set a key, in order."""
        return [{self.header: value} for value in self.values] or [{}]


async def post(
    client: Handle[httpx.AsyncClient], path: str, body: bytes, keys: KeySource, more: Mapping[str, str]
) -> Any:
    """The answer's JSON. CallFailed by status; InvalidAnswer where it is no JSON or too long."""
    response: httpx.Response | None = None
    for key in keys.headers():
        headers = {"Content-Type": "application/json", **more, **key}
        try:
            response = await client().post(path, content=body, headers=headers)
        except httpx.TimeoutException as error:
            raise CallFailed(CallError.TIMEOUT, type(error).__name__) from None
        except httpx.HTTPError as error:
            raise CallFailed(CallError.UNREACHABLE, type(error).__name__) from None
        if response.status_code not in (401, 403):
            break
    if response is None:
        raise CallFailed(CallError.AUTH, "there is no key")
    if response.status_code != 200:
        error_kind = error_of_status(response.status_code, _code(response))
        raise CallFailed(error_kind, f"the provider answered {response.status_code}")
    return _json(response)


def _json(response: httpx.Response) -> Any:
    if len(response.content) > MAX_ANSWER_BYTES:
        raise InvalidAnswer("the answer is too long")
    try:
        return orjson.loads(response.content)
    except orjson.JSONDecodeError:
        raise InvalidAnswer("the answer is no JSON") from None


def _code(response: httpx.Response) -> str:
    """The provider's own code, from a body that may be anything."""
    try:
        error = orjson.loads(response.content[:MAX_ANSWER_BYTES])["error"]
        return " ".join(str(error.get(name) or "") for name in ("code", "type"))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return ""


def count(usage: Any, *path: str) -> int | None:
    """A number of the usage block, or None: unknown is not zero (G23)."""
    for name in path:
        usage = usage.get(name) if isinstance(usage, dict) else None
    return usage if isinstance(usage, int) and not isinstance(usage, bool) and usage >= 0 else None

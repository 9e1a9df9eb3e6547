"""HTTP to providers: keys with rotation, statuses as kinds of trouble, answers of bounded size."""

from __future__ import annotations

import re
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
from dw_learning.scan import is_credential
from dw_runtime import Handle

MAX_ANSWER_BYTES: Final = 256 * 1024


NAME: Final = re.compile(r"[A-Za-z][\w.\[\]-]{0,63}")
MODEL: Final = re.compile(r"[\w.:/@+-]{1,128}")


@dataclass(frozen=True, slots=True)
class Told:
    """What a provider says of an error: `code` and `param` are names, `message` is looked at and never kept."""

    code: str = ""
    param: str = ""
    message: str = ""

    def is_about(self, param: str) -> bool:
        """Whether it refuses this parameter. Where it names none, its words begin with it."""
        if self.param:
            return self.param == param
        return re.match(rf"(?:Unsupported (?:parameter|value): )?[`'\"]?{param}\b", self.message) is not None


class RefusedByProvider(CallFailed):
    """An error status, and what its body told."""

    def __init__(self, status: int, told: Told) -> None:
        error = error_of_status(status, told.code, told.param, told.message)
        why = " ".join(filter(None, (f"the provider answered {status}", told.code, told.param)))
        super().__init__(error, why, status=status, code=told.code)
        self.told = told

    def in_another_form(self) -> CallFailed:
        """The same, where the target now asks in another way (G14)."""
        return CallFailed(CallError.PARAMETER, str(self), status=self.status, code=self.code)


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
        raise RefusedByProvider(response.status_code, _told(response))
    return _json(response)


def _json(response: httpx.Response) -> Any:
    if len(response.content) > MAX_ANSWER_BYTES:
        raise InvalidAnswer("the answer is too long")
    try:
        return orjson.loads(response.content)
    except orjson.JSONDecodeError:
        raise InvalidAnswer("the answer is no JSON") from None


def _told(response: httpx.Response) -> Told:
    """What an error's body says, from one that may be anything. Some put it at the top, some under `error`, some
    into a list."""
    try:
        body = orjson.loads(response.content[:MAX_ANSWER_BYTES])
    except orjson.JSONDecodeError:
        return Told()
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return Told(message=error if isinstance(error, str) else "")
    code = " ".join(word for name in ("code", "type") if (word := _plain(error.get(name))))
    message = error.get("message")
    return Told(code, _plain(error.get("param")), message if isinstance(message, str) else "")


def _plain(name: Any) -> str:
    """A name that may stand in a log: a word of the provider's, no text of anybody."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or is_credential(name):
        return ""
    return name


def model_named(answer: Any) -> str:
    """As the provider calls what answered; nothing where that is no name."""
    name = answer.get("model")
    return name if isinstance(name, str) and MODEL.fullmatch(name) and not is_credential(name) else ""


def count(usage: Any, *path: str) -> int | None:
    """A number of the usage block, or None: unknown is not zero (G23)."""
    for name in path:
        usage = usage.get(name) if isinstance(usage, dict) else None
    return usage if isinstance(usage, int) and not isinstance(usage, bool) and usage >= 0 else None

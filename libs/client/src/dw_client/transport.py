"""One HTTP client for all of ours: timeouts, few tries for what is safe to repeat, problems as errors."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

import httpx

from dw_client.problems import Unavailable, raise_for_problem, refuse_unfit_token

TRIES = 3
FIRST_WAIT_SECONDS = 0.2
_AGAIN = frozenset({429, 502, 503, 504})


class Transport:
    """Use as an async context manager. `timeout` is of one try, in seconds; `traceparent` is that of every call which
    brings none of its own. A token that none of ours can be is Refused at once."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 10.0,
        tries: int = TRIES,
        traceparent: str | None = None,
    ) -> None:
        refuse_unfit_token(token)
        self._client = httpx.AsyncClient(
            base_url=base_url, headers={"Authorization": f"Bearer {token}"}, timeout=timeout
        )
        self._tries = tries
        self._traceparent = traceparent

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        await self._client.__aexit__(kind, error, traceback)

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Any = None,
        traceparent: str | None = None,
        answers: frozenset[int] = frozenset(),
        again: bool = True,
    ) -> Any:
        """The answer's JSON. Nearly every request of ours may be repeated: events by their id, decisions by row_version;
        with `again` false it is tried once. `answers` are statuses from 400 on that are no refusal of the request but
        what became of it."""
        trace = traceparent or self._traceparent
        headers = {"traceparent": trace} if trace else None
        tries = self._tries if again else 1
        for attempt in range(1, tries + 1):
            try:
                response = await self._client.request(method, path, json=json, params=params, headers=headers)
            except httpx.TransportError as error:
                if attempt == tries:
                    raise Unavailable(f"{method} {path}: {type(error).__name__}") from error
                await asyncio.sleep(_wait(attempt))
                continue
            if response.status_code not in _AGAIN or attempt == tries:
                break
            await asyncio.sleep(max(_wait(attempt), _retry_after(response)))
        if response.status_code not in answers or "problem" in response.headers.get("content-type", ""):
            raise_for_problem(response)
        return response.json()

    async def stream(
        self, path: str, *, params: Any = None, method: str = "GET", json: Any = None
    ) -> AsyncIterator[bytes]:
        """The answer's body in pieces, tried once: what was handed on cannot be taken back. Raises Unavailable where
        it ends before its end."""
        try:
            async with self._client.stream(method, path, params=params, json=json) as response:
                if response.status_code >= 400:
                    await response.aread()
                    raise_for_problem(response)
                async for piece in response.aiter_bytes():
                    yield piece
        except httpx.TransportError as error:
            raise Unavailable(f"{method} {path}: {type(error).__name__}") from error


def _wait(attempt: int) -> float:
    return FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)


def _retry_after(response: httpx.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return min(float(value), 30.0) if value.isdigit() else 0.0

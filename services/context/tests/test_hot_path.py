"""What the hot path refuses before it looks for a pack: as every other route does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import orjson
import pytest

from dw_context.adapters.keys import RuntimeKeys
from dw_context.build_pack import BuildPack
from dw_context.hot_path import MAX_BODY_BYTES, PATH, HotPath, PackEndpoint

JSON = (b"content-type", b"application/json")


class Door:
    """Opens for everybody; makes a pack of whatever is asked."""

    async def authenticate(self, authorization: str) -> None:
        return None

    async def run(self, key: object, request: object) -> bytes:
        return b"{}"


async def _once(body: bytes) -> AsyncIterator[dict[str, Any]]:
    yield {"type": "http.request", "body": body, "more_body": False}


async def _never() -> AsyncIterator[dict[str, Any]]:
    yield {"type": "http.request", "body": b"{", "more_body": True}
    await asyncio.Event().wait()


async def _left() -> AsyncIterator[dict[str, Any]]:
    yield {"type": "http.request", "body": b"{", "more_body": True}
    yield {"type": "http.disconnect"}


async def answer_to(
    messages: AsyncIterator[dict[str, Any]], *headers: tuple[bytes, bytes]
) -> tuple[int, dict[str, Any]]:
    """Status and body."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return await anext(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    async def elsewhere(*_: Any) -> None:
        raise AssertionError("this is the hot path's")

    door = Door()
    path = HotPath(elsewhere, PackEndpoint(cast(RuntimeKeys, door), cast(BuildPack, door)))
    scope = {"type": "http", "method": "POST", "path": PATH, "headers": [*headers]}
    async with asyncio.timeout(10):
        await path(scope, receive, send)
    return sent[0]["status"], orjson.loads(sent[1]["body"])


async def test_a_body_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dw_runtime.bodies.BODY_SECONDS", 0.05)
    status, told = await answer_to(_never(), JSON)
    assert (status, told["type"]) == (408, "urn:dw:problem:invalid-body")


ASKED = b'{"role_agent":"a","channel":"c"}'


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (ASKED, [JSON], 200),
        (ASKED, [(b"content-type", b'Application/JSON; charset="UTF-8"')], 200),
        (ASKED, [JSON, (b"x-who", "é".encode())], 200),
        (ASKED, [JSON, (b"x-who", b"\xff")], 400),
        (ASKED, [], 415),
        (ASKED, [JSON, (b"content-encoding", b"gzip")], 415),
        (ASKED, [JSON, (b"content-length", b"999999")], 413),
        (b" " * (MAX_BODY_BYTES + 1), [JSON], 413),
        (b"{", [JSON], 400),
        (b"{}", [JSON], 422),
    ],
)
async def test_what_does_not_fit_is_refused(
    body: bytes, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    assert (await answer_to(_once(body), *headers))[0] == status


async def test_a_caller_who_leaves_is_not_answered_with_half_a_body() -> None:
    assert (await answer_to(_left(), JSON))[0] == 400

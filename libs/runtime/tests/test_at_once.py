"""What is at hand is answered at once; all else goes the ordinary way, whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI, Request

from dw_contracts.settings import IngestSettings
from dw_runtime import Chassis, Ready, current_trace_id, read_body
from dw_runtime.names import HTTP_REQUESTS

PARENT = f"00-{'ab' * 16}-{'cd' * 8}-01"
UNSAMPLED = f"00-{'ab' * 16}-{'cd' * 8}-00"
JSON = {"content-type": "application/json"}


@dataclass
class World:
    """An application with one such route, and what was asked of its quick answer."""

    folder: Path
    sample: float = 0.0
    looked: list[bytes] = field(default_factory=list)

    def at_once(self, headers: Mapping[bytes, bytes], body: bytes) -> bytes | None:
        self.looked.append(body)
        if body == b"bug":
            raise RuntimeError("a secret of ours")
        return b'{"quick":true}' if body == b"quick" else None

    def app(self) -> tuple[FastAPI, Chassis]:
        chassis = Chassis(IngestSettings(trace_dir=str(self.folder), trace_sample=self.sample))
        app = FastAPI()

        @app.post("/pack")
        async def pack(request: Request) -> dict[str, str]:
            body = await read_body(request, 100)
            return {"body": body.decode(), "trace_id": current_trace_id()}

        chassis.install(app, ready=Ready("/pack", 50, self.at_once))
        return app, chassis


def asked(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://t", headers=JSON)


async def test_what_is_at_hand_is_answered_named_and_counted(tmp_path: Path) -> None:
    world = World(tmp_path)
    app, chassis = world.app()
    async with asked(app) as client:
        answer = await client.post("/pack", content=b"quick", headers={"x-request-id": "mine-1"})
        other = await client.post("/pack", content=b"quick")
    assert (answer.status_code, answer.json()) == (200, {"quick": True})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"] == "mine-1"
    assert len(other.headers["x-request-id"]) == 16
    labels = {"service": "ingest", "route": "/pack", "status": "200"}
    assert chassis.metrics.registry.get_sample_value(f"{HTTP_REQUESTS}_total", labels) == 2


@pytest.mark.parametrize("content", [b"slow", b"bug", b""])
async def test_what_is_not_at_hand_goes_the_ordinary_way_with_its_body(
    tmp_path: Path, content: bytes
) -> None:
    world = World(tmp_path)
    async with asked(world.app()[0]) as client:
        answer = await client.post("/pack", content=content)
    assert (answer.status_code, answer.json()["body"]) == (200, content.decode())
    assert world.looked == [content]


async def test_a_body_that_comes_in_parts_is_read_whole(tmp_path: Path) -> None:
    async def parts(*sent: bytes) -> AsyncIterator[bytes]:
        for part in sent:
            yield part

    world = World(tmp_path)
    async with asked(world.app()[0]) as client:
        quick = await client.post("/pack", content=parts(b"qui", b"ck"))
        long = await client.post("/pack", content=parts(b"a" * 40, b"b" * 20, b"c" * 20))
        longer = await client.post("/pack", content=parts(*[b"a" * 20] * 6))
    assert (quick.json(), world.looked) == ({"quick": True}, [b"quick"])
    assert long.json()["body"] == "a" * 40 + "b" * 20 + "c" * 20
    assert longer.status_code == 413


async def test_a_body_that_never_comes_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dw_runtime.bodies.BODY_SECONDS", 0.05)
    world, sent = World(tmp_path), []
    parts = iter([b"qui"])
    asked_for_more = 0

    async def receive() -> dict[str, Any]:
        nonlocal asked_for_more
        if (part := next(parts, None)) is None:
            asked_for_more += 1
            await asyncio.Event().wait()
        return {"type": "http.request", "body": part, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/pack", "query_string": b"", "headers": headers}
    async with asyncio.timeout(10):
        await world.app()[0](scope, receive, send)
    assert (sent[0]["status"], asked_for_more, world.looked) == (408, 1, [])


async def test_a_caller_who_leaves_is_no_answer_at_once(tmp_path: Path) -> None:
    world, sent = World(tmp_path), []
    parts = iter([{"type": "http.request", "body": b"quick", "more_body": True}])

    async def receive() -> dict[str, Any]:
        return next(parts, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/pack", "query_string": b"", "headers": headers}
    await world.app()[0](scope, receive, send)
    assert (sent[0]["status"], world.looked) == (400, [])


async def test_a_header_that_may_be_refused_goes_the_ordinary_way(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with asked(world.app()[0]) as client:
        wrong = await client.post("/pack", content=b"quick", headers={b"x-who": b"\xff"})
        fine = await client.post("/pack", content=b"quick", headers={b"x-who": "é".encode()})
    assert (wrong.status_code, fine.status_code, world.looked) == (400, 200, [])


@pytest.mark.parametrize("traceparent", [PARENT, UNSAMPLED])
async def test_a_trace_that_was_sent_goes_the_ordinary_way(tmp_path: Path, traceparent: str) -> None:
    world = World(tmp_path)
    async with asked(world.app()[0]) as client:
        answer = await client.post("/pack", content=b"quick", headers={"traceparent": traceparent})
    assert (answer.json()["trace_id"], world.looked) == ("ab" * 16, [])


async def test_what_is_drawn_for_a_trace_is_traced(tmp_path: Path) -> None:
    world = World(tmp_path, sample=1.0)
    app, chassis = world.app()
    async with asked(app) as client:
        answer = await client.post("/pack", content=b"quick")
    chassis.telemetry.shutdown()
    spans = [orjson.loads(line) for line in (tmp_path / "ingest.jsonl").read_bytes().splitlines()]
    assert world.looked == []
    assert [(span["trace_id"], span["name"]) for span in spans] == [
        (answer.json()["trace_id"], "ingest POST /pack")
    ]


async def test_other_methods_paths_and_queries_are_not_looked_at(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with asked(world.app()[0]) as client:
        statuses = [
            (await client.get("/pack")).status_code,
            (await client.post("/else", content=b"quick")).status_code,
            (await client.post("/pack?x=%00", content=b"quick")).status_code,
            (await client.post("/pack?x=1", content=b"quick")).status_code,
        ]
    assert (statuses, world.looked) == ([405, 404, 422, 200], [])

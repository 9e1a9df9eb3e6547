"""The HTTP edge: problems for every refusal, bodies counted, one span and one measurement a request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI, Request
from pydantic import Field, field_validator

from dw_contracts.http.problem import ProblemCode, problem
from dw_contracts.model import Contract
from dw_contracts.settings import IngestSettings, TriageSettings
from dw_runtime import (
    Chassis,
    ProblemError,
    current_trace_id,
    current_traceparent,
    read_body,
    read_model,
    span,
)
from dw_runtime.bodies import Arrival
from dw_store.errors import StoreUnavailable

PARENT = f"00-{'ab' * 16}-{'cd' * 8}-01"


class Body(Contract):
    """What a route takes."""

    count: int = Field(ge=0, description="how many")

    @field_validator("count")
    @classmethod
    def _lucky(cls, value: int) -> int:
        if value == 13:
            raise ValueError("not so many")
        return value


def _app(tmp_path: Path) -> FastAPI:
    chassis = Chassis(IngestSettings(trace_dir=str(tmp_path), trace_sample=0.0))
    app = FastAPI()

    @app.post("/raw")
    async def raw(request: Request) -> dict[str, int]:
        return {"size": len(await read_body(request, 100))}

    @app.post("/model")
    async def model(request: Request) -> dict[str, int]:
        return {"count": (await read_model(request, Body, 1_000)).count}

    @app.post("/auto/{number}")
    async def auto(number: int, body: Body) -> dict[str, int]:
        return {"count": body.count, "number": number}

    @app.get("/fail/{kind}")
    async def fail(kind: str) -> None:
        match kind:
            case "store":
                raise StoreUnavailable("away")
            case "refused":
                raise ProblemError(problem(ProblemCode.RATE_LIMITED, 429, "slowly"), {"Retry-After": "3"})
            case _:
                raise RuntimeError("a secret of ours")

    @app.get("/trace")
    async def trace() -> dict[str, str | None]:
        with span("inner", rows=3):
            return {"traceparent": current_traceparent(), "trace_id": current_trace_id()}

    chassis.install(app, max_body_bytes=2_000)
    app.state.chassis = chassis
    return app


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return _app(tmp_path)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://t") as client:
        yield client


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "code"),
    [
        ("POST", "/raw", b"x" * 101, JSON, 413, "too-large"),
        ("POST", "/raw", b"{}", {"content-type": "text/plain"}, 415, "unsupported-media-type"),
        (
            "POST",
            "/raw",
            b"{}",
            {"content-type": "application/json; charset=latin-1"},
            415,
            "unsupported-media-type",
        ),
        ("POST", "/raw", b"{}", {**JSON, "content-encoding": "gzip"}, 415, "unsupported-media-type"),
        ("POST", "/model", b"{", JSON, 400, "invalid-json"),
        ("POST", "/model", b'{"count":1,"count":2}', JSON, 400, "invalid-json"),
        ("POST", "/model", b'{"count":NaN}', JSON, 400, "invalid-json"),
        ("POST", "/model", b"[" * 999, JSON, 400, "invalid-json"),
        ("POST", "/model", b'{"count":-1}', JSON, 422, "invalid-body"),
        ("POST", "/auto/1", b'{"count":"a-lot"}', JSON, 422, "invalid-body"),
        ("POST", "/auto/one", b'{"count":1}', JSON, 422, "invalid-body"),
        ("POST", "/auto/1", b'{"count":1, "x":"' + b"x" * 2_000 + b'"}', JSON, 413, "too-large"),
        ("GET", "/nowhere", b"", {}, 404, "not-found"),
        ("GET", "/trace?q=a%00b", b"", {}, 422, "invalid-body"),
        ("GET", "/fail/a%00b", b"", {}, 422, "invalid-body"),
        ("DELETE", "/raw", b"", {}, 405, "method-not-allowed"),
        ("GET", "/fail/store", b"", {}, 503, "unavailable"),
        ("GET", "/fail/refused", b"", {}, 429, "rate-limited"),
        ("GET", "/fail/bug", b"", {}, 500, "unavailable"),
    ],
)
async def test_every_refusal_is_a_problem(
    client: httpx.AsyncClient,
    method: str,
    path: str,
    content: bytes,
    headers: dict[str, str],
    status: int,
    code: str,
) -> None:
    answer = await client.request(method, path, content=content, headers=headers)
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["status"], body["type"]) == (status, status, f"urn:dw:problem:{code}")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text
    assert "a-lot" not in answer.text
    assert answer.headers.get("retry-after") == {503: "2", 429: "3"}.get(status)


async def test_an_invalid_body_says_where(client: httpx.AsyncClient) -> None:
    for path in ("/model", "/auto/1"):
        answer = await client.post(path, content=b'{"count":-1}', headers=JSON)
        assert [error["at"] for error in answer.json()["errors"]] == ["count"]
        answer = await client.post(path, content=b'{"count":13}', headers=JSON)
        assert answer.json()["errors"] == [{"at": "count", "problem": "not so many"}]


async def test_a_length_that_lies_is_cut_off(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            yield b"x" * 50

    answer = await client.post("/raw", content=endless(), headers=JSON)
    assert answer.status_code == 413


async def test_a_sampled_traceparent_is_followed(
    app: FastAPI, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    answer = (await client.get("/trace", headers={"traceparent": PARENT})).json()
    app.state.chassis.telemetry.shutdown()
    inner, outer = (orjson.loads(line) for line in (tmp_path / "ingest.jsonl").read_bytes().splitlines())
    assert (outer["name"], outer["parent_id"], outer["trace_id"]) == (
        "ingest GET /trace",
        "cd" * 8,
        "ab" * 16,
    )
    assert (inner["name"], inner["parent_id"], inner["attributes"]) == (
        "inner",
        outer["span_id"],
        {"rows": 3},
    )
    assert answer == {"traceparent": f"00-{'ab' * 16}-{inner['span_id']}-01", "trace_id": "ab" * 16}


async def test_an_unsampled_one_is_passed_on_and_a_wrong_one_is_dropped(client: httpx.AsyncClient) -> None:
    unsampled = PARENT[:-2] + "00"
    passed = (await client.get("/trace", headers={"traceparent": unsampled})).json()
    assert passed == {"traceparent": unsampled, "trace_id": "ab" * 16}
    dropped = (await client.get("/trace", headers={"traceparent": "00-" + "z" * 52})).json()
    assert dropped == {"traceparent": None, "trace_id": ""}


async def test_request_ids_are_kept_where_they_are_harmless(client: httpx.AsyncClient) -> None:
    kept = await client.get("/trace", headers={"x-request-id": "abc-1"})
    made = await client.get("/trace", headers={"x-request-id": "a b\x01"})
    assert kept.headers["x-request-id"] == "abc-1"
    assert len(made.headers["x-request-id"]) == 16


async def test_requests_are_measured_by_route_template(client: httpx.AsyncClient) -> None:
    await client.post("/auto/7", content=b'{"count":1}', headers=JSON)
    metrics = (await client.get("/metrics")).text
    assert 'dw_http_requests_total{route="/auto/{number}",service="ingest",status="200"} 1.0' in metrics
    assert "/auto/7" not in metrics


async def test_resume_is_not_for_browsers_nor_for_others(app: FastAPI, client: httpx.AsyncClient) -> None:
    assert (await client.post("/control/resume")).json() == {"resumed": []}
    assert (await client.post("/control/resume", headers={"origin": "http://evil"})).status_code == 403
    elsewhere = httpx.ASGITransport(app=app, client=("10.0.0.9", 1))
    async with httpx.AsyncClient(transport=elsewhere, base_url="http://t") as other:
        assert (await other.post("/control/resume")).status_code == 403


async def test_a_body_that_never_comes_is_not_waited_for(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dw_runtime.bodies.BODY_SECONDS", 0.05)

    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    sent: list[dict[str, Any]] = []
    parts = never()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": await anext(parts), "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/raw",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"50")],
    }
    await app(scope, receive, send)
    assert sent[0]["status"] == 408
    assert orjson.loads(sent[1]["body"])["type"].endswith("invalid-body")


async def test_who_gives_up_the_wait_for_a_body_is_not_told_that_it_is_late() -> None:
    waiting = asyncio.create_task(Arrival().wait(asyncio.Event().wait, 10))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/", 404), ("POST", "/metrics", 405)])
async def test_a_process_without_routes_refuses_as_the_others_do(method: str, path: str, status: int) -> None:
    app = Chassis(TriageSettings()).app()
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        answer = await client.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["status"] == status


async def test_nothing_is_ready_before_its_parts_were_so_much_as_asked_for(tmp_path: Path) -> None:
    chassis = Chassis(IngestSettings(trace_dir=str(tmp_path), trace_sample=0.0))
    part, app = asyncio.Event(), FastAPI()

    @asynccontextmanager
    async def seven() -> AsyncIterator[int]:
        await part.wait()
        yield 7

    handle = chassis.resource(seven, "seven")
    chassis.install(app)
    async with app.router.lifespan_context(app):
        assert await chassis.health.ready() == ["starting"]
        await asyncio.sleep(0)
        assert await chassis.health.ready() == ["waiting for seven"]
        part.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (await chassis.health.ready(), handle()) == ([], 7)

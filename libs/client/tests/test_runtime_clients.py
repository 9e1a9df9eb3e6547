"""The clients of a runtime and its agents against a real HTTP server that answers what it was told to."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from dw_client import (
    AgentClient,
    AgentSkillsClient,
    BlockingAgentClient,
    BlockingGatewayClient,
    BlockingRuntimeClient,
    Refused,
    RuntimeClient,
    Unavailable,
    new_traceparent,
)
from dw_client.transport import Transport
from dw_contracts.http.agent_memory import PutMemory, StartedRun, StartRun
from dw_contracts.http.context import BuildContextRequest
from dw_contracts.http.ingest import InboundEvent
from dw_contracts.http.problem import MEDIA_TYPE, ProblemCode, problem
from dw_contracts.http.skills import ProposeSkill

ASKED = BuildContextRequest(role_agent="it_agent", channel="helpdesk")
PACK = {
    "role_agent_id": str(uuid.UUID(int=1)),
    "version": 3,
    "memories": [],
    "memory_chars": 0,
    "blocks": {},
    "built_at": "2026-03-01T00:00:00Z",
}
RUN = StartedRun.model_validate(
    {
        "run_id": str(uuid.UUID(int=2)),
        "token": "t",
        "expires_at": "2026-03-01T00:00:00Z",
        "org_id": str(uuid.UUID(int=3)),
        "role_agent_id": str(uuid.UUID(int=1)),
        "channel_id": str(uuid.UUID(int=4)),
        "memory": "/v1/agents/a/memory",
    }
)
LOST = 0
ANSWER = {"status": "stored", "reason": "", "version": 4}


@dataclass
class Server:
    """Answers the next request with the next entry: status, body, and seconds to wait first. LOST is an answer that
    does not arrive."""

    answers: list[tuple[int, Any, float]] = field(default_factory=list)
    seen: list[tuple[str, str, str, Any]] = field(default_factory=list)
    traces: list[str | None] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def server() -> Iterator[Server]:
    """On a port of its own."""
    made = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        of: ClassVar[Server] = made

        def _serve(self) -> None:
            size = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(size)) if size else None
            self.of.traces.append(self.headers["traceparent"])
            self.of.seen.append((self.command, self.path, self.headers["authorization"], body))
            status, answer, wait = self.of.answers.pop(0)
            time.sleep(wait)
            if status == LOST:
                self.close_connection = True
                return
            sent = json.dumps(answer).encode()
            kind = MEDIA_TYPE if isinstance(answer, dict) and "title" in answer else "application/json"
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815  # names of the base class

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield made
    http.shutdown()
    http.server_close()
    thread.join()


def refused(code: ProblemCode, status: int) -> Any:
    """A problem's JSON."""
    return problem(code, status, "why").model_dump(mode="json")


async def test_a_pack_that_does_not_come_in_time_is_none_and_the_reply_goes_on_without_memory(
    server: Server,
) -> None:
    away = refused(ProblemCode.UNAVAILABLE, 503)
    async with RuntimeClient(server.url, "key", tries=1) as client:
        server.answers = [(200, PACK, 0.0), (503, away, 0.0), (200, PACK, 1.0)]
        pack = await client.build_context_or_none(ASKED)
        assert pack is not None
        assert pack.version == 3
        assert await client.build_context_or_none(ASKED) is None
        assert await client.build_context_or_none(ASKED, within=0.1) is None
    async with RuntimeClient("http://127.0.0.1:9", "key") as client:
        assert await client.build_context_or_none(ASKED, within=0.3) is None


async def test_a_refusal_is_an_error_also_where_one_would_go_on_without_memory(server: Server) -> None:
    server.answers = [(404, refused(ProblemCode.NOT_FOUND, 404), 0.0)]
    async with RuntimeClient(server.url, "key") as client:
        with pytest.raises(Refused) as error:
            await client.build_context_or_none(ASKED)
    assert error.value.problem.status == 404


async def test_the_memory_calls_carry_the_runs_token_and_a_rejection_is_an_answer(server: Server) -> None:
    entry = {"key": "hours", "content": "Closes at six."}
    server.answers = [
        (200, ANSWER, 0.0),
        (422, ANSWER | {"status": "rejected", "reason": "secret_blocked"}, 0.0),
        (202, ANSWER | {"status": "proposed", "reason": "forget"}, 0.0),
        (200, {"entries": []}, 0.0),
        (200, {"operating": [], "knowledge": [], "version": 4}, 0.0),
        (422, refused(ProblemCode.INVALID_BODY, 422), 0.0),
    ]
    made = uuid.uuid4()
    async with AgentClient(server.url, RUN) as client:
        assert (await client.put(PutMemory(**entry))).status == "stored"
        assert (await client.put(PutMemory(**entry))).reason == "secret_blocked"
        assert (await client.delete(made)).status == "proposed"
        assert (await client.memory(layer="knowledge", key="hours")).entries == ()
        assert (await client.summary()).version == 4
        with pytest.raises(Refused):
            await client.put(PutMemory(**entry))
    assert [(method, path) for method, path, _, _ in server.seen[:5]] == [
        ("PUT", "/v1/agents/a/memory"),
        ("PUT", "/v1/agents/a/memory"),
        ("DELETE", f"/v1/agents/a/memory/{made}"),
        ("GET", "/v1/agents/a/memory?layer=knowledge&key=hours"),
        ("GET", "/v1/agents/a/memory/summary"),
    ]
    assert server.seen[0][2:] == ("Bearer t", entry)


def test_the_blocking_clients_do_the_same_without_an_event_loop(server: Server) -> None:
    started = json.loads(RUN.model_dump_json())
    server.answers = [(200, PACK, 0.0), (200, started, 0.0), (200, ANSWER, 0.0), (200, {"entries": []}, 0.0)]
    with BlockingRuntimeClient(server.url, "key") as runtime:
        assert runtime.build_context(ASKED).version == 3
        run = runtime.start_run(StartRun(role_agent="it_agent", channel="helpdesk"))
    with BlockingAgentClient(server.url, run) as agent:
        assert agent.put(PutMemory(key="hours", content="Closes at six.")).version == 4
        assert agent.memory().entries == ()
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


def test_every_call_of_a_client_carries_its_trace_and_a_calls_own_comes_first(server: Server) -> None:
    one, other = new_traceparent(), new_traceparent()
    server.answers = [(200, {"entries": []}, 0.0), (200, ANSWER, 0.0), (200, PACK, 0.0), (200, PACK, 0.0)]
    with BlockingAgentClient(server.url, RUN, traceparent=one) as agent:
        agent.memory()
        agent.put(PutMemory(key="hours", content="Closes at six."))
    with BlockingRuntimeClient(server.url, "key", traceparent=one) as runtime:
        runtime.build_context(ASKED, traceparent=other)
        assert runtime.build_context_or_none(ASKED) is not None
    assert server.traces == [one, one, other, one]


def test_the_blocking_gateway_publishes_and_asks(server: Server) -> None:
    event_id = str(uuid.uuid4())
    accepted = {
        "status": "accepted",
        "events": [{"event_id": event_id, "role_agent_id": str(uuid.UUID(int=1))}],
        "trace_id": "",
    }
    batch = {"accepted": 0, "refused": 1, "results": [{"index": 0, "status": 422}], "trace_id": ""}
    server.answers = [
        (202, accepted, 0.0),
        (207, batch, 0.0),
        (200, {"event_id": event_id, "status": "accepted", "outcomes": []}, 0.0),
    ]
    sender = {"platform": "slack", "external_user_id": "U1"}
    event = InboundEvent.model_validate({"channel": "C1", "message_ref": "m1", "sender": sender, "text": "x"})
    with BlockingGatewayClient(server.url, "key") as gateway:
        assert str(gateway.publish(event).events[0].event_id) == event_id
        assert gateway.publish_batch([{"channel": "C1"}]).refused == 1
        assert gateway.status(uuid.UUID(event_id)).status == "accepted"
    assert [path for _, path, _, _ in server.seen] == ["/v1/events", "/v1/events", f"/v1/events/{event_id}"]


async def test_what_may_not_be_repeated_is_tried_once(server: Server) -> None:
    away = refused(ProblemCode.UNAVAILABLE, 503)
    server.answers = [(503, away, 0.0), (200, {}, 0.0)]
    async with Transport(server.url, "key") as client:
        with pytest.raises(Unavailable):
            await client.call("POST", "/v1/orgs/acme/keys", json={}, again=False)
    assert len(server.seen) == 1


async def test_a_report_that_ends_the_run_is_sent_once_and_another_again(server: Server) -> None:
    """The run's token is over with the first: a second would be refused although all went well."""
    kept = {"run_id": str(RUN.run_id), "counted": 1, "status": "running"}
    refusal = refused(ProblemCode.UNAUTHENTICATED, 401)
    async with AgentClient(server.url, RUN) as client:
        server.answers = [(LOST, {}, 0.0), (200, kept, 0.0)]
        assert (await client.report([uuid.uuid4()])).counted == 1
        server.answers = [(LOST, {}, 0.0), (401, refusal, 0.0)]
        with pytest.raises(Unavailable):
            await client.report(status="succeeded")
    assert len(server.seen) == 3


async def test_a_skill_is_proposed_once_though_the_answer_is_lost(server: Server) -> None:
    """A second proposal of its name would be refused although the first waits in the inbox."""
    server.answers = [(LOST, {}, 0.0), (409, refused(ProblemCode.CONFLICT, 409), 0.0)]
    async with AgentSkillsClient(server.url, "key") as client:
        with pytest.raises(Unavailable):
            await client.propose("acme", "it_agent", ProposeSkill(body_md="x"))
    assert len(server.seen) == 1

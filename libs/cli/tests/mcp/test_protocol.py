"""The protocol without a process: both eras, what is no message, and what a tool's failure becomes."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest

from dw_cli.mcp.protocol import HANDSHAKE, MODERN, SERVER_KEY, VERSION_KEY
from dw_cli.mcp.serve import serve
from dw_cli.mcp.wire import MAX_LINE_BYTES, WireError, read_message


class Echo:
    """A toolbox: `wait` hangs, `fail` is a bug, all else is said back."""

    def __init__(self) -> None:
        self.cancelled: list[str] = []

    def definitions(self) -> list[dict[str, Any]]:
        return [{"name": "echo", "inputSchema": {"type": "object"}}]

    async def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "wait":
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.cancelled.append(name)
                raise
        if name == "fail":
            raise KeyError("a secret word")
        await asyncio.sleep(0.01)
        return {"content": [], "structuredContent": arguments, "isError": False}


async def talk(*messages: Any, tools: Echo | None = None) -> list[dict[str, Any]]:
    """All answers to these messages, in the order in which they came."""
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    for message in messages:
        lines.put_nowait(message if isinstance(message, bytes) else orjson.dumps(message))
    lines.put_nowait(None)
    said: list[bytes] = []
    await serve(tools or Echo(), lines, said.append)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in said)
    return [orjson.loads(line) for line in said]


def request(method: str, id_: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def modern(method: str, version: str = MODERN[0], **params: Any) -> dict[str, Any]:
    return request(method, _meta={VERSION_KEY: version}, **params)


@pytest.mark.parametrize(
    ("asked", "given"),
    [*((version, version) for version in HANDSHAKE), ("2026-07-28", HANDSHAKE[0]), ("x", HANDSHAKE[0])],
)
async def test_a_handshake_agrees_on_a_version_of_its_era(asked: str, given: str) -> None:
    (answer,) = await talk(request("initialize", protocolVersion=asked, capabilities={}, clientInfo={}))
    result = answer["result"]
    assert (result["protocolVersion"], result["capabilities"]) == (given, {"tools": {}})
    assert result["serverInfo"]["name"] == "digital-worker"
    assert "resultType" not in result


async def test_a_request_that_names_its_version_needs_no_handshake() -> None:
    (found,) = await talk(modern("server/discover"))
    result = found["result"]
    assert result["supportedVersions"] == [*MODERN, *HANDSHAKE]
    assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == ("complete", 3_600_000, "public")
    assert result["_meta"][SERVER_KEY]["name"] == "digital-worker"
    (called,) = await talk(modern("tools/call", name="echo", arguments={"a": 1}))
    assert called["result"]["structuredContent"] == {"a": 1}
    assert called["result"]["resultType"] == "complete"


async def test_a_version_that_we_do_not_speak_is_refused_with_those_we_do() -> None:
    (answer,) = await talk(modern("tools/list", version="1900-01-01"))
    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"] == {"supported": [*MODERN, *HANDSHAKE], "requested": "1900-01-01"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{not json", -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'"' + b"x" * MAX_LINE_BYTES + b'"', -32600),
    ],
)
async def test_what_is_no_message_is_refused_and_the_next_one_is_served(line: bytes, code: int) -> None:
    refused, served = await talk(line, request("ping"))
    assert (refused["id"], refused["error"]["code"]) == (None, code)
    assert served == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_methods_and_arguments_that_there_are_not_are_refused() -> None:
    answers = await talk(
        request("resources/list", 1),
        request("initialize", 2),
        request("tools/call", 3, name="echo", arguments="x"),
    )
    assert {answer["id"]: answer["error"]["code"] for answer in answers} == {1: -32601, 2: -32602, 3: -32602}


async def test_notifications_and_answers_of_the_client_are_not_answered() -> None:
    (only,) = await talk(
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 7, "result": {}},
        b"\n",
        request("ping", "last"),
    )
    assert only["id"] == "last"


async def test_what_is_under_way_at_the_end_of_the_input_is_still_answered() -> None:
    answers = await talk(*(request("tools/call", n, name="echo", arguments={"n": n}) for n in range(40)))
    assert sorted(answer["id"] for answer in answers) == list(range(40))


async def test_a_cancelled_request_ends_and_says_nothing() -> None:
    tools = Echo()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    said: list[bytes] = []
    serving = asyncio.create_task(serve(tools, lines, said.append))
    lines.put_nowait(orjson.dumps(request("tools/call", "slow", name="wait")))
    lines.put_nowait(orjson.dumps(request("tools/call", "quick", name="echo")))
    while not said:  # noqa: ASYNC110  # the server writes to a plain list
        await asyncio.sleep(0.01)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}}
    lines.put_nowait(orjson.dumps(cancel))
    lines.put_nowait(None)
    await serving
    assert tools.cancelled == ["wait"]
    assert [orjson.loads(line)["id"] for line in said] == ["quick"]


async def test_a_bug_is_answered_without_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = await talk(request("tools/call", name="fail"))
    assert answer["error"]["code"] == -32603
    assert "secret" not in str(answer)
    assert capsys.readouterr().err == "mcp: tools/call: KeyError\n"


def test_a_request_is_read_whole() -> None:
    with pytest.raises(WireError):
        read_message(b"{}")
    message = read_message(b'{"jsonrpc":"2.0","id":"a","method":"tools/list"}')
    assert message is not None
    assert (message.method, message.params, message.id) == ("tools/list", {}, "a")


async def test_a_request_that_is_wrong_is_answered_under_its_own_id() -> None:
    (answer,) = await talk({"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": "x"})
    assert (answer["id"], answer["error"]["code"]) == (6, -32600)

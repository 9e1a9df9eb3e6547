"""JSON-RPC 2.0 as MCP's stdio has it: one message a line, UTF-8. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import orjson

MAX_LINE_BYTES: Final = 1024 * 1024
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
UNSUPPORTED_VERSION: Final = -32022

RequestId = str | int


class WireError(Exception):
    """A message that is answered with an error object. `id_` is the request's, where it could be read."""

    def __init__(self, code: int, message: str, data: Any = None, *, id_: RequestId | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data
        self.id_ = id_


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or without an id a notification. An answer of the client is None of both: it is not read."""

    method: str
    params: dict[str, Any] = field(default_factory=dict)
    id: RequestId | None = None


def read_message(line: bytes) -> Message | None:
    """The message of a line; None for an answer of the client. Raises WireError for what is neither."""
    if len(line) > MAX_LINE_BYTES:
        raise WireError(INVALID_REQUEST, f"a message has at most {MAX_LINE_BYTES} bytes")
    try:
        body = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise WireError(PARSE_ERROR, "the line is no JSON") from None
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
        raise WireError(INVALID_REQUEST, "a message is one JSON-RPC 2.0 object; there are no batches")
    if "method" not in body and ("result" in body or "error" in body):
        return None
    method, params, id_ = body.get("method"), body.get("params", {}), body.get("id")
    if "id" in body and (isinstance(id_, bool) or not isinstance(id_, str | int)):
        raise WireError(INVALID_REQUEST, "id is a text or a whole number")
    if not isinstance(method, str) or not isinstance(params, dict):
        raise WireError(INVALID_REQUEST, "method is a text and params is an object", id_=id_)
    return Message(method, params, id_)


def result_line(id_: RequestId, result: dict[str, Any]) -> bytes:
    """A request's answer."""
    return _line({"jsonrpc": "2.0", "id": id_, "result": result})


def error_line(id_: RequestId | None, error: WireError) -> bytes:
    """A refusal; its id is null where the request could not be read."""
    said: dict[str, Any] = {"code": error.code, "message": str(error)}
    if error.data is not None:
        said["data"] = error.data
    return _line({"jsonrpc": "2.0", "id": id_, "error": said})


def _line(message: dict[str, Any]) -> bytes:
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)

"""Bodies of requests, read strictly: JSON alone, counted while it is read, never inflated."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final, TypeVar

from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Receive

from dw_contracts.http.problem import ProblemCode, problem
from dw_contracts.model import Contract
from dw_contracts.strict_json import NotStrictJson, loads
from dw_runtime.failures import ProblemError, field_errors
from dw_runtime.problems import refusal

C = TypeVar("C", bound=Contract)
BODY_SECONDS: Final = 30.0
"""A caller that announces a body and does not send it holds a connection no longer than this."""


async def read_body(request: Request, limit: int, media_type: str = "application/json") -> bytes:
    """The body, at most `limit` bytes: a length that lies is cut off. Raises ProblemError (400, 408, 413, 415)."""
    return await body_of(request.headers, request.receive, limit, media_type)


async def body_of(
    headers: Headers, receive: Receive, limit: int, media_type: str = "application/json"
) -> bytes:
    """The same where there is no request object."""
    refuse_headers(headers)
    kind = headers.get("content-type", "").lower().replace(" ", "").replace('"', "")
    if kind not in (media_type, f"{media_type};charset=utf-8"):
        raise refusal(ProblemCode.UNSUPPORTED_MEDIA_TYPE, 415, f"send {media_type} in UTF-8")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise refusal(ProblemCode.UNSUPPORTED_MEDIA_TYPE, 415, "send the body without a content encoding")
    declared = headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit)
    arrival = Arrival()
    if not await arrival.wait(receive, limit):
        late = f"the body did not arrive within {BODY_SECONDS:.0f} s"
        raise refusal(ProblemCode.INVALID_BODY, 408, late)
    if len(arrival.body) > limit:
        raise _too_large(limit)
    if arrival.left:
        raise refusal(ProblemCode.INVALID_BODY, 400, "the body ended early")
    return bytes(arrival.body)


@dataclass(slots=True)
class Arrival:
    """What came of a body so far. There may be `more`, unless its caller has `left` before the end."""

    body: bytearray = field(default_factory=bytearray)
    more: bool = True
    left: bool = False

    async def wait(self, receive: Receive, limit: int) -> bool:
        """Until the body is whole, over `limit` bytes, or its caller gone; False if that took over BODY_SECONDS."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while self.more and len(self.body) <= limit:
                    message = await receive()
                    self.body += message.get("body", b"")
                    self.left = message["type"] == "http.disconnect"
                    self.more = message.get("more_body", False)
        except TimeoutError:  # raised by `receive` too, where it was waited for before in vain (at_once)
            return False
        return True


def refuse_headers(headers: Headers) -> None:
    """400 for a header that is not UTF-8: logs, traces and Kafka's headers would each read it as something else."""
    for name, value in headers.raw:
        if not value.isascii() and not _is_utf8(value):
            shown = name.decode("latin-1")
            raise refusal(ProblemCode.INVALID_BODY, 400, f"the header {shown} is not UTF-8")


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


async def read_model(request: Request, model: type[C], limit: int) -> C:
    """The body as `model`. Raises ProblemError that says what is wrong and where."""
    return parse_model(await read_body(request, limit), model)


def parse_model(body: bytes, model: type[C]) -> C:
    """The same of a body that is here."""
    try:
        return model.model_validate(loads(body))
    except NotStrictJson as error:
        raise refusal(ProblemCode.INVALID_JSON, 400, str(error)) from None
    except ValidationError as error:
        places = field_errors(error)
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 422, "the body does not fit", places)) from None


def _too_large(limit: int) -> ProblemError:
    return refusal(ProblemCode.TOO_LARGE, 413, f"the body is over {limit} bytes")

"""Bodies of requests, read strictly: JSON alone, counted while it is read, never inflated."""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request

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
    refuse_headers(request)
    kind = request.headers.get("content-type", "").lower().replace(" ", "").replace('"', "").encode()
    if kind not in (media_type.encode(), f"{media_type};charset=utf-8".encode()):
        raise refusal(ProblemCode.UNSUPPORTED_MEDIA_TYPE, 415, f"send {media_type} in UTF-8")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise refusal(ProblemCode.UNSUPPORTED_MEDIA_TYPE, 415, "send the body without a content encoding")
    declared = request.headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise _too_large(limit)
    except TimeoutError:
        late = f"the body did not arrive within {BODY_SECONDS:.0f} s"
        raise refusal(ProblemCode.INVALID_BODY, 408, late) from None
    except ClientDisconnect:
        raise refusal(ProblemCode.INVALID_BODY, 400, "the body ended early") from None
    return bytes(body)


def refuse_headers(request: Request) -> None:
    """400 for a header that is not UTF-8: logs, traces and Kafka's headers would each read it as something else."""
    for name, value in request.headers.raw:
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
    body = await read_body(request, limit)
    try:
        return model.model_validate(loads(body))
    except NotStrictJson as error:
        raise refusal(ProblemCode.INVALID_JSON, 400, str(error)) from None
    except ValidationError as error:
        places = field_errors(error)
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 422, "the body does not fit", places)) from None


def _too_large(limit: int) -> ProblemError:
    return refusal(ProblemCode.TOO_LARGE, 413, f"the body is over {limit} bytes")

"""What a body says that its route does not know: ignored, as ever, and said in the answer (ADR 13)."""

from __future__ import annotations

from typing import Final, TypeVar

import orjson
from fastapi import Request, Response
from pydantic import ConfigDict

from dw_contracts.http.agent_memory import PutMemory, StartRun
from dw_contracts.http.context import SearchRequest
from dw_contracts.model import Contract
from dw_learning.scan import is_credential
from dw_runtime import read_model
from dw_runtime.echoes import UNKNOWN, place
from dw_store.context_reads import plain

C = TypeVar("C", bound=Contract)
MOST: Final = 20
"""Names that are said at most."""
_FIELD: Final = "ignored_fields"
_OPEN: Final = ConfigDict(frozen=True, extra="allow")


class OpenStartRun(StartRun):
    """StartRun that keeps what it does not know."""

    model_config = _OPEN


class OpenPutMemory(PutMemory):
    """PutMemory that keeps what it does not know."""

    model_config = _OPEN


class OpenSearchRequest(SearchRequest):
    """SearchRequest that keeps what it does not know."""

    model_config = _OPEN


async def read_noting(request: Request, model: type[C], limit: int) -> tuple[C, tuple[str, ...]]:
    """The body as one of the models above, and the names of its unknown fields, fit to be said."""
    body = await read_model(request, model, limit)
    return body, tuple(_shown(name) for name in list(body.model_extra or ())[:MOST])


def noting(answer: Contract, ignored: tuple[str, ...] = ()) -> Response:
    """As routes.rendered; `ignored_fields` stands in the answer only where something was ignored."""
    fields = {name: value for name, value in vars(answer).items() if name != _FIELD}
    if ignored:
        fields[_FIELD] = ignored
    return Response(
        orjson.dumps(fields, default=plain, option=orjson.OPT_UTC_Z), media_type="application/json"
    )


def _shown(name: str) -> str:
    """A name that somebody else chose: it may hold a secret (C53)."""
    return UNKNOWN if is_credential(name) else place([name], "extra_forbidden")

"""POST /v1/runs, and the memory of the run's role-agent under two names: ours, and S3's (C1)."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import orjson
from fastapi import APIRouter, Request, Response

from dw_context.adapters.keys import RuntimeKeys
from dw_context.agent_memory import AgentMemory
from dw_context.ignored_fields import OpenPutMemory, OpenStartRun, noting, read_noting
from dw_context.report_run import ReportRunCase
from dw_context.routes import PlainRoute, documented, rendered
from dw_context.run_tokens import RunTokens
from dw_context.session_notes import SessionNotes
from dw_context.start_run import StartRunCase
from dw_contracts.http.agent_memory import (
    MAX_ENTRIES,
    MemoryAnswer,
    MemoryPage,
    MemorySummary,
    PutMemory,
    ReportedRun,
    ReportRun,
    StartedRun,
    StartRun,
)
from dw_contracts.http.problem import ProblemCode
from dw_runtime import read_model
from dw_runtime.problems import refusal
from dw_store.agent_memory import Wanted
from dw_store.runs import Run

MAX_BODY_BYTES: Final = 32 * 1024
MAX_METADATA_BYTES: Final = 4 * 1024
STATUS: Final = {"stored": 200, "deleted": 200, "proposed": 202, "rejected": 422}
LAYERS: Final = ("operating", "knowledge", "session")
PREFIXES: Final = ("/v1/agents", "/api/office/agents")


def run_router(keys: RuntimeKeys, start: StartRunCase) -> APIRouter:
    """What an AI runtime asks with its key."""
    router = APIRouter(prefix="/v1", tags=["runs"], route_class=PlainRoute)

    @router.post("/runs", openapi_extra=documented(StartedRun, body=StartRun))
    async def start_run(request: Request) -> Response:
        """A run and its token. 404 where the role-agent does not listen in the channel."""
        key = await keys.authenticate(request.headers.get("authorization", ""))
        body, ignored = await read_noting(request, OpenStartRun, MAX_BODY_BYTES)
        return noting(await start.run(key, body), ignored)

    return router


def report_router(tokens: RunTokens, report: ReportRunCase) -> APIRouter:
    """What a runtime says of its run, with the run's token."""
    router = APIRouter(prefix="/v1", tags=["runs"], route_class=PlainRoute)

    @router.post("/runs/{run_id}/report", openapi_extra=documented(ReportedRun, body=ReportRun))
    async def report_run(request: Request) -> Response:
        """Which memories the reply rests on, and how the run ended."""
        run = tokens.read(request.headers.get("authorization", ""))
        if _uuid(request.path_params["run_id"]) != run.run_id:
            raise refusal(ProblemCode.FORBIDDEN, 403, "the run token is of another run")
        return rendered(await report.run(run, await read_model(request, ReportRun, MAX_BODY_BYTES)))

    return router


def memory_router(prefix: str, tokens: RunTokens, memory: AgentMemory, notes: SessionNotes) -> APIRouter:
    """What an agent asks with its run's token."""
    router = APIRouter(prefix=prefix, tags=["memory"], route_class=PlainRoute)

    @router.get("/{agent_id}/memory", openapi_extra=documented(MemoryPage, query=_QUERY))
    async def list_entries(request: Request) -> Response:
        """Active entries, filtered by layer and key."""
        return rendered(await memory.entries(_run(request, tokens), _wanted(request)))

    @router.get("/{agent_id}/memory/summary", openapi_extra=documented(MemorySummary))
    async def summarise(request: Request) -> Response:
        """Operating entries and the newest knowledge, for the start of a session."""
        return rendered(await memory.summary(_run(request, tokens)))

    @router.put("/{agent_id}/memory", openapi_extra=documented(MemoryAnswer, body=PutMemory))
    async def put_entry(request: Request) -> Response:
        """Keep one entry under its key: 200 stored, 202 proposed to a person, 422 rejected. Layer session is a note that
        this run alone reads."""
        run = _run(request, tokens)
        body, ignored = await read_noting(request, OpenPutMemory, MAX_BODY_BYTES)
        if len(orjson.dumps(body.metadata)) > MAX_METADATA_BYTES:
            raise refusal(ProblemCode.INVALID_BODY, 422, f"metadata is over {MAX_METADATA_BYTES} bytes")
        if body.layer == "session":
            return _answered(await notes.put(run, body), ignored)
        return _answered(await memory.put(run, body), ignored)

    @router.delete("/{agent_id}/memory/{entry_id}", openapi_extra=documented(MemoryAnswer))
    async def delete_entry(request: Request) -> Response:
        """Drop one entry: 200 deleted, 202 proposed to a person."""
        entry = _uuid(request.path_params["entry_id"])
        run = _run(request, tokens)
        if entry is None:
            raise refusal(ProblemCode.NOT_FOUND, 404, "this role-agent has no such active entry")
        return _answered(await memory.delete(run, entry))

    return router


_QUERY: Final = {
    "layer": "one of operating, knowledge, session",
    "key": "exactly",
    "after": "next of a page",
    "limit": "1 to 200",
}


def _run(request: Request, tokens: RunTokens) -> Run:
    """The token's run; what the path says must be what the token says (C74)."""
    run = tokens.read(request.headers.get("authorization", ""))
    if _uuid(request.path_params["agent_id"]) != run.role_agent_id:
        raise refusal(ProblemCode.FORBIDDEN, 403, "the run token is of another role-agent")
    return run


def _wanted(request: Request) -> Wanted:
    asked = request.query_params
    layer, limit = asked.get("layer"), asked.get("limit", str(MAX_ENTRIES))
    if layer is not None and layer not in LAYERS:
        raise refusal(ProblemCode.INVALID_BODY, 422, f"layer is one of {', '.join(LAYERS)}")
    if not limit.isascii() or not limit.isdigit() or not 1 <= int(limit[:6]) <= MAX_ENTRIES:
        raise refusal(ProblemCode.INVALID_BODY, 422, f"limit is a number from 1 to {MAX_ENTRIES}")
    after = _uuid(asked["after"]) if "after" in asked else None
    if "after" in asked and after is None:
        raise refusal(ProblemCode.INVALID_BODY, 422, "after is the `next` of an earlier page")
    key = asked.get("key")
    if key is not None and ("\x00" in key or len(key) > 128):
        raise refusal(ProblemCode.INVALID_BODY, 422, "key has at most 128 characters and no NUL")
    return Wanted(layer=layer, key=key, after=after, limit=int(limit))


def _answered(answer: MemoryAnswer, ignored: tuple[str, ...] = ()) -> Response:
    response = noting(answer, ignored)
    response.status_code = STATUS[answer.status]
    return response


def _uuid(text: Any) -> UUID | None:
    try:
        return UUID(text) if isinstance(text, str) and len(text) == 36 else None
    except ValueError:
        return None

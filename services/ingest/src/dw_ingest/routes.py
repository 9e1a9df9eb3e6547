"""POST /v1/events and GET /v1/events/{id}."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import orjson
from fastapi import APIRouter, Header, Request, Response

from dw_contracts.http.ingest import (
    MAX_BATCH_BYTES,
    Accepted,
    BatchResult,
    EventStatus,
    EventWait,
    InboundBatch,
    InboundEvent,
)
from dw_contracts.http.problem import ProblemCode
from dw_ingest.accept import Ingest
from dw_ingest.read import read_rows
from dw_runtime import current_trace_id, read_body
from dw_runtime.problems import refusal

_REPLY_TO = ("reply_to", "reply-to")
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"oneOf": [InboundEvent.model_json_schema(), InboundBatch.model_json_schema()]}
            }
        },
    }
}


def build_router(ingest: Ingest) -> APIRouter:
    """The routes of a chat gateway. Every refusal is a problem detail."""
    router = APIRouter(prefix="/v1", tags=["events"])

    @router.post("/events", status_code=202, response_model=Accepted | BatchResult, openapi_extra=_BODY)
    async def post_events(request: Request, authorization: Annotated[str, Header()] = "") -> Response:
        """One event, or `{"events": […]}` with up to 1,000. 202 after Kafka has acknowledged, 207 where mixed."""
        key = await ingest.authenticate(authorization)
        refuse_reply_to(request)
        rows, is_batch = read_rows(await read_body(request, MAX_BATCH_BYTES))
        results = await ingest.accept(key, rows)
        trace_id = current_trace_id()
        if not is_batch:
            return _single(results[0], trace_id)
        accepted = sum(1 for result in results if result["status"] == 202)
        body = {
            "accepted": accepted,
            "refused": len(results) - accepted,
            "results": results,
            "trace_id": trace_id,
        }
        return _json(202 if accepted == len(results) else 207, body)

    @router.get("/events/{event_id}", response_model=EventStatus)
    async def get_event(event_id: UUID, authorization: Annotated[str, Header()] = "") -> Response:
        """What became of an event of the key's own channels; anything else is `accepted`. `waiting` says what
        kind of limit of its org it waits for, and until when."""
        key = await ingest.authenticate(authorization)
        outcomes = await ingest.directory.outcomes(key, event_id)
        status = "decided" if outcomes else "accepted"
        told: dict[str, object] = {"event_id": str(event_id), "status": status, "outcomes": outcomes}
        waiting = None if outcomes else await ingest.directory.waiting(key, event_id)
        if waiting is not None:
            told["waiting"] = EventWait.model_validate(waiting).model_dump(mode="json")
        return _json(200, told)

    return router


def refuse_reply_to(request: Request) -> None:
    """400: whoever sends this header awaits an answer elsewhere, which nothing here gives (KAFKA_PITFALLS, no_reply)."""
    for name in _REPLY_TO:
        if name in request.headers:
            raise refusal(
                ProblemCode.INVALID_BODY,
                400,
                f"the header {name} is not taken: replies come through channels",
            )


def _single(result: dict[str, object], trace_id: str) -> Response:
    if result["status"] == 202:
        return _json(202, {"status": "accepted", "events": result["events"], "trace_id": trace_id})
    problem = result["problem"]
    return _json(int(str(result["status"])), problem, media_type="application/problem+json")


def _json(status: int, body: object, media_type: str = "application/json") -> Response:
    return Response(orjson.dumps(body), status_code=status, media_type=media_type)

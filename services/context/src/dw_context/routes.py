"""POST /v1/context and POST /v1/history/search."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from dw_context.adapters.keys import RuntimeKeys
from dw_context.hot_path import MAX_BODY_BYTES, PackEndpoint
from dw_context.ignored_fields import OpenSearchRequest, noting, read_noting
from dw_context.run_tokens import RunTokens, run_or_key
from dw_context.search_history import SearchHistory
from dw_contracts.http.context import BuildContextRequest, ContextPack, SearchRequest, SearchResult
from dw_contracts.model import Contract
from dw_store.context_reads import plain
from dw_store.runs import Run


class PlainRoute(APIRoute):
    """A documented route whose endpoint takes the request as it is: there is nothing to inject, so nothing is solved."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The endpoint itself."""
        endpoint: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return endpoint


def build_router(
    keys: RuntimeKeys, pack_endpoint: PackEndpoint, search_history: SearchHistory, tokens: RunTokens
) -> APIRouter:
    """The routes of an AI runtime. Bodies are parsed and rendered by hand: they are on every reply's path."""
    router = APIRouter(prefix="/v1", tags=["context"], route_class=PlainRoute)

    @router.post("/context", openapi_extra=documented(ContextPack, body=BuildContextRequest))
    async def build_context(request: Request) -> Response:
        """BuildAgentContext. 404 where the role-agent does not listen in the channel."""
        answer = await pack_endpoint.answer(request.scope, request.receive)
        return Response(answer, media_type="application/json")

    @router.post("/history/search", openapi_extra=documented(SearchResult, body=SearchRequest))
    async def search(request: Request) -> Response:
        """SearchAgentHistory. Hits are untrusted quotes. With a run's token, role-agent and channel are those of the run."""
        who = await run_or_key(request.headers.get("authorization", ""), tokens, keys)
        body, ignored = await read_noting(request, OpenSearchRequest, MAX_BODY_BYTES)
        if isinstance(who, Run):
            return noting(await search_history.of_run(who, body), ignored)
        return noting(await search_history.run(who, body), ignored)

    return router


def rendered(answer: Contract) -> Response:
    """JSON as pydantic would write it, at a fifth of the cost: the models are plain and already valid."""
    return Response(
        orjson.dumps(answer, default=plain, option=orjson.OPT_UTC_Z), media_type="application/json"
    )


def documented(
    answer: type[Contract], *, body: type[Contract] | None = None, query: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """For the OpenAPI: bodies are read and written by hand."""
    found: dict[str, Any] = {
        "responses": {
            "200": {
                "description": "OK",
                "content": {"application/json": {"schema": answer.model_json_schema()}},
            }
        },
    }
    if body is not None:
        content = {"application/json": {"schema": body.model_json_schema()}}
        found["requestBody"] = {"required": True, "content": content}
    if query:
        found["parameters"] = [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": what,
                "schema": {"type": "string"},
            }
            for name, what in query.items()
        ]
    return found

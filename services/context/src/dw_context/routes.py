"""POST /v1/context and POST /v1/history/search."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from dw_context.adapters.keys import RuntimeKeys
from dw_context.build_pack import BuildPack, BuildPackFromSql
from dw_context.search_history import SearchHistory
from dw_contracts.http.context import BuildContextRequest, ContextPack, SearchRequest, SearchResult
from dw_contracts.model import Contract
from dw_runtime import read_model
from dw_store.context_reads import plain

MAX_BODY_BYTES = 128 * 1024


class PlainRoute(APIRoute):
    """A documented route whose endpoint takes the request as it is: there is nothing to inject, so nothing is solved."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The endpoint itself."""
        endpoint: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return endpoint


def build_router(
    keys: RuntimeKeys, build_pack: BuildPack | BuildPackFromSql, search_history: SearchHistory
) -> APIRouter:
    """The routes of an AI runtime. Bodies are parsed and rendered by hand: they are on every reply's path."""
    router = APIRouter(prefix="/v1", tags=["context"], route_class=PlainRoute)

    @router.post("/context", openapi_extra=_documented(BuildContextRequest, ContextPack))
    async def build_context(request: Request) -> Response:
        """BuildAgentContext. 404 where the role-agent does not listen in the channel."""
        key = await keys.authenticate(request.headers.get("authorization", ""))
        asked = await read_model(request, BuildContextRequest, MAX_BODY_BYTES)
        return Response(await build_pack.run(key, asked), media_type="application/json")

    @router.post("/history/search", openapi_extra=_documented(SearchRequest, SearchResult))
    async def search(request: Request) -> Response:
        """SearchAgentHistory. Hits are untrusted quotes."""
        key = await keys.authenticate(request.headers.get("authorization", ""))
        return rendered(
            await search_history.run(key, await read_model(request, SearchRequest, MAX_BODY_BYTES))
        )

    return router


def rendered(answer: Contract) -> Response:
    """JSON as pydantic would write it, at a fifth of the cost: the models are plain and already valid."""
    return Response(
        orjson.dumps(answer, default=plain, option=orjson.OPT_UTC_Z), media_type="application/json"
    )


def _documented(body: type[Contract], answer: type[Contract]) -> dict[str, Any]:
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": body.model_json_schema()}},
        },
        "responses": {
            "200": {
                "description": "OK",
                "content": {"application/json": {"schema": answer.model_json_schema()}},
            }
        },
    }

"""What a probe, a scraper and `dw dlq resume` ask."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dw_runtime.health import Health
from dw_runtime.metrics import Metrics

LOOPBACK: Final = ("127.0.0.1", "::1")
PATHS: Final = ("/health/live", "/health/ready", "/metrics", "/control/resume")


def probe_routes(health: Health, metrics: Metrics) -> tuple[Route, ...]:
    """The same four routes in every process."""

    async def live(_: Request) -> Response:
        return _answer("live", health.alive())

    async def ready(_: Request) -> Response:
        return _answer("ready", await health.ready())

    async def scrape(_: Request) -> Response:
        return Response(metrics.render(), media_type="text/plain; version=0.0.4")

    async def resume(request: Request) -> Response:
        """From the same machine alone, and not out of a browser: a page may post to loopback too."""
        local = request.client is not None and request.client.host in LOOPBACK
        if not local or "origin" in request.headers:
            return JSONResponse({"resumed": []}, status_code=403)
        tripped = [consumer for consumer in health.consumers if consumer.tripped]
        for consumer in tripped:
            consumer.resume()
        return JSONResponse({"resumed": [consumer.topic.name for consumer in tripped]})

    live_path, ready_path, metrics_path, resume_path = PATHS
    return (
        Route(live_path, live),
        Route(ready_path, ready),
        Route(metrics_path, scrape),
        Route(resume_path, resume, methods=["POST"]),
    )


def _answer(name: str, reasons: list[str]) -> Response:
    return JSONResponse({name: not reasons, "reasons": reasons}, status_code=503 if reasons else 200)

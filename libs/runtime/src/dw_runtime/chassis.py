"""What every process is built on: one object that is given parts and makes an ASGI application of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Generic, TypeVar

from aiokafka.errors import KafkaError
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dw_contracts.settings import ConsumerSettings, ServiceSettings
from dw_contracts.topics import Topic
from dw_runtime.broker import build_broker, connection
from dw_runtime.consumer import Consumer, Handle as HandleBatch, Parse
from dw_runtime.failures import Transient
from dw_runtime.follower import Apply, Follower
from dw_runtime.health import Check, Health
from dw_runtime.http import RequestSpans, install_problems
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.publisher import Publisher
from dw_runtime.telemetry import Telemetry
from dw_store.errors import StoreUnavailable

T = TypeVar("T")
M = TypeVar("M")
FIRST_WAIT = 0.5
LONGEST_WAIT = 5.0
STOP_SECONDS = 12.0
_NOT_UP_YET = (KafkaError, StoreUnavailable, ConnectionError, OSError, TimeoutError, Transient)


class Handle(Generic[T]):
    """A resource that exists while the process runs: `handle()` gives it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._value: T | None = None

    def __call__(self) -> T:
        """The resource. Raises Transient before it is there: the request or batch is tried again."""
        if self._value is None:
            raise Transient(f"{self._name} is not there yet")
        return self._value

    def set(self, value: T | None) -> None:
        """The chassis fills and empties it."""
        self._value = value


class Chassis:
    """No work in here: everything starts with the application's lifespan and ends with it."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self.metrics = Metrics(settings.service)
        self.telemetry = Telemetry(
            settings.service,
            otlp_endpoint=settings.otlp_endpoint,
            trace_dir=settings.trace_dir,
            sample=settings.trace_sample,
        )
        stall = settings.stall_seconds if isinstance(settings, ConsumerSettings) else 60.0
        self.health = Health(stall, self.metrics)
        self._publisher: Publisher | None = None
        self._consumers: list[Consumer[Any]] = []
        self._resources: list[tuple[Handle[Any], Callable[[], AbstractAsyncContextManager[Any]]]] = []
        self._background: list[tuple[str, Callable[[], Awaitable[None]]]] = []

    def publisher(self) -> Publisher:
        """The process's one producer."""
        if self._publisher is None:
            self._publisher = Publisher(connection(self.settings), self.metrics)
        return self._publisher

    def consume(self, topic: Topic, parse: Parse[M], handle: HandleBatch[M]) -> Consumer[M]:
        """Read a topic in batches, in the group that is named like the service."""
        if not isinstance(self.settings, ConsumerSettings):
            raise TypeError(f"{self.settings.service} has no consumer settings")
        consumer = Consumer(
            topic,
            parse,
            handle,
            settings=self.settings,
            publisher=self.publisher(),
            metrics=self.metrics,
            telemetry=self.telemetry,
        )
        self._consumers.append(consumer)
        self.health.consumers.append(consumer)  # type: ignore[arg-type]  # health reads no message
        return consumer

    def follow(self, topic: Topic, apply: Apply) -> Follower:
        """Read a topic without a group, from the end."""
        follower = Follower(topic, apply, connection(self.settings))
        self.background(f"follow {topic.name}", follower.run)
        return follower

    def resource(self, factory: Callable[[], AbstractAsyncContextManager[T]], name: str = "database") -> Handle[T]:
        """Something that is opened at start, waited for if it is not up yet, and closed at the end."""
        handle: Handle[T] = Handle(name)
        self._resources.append((handle, factory))
        return handle

    def background(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """A loop beside the requests. If it breaks it is logged and started again."""
        self._background.append((name, run))

    def ready_check(self, name: str, check: Check) -> None:
        """Something without which the process is not ready."""
        self.health.checks[name] = check

    def app(self) -> Starlette:
        """The application of a process without routes of its own."""
        return Starlette(routes=self._routes(), lifespan=self._lifespan)

    def install(self, app: FastAPI) -> None:
        """Give a FastAPI application the same health, lifespan, problems, spans and metrics."""
        for route in self._routes():
            app.router.routes.append(route)
        app.router.lifespan_context = self._lifespan
        install_problems(app)
        app.add_middleware(RequestSpans, telemetry=self.telemetry, metrics=self.metrics)

    def _routes(self) -> list[Route]:
        return [
            Route("/health/live", self._live),
            Route("/health/ready", self._ready),
            Route("/metrics", self._metrics_text),
            Route("/control/resume", self._resume, methods=["POST"]),
        ]

    async def _live(self, _: Request) -> Response:
        reasons = self.health.alive()
        return JSONResponse({"live": not reasons, "reasons": reasons}, status_code=503 if reasons else 200)

    async def _ready(self, _: Request) -> Response:
        reasons = await self.health.ready()
        return JSONResponse({"ready": not reasons, "reasons": reasons}, status_code=503 if reasons else 200)

    async def _metrics_text(self, _: Request) -> Response:
        return Response(self.metrics.render(), media_type="text/plain; version=0.0.4")

    async def _resume(self, request: Request) -> Response:
        """For `dw dlq resume`, from the same machine alone."""
        if request.client is None or request.client.host not in ("127.0.0.1", "::1"):
            return JSONResponse({"resumed": []}, status_code=403)
        tripped = [consumer for consumer in self._consumers if consumer.tripped.is_set()]
        for consumer in tripped:
            consumer.resume()
        return JSONResponse({"resumed": [consumer.topic.name for consumer in tripped]})

    @asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncIterator[None]:
        """Requests are answered at once (503 until the parts are there); parts are waited for beside."""
        async with AsyncExitStack() as stack:
            tasks = [asyncio.create_task(self._run(stack), name="parts")]
            tasks += [asyncio.create_task(self._supervised(name, run), name=name) for name, run in self._background]
            if self._consumers:
                tasks.append(asyncio.create_task(self._supervised("lag", self.health.watch), name="lag"))
            log.info("service.started", port=self.settings.port)
            try:
                yield
            finally:
                self.health.stopping = True
                for consumer in self._consumers:
                    consumer.stop()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                log.info("service.stopping")
        self.telemetry.shutdown()
        log.info("service.stopped")

    async def _run(self, stack: AsyncExitStack) -> None:
        """Open everything in order: resources, producer, consumers. Stopping undoes it in the opposite order."""
        for handle, factory in self._resources:
            value = await self._patiently(handle._name, lambda factory=factory: stack.enter_async_context(factory()))
            handle.set(value)
            stack.callback(handle.set, None)
        if self._publisher is not None:
            await self._patiently("kafka", self._publisher.start)
            stack.push_async_callback(self._publisher.stop)
        if self._consumers:
            broker = build_broker(self.settings)
            for consumer in self._consumers:
                consumer.subscribe(broker)
            stack.push_async_callback(broker.stop)
            await self._patiently("kafka consumers", broker.start)

    async def _patiently(self, what: str, start: Callable[[], Awaitable[T]]) -> T:
        """A part that is not up yet is waited for, in readiness and in the log (E19)."""
        wait = FIRST_WAIT
        self.health.waiting_for.add(what)
        while True:
            try:
                value = await start()
                self.health.waiting_for.discard(what)
                return value
            except _NOT_UP_YET as error:
                log.info("start.waiting", part=what, reason=type(error).__name__)
                await asyncio.sleep(wait)
                wait = min(LONGEST_WAIT, wait * 1.5)

    async def _supervised(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                await run()
                return
            except _NOT_UP_YET as error:
                log.warning("background.retry", task=name, reason=type(error).__name__, why=str(error))
            except Exception:
                log.exception("background.bug", task=name)
            await asyncio.sleep(wait)
            wait = min(LONGEST_WAIT, wait * 1.5)

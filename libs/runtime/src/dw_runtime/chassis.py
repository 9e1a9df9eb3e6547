"""What every process is built on: one object that is given parts and makes an ASGI application of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Final, TypeVar

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from dw_contracts.settings import ConsumerSettings, ServiceSettings
from dw_contracts.topics import TOPICS, Topic
from dw_runtime.at_once import AtOnce, Ready
from dw_runtime.batch import Handle as HandleBatch
from dw_runtime.batch import Parse
from dw_runtime.broker import connection
from dw_runtime.consumer import Consumer, Supplies
from dw_runtime.follower import Apply, Follower
from dw_runtime.health import Check, Health
from dw_runtime.lifecycle import Loop, Parts
from dw_runtime.logs import log
from dw_runtime.look_ahead import LookAheadConsumer, Prepare
from dw_runtime.metrics import Metrics
from dw_runtime.probes import probe_routes
from dw_runtime.problems import install_problems, problem_by_status
from dw_runtime.publisher import Publisher
from dw_runtime.requests import RequestEdge
from dw_runtime.resources import Handle
from dw_runtime.telemetry import Telemetry
from dw_runtime.window import Steps, WindowConsumer

T = TypeVar("T")
M = TypeVar("M")
STALL_SECONDS: Final = 60.0
MAX_BODY_BYTES: Final = 4 * 1024 * 1024


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
        stall = settings.stall_seconds if isinstance(settings, ConsumerSettings) else STALL_SECONDS
        self.health = Health(stall, self.metrics)
        self._parts = Parts(settings, self.health)

    def publisher(self) -> Publisher:
        """The process's one producer."""
        if self._parts.publisher is None:
            self._parts.publisher = Publisher(connection(self.settings), self.metrics)
            self.health.publisher = self._parts.publisher
            self.health.topics |= {topic.name for topic in TOPICS if self.settings.service in topic.writers}
        return self._parts.publisher

    def consume(
        self, topic: Topic, parse: Parse[M], handle: HandleBatch[M], prepare: Prepare[M] | None = None
    ) -> Consumer[M]:
        """Read a topic in batches, in the group that is named like the service. With `prepare` it reads on while a
        batch has its effect."""
        if prepare is None:
            consumer = Consumer(topic, parse, handle, **self._supplies())
        else:
            consumer = LookAheadConsumer(topic, parse, handle, prepare=prepare, **self._supplies())
        self._adopt(consumer, topic)
        return consumer

    def window(self, topic: Topic, parse: Parse[M], steps: Steps[M, Any, Any]) -> WindowConsumer[M]:
        """Read a topic whose records wait for somebody: many at once, published in order per key (C77)."""
        consumer = WindowConsumer(topic, parse, steps, **self._supplies())
        self._adopt(consumer, topic)
        self.background(f"window {topic.name}", consumer.drain)
        return consumer

    def _supplies(self) -> Supplies:
        if not isinstance(self.settings, ConsumerSettings):
            raise TypeError(f"{self.settings.service} has no consumer settings")
        return {
            "settings": self.settings,
            "publisher": self.publisher(),
            "metrics": self.metrics,
            "telemetry": self.telemetry,
        }

    def _adopt(self, consumer: Consumer[Any] | WindowConsumer[Any], topic: Topic) -> None:
        """Started, stopped and watched with the process; its topics must be there."""
        self._parts.consumers.append(consumer)
        self.health.consumers.append(consumer)
        self.health.topics |= {topic.name, topic.dead_letters}

    def follow(
        self,
        topic: Topic,
        apply: Apply,
        on_gap: Callable[[], None] | None = None,
    ) -> Follower:
        """Read a topic without a group, from the end. `on_gap` hears when records may have been missed."""
        follower = Follower(topic, apply, connection(self.settings), self.metrics, on_gap)
        self.background(f"follow {topic.name}", follower.run)
        self.health.topics.add(topic.name)
        return follower

    def resource(
        self, factory: Callable[[], AbstractAsyncContextManager[T]], name: str = "database"
    ) -> Handle[T]:
        """Something that is opened at start, waited for if it is not up yet, and closed at the end."""
        handle: Handle[T] = Handle(name)
        self._parts.resources.append((handle, factory))
        return handle

    def background(self, name: str, run: Loop) -> None:
        """A loop beside the requests. If it breaks, that is logged and seen in readiness, and it is begun anew."""
        self._parts.background.append((name, run))

    def ready_check(self, name: str, check: Check) -> None:
        """Something without which the process is not ready: raises where it is not."""
        self.health.checks[name] = check

    def app(self) -> Starlette:
        """The application of a process without routes of its own."""
        return Starlette(
            routes=self._probes(),
            lifespan=self._lifespan,
            exception_handlers={HTTPException: problem_by_status},
        )

    def install(self, app: FastAPI, max_body_bytes: int = MAX_BODY_BYTES, ready: Ready | None = None) -> None:
        """Give a FastAPI application the same health, lifespan, problems, spans and metrics. `ready` is a route of the
        application that often can be answered at once."""
        app.router.routes.extend(self._probes())
        inner = app.router.lifespan_context

        @asynccontextmanager
        async def lifespan(of: Any) -> AsyncIterator[Any]:
            async with self._lifespan(of), inner(of) as state:
                yield state

        app.router.lifespan_context = lifespan
        install_problems(app)
        app.add_middleware(
            RequestEdge, telemetry=self.telemetry, metrics=self.metrics, max_body_bytes=max_body_bytes
        )
        if ready is not None:
            app.add_middleware(AtOnce, ready=ready, telemetry=self.telemetry, metrics=self.metrics)

    def _probes(self) -> list[Any]:
        return list(probe_routes(self.health, self.metrics))

    @asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncIterator[None]:
        """Requests are answered at once (503 until the parts are there); parts are waited for beside."""
        parts = self._parts
        async with AsyncExitStack() as stack:
            loops = [("health", self.health.watch), *parts.background]
            tasks = [asyncio.create_task(parts.run(stack), name="parts")]
            tasks += [asyncio.create_task(parts.supervised(name, run), name=name) for name, run in loops]
            log.info("service.started", port=self.settings.port)
            try:
                yield
            finally:
                self.health.stopping = True
                for consumer in parts.consumers:
                    consumer.stop()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                log.info("service.stopping")
        await asyncio.to_thread(self.telemetry.shutdown)
        log.info("service.stopped")

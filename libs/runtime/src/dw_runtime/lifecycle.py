"""Starting what is not up yet, keeping loops alive, and stopping in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from faststream.kafka import KafkaBroker

from dw_contracts.settings import ServiceSettings
from dw_runtime.broker import build_broker, start_broker
from dw_runtime.consumer import Consumer
from dw_runtime.failures import AGAIN, Transient, bug, frames_of
from dw_runtime.health import Health
from dw_runtime.logs import log
from dw_runtime.publisher import Publisher
from dw_runtime.resources import Handle

T = TypeVar("T")
FIRST_WAIT: Final = 0.25
LONGEST_WAIT: Final = 5.0
LOG_EVERY: Final = 12  # tries
_NOT_UP_YET: Final = (*AGAIN, OSError)

Factory = Callable[[], AbstractAsyncContextManager[Any]]
Loop = Callable[[], Awaitable[None]]


@dataclass
class Parts:
    """What a process is made of."""

    settings: ServiceSettings
    health: Health
    publisher: Publisher | None = None
    consumers: list[Consumer[Any]] = field(default_factory=list)
    resources: list[tuple[Handle[Any], Factory]] = field(default_factory=list)
    background: list[tuple[str, Loop]] = field(default_factory=list)

    async def run(self, stack: AsyncExitStack) -> None:
        """Open everything in order: resources, producer, consumers. The stack undoes it in the opposite order."""
        for handle, factory in self.resources:
            handle.set(await self._patiently(handle.name, partial(_enter, stack, factory)))
            stack.callback(handle.set, None)
        if self.publisher is not None:
            stack.push_async_callback(self.publisher.stop)
            await self._patiently("kafka", self.publisher.start)
        if self.consumers:
            await self._patiently("topics", self._topics_exist)
            broker = await self._patiently("consumers", self._consume)
            stack.push_async_callback(broker.stop)
        self.health.opened = True

    async def supervised(self, name: str, run: Loop) -> None:
        """A loop that is begun anew when it breaks, and that makes the process not ready meanwhile."""
        wait = FIRST_WAIT
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await run()
                return
            except _NOT_UP_YET as error:
                log.warning("background.retry", task=name, reason=type(error).__name__, why=str(error))
            except Exception as error:  # noqa: BLE001  # whatever breaks it, it begins anew
                log.error("background.bug", task=name, error=bug(error), frames=frames_of(error))
            self.health.broke(name)
            wait = FIRST_WAIT if loop.time() - began > 2 * LONGEST_WAIT else min(LONGEST_WAIT, wait * 2)
            await asyncio.sleep(wait)

    async def _topics_exist(self) -> None:
        missing = await self.health.missing_topics()
        if waiting := sorted({consumer.topic.name for consumer in self.consumers}.intersection(missing)):
            raise Transient(f"no such topic, or no access to it: {', '.join(waiting)}")

    async def _consume(self) -> KafkaBroker:
        broker = build_broker(self.settings)
        for consumer in self.consumers:
            consumer.subscribe(broker)
        try:
            await start_broker(broker)
        except BaseException:
            await broker.stop()  # a second try must not find half of the first one running
            raise
        return broker

    async def _patiently(self, what: str, start: Callable[[], Awaitable[T]]) -> T:
        """A part that is not up yet is waited for, in readiness and in the log (E19)."""
        wait, tries = FIRST_WAIT, 0
        self.health.waiting_for.add(what)
        while True:
            try:
                value = await start()
                self.health.waiting_for.discard(what)
                return value
            except _NOT_UP_YET as error:
                reason = (
                    f"{type(error).__name__}: {error}"
                    if isinstance(error, Transient)
                    else type(error).__name__
                )
            except Exception as error:  # noqa: BLE001  # not what we thought of, but no reason to give up
                reason = bug(error)
            if tries % LOG_EVERY == 0:
                log.warning("start.waiting", part=what, tries=tries + 1, reason=reason)
            tries += 1
            await asyncio.sleep(wait)
            wait = min(LONGEST_WAIT, wait * 1.5)


async def _enter(stack: AsyncExitStack, factory: Callable[[], AbstractAsyncContextManager[T]]) -> T:
    return await stack.enter_async_context(factory())

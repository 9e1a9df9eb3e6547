"""Live means progress, ready means able: a process that is up but stuck is not alive (A2, 20)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from dw_runtime.consumer import Consumer
from dw_runtime.failures import Transient
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.publisher import Publisher

CHECK_SECONDS: Final = 3.0
TIMEOUT_SECONDS: Final = 5.0
OLD_SECONDS: Final = CHECK_SECONDS + 2 * TIMEOUT_SECONDS  # a measurement from before says nothing about now
BROKE_SECONDS: Final = 10.0
Check = Callable[[], Awaitable[None]]


class Health:
    """What /health/live and /health/ready answer. `watch` runs beside the consumers, asks the cluster and measures
    lag; both answers come from what it found, so that a probe never waits for a broker."""

    def __init__(self, stall_seconds: float, metrics: Metrics) -> None:
        self.consumers: list[Consumer[Any]] = []
        self.checks: dict[str, Check] = {}
        self.topics: set[str] = set()
        self.waiting_for: set[str] = set()
        self.publisher: Publisher | None = None
        self.opened = False
        self.stopping = False
        self._stall_seconds = stall_seconds
        self._metrics = metrics
        self._missing: list[str] = []
        self._answered = float("-inf")
        self._measured: dict[str, float] = {}
        self._waiting_since: dict[str, float] = {}
        self._broke: dict[str, float] = {}

    def broke(self, name: str) -> None:
        """A background loop broke, and is begun anew."""
        self._broke[name] = time.monotonic()

    def alive(self) -> list[str]:
        """Why the process is not alive; nothing if it is."""
        now = time.monotonic()
        reasons = []
        for consumer in self.consumers:
            name = consumer.topic.name
            since = self._waiting_since.get(name)
            if since is None or now - self._measured.get(name, 0.0) > OLD_SECONDS:
                continue
            stuck = now - max(since, consumer.progress)
            if stuck > self._stall_seconds:
                reasons.append(f"{name}: records wait and none was handled for {stuck:.0f} s")
        return reasons

    async def ready(self) -> list[str]:
        """Why the process is not ready; nothing if it is."""
        if self.stopping:
            return ["stopping"]
        now = time.monotonic()
        reasons = [f"waiting for {name}" for name in sorted(self.waiting_for)]
        if not self.opened and not reasons:
            reasons = ["starting"]
        reasons += [f"no such topic, or no access to it: {name}" for name in self._missing]
        if self.publisher is not None and now - self._answered > OLD_SECONDS:
            reasons.append("Kafka does not answer")
        reasons += [f"{name} broke just now" for name, at in self._broke.items() if now - at < BROKE_SECONDS]
        reasons += [reason for consumer in self.consumers if (reason := _unready(consumer))]
        for name, check in self.checks.items():
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await check()
            except Exception as error:  # noqa: BLE001  # whatever fails here is the answer
                why = str(error) if isinstance(error, Transient) else ""  # in our own words
                reasons.append(f"{name}: {why or type(error).__name__}")
        return reasons

    async def watch(self) -> None:
        """Look every few seconds, for ever."""
        while True:
            for consumer in self.consumers:
                if consumer.busy:
                    consumer.keep_place()
            for look in (self._ask_cluster, self._measure_all):
                try:
                    async with asyncio.timeout(TIMEOUT_SECONDS):
                        await look()
                except Exception as error:  # noqa: BLE001  # a broker that is away is readiness' business
                    log.debug("health.unknown", reason=type(error).__name__)
            await asyncio.sleep(CHECK_SECONDS)

    async def missing_topics(self) -> list[str]:
        """Topics of ours that the cluster does not have, or does not show us."""
        client = self.publisher.client if self.publisher is not None else None
        if client is None:
            return []
        cluster = await client.fetch_all_metadata()
        self._answered = time.monotonic()
        return sorted(self.topics - set(cluster.topics()))

    async def _ask_cluster(self) -> None:
        self._missing = await self.missing_topics()

    async def _measure_all(self) -> None:
        for consumer in self.consumers:
            await self._measure(consumer)

    async def _measure(self, consumer: Consumer[Any]) -> None:
        client = consumer.client
        if client is None:
            return
        assigned = client.assignment()
        ends = await client.end_offsets(list(assigned)) if assigned else {}
        unknown = [partition for partition in assigned if partition not in consumer.committed]
        starts = await client.beginning_offsets(unknown) if unknown else {}
        for partition in unknown:
            committed = await client.committed(partition)
            consumer.committed.setdefault(partition, starts[partition] if committed is None else committed)
        lag = sum(max(0, end - consumer.committed.get(partition, end)) for partition, end in ends.items())
        name = consumer.topic.name
        self._metrics.lag.labels(self._metrics.service, name).set(lag)
        self._measured[name] = time.monotonic()
        if lag == 0:
            self._waiting_since.pop(name, None)
        else:
            self._waiting_since.setdefault(name, time.monotonic())


def _unready(consumer: Consumer[Any]) -> str | None:
    name, client = consumer.topic.name, consumer.client
    if consumer.tripped:
        return f"{name}: stopped after too many dead letters (dw dlq resume)"
    if client is None:
        return f"{name}: not started"
    if consumer.struggling:
        return f"{name}: the same batch fails again and again"
    if not client.assignment() and not _in_stable_group(client):
        return f"{name}: no partitions yet"
    return None


def _in_stable_group(client: Any) -> bool:
    """A member without partitions stands by, where there are more members than partitions."""
    coordinator = client._coordinator
    if coordinator is None:  # the client is starting and has not met its group
        return False
    return coordinator.generation > 0 and not client._subscription.reassignment_in_progress

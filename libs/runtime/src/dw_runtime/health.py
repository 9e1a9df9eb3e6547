"""Live means progress, ready means able: a process that is up but stuck is not alive (A2, 20)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from dw_runtime.consumer import Consumer
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics

CHECK_SECONDS = 3.0
TIMEOUT_SECONDS = 5.0
Check = Callable[[], Awaitable[None]]


class Health:
    """What /health/live and /health/ready answer. `watch` runs beside the consumers and measures their lag."""

    def __init__(self, stall_seconds: float, metrics: Metrics) -> None:
        self._stall_seconds = stall_seconds
        self._metrics = metrics
        self.consumers: list[Consumer[object]] = []
        self.checks: dict[str, Check] = {}
        self.waiting_for: set[str] = set()
        self.stopping = False
        self._stuck: dict[str, float] = {}
        self._standing: dict[str, dict[object, int]] = {}

    def alive(self) -> list[str]:
        """Why the process is not alive; nothing if it is."""
        now = time.monotonic()
        return [
            f"{topic}: records wait and none was handled for {now - since:.0f} s"
            for topic, since in self._stuck.items()
            if now - since > self._stall_seconds
        ]

    async def ready(self) -> list[str]:
        """Why the process is not ready; nothing if it is."""
        if self.stopping:
            return ["stopping"]
        reasons = [f"waiting for {name}" for name in sorted(self.waiting_for)]
        reasons += [reason for consumer in self.consumers if (reason := _unready(consumer))]
        for name, check in self.checks.items():
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await check()
            except Exception as error:  # noqa: BLE001  # whatever fails here is the answer
                reasons.append(f"{name}: {type(error).__name__}")
        return reasons

    async def watch(self) -> None:
        """Measure lag every few seconds; a partition whose position stands still while records wait is stuck."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            for consumer in self.consumers:
                try:
                    async with asyncio.timeout(TIMEOUT_SECONDS):
                        await self._measure(consumer)
                except Exception as error:  # noqa: BLE001  # a broker that is away is readiness' business
                    log.debug("lag.unknown", topic=consumer.topic.name, reason=type(error).__name__)

    async def _measure(self, consumer: Consumer[object]) -> None:
        client = consumer.client
        if client is None:
            return
        assigned = client.assignment()
        ends = await client.end_offsets(list(assigned)) if assigned else {}
        name = consumer.topic.name
        committed = {tp: (await client.committed(tp)) or 0 for tp in assigned}
        starts = await client.beginning_offsets(list(assigned)) if assigned else {}
        lag = sum(max(0, end - max(committed[tp], starts[tp])) for tp, end in ends.items())
        self._metrics.lag.labels(self._metrics.service, name).set(lag)
        moved = committed != self._standing.get(name)
        self._standing[name] = dict(committed)
        if lag == 0 or moved or consumer.tripped.is_set():
            self._stuck.pop(name, None)
        else:
            self._stuck.setdefault(name, time.monotonic())


def _unready(consumer: Consumer[object]) -> str | None:
    name = consumer.topic.name
    client = consumer.client
    if consumer.tripped.is_set():
        return f"{name}: stopped after too many dead letters (dw dlq resume)"
    if client is None:
        return f"{name}: not started"
    if consumer.struggling:
        return f"{name}: the same batch fails again and again"
    if not client.assignment() and client.partitions_for_topic(name) is None:
        return f"{name}: no such topic, or no access to it"
    if client._coordinator is not None and client._coordinator.coordinator_id is None:
        return f"{name}: no group coordinator"
    return None

"""The outbox relay (C70): rows in seq order, published in turn, marked after Kafka has acknowledged them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from dw_contracts.topics import BY_NAME
from dw_runtime.metrics import Metrics
from dw_runtime.publisher import Publisher


class OutboxRow(Protocol):
    """One row of the outbox."""

    @property
    def seq(self) -> int: ...
    @property
    def topic(self) -> str: ...
    @property
    def key(self) -> bytes: ...
    @property
    def value(self) -> bytes: ...
    @property
    def headers(self) -> Sequence[tuple[str, bytes]]: ...


class OutboxSource(Protocol):
    """Leadership, waking and marking: dw_store.outbox."""

    def batches(self) -> AsyncIterator[Sequence[OutboxRow]]:
        """Unsent rows in seq order while this process leads; waits otherwise."""

    async def mark_sent(self, rows: Sequence[OutboxRow]) -> None:
        """The rows are acknowledged."""


class OutboxRelay:
    """Runs in the background of the process that hosts it; standbys wait for the advisory lock. A crash between
    acknowledgement and mark publishes rows again: readers go by id."""

    def __init__(self, publisher: Publisher, source: OutboxSource, metrics: Metrics) -> None:
        self._publisher = publisher
        self._source = source
        self._metrics = metrics

    async def run(self) -> None:
        """Relay for ever."""
        async for rows in self._source.batches():
            await self._publisher.send(
                [(BY_NAME[row.topic].name, row.key, row.value, list(row.headers)) for row in rows]
            )
            await self._source.mark_sent(rows)
            self._metrics.outbox.labels(self._metrics.service).inc(len(rows))

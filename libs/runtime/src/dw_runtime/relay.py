"""The outbox relay (C70): rows in seq order, published in turn, marked after Kafka has acknowledged them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, Generic, Protocol, TypeVar

from dw_runtime.dead_letter import RawRecord
from dw_runtime.failures import Permanent, Transient
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
    def headers(self) -> tuple[tuple[str, bytes], ...]: ...


Row = TypeVar("Row", bound=OutboxRow)


class OutboxSource(Protocol[Row]):
    """Leadership, waking and marking: dw_store.outbox."""

    def batches(self) -> AsyncIterator[Sequence[Row]]:
        """Unsent rows in seq order while this process leads; waits otherwise."""

    async def mark_sent(self, rows: Sequence[Row]) -> None:
        """The rows are acknowledged."""

    async def mark_failed(self, rows: Sequence[Row], error: str) -> None:
        """The rows were tried in vain."""


class OutboxRelay(Generic[Row]):
    """Runs in the background of the process that hosts it; standbys wait for the advisory lock. A crash between
    acknowledgement and mark publishes rows again: readers go by id."""

    def __init__(self, publisher: Publisher, source: OutboxSource[Row]) -> None:
        self._publisher = publisher
        self._source = source

    async def run(self) -> None:
        """Relay for ever. Raises what is transient: whoever supervises it begins anew, at the first unsent row."""
        batches: Any = self._source.batches()
        async with aclosing(batches):
            async for rows in batches:
                await self._send(rows)
                await self._source.mark_sent(rows)

    async def _send(self, rows: Sequence[Row]) -> None:
        try:
            await self._publisher.send(
                [RawRecord(row.topic, row.key, row.value, list(row.headers)) for row in rows]
            )
        except Exception as error:
            # Which of them failed is not known: all of them are sent again. Our own words hold no record's text.
            ours = isinstance(error, Transient | Permanent)
            await self._source.mark_failed(rows, str(error) if ours else type(error).__name__)
            raise

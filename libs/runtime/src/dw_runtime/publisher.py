"""One idempotent producer a process. Records are handed to it in turn, acknowledgements are awaited together.

Order is only as good as the sender: when many tasks call send() at once, those that wait for a full batch are not
served first come first served (KAFKA_PITFALLS B). So one lock, one loop, futures gathered afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, OutOfOrderSequenceNumber, ProducerClosed, ProducerFenced

from dw_contracts.topics import MAX_DEAD_LETTER_BYTES
from dw_runtime.failures import Transient
from dw_runtime.metrics import Metrics
from dw_runtime.records import Outgoing

LINGER_MS = 2
BATCH_BYTES = 256 * 1024
_REBUILD = (OutOfOrderSequenceNumber, ProducerFenced, ProducerClosed)


class Publisher:
    """acks=all. `publish` returns after every record is acknowledged, or raises Transient: then some may have been
    written, and the caller publishes all of them again."""

    def __init__(self, connection: dict[str, Any], metrics: Metrics) -> None:
        self._connection = connection
        self._metrics = metrics
        self._producer: AIOKafkaProducer | None = None
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Connect; raises what the client raises where the broker is away."""
        if self._producer is None:
            producer = AIOKafkaProducer(
                **self._connection,
                enable_idempotence=True,
                linger_ms=LINGER_MS,
                max_batch_size=BATCH_BYTES,
                max_request_size=MAX_DEAD_LETTER_BYTES,
                request_timeout_ms=20_000,
            )
            await producer.start()
            self._producer = producer

    async def stop(self) -> None:
        """Flush and close."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await producer.stop()

    async def publish(self, outgoing: Sequence[Outgoing]) -> None:
        """Publish in the order given, per key."""
        await self.send(
            [(record.topic.name, record.key, record.value, record.headers()) for record in outgoing]
        )

    async def send(
        self, records: Sequence[tuple[str, bytes | None, bytes | None, list[tuple[str, bytes]]]]
    ) -> None:
        """The same for records that are no messages of ours, such as dead letters."""
        if not records:
            return
        try:
            async with self._turn:
                await self.start()
                producer = self._producer
                if producer is None:
                    raise Transient("the producer was stopped")
                futures = [
                    await producer.send(topic, value=value, key=key, headers=headers)
                    for topic, key, value, headers in records
                ]
            await _all_acknowledged(futures)
        except _REBUILD as error:
            await self._rebuild()
            raise Transient(f"the producer lost its place: {type(error).__name__}") from error
        except KafkaError as error:
            raise Transient(f"Kafka did not take the records: {type(error).__name__}") from error
        for topic in {record[0] for record in records}:
            count = sum(1 for record in records if record[0] == topic)
            self._metrics.published.labels(self._metrics.service, topic).inc(count)

    async def _rebuild(self) -> None:
        """An idempotent producer that is out of sequence stays so until it is made anew (A2, 21)."""
        async with self._turn:
            try:
                await self.stop()
            except KafkaError:
                self._producer = None


async def _all_acknowledged(futures: list[asyncio.Future[Any]]) -> None:
    results = await asyncio.gather(*futures, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result

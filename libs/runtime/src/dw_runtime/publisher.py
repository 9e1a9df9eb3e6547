"""One idempotent producer a process. Records are handed to it in turn, acknowledgements are awaited together.

Order is only as good as the sender: when many tasks call send() at once, those that wait for a full batch are not
served first come first served. So one lock, one loop, futures gathered afterwards.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from aiokafka import AIOKafkaProducer
from aiokafka.errors import (
    KafkaError,
    MessageSizeTooLargeError,
    OutOfOrderSequenceNumber,
    ProducerClosed,
    ProducerFenced,
)
from aiokafka.partitioner import murmur2

from dw_contracts.topics import MAX_DEAD_LETTER_BYTES
from dw_runtime.dead_letter import RawRecord
from dw_runtime.failures import Permanent, Transient
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.records import Outgoing

KEYS_REMEMBERED: Final = (
    8_192  # the client library counts out a key's partition in Python, at a microsecond a sign
)
LINGER_MS: Final = (
    0  # what comes while a request is in flight makes the next batch: nothing waits for company
)
BATCH_BYTES: Final = 256 * 1024
REQUEST_TIMEOUT_MS: Final = 20_000
CLOSE_SECONDS: Final = 4.0
RECORD_OVERHEAD: Final = 512  # of batch, headers and length fields; generous
_LOST_ITS_PLACE: Final = (OutOfOrderSequenceNumber, ProducerFenced, ProducerClosed)


class Publisher:
    """acks=all. `publish` returns after every record is acknowledged, or raises Transient: then some may have been
    written, and the caller publishes all of them again."""

    def __init__(self, connection: Mapping[str, Any], metrics: Metrics) -> None:
        self._connection = dict(connection)
        self._metrics = metrics
        self._producer: AIOKafkaProducer | None = None
        self._open = True
        self._turn = asyncio.Lock()

    @property
    def client(self) -> Any:
        """The connection to the cluster, while there is one."""
        return self._producer.client if self._producer is not None else None

    async def start(self) -> None:
        """Connect; raises KafkaError where the broker is away."""
        async with self._turn:
            await self._started()

    async def stop(self) -> None:
        """Flush and close. Nothing is published afterwards."""
        self._open = False
        producer, self._producer = self._producer, None
        if producer is not None:
            await _close(producer)

    async def publish(self, outgoing: Sequence[Outgoing]) -> None:
        """Publish in the order given, per key. Raises Permanent where one is too large for its topic."""
        for record in outgoing:
            if len(record.value) + len(record.key) + RECORD_OVERHEAD > record.topic.max_bytes:
                raise Permanent(f"what follows from it is too large for {record.topic.name}")
        await self.send([RawRecord(r.topic.name, r.key, r.value, [*r.headers()]) for r in outgoing])

    async def send(self, records: Sequence[RawRecord]) -> None:
        """The same for records that are no messages of ours, such as dead letters."""
        if not records:
            return
        producer: AIOKafkaProducer | None = None
        futures: list[asyncio.Future[Any]] = []
        try:
            async with self._turn:
                producer = await self._started()
                for r in records:
                    futures.append(await producer.send(r.topic, value=r.value, key=r.key, headers=r.headers))
            await _all_acknowledged(futures)
        except MessageSizeTooLargeError as error:
            raise Permanent("what follows from it is too large to be published") from error
        except _LOST_ITS_PLACE as error:
            await self._replace(producer)
            raise Transient(f"the producer lost its place: {type(error).__name__}") from error
        except KafkaError as error:
            raise Transient(f"Kafka did not take the records: {type(error).__name__}") from error
        finally:
            for future in futures:
                if not future.done():
                    future.add_done_callback(_outcome_is_known)
        for topic, count in Counter(record.topic for record in records).items():
            self._metrics.published.labels(self._metrics.service, topic).inc(count)

    async def _started(self) -> AIOKafkaProducer:
        if not self._open:
            raise Transient("the producer was stopped")
        if self._producer is None:
            producer = AIOKafkaProducer(
                **self._connection,
                enable_idempotence=True,
                acks="all",
                linger_ms=LINGER_MS,
                max_batch_size=BATCH_BYTES,
                max_request_size=MAX_DEAD_LETTER_BYTES,
                request_timeout_ms=REQUEST_TIMEOUT_MS,
                partitioner=_partition_of,
            )
            try:
                await producer.start()
            except BaseException:
                await _close(producer)
                raise
            self._producer = producer
        return self._producer

    async def _replace(self, lost: AIOKafkaProducer | None) -> None:
        """An idempotent producer that is out of sequence stays so until it is made anew (aiokafka #1017). It must not
        send anything after its successor has begun, or order would be lost."""
        async with self._turn:
            if lost is not None and self._producer is lost:
                self._producer = None
                self._metrics.retries.labels(self._metrics.service, "", "producer").inc()
                log.warning("producer.replaced")
                await _close(lost)


def _partition_of(key: bytes | None, partitions: Sequence[int], available: Sequence[int]) -> int:
    """As the client library's own: the same key has the same place whoever writes it. One that is not there by key
    goes where there is room."""
    if key is None:
        return random.choice(available or partitions)
    return partitions[_hash_of(key) % len(partitions)]


@lru_cache(maxsize=KEYS_REMEMBERED)
def _hash_of(key: bytes) -> int:
    hashed: int = murmur2(key) & 0x7FFFFFFF
    return hashed


async def _all_acknowledged(futures: Sequence[asyncio.Future[Any]]) -> None:
    """Wait for all; raise the first failure. A caller that gives up leaves the records to the producer."""
    await asyncio.wait(futures)
    failures = [failure for future in futures if (failure := future.exception()) is not None]
    if failures:
        raise failures[0]


def _outcome_is_known(future: asyncio.Future[Any]) -> None:
    """Nobody waits for it any more."""
    if not future.cancelled():
        future.exception()


async def _close(producer: AIOKafkaProducer) -> None:
    """Flush for a moment; then its sender is ended, whatever it still holds."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await producer.stop()
    except (TimeoutError, KafkaError) as error:
        log.warning("producer.not_flushed", reason=type(error).__name__)
        with suppress(KafkaError, TimeoutError):
            if producer._sender is not None:
                await producer._sender.close()
            await producer.client.close()

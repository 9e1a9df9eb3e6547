"""What benchmarks share: a median, the JSON line, a Kafka client's options."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import ClusterAuthorizationFailedError

from dw_devstack.kafka import KafkaServer

GRANT_SECONDS = 10.0


def result(name: str, pairs: Sequence[tuple[float, float]], target: float) -> dict[str, Any]:
    """`pairs` are ours and the baseline's rate, measured in turn; the ratio is the median of theirs."""
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    return {
        "bench": name,
        "value": round(statistics.median(ours for ours, _ in pairs)),
        "baseline": round(statistics.median(theirs for _, theirs in pairs)),
        "ratio": round(ratio, 3),
        "target": target,
        "ok": ratio >= target,
    }


def client_options(kafka: KafkaServer, user: str) -> dict[str, Any]:
    """How a bare client connects as a service."""
    login = kafka.login(user)
    return {
        "bootstrap_servers": login.bootstrap,
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": login.user,
        "sasl_plain_password": login.password,
    }


async def started_producer(kafka: KafkaServer, user: str) -> AIOKafkaProducer:
    """An idempotent producer. A right that was granted a moment ago may take a busy broker a moment more."""
    until = time.monotonic() + GRANT_SECONDS
    while True:
        producer = AIOKafkaProducer(
            **client_options(kafka, user), enable_idempotence=True, linger_ms=5, max_batch_size=262_144
        )
        try:
            await producer.start()
            return producer
        except ClusterAuthorizationFailedError:
            await producer.stop()
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.2)

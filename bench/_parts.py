"""What benchmarks share: a median, the JSON line, a Kafka client's options."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from dw_devstack.kafka import KafkaServer


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

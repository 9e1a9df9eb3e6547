"""Prometheus metrics of a process, in a registry of its own, updated per batch and not per record."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

from dw_runtime import names

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """One instance a process; tests make as many as they like."""

    def __init__(self, service: str) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._service = service
        self.records = Counter(
            names.RECORDS,
            "Records by what came of them",
            ("service", "topic", "outcome"),
            registry=self.registry,
        )
        self.batch_seconds = Histogram(
            names.BATCH_SECONDS,
            "Time of a batch, from parse to commit",
            ("service", "topic"),
            registry=self.registry,
            buckets=_FAST,
        )
        self.dead_letters = Counter(
            names.DEAD_LETTERS,
            "Dead letters by kind of failure",
            ("service", "topic", "kind"),
            registry=self.registry,
        )
        self.retries = Counter(
            names.RETRIES,
            "Batches tried again by reason",
            ("service", "topic", "reason"),
            registry=self.registry,
        )
        self.lag = Gauge(
            names.CONSUMER_LAG,
            "Records that wait, over the partitions of this process",
            ("service", "topic"),
            registry=self.registry,
        )
        self.tripped = Gauge(
            names.TRIPPED,
            "1 while the dead-letter limit has stopped a consumer",
            ("service", "topic"),
            registry=self.registry,
        )
        self.published = Counter(
            names.PUBLISHED, "Records acknowledged by Kafka", ("service", "topic"), registry=self.registry
        )
        self.outbox = Counter(
            names.OUTBOX_PUBLISHED, "Outbox rows published", ("service",), registry=self.registry
        )
        self.http_requests = Counter(
            names.HTTP_REQUESTS,
            "Requests by route and status",
            ("service", "route", "status"),
            registry=self.registry,
        )
        self.http_seconds = Histogram(
            names.HTTP_SECONDS,
            "Time of a request",
            ("service", "route"),
            registry=self.registry,
            buckets=_FAST,
        )

    @property
    def service(self) -> str:
        """The label that all of them carry."""
        return self._service

    def render(self) -> bytes:
        """The text that Prometheus scrapes."""
        return generate_latest(self.registry)

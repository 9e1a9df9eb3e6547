"""What is seen of triage: events by decision and reason, counted once a batch."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter

from dw_learning.triage.reasons import REASONS
from dw_triage.routing import RULES

KNOWN: Final = REASONS | RULES
OTHER: Final = "other"


class Measures:
    """In the process's own registry. A batch that is tried again counts again."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._events = Counter(
            "dw_triage_events", "Events by decision and reason", ("decision", "reason"), registry=registry
        )

    def count(self, candidates: Iterable[str], skips: Iterable[str]) -> None:
        """Reasons of those that go on, and of those that end here. One that is not declared is `other`."""
        for decision, reasons in (("candidate", candidates), ("skip", skips)):
            for reason, events in collections.Counter(reasons).items():
                self._events.labels(decision, reason if reason in KNOWN else OTHER).inc(events)

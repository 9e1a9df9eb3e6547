"""What is counted and said of a batch that had its effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from dw_contracts.topics import Topic
from dw_runtime.dead_letter import Letter
from dw_runtime.logs import log
from dw_runtime.metrics import Metrics
from dw_runtime.records import Record

LETTERS_LOGGED: Final = 10  # a batch; the others are counted


class BatchMeasures:
    """Of one topic's batches."""

    def __init__(self, metrics: Metrics, topic: Topic) -> None:
        self._metrics = metrics
        self._topic = topic
        self._label = (metrics.service, topic.name)

    def count(self, records: Sequence[Record], letters: Sequence[Letter], seconds: float) -> None:
        """A batch that is committed, and the dead letters among its records."""
        self._metrics.batch_seconds.labels(*self._label).observe(seconds)
        self._metrics.records.labels(*self._label, "handled").inc(len(records) - len(letters))
        if letters:
            self._metrics.records.labels(*self._label, "dead_letter").inc(len(letters))
        for kind, count in Counter(letter.kind.value for letter in letters).items():
            self._metrics.dead_letters.labels(*self._label, kind).inc(count)
        for letter in letters[:LETTERS_LOGGED]:
            log.warning(
                "record.dead_letter",
                topic=letter.record.topic,
                partition=letter.record.partition,
                offset=letter.record.offset,
                kind=letter.kind.value,
                reason=letter.reason,
            )
        if len(letters) > LETTERS_LOGGED:
            log.warning("record.dead_letters", topic=self._topic.name, more=len(letters) - LETTERS_LOGGED)

"""structlog JSON lines for ours and for the libraries; what the client library repeats is folded."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars

Event = MutableMapping[str, Any]
FOLD_SECONDS = 60.0
# Said many times a second while a broker restarts; none of them is a failure of ours (KAFKA_PITFALLS, Noise).
_CHATTER = (
    "NodeNotReady",
    "GroupCoordinatorNotAvailable",
    "CoordinatorNotAvailable",
    "Marking the coordinator dead",
    "Unable connect to node",
    "Unable to update metadata",
    "Topic .* not found in cluster metadata",
    "Heartbeat failed",
    "Sending username and password in the clear",
    "Auto create topics is disabled",
    "Connection at",
    "Failed fetch messages",
    "Unable to request metadata",
    "Got error produce response",
    "Kafka error occurred",
    "Unable to send FetchRequest",
    "OffsetCommit failed",
    "Error sending",
)
log: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger("dw")


class Fold(logging.Filter):
    """At most one line a minute of each kind of chatter, with how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """False for a line that was said within the last minute."""
        kind = next(
            (part for part in _CHATTER if part in str(record.msg) or part in record.getMessage()), None
        )
        if kind is None:
            return True
        now = self._clock()
        said, left_out = self._last.get(kind, (float("-inf"), 0))
        if now - said < FOLD_SECONDS:
            self._last[kind] = (said, left_out + 1)
            return False
        self._last[kind] = (now, 0)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} more like it)"
            record.args = ()
        record.levelno, record.levelname = logging.INFO, "INFO"
        return True


def configure_logging(service: str, level: str, fmt: str) -> None:
    """Route structlog and the standard library to standard output, one JSON object a line."""
    shared: list[Any] = [
        merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
        _with_service(service),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    last: Any = structlog.dev.ConsoleRenderer() if fmt == "console" else structlog.processors.JSONRenderer()
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                *shared,
                structlog.stdlib.add_logger_name,
                structlog.processors.format_exc_info,
            ],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    handler.addFilter(Fold())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("dw").setLevel(level.upper())
    for noisy in ("aiokafka", "faststream", "uvicorn", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
        logging.getLogger(noisy).handlers.clear()
        logging.getLogger(noisy).propagate = True


def _with_service(service: str) -> Callable[[Any, str, Event], Event]:
    def add(_logger: Any, _method: str, event: Event) -> Event:
        event.setdefault("service", service)
        return event

    return add


__all__ = ["Fold", "bound_contextvars", "configure_logging", "log"]

"""structlog JSON lines for ours and for the libraries; what the client library repeats is folded."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, MutableMapping
from typing import Any, Final

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars

Event = MutableMapping[str, Any]
FOLD_SECONDS: Final = 60.0
# Said many times a second while a broker is away; none of it is a failure of ours (KAFKA_PITFALLS, Noise). The first
# word that is found names the kind.
_CHATTER: Final = (
    "NodeNotReady",
    "CoordinatorNotAvailable",
    "NotCoordinatorForGroup",
    "Marking the coordinator dead",
    "Group Coordinator Request failed",
    "Unable connect to",
    "Unable to update metadata",
    "Unable to request metadata",
    "not found in cluster metadata",
    "Heartbeat failed",
    "Heartbeat send request failed",
    "Heartbeat session expired",
    "Failed fetch messages",
    "Got error produce response",
    "NotLeaderForPartition",
    "OffsetCommit failed",
    "Error sending",
    "Connection at",
    "Kafka error occurred",
    "Auto create topics is disabled",
    "has no partition assignments",
)
_CLEARTEXT: Final = (
    "Sending username and password in the clear"  # which loopback may, and nothing else should
)
OURS: Final = "dw"
log: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(OURS)


class Fold(logging.Filter):
    """At most one line a minute of each kind of chatter, with how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, loopback: bool = True) -> None:
        super().__init__()
        self._clock = clock
        self._loopback = loopback
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """False for a line that was said within the last minute. Ours are never folded."""
        if record.name == OURS:
            return True
        text = record.getMessage()
        kind = next((part for part in (_CLEARTEXT, *_CHATTER) if part in text), None)
        if kind is None:
            return True
        if kind is _CLEARTEXT and self._loopback:
            return False
        now = self._clock()
        said, left_out = self._last.get(kind, (float("-inf"), 0))
        if now - said < FOLD_SECONDS:
            self._last[kind] = (said, left_out + 1)
            return False
        self._last[kind] = (now, 0)
        record.msg = f"{text} (and {left_out} more like it)" if left_out else text
        record.args = ()
        record.exc_info, record.exc_text = None, None
        if kind is not _CLEARTEXT:
            record.levelno, record.levelname = logging.INFO, "INFO"
        return True


def configure_logging(service: str, level: str, fmt: str, *, loopback: bool = False) -> None:
    """Route structlog and the standard library to standard output, one JSON object a line. `loopback` says that
    Kafka is on this machine."""
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
    handler.addFilter(Fold(loopback=loopback))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level.upper())
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

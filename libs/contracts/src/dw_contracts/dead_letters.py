"""A dead letter: the original bytes, key and headers, and in further headers why, where and when (rule 22)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

SUFFIX: Final = ".dlq"


class FailureKind(StrEnum):
    """The three kinds of failure. Only bug and unknown_version count towards the limit of C76."""

    PERMANENT = "permanent"
    UNKNOWN_VERSION = "unknown_version"
    BUG = "bug"


class Header(StrEnum):
    """Headers that a dead letter adds; the original ones stay before them."""

    REASON = "dlq_reason"
    KIND = "dlq_kind"
    STEP = "dlq_step"
    ATTEMPTS = "dlq_attempts"
    AT = "dlq_at"
    TOPIC = "dlq_topic"
    PARTITION = "dlq_partition"
    OFFSET = "dlq_offset"
    RESUMED = "dlq_replayed"


def dead_letter_topic(topic: str) -> str:
    """Name of the topic that takes what could not be read from `topic`."""
    return topic + SUFFIX

"""What contracts declare, as what the broker is told: topics, dead letter topics, and who may do what (C44, C78)."""

from __future__ import annotations

from dw_contracts.topics import (
    DEAD_LETTER_PARTITIONS,
    DEAD_LETTER_RETENTION_MS,
    MAX_DEAD_LETTER_BYTES,
    OPERATOR,
    TOPICS,
    Topic,
)
from dw_devstack.kafka_admin import TopicSpec


def topic_specs() -> tuple[TopicSpec, ...]:
    """Every topic and its dead letters. The operator reads all, may put dead letters back and note
    it beside them (`dw dlq replay`)."""
    return tuple(spec for topic in TOPICS for spec in (_working(topic), _dead_letters(topic)))


def _working(topic: Topic) -> TopicSpec:
    readers = [(service, None) for service in (*topic.readers, *topic.groupless)]
    return TopicSpec(
        name=topic.name,
        partitions=topic.partitions,
        retention_ms=topic.retention_ms,
        writers=(*topic.writers, OPERATOR),
        readers=(*readers, (OPERATOR, None)),
        max_message_bytes=topic.max_bytes,
    )


def _dead_letters(topic: Topic) -> TopicSpec:
    return TopicSpec(
        name=topic.dead_letters,
        partitions=DEAD_LETTER_PARTITIONS,
        retention_ms=DEAD_LETTER_RETENTION_MS,
        writers=(*dict.fromkeys((*topic.readers, *topic.writers)), OPERATOR),
        readers=((OPERATOR, None),),
        max_message_bytes=MAX_DEAD_LETTER_BYTES,
    )

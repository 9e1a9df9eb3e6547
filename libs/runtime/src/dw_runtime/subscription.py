"""How a service is subscribed to a topic: every option is said, none is left to a default (rule 18)."""

from __future__ import annotations

from typing import Any, Final, Protocol

from aiokafka import ConsumerRebalanceListener, TopicPartition
from faststream import AckPolicy
from faststream.kafka import KafkaBroker, KafkaMessage
from faststream.kafka.message import FAKE_CONSUMER

from dw_contracts.settings import ConsumerSettings
from dw_contracts.topics import Topic

SESSION_MS: Final = 6_000
HEARTBEAT_MS: Final = 1_500
REBALANCE_MS: Final = 20_000
MAX_POLL_MS: Final = 300_000


class Member(Protocol):
    """Who hears that partitions come and go."""

    async def revoked(self) -> None: ...
    def assigned(self) -> None: ...


def subscribe(broker: KafkaBroker, topic: Topic, settings: ConsumerSettings, member: Member) -> Any:
    """A subscriber without a handler. A static member: a restart moves no partitions. Its name holds the topic, since
    two members of one name would put each other out of the group."""
    return broker.subscriber(
        topic.name,
        group_id=settings.service,
        group_instance_id=f"{settings.service}-{settings.replica}-{topic.name}",
        batch=True,
        max_records=settings.batch_records,
        batch_timeout_ms=settings.batch_wait_ms,
        max_partition_fetch_bytes=2 * topic.max_bytes,
        auto_offset_reset="earliest",
        ack_policy=AckPolicy.MANUAL,
        parser=_undecoded,
        decoder=_records,
        no_reply=True,
        listener=_Listener(member),
        session_timeout_ms=SESSION_MS,
        heartbeat_interval_ms=HEARTBEAT_MS,
        rebalance_timeout_ms=REBALANCE_MS,
        max_poll_interval_ms=MAX_POLL_MS,
    )


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    def __init__(self, member: Member) -> None:
        self._member = member

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        await self._member.revoked()

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        self._member.assigned()


async def _undecoded(records: tuple[Any, ...]) -> KafkaMessage:
    """Nothing is decoded before the handler, so that nothing can fail there."""
    return KafkaMessage(
        body=b"",
        headers={},
        batch_headers=[],
        reply_to="",
        content_type=None,
        message_id=str(records[0].offset),
        correlation_id="-",
        raw_message=records,
        path={},
        consumer=FAKE_CONSUMER,
    )


async def _records(message: Any) -> Any:
    """The handler's argument: without FastDepends it is given what the decoder returns."""
    return message.raw_message

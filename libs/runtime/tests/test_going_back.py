"""A bug around a batch: it is read again, from a place that is still one of ours."""

from __future__ import annotations

from typing import Any
from unittest.mock import create_autospec

import pytest
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from dw_contracts.settings import TriageSettings
from dw_contracts.topics import CHAT_EVENTS
from dw_runtime import Chassis, Handled
from dw_runtime.consumer import Consumer, End
from dw_runtime.dead_letter import Letter

PLACE = TopicPartition(CHAT_EVENTS.name, 0)


@pytest.mark.parametrize("moved", [False, True])
async def test_a_batch_is_gone_back_for_unless_its_partitions_moved_meanwhile(
    monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    """What was committed since by whoever had the partitions is not read again from the older place."""
    client: Any = create_autospec(AIOKafkaConsumer, instance=True)
    client.assignment.return_value = {PLACE}
    record = create_autospec(ConsumerRecord, instance=True)
    record.topic, record.partition, record.offset = CHAT_EVENTS.name, 0, 7
    monkeypatch.setattr(Consumer, "client", client)
    monkeypatch.setattr("dw_runtime.consumer.LONGEST_WAIT", 0.0)

    async def nothing(_: object) -> Handled:
        return Handled()

    consumer = Chassis(TriageSettings()).consume(CHAT_EVENTS, lambda _: None, nothing)

    async def breaks() -> list[Letter]:
        if moved:
            await consumer.revoked()
            consumer.assigned()
        raise ValueError("a bug")

    assert await consumer._carry_out([record], breaks()) is End.LEFT
    assert client.seek.called is not moved
    if not moved:
        client.seek.assert_called_once_with(PLACE, 7)

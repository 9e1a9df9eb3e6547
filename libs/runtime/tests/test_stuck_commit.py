"""A commit that never returns: the process ends itself, so that somebody else reads the batch again."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any
from unittest.mock import create_autospec

import pytest
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from dw_runtime import consumer as module
from dw_runtime.batch import Abandoned
from dw_runtime.consumer import Consumer


async def _never(_: object) -> None:
    await asyncio.Event().wait()


async def test_a_commit_that_never_returns_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    record = create_autospec(ConsumerRecord, instance=True)
    record.topic, record.partition, record.offset = "notes.v1", 0, 7
    client = create_autospec(AIOKafkaConsumer, instance=True)
    client.assignment.return_value = {TopicPartition("notes.v1", 0)}
    client.commit.side_effect = _never
    stuck: Any = object.__new__(Consumer)
    stuck.topic = type("Topic", (), {"name": "notes.v1"})
    stuck.committed = {}
    monkeypatch.setattr(Consumer, "client", client)
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.05)
    signals: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: signals.append((pid, number)))
    with pytest.raises(Abandoned):
        await stuck._commit([record])
    assert signals == [(os.getpid(), signal.SIGTERM)]
    assert stuck.committed == {}

"""Liveness by progress: standing still is only wrong while records wait, and only as long as we know that they do."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from aiokafka import TopicPartition

from dw_contracts.topics import Topic
from dw_runtime.consumer import Consumer
from dw_runtime.failures import Transient
from dw_runtime.health import Health
from dw_runtime.metrics import Metrics
from libs.runtime.tests.harness import Note

PARTITION = TopicPartition("t.v1", 0)


class Client:
    """A consumer of the client library with one partition."""

    def __init__(self) -> None:
        self.end = 0

    def assignment(self) -> set[TopicPartition]:
        return {PARTITION}

    async def end_offsets(self, _: Any) -> dict[TopicPartition, int]:
        return {PARTITION: self.end}

    async def beginning_offsets(self, _: Any) -> dict[TopicPartition, int]:
        return {PARTITION: 0}

    async def committed(self, _: Any) -> int | None:
        return None


@dataclass
class Standing:
    """A consumer that does nothing."""

    topic: Topic = field(default_factory=lambda: Topic("t.v1", Note, "k", (), ()))
    client: Client = field(default_factory=Client)
    committed: dict[TopicPartition, int] = field(default_factory=dict)
    progress: float = 0.0
    busy: bool = False
    tripped: bool = False
    struggling: bool = False


class Starting(Client):
    """As aiokafka's consumer is between its making and its first word with the group."""

    _coordinator = None

    def assignment(self) -> set[TopicPartition]:
        return set()


@pytest.fixture
def standing() -> Standing:
    return Standing(progress=time.monotonic() - 1_000)


@pytest.fixture
def health(standing: Standing) -> Health:
    health = Health(stall_seconds=0.0, metrics=Metrics("s"))
    health.consumers.append(cast("Consumer[Any]", standing))
    return health


async def test_idle_for_long_is_alive_and_so_is_a_record_that_has_just_come(
    health: Health, standing: Standing
) -> None:
    await health._measure_all()
    assert health.alive() == []
    health._stall_seconds = 5.0
    standing.client.end = 1
    await health._measure_all()
    assert health.alive() == []


async def test_records_that_wait_without_progress_are_not_alive(health: Health, standing: Standing) -> None:
    standing.client.end = 3
    await health._measure_all()
    assert "t.v1" in health.alive()[0]
    assert 'dw_consumer_lag{service="s",topic="t.v1"} 3.0' in health._metrics.render().decode()


async def test_progress_makes_it_alive_again(health: Health, standing: Standing) -> None:
    health._stall_seconds = 5.0
    standing.client.end = 3
    await health._measure_all()
    health._waiting_since["t.v1"] -= 60
    assert health.alive() != []
    standing.progress = time.monotonic()
    assert health.alive() == []


async def test_an_old_measurement_says_nothing(health: Health, standing: Standing) -> None:
    standing.client.end = 3
    await health._measure_all()
    health._measured["t.v1"] -= 60
    assert health.alive() == []


async def test_a_consumer_that_is_starting_is_not_ready_and_says_so(
    health: Health, standing: Standing
) -> None:
    standing.client = Starting()
    assert "t.v1: no partitions yet" in await health.ready()


async def test_a_check_says_why_in_our_own_words_and_of_anything_else_the_kind_alone(health: Health) -> None:
    async def ours() -> None:
        raise Transient("prices are others")

    async def theirs() -> None:
        raise OSError("secret-of-a-library")

    health.checks |= {"ours": ours, "theirs": theirs}
    reasons = await health.ready()
    assert {"ours: prices are others", "theirs: OSError"} <= {*reasons}

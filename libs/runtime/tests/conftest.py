"""A Kafka of our own, and topics that no other test has seen."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from dw_contracts.topics import MAX_DEAD_LETTER_BYTES, Topic
from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_admin import TopicSpec, create_topics
from dw_devstack.ports import any_port

sys.path.insert(0, str(Path(__file__).parents[3]))

from libs.runtime.tests.harness import Bench, Note  # found by the line above

HOUR_MS = 3_600_000


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaServer]:
    folder = tmp_path_factory.mktemp("kafka")
    port = any_port()
    server = KafkaServer(
        folder / "data",
        folder / "kafka.log",
        port=port,
        controller_port=any_port((port,)),
        passwords={"admin": "admin-of-a-test"},
    )
    server.start()
    yield server
    server.stop()


@pytest.fixture
def bench(kafka: KafkaServer) -> Bench:
    name = f"t{uuid.uuid4().hex[:10]}"
    topic = Topic(f"{name}.v1", Note, "org_id:role_agent_id", (), (), partitions=3)
    out = Topic(f"{name}.out.v1", Note, "org_id:role_agent_id", (), (), partitions=3)
    create_topics(
        kafka.login(),
        [
            TopicSpec(topic.name, 3, HOUR_MS),
            TopicSpec(topic.dead_letters, 3, HOUR_MS, max_message_bytes=MAX_DEAD_LETTER_BYTES),
            TopicSpec(out.name, 3, HOUR_MS),
        ],
    )
    return Bench(kafka, topic, out, name)

"""What the tests on Kafka share: a message, a topic with its connections, a process to run a handler in."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from pydantic import Field

from dw_contracts.model import Message
from dw_contracts.settings import TriageSettings
from dw_contracts.topics import MAX_DEAD_LETTER_BYTES, Topic
from dw_devstack.kafka import KafkaServer
from dw_runtime import Chassis, Handled, Received, Record, check_key, parse_message

ORG = uuid.UUID("00000000-0000-4000-8000-000000000001")
OTHER_ORG = uuid.UUID("00000000-0000-4000-8000-000000000002")
AGENT = uuid.UUID("00000000-0000-4000-8000-00000000000a")


class Note(Message):
    """A message of these tests."""

    ce_type: ClassVar[str] = "test.note.v1"

    schema_version: Literal[1] = Field(description="version")
    org_id: uuid.UUID = Field(description="tenant")
    role_agent_id: uuid.UUID = Field(description="agent")
    number: int = Field(ge=0, description="which one")


def note(number: int, org: uuid.UUID = ORG) -> bytes:
    return Note(schema_version=1, org_id=org, role_agent_id=AGENT, number=number).to_bytes()


def key_of(org: uuid.UUID = ORG, agent: uuid.UUID = AGENT) -> bytes:
    return f"{org}:{agent}".encode()


def parse_note(record: Record) -> Note:
    found = parse_message(record, Note)
    check_key(record, found.org_id, found.role_agent_id)
    return found


@dataclass(frozen=True)
class Bench:
    """One test's topic, service name and connections."""

    kafka: KafkaServer
    topic: Topic
    out: Topic
    service: str

    @property
    def login(self) -> dict[str, Any]:
        return {
            "bootstrap_servers": self.kafka.bootstrap,
            "security_protocol": "SASL_PLAINTEXT",
            "sasl_mechanism": "PLAIN",
            "sasl_plain_username": "admin",
            "sasl_plain_password": "admin-of-a-test",
        }

    def settings(self, **changes: Any) -> TriageSettings:
        named: type[TriageSettings] = type("ProbeSettings", (TriageSettings,), {"service": self.service})
        values = {
            "kafka_bootstrap": self.kafka.bootstrap,
            "kafka_user": "admin",
            "kafka_password": "admin-of-a-test",
            "attempts": 2,
            **changes,
        }
        return named.model_validate(values)

    @asynccontextmanager
    async def producer(self) -> AsyncIterator[AIOKafkaProducer]:
        producer = AIOKafkaProducer(
            **self.login, enable_idempotence=True, linger_ms=5, max_request_size=MAX_DEAD_LETTER_BYTES
        )
        await producer.start()
        try:
            yield producer
        finally:
            await producer.stop()

    async def send(self, *records: tuple[bytes | None, bytes | None, list[tuple[str, bytes | None]]]) -> None:
        """Key, value and headers of each, in turn."""
        async with self.producer() as producer:
            futures = [
                await producer.send(self.topic.name, key=key, value=value, headers=headers)
                for key, value, headers in records
            ]
            await asyncio.gather(*futures)

    async def send_notes(self, numbers: Sequence[int]) -> None:
        await self.send(*[(key_of(), note(number), []) for number in numbers])

    async def read(self, topic: str, count: int, seconds: float = 15.0) -> list[Record]:
        """The first `count` records of a topic, or as many as came in time."""
        consumer = AIOKafkaConsumer(**self.login, enable_auto_commit=False, auto_offset_reset="earliest")
        await consumer.start()
        found: list[Record] = []
        try:
            consumer.assign([TopicPartition(topic, number) for number in range(3)])
            await consumer.seek_to_beginning()
            deadline = asyncio.get_running_loop().time() + seconds
            while len(found) < count and asyncio.get_running_loop().time() < deadline:
                for records in (await consumer.getmany(timeout_ms=200)).values():
                    found += records
        finally:
            await consumer.stop()
        return found

    async def committed(self) -> int:
        """How far the group has come, over all partitions."""
        consumer = AIOKafkaConsumer(**self.login, group_id=self.service, enable_auto_commit=False)
        await consumer.start()
        try:
            partitions = [TopicPartition(self.topic.name, number) for number in range(3)]
            return sum([await consumer.committed(partition) or 0 for partition in partitions])
        finally:
            await consumer.stop()


@asynccontextmanager
async def running(chassis: Chassis) -> AsyncIterator[Any]:
    """The process, as the server would run it."""
    app = chassis.app()
    async with app.router.lifespan_context(app):
        yield app


class Seen:
    """A handler that keeps what it saw."""

    def __init__(self, before: Callable[[Sequence[Received[Note]]], Awaitable[None]] | None = None) -> None:
        self.numbers: list[int] = []
        self._before = before

    async def __call__(self, batch: Sequence[Received[Note]]) -> Handled:
        if self._before is not None:
            await self._before(batch)
        self.numbers += [received.message.number for received in batch]
        return Handled()

    async def wait_for(self, count: int, seconds: float = 20.0) -> None:
        await eventually(lambda: len(self.numbers) >= count, seconds)


async def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Poll until it holds; the assertion at the end says that it never did."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, "it did not happen in time"
        await asyncio.sleep(0.02)


def headers_of(record: Record) -> dict[str, str]:
    return {name: (value or b"").decode("utf-8", "replace") for name, value in record.headers}

"""A real broker: who may do what, and that it keeps what it has acknowledged."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.errors import (
    GroupAuthorizationFailedError,
    KafkaConnectionError,
    TopicAuthorizationFailedError,
)

from dw_devstack.errors import StackError, StartError
from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_admin import (
    TopicSpec,
    admin_client,
    apply_acls,
    create_topics,
)
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.ports import any_port
from libs.devstack.tests.conftest import DAY_MS, DEAD, EVENTS, USERS

pytestmark = pytest.mark.integration
ONE = TopicSpec("one", 1, DAY_MS, writers=("ingest",), readers=(("triage", None),))


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, logger="aiokafka")


@asynccontextmanager
async def producer(login: KafkaLogin) -> AsyncIterator[AIOKafkaProducer]:
    made = AIOKafkaProducer(enable_idempotence=True, **_security(login))
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


@asynccontextmanager
async def consumer(login: KafkaLogin, topic: str, group: str | None) -> AsyncIterator[AIOKafkaConsumer]:
    made = AIOKafkaConsumer(topic, group_id=group, auto_offset_reset="earliest", **_security(login))
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


def _security(login: KafkaLogin) -> dict[str, str]:
    return {
        "bootstrap_servers": login.bootstrap,
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": login.user,
        "sasl_plain_password": login.password,
    }


async def read(kafka: KafkaServer, topic: str, count: int) -> list[bytes]:
    group = f"triage.{uuid.uuid4().hex}"
    async with consumer(kafka.login("triage"), topic, group) as reading, asyncio.timeout(30):
        return [(await reading.getone()).value for _ in range(count)]


def fresh(kafka: KafkaServer, partitions: int = 1) -> str:
    """A topic that ingest writes and triage reads; the others keep their rights."""
    topic = TopicSpec(f"t-{uuid.uuid4().hex}", partitions, DAY_MS, ("ingest",), (("triage", None),))
    create_topics(kafka.login(), (topic,))
    apply_acls(kafka.login(), (EVENTS, DEAD, topic), USERS)
    return topic.name


async def test_a_writer_writes_and_a_reader_reads_in_a_group_of_its_name(broker: KafkaServer) -> None:
    topic = fresh(broker)
    async with producer(broker.login("ingest")) as writing:
        await writing.send_and_wait(topic, b"hello", key=b"k")
    assert await read(broker, topic, 1) == [b"hello"]


async def test_a_foreign_write_is_refused(broker: KafkaServer) -> None:
    async with producer(broker.login("triage")) as writing:
        with pytest.raises(TopicAuthorizationFailedError):
            await writing.send_and_wait(EVENTS.name, b"forged")


async def test_a_foreign_read_is_refused(broker: KafkaServer) -> None:
    with pytest.raises(TopicAuthorizationFailedError):
        async with consumer(broker.login("ingest"), EVENTS.name, None) as reading, asyncio.timeout(20):
            await reading.getone()


async def test_a_group_of_another_name_is_refused(broker: KafkaServer) -> None:
    with pytest.raises(GroupAuthorizationFailedError):
        async with consumer(broker.login("triage"), EVENTS.name, "ingest") as reading, asyncio.timeout(20):
            await reading.getone()


async def test_a_wrong_password_gets_nowhere(broker: KafkaServer) -> None:
    with pytest.raises(KafkaConnectionError):
        async with producer(KafkaLogin(broker.bootstrap, "ingest", "guessed")):
            pass


async def test_a_topic_that_nobody_declared_does_not_appear(broker: KafkaServer) -> None:
    known = set(admin_client(broker.login()).list_topics(timeout=10).topics)
    with pytest.raises(TopicAuthorizationFailedError):
        async with producer(broker.login("ingest")) as writing:
            await writing.send_and_wait("nobody-declared-this", b"?")
    assert set(admin_client(broker.login()).list_topics(timeout=10).topics) == known


async def test_rights_that_are_no_longer_declared_are_taken_back(broker: KafkaServer) -> None:
    topic = fresh(broker)
    assert apply_acls(broker.login(), (EVENTS, DEAD), USERS).revoked == 4
    async with producer(broker.login("ingest")) as writing:
        with pytest.raises(TopicAuthorizationFailedError):
            await writing.send_and_wait(topic, b"late")


def test_declaring_the_same_again_changes_nothing(broker: KafkaServer) -> None:
    apply_acls(broker.login(), (EVENTS, DEAD), USERS)
    topics = create_topics(broker.login(), (EVENTS, DEAD))
    acls = apply_acls(broker.login(), (EVENTS, DEAD), USERS)
    assert (topics.created, topics.changed, acls.granted, acls.revoked) == ((), (), 0, 0)


def test_a_changed_declaration_changes_the_topic(broker: KafkaServer) -> None:
    name = fresh(broker)
    wider = TopicSpec(name, 4, 2 * DAY_MS, max_message_bytes=2_000_000)
    assert create_topics(broker.login(), (wider,)).changed == (name,)
    assert create_topics(broker.login(), (wider,)).changed == ()
    found = admin_client(broker.login()).list_topics(name, timeout=10).topics[name]
    assert len(found.partitions) == 4


def test_partitions_are_never_taken_away(broker: KafkaServer) -> None:
    name = fresh(broker, partitions=2)
    with pytest.raises(StackError, match="has 2 partitions, more than the declared 1"):
        create_topics(broker.login(), (TopicSpec(name, 1, DAY_MS), TopicSpec("never-made", 1, DAY_MS)))
    assert "never-made" not in admin_client(broker.login()).list_topics(timeout=10).topics


async def test_a_dead_letter_topic_takes_what_a_working_topic_refuses(broker: KafkaServer) -> None:
    made = AIOKafkaProducer(max_request_size=3_000_000, **_security(broker.login("triage")))
    await made.start()
    try:
        await made.send_and_wait(DEAD.name, b"x" * 1_500_000)
    finally:
        await made.stop()


async def test_kill_9_and_restart_lose_nothing_that_was_acknowledged(broker: KafkaServer) -> None:
    topic = fresh(broker)
    async with producer(broker.login("ingest")) as writing:
        for number in range(50):
            await writing.send_and_wait(topic, b"%d" % number)
        before = broker.child.pid
        await asyncio.to_thread(broker.kill9)
        assert not broker.running
        sending = asyncio.create_task(writing.send_and_wait(topic, b"50"))  # while it is down
        await asyncio.to_thread(broker.restart)
        async with asyncio.timeout(30):
            await sending
    assert broker.child.pid != before
    assert await read(broker, topic, 51) == [b"%d" % number for number in range(51)]


def test_a_taken_port_is_told_with_the_reason(broker: KafkaServer, tmp_path: Path) -> None:
    second = KafkaServer(
        tmp_path / "kafka",
        tmp_path / "kafka.log",
        port=broker.port,
        controller_port=any_port(),
        passwords={"admin": "x"},
    )
    with pytest.raises(StartError, match=r"(?s)exit status 1 while starting.*Address already in use"):
        second.start()
    assert not second.running

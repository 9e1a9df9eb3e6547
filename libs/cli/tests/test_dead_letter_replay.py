"""dw dlq replay against a real Kafka: what is put back is noted, and not put back once more unasked."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import ClusterAuthorizationFailedError, TopicAuthorizationFailedError
from typer.testing import CliRunner

from dw_cli import dead_letters
from dw_cli.main import app
from dw_contracts.dead_letters import Header
from dw_contracts.topics import OPERATOR, WAKEUPS
from dw_devstack.kafka import KafkaServer
from dw_devstack.topic_reader import open_writer, records_until_end
from dw_runtime.dead_letter import Letter, to_dead_letter

pytestmark = pytest.mark.integration
TOPIC = WAKEUPS.name


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record as a consumer had it."""

    offset: int
    value: bytes
    headers: tuple[tuple[str, bytes], ...]
    topic: str = TOPIC
    partition: int = 0
    key: bytes = b"k"
    timestamp: int = 0


@pytest.fixture
async def why(kafka_server: KafkaServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A reason of this test's own; the commands find this broker, and their operator's rights are in force."""
    local = SimpleNamespace(operator=lambda: kafka_server.login(OPERATOR))
    monkeypatch.setattr(dead_letters, "running", lambda: local)
    until = asyncio.get_running_loop().time() + 20.0
    while True:
        try:
            async with open_writer(kafka_server.login(OPERATOR)) as producer:
                for topic in (TOPIC, WAKEUPS.dead_letters):
                    await producer.send_and_wait(topic, value=b"", headers=[(Header.RESUMED.value, b"1")])
            return f"unreadable-{uuid.uuid4().hex}"
        except (ClusterAuthorizationFailedError, TopicAuthorizationFailedError):
            if asyncio.get_running_loop().time() > until:
                raise
            await asyncio.sleep(0.2)


async def bury(kafka: KafkaServer, why: str, count: int, *, steps: tuple[str, ...]) -> list[bytes]:
    """Dead letters of so many records, one of each step; the records' bytes."""
    bodies = [f"{why} {number}".encode() for number in range(count)]
    async with open_writer(kafka.login()) as producer:
        for step in steps:
            for at, body in enumerate(bodies):
                record = Unreadable(900_000 + at, body, ((why, b"own"),))
                letter = to_dead_letter(Letter(record, why), step=step, now=datetime.now(UTC))
                await producer.send_and_wait(
                    letter.topic, value=letter.value, key=letter.key, headers=letter.headers
                )
    return bodies


async def put_back(kafka: KafkaServer, why: str) -> list[Any]:
    """What stands in the topic of these bytes."""
    return [
        one async for one in records_until_end(kafka.login(), [TOPIC]) if why.encode() in (one.value or b"")
    ]


async def dlq(*args: str) -> tuple[int, str]:
    """The command in a thread: it has an event loop of its own."""
    done = await asyncio.to_thread(CliRunner().invoke, app, ["dlq", *args])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


async def rows(why: str) -> list[list[str]]:
    """Of these letters in the list of their topic: partition, offset, at, from, kind, put back, reason."""
    _, said = await dlq("list", TOPIC, "--limit", "100000")
    return [line.split(maxsplit=6) for line in said.splitlines() if why in line]


async def test_a_record_is_put_back_once_and_again_only_if_asked(kafka_server: KafkaServer, why: str) -> None:
    bodies = await bury(kafka_server, why, 3, steps=("triage", "context"))
    assert [row[5] for row in await rows(why)] == ["-"] * 6

    assert await dlq("replay", TOPIC, "--reason", why, "--limit", "1", "--yes") == (0, "1 record put back\n")
    assert sum(row[5] != "-" for row in await rows(why)) == 2, "both letters of that record"
    assert await dlq("replay", TOPIC, "--reason", why, "--yes") == (0, "2 records put back\n")
    found = await put_back(kafka_server, why)
    assert sorted(one.value for one in found) == bodies
    assert {(one.key, one.headers) for one in found} == {
        (b"k", ((why, b"own"), (Header.RESUMED.value, b"1")))
    }

    status, said = await dlq("replay", TOPIC, "--reason", why, "--yes")
    assert (status, said) == (1, "all of these were put back already: --again does it once more\n")
    assert len(await put_back(kafka_server, why)) == 3
    assert (await dlq("replay", TOPIC, "--reason", "no such reason", "--yes"))[1] == "no such dead letters\n"

    assert all(row[5].startswith("20") for row in await rows(why))
    (_, offset, *_), *_ = await rows(why)
    partition = (await rows(why))[0][0]
    assert "put back: 20" in (await dlq("show", TOPIC, partition, offset))[1]
    _, alike = await dlq("list", "--limit", "100000")
    assert [line.split()[:2] for line in alike.splitlines() if why in line] == [["3", "3"], ["3", "3"]]

    assert await dlq("replay", TOPIC, "--reason", why, "--again", "--yes") == (0, "3 records put back\n")
    assert len(await put_back(kafka_server, why)) == 6
    assert len(await rows(why)) == 6, "a note is no dead letter"

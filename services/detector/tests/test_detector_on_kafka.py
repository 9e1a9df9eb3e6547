"""The detector's whole process on a broker, a database and a model over HTTP: order, parking, and kill -9 (C77)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any
from uuid import UUID

import orjson
import psycopg
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import ClusterAuthorizationFailedError, TopicAuthorizationFailedError

from dw_contracts.events.candidates import Candidate
from dw_contracts.topics import CANDIDATES, DETECTIONS
from dw_devstack.kafka import KafkaServer
from dw_devstack.ports import any_port
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg
from services.detector.tests.gate_world import GOOD, items, openai_answer

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]


class Model:
    """An HTTP server that speaks chat/completions. It answers after `seconds`, or never what `stuck` says."""

    def __init__(self, seconds: float = 0.05) -> None:
        self.seconds = seconds
        self.asked: list[str] = []
        self.answered: list[str] = []
        self.stuck: Callable[[str], bool] = lambda text: False
        self.port = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Model]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                )
                body = orjson.loads(await reader.readexactly(length))
                text = body["messages"][1]["content"].split("\n")[1]
                self.asked.append(text)
                await asyncio.sleep(3600 if self.stuck(text) else self.seconds)
                answer = orjson.dumps(openai_answer(items(GOOD | {"text": text})))
                self.answered.append(text)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    % len(answer)
                    + answer
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def login(kafka: KafkaServer, user: str) -> dict[str, Any]:
    found = kafka.login(user)
    return {
        "bootstrap_servers": found.bootstrap,
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": found.user,
        "sasl_plain_password": found.password,
    }


@contextmanager
def detector(kafka: KafkaServer, dsn: str, model: Model, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DW_")}
    environ |= {
        "DW_KAFKA_BOOTSTRAP": kafka.bootstrap,
        "DW_DETECTOR_KAFKA_PASSWORD": "detector",
        "DW_DETECTOR_DATABASE_URL": dsn,
        "DW_DETECTOR_PORT": str(any_port()),
        "DW_DETECTOR_PROVIDER": "openai",
        "DW_DETECTOR_BASE_URL": f"http://127.0.0.1:{model.port}/v1",
        "DW_DETECTOR_MODEL": "small",
        "DW_DETECTOR_PRICES": "small=1/4",
        **more,
    }
    child = subprocess.Popen([sys.executable, "-m", "dw_detector"], env=environ)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


async def granted(work: Callable[[], Awaitable[Any]], seconds: float = 20.0) -> Any:
    """A right that was granted a moment ago may take a busy broker a moment more."""
    until = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            return await work()
        except (ClusterAuthorizationFailedError, TopicAuthorizationFailedError):
            if asyncio.get_running_loop().time() > until:
                raise
            await asyncio.sleep(0.2)


async def send(kafka: KafkaServer, org: SmallOrg, texts: list[str]) -> list[UUID]:
    """Candidates in this order; their decision ids."""
    producer = AIOKafkaProducer(**login(kafka, "triage"), acks="all")
    await producer.start()
    ids = []
    for text in texts:
        event = chat_event(org.org_id, org.agent_id, org.channel_id, text)
        candidate = Candidate(
            schema_version=1,
            event=orjson.loads(event.to_bytes()),
            needs_model=True,
            reasons=("fact_shape",),
            triage_version="t",
        )
        key = f"{org.org_id}:{org.agent_id}".encode()
        await granted(partial(producer.send_and_wait, CANDIDATES.name, candidate.to_bytes(), key))
        ids.append(event.event_id)
    await producer.stop()
    return ids


async def detections(
    kafka: KafkaServer, org: SmallOrg, count: int, seconds: float = 40.0
) -> list[dict[str, Any]]:
    """The org's detections in the order in which they were published."""
    consumer = AIOKafkaConsumer(**login(kafka, "policy"), auto_offset_reset="earliest")
    await consumer.start()
    found: list[dict[str, Any]] = []
    try:
        consumer.assign([TopicPartition(DETECTIONS.name, number) for number in range(DETECTIONS.partitions)])
        until = asyncio.get_running_loop().time() + seconds
        while len(found) < count and asyncio.get_running_loop().time() < until:
            for records in (await granted(partial(consumer.getmany, timeout_ms=200))).values():
                values = [orjson.loads(record.value) for record in records]
                found += [value for value in values if value["org_id"] == str(org.org_id)]
    finally:
        await consumer.stop()
    return found


def query(dsn: str, statement: str, *args: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn) as connection:
        cursor = connection.execute(statement.encode(), args)
        return cursor.fetchall() if cursor.description else []


async def eventually(condition: Callable[[], bool], seconds: float = 40.0) -> None:
    until = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < until, "it did not happen in time"
        await asyncio.sleep(0.05)


def texts_of(count: int) -> list[str]:
    tag = uuid.uuid4().hex[:6]
    return [f"The room number {number} is called {tag}." for number in range(count)]


async def test_after_a_kill_no_call_is_paid_again_whose_answer_was_stored(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    texts = texts_of(40)
    stuck = set(texts[10:14])
    async with Model().running() as model:
        model.stuck = lambda text: text in stuck
        ids = await send(kafka_server, org, texts)
        stored = "SELECT count(*) FROM dw_detections WHERE org_id = %s"
        with detector(kafka_server, dsn_of("detector"), model) as child:
            await eventually(lambda: query(dsn_of("admin"), stored, org.org_id) == [(36,)])
            child.send_signal(signal.SIGKILL)
            await asyncio.to_thread(child.wait)
        model.stuck = lambda text: False
        with detector(kafka_server, dsn_of("detector"), model):
            found = await detections(kafka_server, org, 40 + 10)
        asked = {text: model.asked.count(text) for text in texts}
        assert asked == {text: 2 if text in stuck else 1 for text in texts}, "at most those in flight, twice"
        last = list(dict.fromkeys(each["decision_id"] for each in found))
        assert last == [str(id_) for id_ in ids], "in order, whatever came first"
        rows = query(
            dsn_of("admin"), "SELECT status, count(*) FROM dw_ai_usage GROUP BY status ORDER BY status"
        )
        assert rows == [("ok", 40), ("reserved", 4)], "the ledger shows what was in flight"


async def test_an_org_at_its_limit_is_parked_and_goes_on_in_order_when_it_may(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    texts = texts_of(6)
    async with Model().running() as model:
        query(
            dsn_of("admin"),
            "INSERT INTO dw_ai_limits (org_id, scope, killed) VALUES (%s, 'org', TRUE)",
            org.org_id,
        )
        with detector(kafka_server, dsn_of("detector"), model):
            ids = await send(kafka_server, org, texts[:4])
            parked = "SELECT count(*) FROM dw_deferred WHERE org_id = %s"
            await eventually(lambda: query(dsn_of("admin"), parked, org.org_id) == [(4,)])
            assert model.asked == []
            query(dsn_of("admin"), "UPDATE dw_ai_limits SET killed = FALSE")
            ids += await send(kafka_server, org, texts[4:])
            await eventually(lambda: query(dsn_of("admin"), parked, org.org_id) == [(6,)])
            query(dsn_of("admin"), "UPDATE dw_deferred SET due_at = now()")
            found = await detections(kafka_server, org, 6)
            assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
            assert sorted(model.asked) == sorted(texts)
            await eventually(lambda: query(dsn_of("admin"), parked, org.org_id) == [(0,)])


async def test_what_waited_too_long_ends_as_a_detection_without_items(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    async with Model().running() as model:
        query(
            dsn_of("admin"),
            "INSERT INTO dw_ai_limits (org_id, scope, killed) VALUES (%s, 'org', TRUE)",
            org.org_id,
        )
        with detector(kafka_server, dsn_of("detector"), model):
            await send(kafka_server, org, texts_of(1))
            parked = "SELECT count(*) FROM dw_deferred WHERE org_id = %s"
            await eventually(lambda: query(dsn_of("admin"), parked, org.org_id) == [(1,)])
            query(dsn_of("admin"), "UPDATE dw_deferred SET due_at = now(), expires_at = now()")
            (found,) = await detections(kafka_server, org, 1)
        assert found.get("items", []) == []
        assert found["reasons"] == ["fact_shape", "expired"]
        assert model.asked == []


async def test_where_the_model_is_away_a_stand_in_answers_only_if_an_operator_said_so_and_is_marked(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    nobody = Model()
    nobody.port = any_port()
    away = {"DW_DETECTOR_WHEN_DOWN": "offline", "DW_DETECTOR_BREAKER_FAILURES": "1"}
    with detector(kafka_server, dsn_of("detector"), nobody, **away):
        await send(kafka_server, org, ["The bike room is called Velo."])
        (found,) = await detections(kafka_server, org, 1)
    assert (found["provider"], found["degraded"]) == ("offline", True)
    assert [item["text"] for item in found["items"]] == ["The bike room is called Velo."]


async def test_an_equal_question_of_the_same_org_is_answered_from_what_is_stored(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    (text,) = texts_of(1)
    async with Model().running() as model:
        with detector(kafka_server, dsn_of("detector"), model):
            await send(kafka_server, org, [text])
            await detections(kafka_server, org, 1)
            await send(kafka_server, org, [text])
            found = await detections(kafka_server, org, 2)
        assert model.asked == [text]
        assert [each["items"][0]["text"] for each in found] == [text, text]
        rows = query(dsn_of("admin"), "SELECT status, cost_micro_usd > 0 FROM dw_ai_usage ORDER BY at")
        assert rows == [("ok", True), ("cached", False)]

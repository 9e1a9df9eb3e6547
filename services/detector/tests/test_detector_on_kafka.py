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

from dw_cli.play.stand_in import StandIn
from dw_contracts.events.candidates import Candidate
from dw_contracts.events.drafts import DraftRequest
from dw_contracts.ids import partition_key
from dw_contracts.topics import CANDIDATES, DETECTIONS, DRAFT_REQUESTS
from dw_detector.draft import TEMPLATE_VERSION
from dw_devstack.kafka import KafkaServer
from dw_devstack.ports import any_port
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg
from services.detector.tests.gate_world import AT, GOOD, items, openai_answer

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]


class Model:
    """An HTTP server that speaks chat/completions and messages. It answers after `seconds`, or never what `stuck` says."""

    def __init__(self, seconds: float = 0.05) -> None:
        self.seconds = seconds
        self.asked: list[str] = []
        self.answered: list[str] = []
        self.stuck: Callable[[str], bool] = lambda text: False
        self.says: Callable[[str], str] = lambda text: items(GOOD | {"text": text})
        self.heads: list[bytes] = []
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
                self.heads.append(head)
                of_anthropic = head.startswith(b"POST /v1/messages ")
                asked = body["messages"][0 if of_anthropic else 1]["content"]
                text = asked.split("\n")[1]
                self.asked.append(text)
                await asyncio.sleep(3600 if self.stuck(text) else self.seconds)
                told = anthropic_answer if of_anthropic else openai_answer
                answer = orjson.dumps(told(self.says(text)))
                self.answered.append(text)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    % len(answer)
                    + answer
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def anthropic_answer(content: str) -> Any:
    """A message whose one tool has this input."""
    return {
        "model": "small-0",
        "content": [{"type": "tool_use", "name": "learning_items", "input": orjson.loads(content)}],
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }


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


async def eventually(condition: Callable[[], bool], seconds: float = 90.0) -> None:
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


async def test_anthropic_is_asked_over_http_as_the_other_and_what_fits_not_is_repaired(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    texts = texts_of(2)

    def beyond_once(text: str) -> str:
        """The second text's first answer is surer than one can be."""
        sure = 2.0 if text == texts[1] and model.asked.count(text) == 1 else 0.8
        return items(GOOD | {"text": text, "confidence": sure})

    async with Model().running() as model:
        model.says = beyond_once
        anthropic = {"DW_DETECTOR_PROVIDER": "anthropic", "DW_DETECTOR_API_KEY": "k-1"}
        with detector(kafka_server, dsn_of("detector"), model, **anthropic):
            ids = await send(kafka_server, org, texts)
            found = await detections(kafka_server, org, 2)
    assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
    assert [(each["provider"], each["items"][0]["text"]) for each in found] == [
        ("anthropic", t) for t in texts
    ]
    assert sorted(model.asked) == sorted([*texts, texts[1]]), "one repair try"
    for head in model.heads:
        assert head.startswith(b"POST /v1/messages ")
        assert b"x-api-key: k-1" in head
        assert b"anthropic-version: 2023-06-01" in head
    rows = query(dsn_of("admin"), "SELECT provider, status, cost_micro_usd FROM dw_ai_usage")
    assert rows == [("anthropic", "ok", 100 * 1 + 20 * 4)] * 3


PARKED = "SELECT count(*) FROM dw_deferred WHERE org_id = %s"


async def test_an_org_at_its_limit_is_parked_and_goes_on_in_order_when_it_may(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    texts = texts_of(6)
    admin = dsn_of("admin")
    async with Model().running() as model:
        switch_off(admin, org)
        with detector(kafka_server, dsn_of("detector"), model):
            ids = await send(kafka_server, org, texts[:4])
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(4,)])
            ids += await send(kafka_server, org, texts[4:])
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(6,)])
            assert model.asked == []
            query(admin, "UPDATE dw_ai_limits SET killed = FALSE, updated_at = now()")
            found = await detections(kafka_server, org, 6)
            assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
            assert sorted(model.asked) == sorted(texts)
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(0,)])


async def test_a_budget_that_is_raised_lets_go_of_what_waits_for_tomorrow(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """Nothing is brought forward by hand: what was refused until midnight goes on within seconds."""
    texts = texts_of(5)
    admin, agent = dsn_of("admin"), f"agent:{org.agent_id}"
    async with Model().running() as model:
        query(
            admin,
            "INSERT INTO dw_ai_limits (org_id, scope, daily_micro_usd, updated_at) VALUES (%s, %s, 10, '2020-01-01')",
            org.org_id,
            agent,
        )
        with detector(kafka_server, dsn_of("detector"), model):
            ids = await send(kafka_server, org, texts)
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(5,)])
            first = "SELECT reason, scope, resets_at > now() FROM dw_deferred ORDER BY place LIMIT 1"
            assert query(admin, first) == [("daily_budget", agent, True)]
            assert model.asked == []
            query(admin, "UPDATE dw_ai_limits SET daily_micro_usd = 5000000")
            found = await detections(kafka_server, org, 5)
            assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(0,)])


async def test_a_small_budget_is_spent_and_not_stalled_by_what_calls_hold(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """A call holds many times what it costs. What does not fit beside those under way goes on as they settle."""
    texts = texts_of(40)
    admin = dsn_of("admin")
    async with Model().running() as model:
        query(
            admin,
            "INSERT INTO dw_ai_limits (org_id, scope, daily_micro_usd) VALUES (%s, 'org', 40000)",
            org.org_id,
        )
        with detector(kafka_server, dsn_of("detector"), model):
            ids = await send(kafka_server, org, texts)
            found = await detections(kafka_server, org, 40)
        assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
        assert sorted(model.asked) == sorted(texts)
    ((most,),) = query(admin, "SELECT max(reserved_micro_usd) FROM dw_ai_usage")
    assert most * 40 > 40_000 * 4, "all of them at once would have held more than there is"


async def test_of_an_agent_that_waits_nothing_is_paid_for(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """Somebody else has its first one in hand: what comes now could only be parked behind it."""
    texts = texts_of(4)
    admin = dsn_of("admin")
    async with Model().running() as model:
        switch_off(admin, org)
        with detector(kafka_server, dsn_of("detector"), model):
            ids = await send(kafka_server, org, texts[:1])
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(1,)])
            query(admin, "UPDATE dw_deferred SET claimed_until = now() + interval '1 hour'")
            query(admin, "UPDATE dw_ai_limits SET killed = FALSE, updated_at = now()")
            ids += await send(kafka_server, org, texts[1:])
            await eventually(lambda: query(admin, PARKED, org.org_id) == [(4,)])
            assert model.asked == []
            query(admin, "UPDATE dw_deferred SET claimed_until = NULL")
            found = await detections(kafka_server, org, 4)
    assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
    assert sorted(model.asked) == sorted(texts)


def switch_off(admin: str, org: SmallOrg) -> None:
    query(
        admin,
        "INSERT INTO dw_ai_limits (org_id, scope, killed, updated_at) VALUES (%s, 'org', TRUE, '2020-01-01')",
        org.org_id,
    )


async def test_what_waited_too_long_ends_as_a_detection_without_items(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    async with Model().running() as model:
        switch_off(dsn_of("admin"), org)
        with detector(kafka_server, dsn_of("detector"), model):
            await send(kafka_server, org, texts_of(1))
            await eventually(lambda: query(dsn_of("admin"), PARKED, org.org_id) == [(1,)])
            query(dsn_of("admin"), "UPDATE dw_deferred SET expires_at = now()")
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


async def dead_letters(kafka: KafkaServer, org: SmallOrg, count: int, seconds: float = 40.0) -> list[Any]:
    """The org's candidates that became dead letters, with their headers."""
    consumer = AIOKafkaConsumer(**login(kafka, "operator"), auto_offset_reset="earliest")
    await consumer.start()
    found: list[Any] = []
    try:
        topic = CANDIDATES.dead_letters
        consumer.assign([TopicPartition(topic, number) for number in range(3)])
        until = asyncio.get_running_loop().time() + seconds
        while len(found) < count and asyncio.get_running_loop().time() < until:
            for records in (await granted(partial(consumer.getmany, timeout_ms=200))).values():
                found += [r for r in records if str(org.org_id).encode() in (r.key or b"")]
    finally:
        await consumer.stop()
    return found


async def test_an_answer_that_fits_no_schema_twice_is_a_dead_letter_and_holds_nobody_up(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """D9 on the wire: asked, told what is wrong, asked again, then the candidate lies in the dead letters as it came."""
    texts = texts_of(3)
    async with Model().running() as model:
        model.says = lambda text: items(GOOD | {"text": text, "confidence": 2.0 if text == texts[1] else 0.8})
        with detector(kafka_server, dsn_of("detector"), model):
            ids = await send(kafka_server, org, texts)
            found = await detections(kafka_server, org, 2)
            (letter,) = await dead_letters(kafka_server, org, 1)
    assert [each["decision_id"] for each in found] == [str(ids[0]), str(ids[2])]
    assert {text: model.asked.count(text) for text in texts} == {texts[0]: 1, texts[1]: 2, texts[2]: 1}
    assert orjson.loads(letter.value)["event"]["event_id"] == str(ids[1])
    told = b" ".join(value for _, value in letter.headers)
    assert b"confidence: less_than_equal" in told
    assert texts[1].encode() not in told, "what is wrong is said without the text"
    stored = query(dsn_of("admin"), "SELECT decision_id FROM dw_detections")
    assert {row[0] for row in stored} == {ids[0], ids[2]}, "a bad answer is nowhere"
    rows = query(dsn_of("admin"), "SELECT status, count(*) FROM dw_ai_usage GROUP BY status")
    assert rows == [("ok", 4)], "both tries were paid for"


async def test_a_question_that_is_never_answered_becomes_a_dead_letter_and_holds_nobody_up_for_long(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """No record stops a partition: what was answered behind it is published, and no breaker opens for other orgs."""
    texts = texts_of(3)
    async with Model().running() as model:
        model.stuck = lambda text: text == texts[0]
        few = {"DW_DETECTOR_TIMEOUT_SECONDS": "1", "DW_DETECTOR_BREAKER_FAILURES": "2"}
        with detector(kafka_server, dsn_of("detector"), model, **few):
            ids = await send(kafka_server, org, texts)
            found = await detections(kafka_server, org, 2)
            (letter,) = await dead_letters(kafka_server, org, 1)
    assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids[1:]]
    assert orjson.loads(letter.value)["event"]["event_id"] == str(ids[0])
    assert b"small never answers it in time" in b" ".join(value for _, value in letter.headers)
    assert {text: model.asked.count(text) for text in texts} == {texts[0]: 3, texts[1]: 1, texts[2]: 1}
    rows = query(
        dsn_of("admin"), "SELECT error_type, count(*) FROM dw_ai_usage GROUP BY error_type ORDER BY 1"
    )
    assert rows == [("", 2), ("timeout", 3)]


async def test_a_draft_is_asked_for_over_kafka_and_comes_back_under_its_request(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """C66 on the wire: policy's request in, a model's draft out, stored, and the next one by template when switched off."""
    said = ("First turn the client off.", "Then import the new profile.", "Last, open the intranet.")
    body = StandIn.draft("".join(f"<said>\n{text}\n</said>\n" for text in said))
    request = DraftRequest(
        schema_version=1,
        request_id=uuid.uuid4(),
        org_id=org.org_id,
        role_agent_id=org.agent_id,
        topic="reset-vpn",
        corrections=said,
        source_event_ids=(uuid.uuid4(),),
        at=AT,
    )
    async with Model().running() as model:
        model.says = lambda text: orjson.dumps({"body_md": body}).decode()
        with detector(kafka_server, dsn_of("detector"), model):
            await ask_for(kafka_server, request)
            (found,) = await detections(kafka_server, org, 1)
            query(
                dsn_of("admin"),
                "INSERT INTO dw_ai_limits (org_id, scope, killed) VALUES (%s, 'org', TRUE)",
                org.org_id,
            )
            await ask_for(kafka_server, request.model_copy(update={"request_id": uuid.uuid4()}))
            await ask_for(kafka_server, request)
            drafts = await detections(kafka_server, org, 3)
    assert (found["decision_id"], found["prompt_version"]) == (str(request.request_id), "skill_draft-1")
    assert found["items"][0]["text"] == body.strip()
    assert [each["model"] for each in drafts] == ["small", TEMPLATE_VERSION, "small"]
    assert len(model.asked) == 1, "the second time the same was asked for, it lay there"


async def ask_for(kafka: KafkaServer, request: DraftRequest) -> None:
    """As policy's outbox does."""
    producer = AIOKafkaProducer(**login(kafka, "policy"), acks="all")
    await producer.start()
    key = partition_key(request.org_id, request.role_agent_id)
    await granted(partial(producer.send_and_wait, DRAFT_REQUESTS.name, request.to_bytes(), key))
    await producer.stop()


async def test_a_secret_that_a_model_says_is_neither_stored_nor_published(
    kafka_server: KafkaServer, dsn_of: DsnOf, org: SmallOrg
) -> None:
    """G26: in whichever field it stands."""
    texts = texts_of(2)
    secret = "AKIA" + "2E0A8F3B244C9986"

    def said(text: str) -> str:
        labels = {"key": f"m-{secret}", "subject": secret, "category": secret}
        return items(GOOD | ({"text": text, **labels} if text == texts[0] else {"text": f"{text} {secret}"}))

    async with Model().running() as model:
        model.says = said
        with detector(kafka_server, dsn_of("detector"), model):
            await send(kafka_server, org, texts)
            found = await detections(kafka_server, org, 2)
    assert secret not in str(found)
    (labels,), (words,) = (each["items"] for each in found)
    assert (labels["text"], labels["key"].startswith("room-number"), labels.get("subject")) == (
        texts[0],
        True,
        None,
    )
    assert words["text"] == f"{texts[1]} [redacted:aws]"
    stored = query(dsn_of("admin"), "SELECT d::text FROM dw_detections AS d")
    assert len(stored) == 2
    assert secret not in str(stored)

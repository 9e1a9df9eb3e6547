"""Three replicas, a real Kafka, and Kafka away: where a change is seen, and whose (C71)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import psycopg
import pytest
from aiokafka import AIOKafkaProducer

from dw_context.app import create_app
from dw_context.settings import Settings
from dw_contracts.events.changes import LearningChange
from dw_contracts.ids import partition_key
from dw_contracts.topics import CHANGES
from dw_devstack.kafka import KafkaServer
from dw_store.database import Database
from dw_store.keys import NewKey, create_key
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
PEPPER = "00" * 32
ASKED = {"role_agent": "it_agent", "channel": "helpdesk"}


@asynccontextmanager
async def replica(dsn: str, **kafka: Any) -> AsyncIterator[httpx.AsyncClient]:
    """One context process's application."""
    settings = Settings.model_validate(
        {"database_url": dsn, "pepper": PEPPER, "seal_keys": "test:" + "ab" * 32, **kafka}
    )
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://context") as client,
    ):
        yield client


async def eventually(holds: Callable[[], Awaitable[bool]], tries: int = 300) -> None:
    """Ask again for some 15 s."""
    for _ in range(tries):
        if await holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come")


async def key_of(dsn: str, org: SmallOrg) -> dict[str, str]:
    """A runtime key's header."""
    async with Database.connect(dsn, size=1, application_name="test") as database, database.system() as tx:
        new = NewKey(uuid.uuid4(), org.org_id, "runtime", "test", "test")
        return {"authorization": f"Bearer {await create_key(tx, new, PEPPER)}"}


def learn(dsn: str, org: SmallOrg, text: str) -> LearningChange:
    """A memory and its version, committed; gives what the outbox would announce."""
    made = uuid.uuid4()
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content,"
            " content_hash, risk, confidence, source_kind, source_refs, origin, created_by) VALUES (%s, %s, %s,"
            " 'role_agent', 'fact', 'fact', %s, %s, %s, 'low', 0.9, 'user_confirmed', '[{}]', 'approved', 'test')",
            (made, org.org_id, org.agent_id, str(made), text, made.bytes),
        )
        row = connection.execute(
            "SELECT version FROM dw_raise_versions(ARRAY[%s], ARRAY[%s])", (org.org_id, org.agent_id)
        ).fetchone()
    assert row is not None
    return LearningChange(
        schema_version=1,
        change_id=made,
        type="memory_auto_saved",
        org_id=org.org_id,
        role_agent_id=org.agent_id,
        subject_type="memory",
        version=row[0],
        at=datetime.now(UTC),
    )


async def texts(client: httpx.AsyncClient, headers: dict[str, str], **more: Any) -> list[str]:
    """What the agent is told."""
    answer = await client.post("/v1/context", json=ASKED | more, headers=headers)
    return [memory["text"] for memory in answer.json()["memories"]] if answer.status_code == 200 else ["?"]


async def test_a_change_is_in_the_next_pack_of_three_replicas_and_drops_nothing_of_another_org(
    dsn_of: DsnOf, kafka_server: KafkaServer
) -> None:
    ours, theirs = create_small_org(dsn_of("admin")), create_small_org(dsn_of("admin"))
    our_key, their_key = await key_of(dsn_of("admin"), ours), await key_of(dsn_of("admin"), theirs)
    kafka = {"kafka_bootstrap": kafka_server.bootstrap, "kafka_password": "context"}
    async with AsyncExitStack() as stack:
        replicas = [
            await stack.enter_async_context(replica(dsn_of("context"), replica=f"r{number}", **kafka))
            for number in range(3)
        ]

        async def all_follow() -> bool:
            seen = [(await each.get("/metrics")).text for each in replicas]
            return all('dw_context_changes_seen_total{scope="all"} 1.0' in text for text in seen)

        await eventually(all_follow)
        for each in replicas:
            await eventually(lambda each=each: _is(each, our_key, []))  # type: ignore[misc]  # bound by default
            assert await texts(each, their_key) == []
        change = learn(dsn_of("admin"), ours, "The office opens at nine.")
        login = kafka_server.login("policy")
        producer = AIOKafkaProducer(
            bootstrap_servers=login.bootstrap,
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism="PLAIN",
            sasl_plain_username=login.user,
            sasl_plain_password=login.password,
        )
        await producer.start()
        try:
            await producer.send_and_wait(
                CHANGES.name, change.to_bytes(), partition_key(ours.org_id, ours.agent_id)
            )
        finally:
            await producer.stop()

        async def all_heard() -> bool:
            seen = [(await each.get("/metrics")).text for each in replicas]
            return all('dw_context_changes_seen_total{scope="role_agent"} 1.0' in text for text in seen)

        await eventually(all_heard)
        for each in replicas:
            assert await texts(each, our_key) == ["The office opens at nine."]
            assert await texts(each, their_key) == []


async def test_with_kafka_away_a_change_comes_with_the_next_confirmation_and_at_once_with_its_version(
    dsn_of: DsnOf,
) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_of(dsn_of("admin"), org)
    nowhere = {"kafka_bootstrap": "127.0.0.1:1", "kafka_security": "PLAINTEXT"}
    async with replica(dsn_of("context"), **nowhere) as client:
        await eventually(lambda: _is(client, headers, []))
        learn(dsn_of("admin"), org, "Known quietly.")
        await eventually(lambda: _is(client, headers, ["Known quietly."]), tries=100)
        change = learn(dsn_of("admin"), org, "Known by number.")
        told = await texts(client, headers, at_least_version=change.version)
        assert set(told) == {"Known quietly.", "Known by number."}


async def _is(client: httpx.AsyncClient, headers: dict[str, str], expected: list[str]) -> bool:
    return await texts(client, headers) == expected

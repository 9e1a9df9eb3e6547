"""The routes of an AI runtime, over the whole application and a real PostgreSQL (R4, C71, C74)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import httpx
import psycopg
import pytest

from dw_context.app import create_app
from dw_context.build_pack import BuildPack
from dw_context.settings import Settings
from dw_contracts.http.context import BuildContextRequest, ContextPack, SearchResult
from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database
from dw_store.history import HistoryRow, write_history
from dw_store.keys import FoundKey, NewKey, create_key
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
PEPPER = "00" * 32
ASKED = {"role_agent": "it_agent", "channel": "helpdesk"}


@pytest.fixture
async def client(dsn_of: DsnOf) -> AsyncIterator[httpx.AsyncClient]:
    """The application without a broker: packs do not need one."""
    async with opened(dsn_of) as client:
        yield client


@asynccontextmanager
async def opened(dsn_of: DsnOf, **changed: Any) -> AsyncIterator[httpx.AsyncClient]:
    """The application, once its database is open."""
    settings = Settings.model_validate(
        {
            "database_url": dsn_of("context"),
            "pepper": PEPPER,
            "seal_keys": "test:" + "ab" * 32,
            "kafka_bootstrap": "127.0.0.1:1",
            "kafka_security": "PLAINTEXT",
            "query_timeout_seconds": 20,  # a slow machine is no test
        }
        | changed
    )
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://context") as client,
    ):
        await database_is_open(client)
        yield client


async def database_is_open(client: httpx.AsyncClient) -> None:
    """Wait until an unknown key is 401 rather than 503."""
    headers = {"authorization": "Bearer dw_rt_nobody"}
    for _ in range(100):
        if (await client.post("/v1/context", json=ASKED, headers=headers)).status_code == 401:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the database did not open")


async def key_for(dsn: str, org: SmallOrg, **fields: Any) -> dict[str, str]:
    """A runtime key's header."""
    async with Database.connect(dsn, size=1, application_name="test") as database:
        new = NewKey(
            uuid.uuid4(), org.org_id, fields.pop("kind", "runtime"), uuid.uuid4().hex, "test", **fields
        )
        async with database.system() as tx:
            secret = await create_key(tx, new, PEPPER)
    return {"authorization": f"Bearer {secret}"}


def skill_for(dsn: str, org: SmallOrg, name: str) -> None:
    """An approved, active skill of the org's agent."""
    made = uuid.uuid4()
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "INSERT INTO dw_agent_skills (id, org_id, role_agent_id, name, description, risk, status, active_version,"
            " created_by_user_id) VALUES (%s, %s, %s, %s, 'How it is done.', 'low', 'active', 1, %s)",
            (made, org.org_id, org.agent_id, name, org.user_id),
        )
        connection.execute(
            "INSERT INTO dw_agent_skill_versions (org_id, skill_id, version, body_md, content_hash, approver_user_id,"
            " approved_at, status) VALUES (%s, %s, 1, '1. Do it.', 'x', %s, now(), 'approved')",
            (org.org_id, made, org.user_id),
        )
        connection.execute("SELECT dw_raise_versions(ARRAY[%s], ARRAY[%s])", (org.org_id, org.agent_id))


def remember(dsn: str, org: SmallOrg, text: str) -> uuid.UUID:
    """One memory; raises the agent's version."""
    made = uuid.uuid4()
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content,"
            " content_hash, risk, confidence, source_kind, source_refs, origin, created_by) VALUES (%s, %s, %s,"
            " 'role_agent', 'fact', 'fact', %s, %s, %s, 'low', 0.9, 'user_confirmed', '[{}]', 'approved', 'test')",
            (made, org.org_id, org.agent_id, str(made), text, made.bytes),
        )
        connection.execute(
            "SELECT dw_raise_versions(ARRAY[%s], ARRAY[%s])",
            (org.org_id, org.agent_id),
        )
    return made


async def test_a_pack_holds_what_the_agent_knows_and_is_recorded(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    made = remember(dsn_of("admin"), org, "The office opens at nine.")
    headers = await key_for(dsn_of("admin"), org)
    answer = await client.post("/v1/context", json=ASKED | {"message": "when?"}, headers=headers)
    assert answer.status_code == 200
    pack = ContextPack.model_validate_json(answer.content)
    assert [memory.id for memory in pack.memories] == [made]
    assert "«The office opens at nine.»" in pack.blocks["memory"]
    assert (pack.version, pack.role_agent_id, pack.memory_chars) == (2, org.agent_id, 25)
    assert pack.model_dump(mode="json") == answer.json()
    await asyncio.sleep(0.5)
    with psycopg.connect(dsn_of("admin")) as connection:
        kept = connection.execute(
            "SELECT org_id, channel_id, memory_ids, version FROM dw_context_packs"
        ).fetchall()
    assert kept == [(org.org_id, org.channel_id, [made], 2)]


async def test_the_answer_at_once_and_the_ordinary_way_say_the_same(
    client: httpx.AsyncClient, dsn_of: DsnOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: list[str] = []
    _noted(monkeypatch, ways)
    org = create_small_org(dsn_of("admin"))
    for n in range(30):
        remember(dsn_of("admin"), org, f"Room {n} is on floor {n % 7}.")
    headers = await key_for(dsn_of("admin"), org)
    traced = headers | {"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-00"}  # goes the ordinary way
    run = "run"
    cases: list[tuple[dict[str, Any], int, list[str]]] = [
        (
            {"message": "where is room 5?"},
            200,
            [run, "at once", run],
        ),  # the key and the agent are known by then
        ({"message": "hello", "recent": 3}, 200, [run] * 3),
        ({"channel": "nowhere"}, 404, [run] * 3),
        ({"role_agent": "nobody"}, 404, [run] * 3),
        ({"message": 5}, 422, []),
    ]
    for more, status, expected in cases:
        body = {**ASKED, **more}
        ways.clear()
        first = await client.post("/v1/context", json=body, headers=headers)
        again = await client.post("/v1/context", json=body, headers=headers)
        ordinary = await client.post("/v1/context", json=body, headers=traced)
        told = [answer.json() | {"built_at": None} for answer in (first, again, ordinary)]
        assert told[0] == told[1] == told[2]
        assert ways == expected
        assert (first.status_code, again.status_code, ordinary.status_code) == (status,) * 3
        assert len({answer.headers["content-type"] for answer in (first, again, ordinary)}) == 1
    await asyncio.sleep(0.5)
    with psycopg.connect(dsn_of("admin")) as connection:
        kept = connection.execute(
            "SELECT count(*), count(DISTINCT memory_ids), count(DISTINCT dropped::jsonb) FROM dw_context_packs"
        ).fetchone()
    assert kept == (6, 2, 2)


def _noted(monkeypatch: pytest.MonkeyPatch, ways: list[str]) -> None:
    """Which way each pack takes."""
    at_once, run = BuildPack.at_once, BuildPack.run

    def quick(self: BuildPack, key: FoundKey, request: BuildContextRequest) -> bytes | None:
        answer = at_once(self, key, request)
        ways.extend(["at once"] if answer is not None else [])
        return answer

    async def ordinary(self: BuildPack, key: FoundKey, request: BuildContextRequest) -> bytes:
        ways.append("run")
        return await run(self, key, request)

    monkeypatch.setattr(BuildPack, "at_once", quick)
    monkeypatch.setattr(BuildPack, "run", ordinary)


async def test_an_unassigned_channel_and_a_foreign_agent_are_the_same_404(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    ours, theirs = create_small_org(dsn_of("admin")), create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), ours)
    bodies = (
        {"role_agent": "it_agent", "channel": "C-NOWHERE"},
        {"role_agent": str(theirs.agent_id), "channel": str(theirs.channel_id)},
        {"role_agent": "nobody", "channel": "helpdesk"},
    )
    answers = [await client.post("/v1/context", json=body, headers=headers) for body in bodies]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert "not assigned" in answers[0].json()["detail"]


@pytest.mark.parametrize("path", ["/v1/context", "/v1/history/search"])
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer dw_rt_wrong", "Basic dw_rt_wrong", "Bearer \u00ff"])
async def test_without_a_live_runtime_key_nothing_is_answered(
    client: httpx.AsyncClient, path: str, header: str
) -> None:
    answer = await client.post(
        path, json=ASKED | {"query": "x"}, headers={b"authorization": header.encode("latin-1")}
    )
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_gateways_key_and_a_revoked_key_open_nothing(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    gateway = await key_for(dsn_of("admin"), org, kind="gateway")
    runtime = await key_for(dsn_of("admin"), org)
    assert (await client.post("/v1/context", json=ASKED, headers=gateway)).status_code == 401
    assert (await client.post("/v1/context", json=ASKED, headers=runtime)).status_code == 200
    with psycopg.connect(dsn_of("admin")) as connection:
        connection.execute("UPDATE dw_api_keys SET revoked_at = now()")
    revoked = monotonic()
    while (await client.post("/v1/context", json=ASKED, headers=runtime)).status_code == 200:
        assert monotonic() - revoked < 5.0
        await asyncio.sleep(0.1)


async def test_a_version_that_is_not_there_is_waited_for_and_then_503(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    waiting = asyncio.create_task(
        client.post("/v1/context", json=ASKED | {"at_least_version": 2}, headers=headers)
    )
    await asyncio.sleep(0.2)
    remember(dsn_of("admin"), org, "Just learned.")
    assert (await waiting).json()["version"] == 2
    began = monotonic()
    late = await client.post("/v1/context", json=ASKED | {"at_least_version": 99}, headers=headers)
    assert (late.status_code, late.headers["retry-after"]) == (503, "1")
    assert 0.9 < monotonic() - began < 2.5


async def test_a_slow_database_is_a_503_and_no_hang_for_what_is_not_in_memory(dsn_of: DsnOf) -> None:
    org, other = create_small_org(dsn_of("admin")), create_small_org(dsn_of("admin"))
    headers, others = await key_for(dsn_of("admin"), org), await key_for(dsn_of("admin"), other)
    async with opened(dsn_of, query_timeout_seconds=2) as client:
        assert (await client.post("/v1/context", json=ASKED, headers=headers)).status_code == 200
        unknown = await client.post("/v1/context", json=ASKED | {"role_agent": "x"}, headers=others)
        assert unknown.status_code == 404
        with psycopg.connect(dsn_of("admin")) as connection:  # the lock is held until all have their answer
            connection.execute("LOCK TABLE dw_role_agents IN ACCESS EXCLUSIVE MODE")
            answers = await asyncio.gather(
                *(client.post("/v1/context", json=ASKED, headers=others) for _ in range(20)),
                client.post("/v1/history/search", json=ASKED | {"query": "x"}, headers=headers),
            )
            assert {answer.status_code for answer in answers} == {503}
            assert answers[0].json()["type"] == "urn:dw:problem:unavailable"
            assert (await client.post("/v1/context", json=ASKED, headers=headers)).status_code == 200
        assert (await client.post("/v1/context", json=ASKED, headers=others)).status_code == 200


async def test_without_a_cache_each_pack_is_read_and_a_change_is_in_the_next_one(dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    async with opened(dsn_of, cached_agents=0) as client:
        for count in range(3):
            pack = (await client.post("/v1/context", json=ASKED, headers=headers)).json()
            assert len(pack["memories"]) == count
            remember(dsn_of("admin"), org, f"Fact {count}.")


async def test_the_messages_own_matches_and_the_named_skill_are_in_the_pack_and_its_record(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    wanted = remember(dsn_of("admin"), org, "The printer Oak needs blue toner.")
    for number in range(40):
        remember(dsn_of("admin"), org, f"Room {number} has {number} chairs.")
    skill_for(dsn_of("admin"), org, "order-toner")
    plain = (await client.post("/v1/context", json=ASKED, headers=headers)).json()
    assert str(wanted) not in {memory["id"] for memory in plain["memories"]}
    asked = ASKED | {"message": "/order-toner which toner does printer Oak need?"}
    pack = (await client.post("/v1/context", json=asked, headers=headers)).json()
    assert str(wanted) in {memory["id"] for memory in pack["memories"]}
    assert len(pack["memories"]) == 20
    assert [(skill["name"], skill["version"]) for skill in pack["skills"]] == [("order-toner", 1)]
    assert "# Skill: order-toner" in pack["blocks"]["skills"]
    await asyncio.sleep(0.5)
    with psycopg.connect(dsn_of("admin")) as connection:
        rows = connection.execute(
            "SELECT skill_refs, dropped FROM dw_context_packs ORDER BY built_at DESC LIMIT 1"
        ).fetchall()
    assert rows[0][0] == [{"name": "order-toner", "version": 1}]
    assert rows[0][1]["reasons"] == {"count": 21}
    assert [left["id"] for left in rows[0][1]["nearest"]] == [left["id"] for left in pack["dropped"][:10]]


@pytest.mark.parametrize("status", ["paused", "archived"])
async def test_a_skill_that_is_not_active_is_not_loaded_even_by_command(
    client: httpx.AsyncClient, dsn_of: DsnOf, status: str
) -> None:
    """R161, R203: in the very next pack."""
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    skill_for(dsn_of("admin"), org, "order-toner")
    asked = ASKED | {"message": "/order-toner please"}
    before = (await client.post("/v1/context", json=asked, headers=headers)).json()
    with psycopg.connect(dsn_of("admin")) as connection:
        connection.execute("UPDATE dw_agent_skills SET status = %s", (status,))
        raised = "SELECT dw_raise_versions(ARRAY[%s], ARRAY[%s])"
        connection.execute(raised, (org.org_id, org.agent_id))
    newer = asked | {"at_least_version": before["version"] + 1}
    after = (await client.post("/v1/context", json=newer, headers=headers)).json()
    assert [skill["name"] for skill in before["skills"]] == ["order-toner"]
    assert after["skills"] == []
    assert "# Skill: order-toner" not in str(after["blocks"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b'{"role_agent": "a", "role_agent": "b", "channel": "c"}', 400),
        (b'{"role_agent": "\xff"}', 400),
        (b"[]", 400),
        (b"{}", 422),
        (b'{"role_agent": "a", "channel": "c", "at_least_version": -1}', 422),
    ],
)
async def test_a_body_that_does_not_fit_is_told_what_is_wrong(
    client: httpx.AsyncClient, dsn_of: DsnOf, body: bytes, status: int
) -> None:
    headers = await key_for(dsn_of("admin"), create_small_org(dsn_of("admin")))
    answer = await client.post(
        "/v1/context", content=body, headers=headers | {"content-type": "application/json"}
    )
    assert (answer.status_code, answer.json()["status"]) == (status, status)


async def test_history_is_searched_and_quoted_without_what_hides_in_it(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    event = chat_event(org.org_id, org.agent_id, org.channel_id, "The VPN\u202e gateway is Atlas.")
    async with (
        Database.connect(dsn_of("context"), size=1, application_name="test") as database,
        database.transaction([org.org_id]) as tx,
    ):
        await write_history(tx, [HistoryRow(event, True, tsvector_literal(event.text, org.agent_id))])
    answer = await client.post("/v1/history/search", json=ASKED | {"query": "which vpn?"}, headers=headers)
    assert answer.status_code == 200
    (hit,) = SearchResult.model_validate_json(answer.content).hits
    assert (hit.event_id, hit.text, hit.sender, hit.verified) == (
        event.event_id,
        "The VPN gateway is Atlas.",
        "U1001",
        True,
    )
    assert hit.occurred_at == datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    foreign = ASKED | {"query": "vpn", "channel": "elsewhere"}
    assert (await client.post("/v1/history/search", json=foreign, headers=headers)).status_code == 404


async def test_a_hit_brings_its_neighbours_a_snippet_and_stands_for_its_thread(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    root = chat_event(org.org_id, org.agent_id, org.channel_id, "The beamer stays green.", message_ref="m1")
    answer = chat_event(
        org.org_id,
        org.agent_id,
        org.channel_id,
        "Bent pin: swap the cable.",
        message_ref="m2",
        thread_ref="m1",
    )
    async with (
        Database.connect(dsn_of("context"), size=1, application_name="test") as database,
        database.transaction([org.org_id]) as tx,
    ):
        rows = [
            HistoryRow(event, True, tsvector_literal(event.text, org.agent_id)) for event in (root, answer)
        ]
        await write_history(tx, rows)
    asked = ASKED | {"query": "grün", "phrasings": ["projector tint"], "neighbours": 1}
    found = await client.post("/v1/history/search", json=asked, headers=headers)
    (hit,) = SearchResult.model_validate_json(found.content).hits
    assert (hit.event_id, hit.snippet) == (root.event_id, "The beamer stays green.")
    assert [near.event_id for near in hit.neighbours] == [answer.event_id]


async def test_a_secret_in_a_question_is_not_looked_for(client: httpx.AsyncClient, dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    headers = await key_for(dsn_of("admin"), org)
    asked = ASKED | {"query": "is sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc still valid"}
    answer = await client.post("/v1/history/search", json=asked, headers=headers)
    assert answer.json() == {"hits": [], "query_redacted": True}
    six = ASKED | {"query": "x", "phrasings": ["a"] * 5}
    assert (await client.post("/v1/history/search", json=six, headers=headers)).status_code == 422

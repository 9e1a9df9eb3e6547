"""The memory API of an agent at work: the one decision, and walls around the token (S3; R178 to R187, C2, C60, C74)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest

from dw_context.app import create_app
from dw_context.run_tokens import RunTokens
from dw_context.settings import Settings
from dw_contracts.events.chat import ChatEvent
from dw_contracts.http.agent_memory import MemoryPage
from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database
from dw_store.history import HistoryRow, write_history
from dw_store.keys import NewKey, create_key
from dw_store.runs import Run
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
PEPPER = "00" * 32
SAID = "The Lisbon office closes at 18:00 on Fridays."


@dataclass
class World:
    """The application, and an org whose agent answers in it."""

    client: httpx.AsyncClient
    dsn_of: DsnOf
    org: SmallOrg
    key: dict[str, str] = field(default_factory=dict)

    async def said(self, text: str, *, sealed: bool = True, account: str | None = None) -> ChatEvent:
        """A message as history keeps it."""
        event = chat_event(self.org.org_id, self.org.agent_id, self.org.channel_id, text)
        ref = uuid.uuid4().hex
        sender = event.sender.model_copy(update={"external_user_id": account or self.org.account})
        event = event.model_copy(update={"event_id": uuid.uuid4(), "message_ref": ref, "sender": sender})
        async with (
            Database.connect(self.dsn_of("context"), size=1, application_name="test") as database,
            database.transaction([self.org.org_id]) as tx,
        ):
            await write_history(tx, [HistoryRow(event, sealed, tsvector_literal(text))])
        return event

    async def run(self, event: ChatEvent | None = None, **more: Any) -> dict[str, Any]:
        """A started run."""
        asked = {"role_agent": "it_agent", "channel": "helpdesk"} | more
        if event is not None:
            asked["event_id"] = str(event.event_id)
        answer = await self.client.post("/v1/runs", json=asked, headers=self.key)
        assert answer.status_code == 200, answer.text
        started: dict[str, Any] = answer.json()
        return started

    async def run_about(self, text: str = SAID, **said: Any) -> dict[str, Any]:
        """A run that answers a message."""
        return await self.run(await self.said(text, **said))

    async def put(self, run: dict[str, Any], content: str, key: str = "hours", **more: Any) -> httpx.Response:
        """PUT one entry."""
        body = {"key": key, "content": content} | more
        return await self.client.put(run["memory"], json=body, headers=bearer(run))

    async def entries(self, run: dict[str, Any], **query: Any) -> MemoryPage:
        """GET the entries."""
        answer = await self.client.get(run["memory"], params=query, headers=bearer(run))
        assert answer.status_code == 200, answer.text
        return MemoryPage.model_validate_json(answer.content)

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        """As the superuser."""
        with psycopg.connect(self.dsn_of("admin")) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    def remember(self, content: str, **columns: Any) -> str:
        """A memory that people approved, but for what is said here."""
        made = uuid.uuid4()
        row = {
            "id": made,
            "org_id": self.org.org_id,
            "role_agent_id": self.org.agent_id,
            "scope": "role_agent",
            "memory_type": "fact",
            "category": "fact",
            "key": str(made),
            "content": content,
            "content_hash": made.bytes,
            "risk": "low",
            "confidence": 0.9,
            "source_kind": "user_confirmed",
            "source_refs": '[{"type": "manual"}]',
            "origin": "approved",
            "created_by": "test",
        } | columns
        names, places = ", ".join(row), ", ".join(["%s"] * len(row))
        self.query(f"INSERT INTO dw_agent_memories ({names}) VALUES ({places})", *row.values())
        return str(made)


def bearer(run: dict[str, Any]) -> dict[str, str]:
    """The run's token as a header."""
    return {"authorization": f"Bearer {run['token']}"}


@pytest.fixture
async def world(dsn_of: DsnOf) -> AsyncIterator[World]:
    """One application, one org, one runtime key."""
    settings = Settings.model_validate(
        {
            "database_url": dsn_of("context"),
            "pepper": PEPPER,
            "seal_keys": "test:" + "ab" * 32,
            "kafka_bootstrap": "127.0.0.1:1",
            "kafka_security": "PLAINTEXT",
        }
    )
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://context") as client,
    ):
        made = World(client, dsn_of, create_small_org(dsn_of("admin")))
        made.key = await key_for(dsn_of("admin"), made.org)
        for _ in range(100):
            if (await client.post("/v1/runs", json={}, headers=made.key)).status_code == 422:
                break
            await asyncio.sleep(0.05)
        yield made


async def key_for(dsn: str, org: SmallOrg, **fields: Any) -> dict[str, str]:
    """A runtime key's header."""
    async with Database.connect(dsn, size=1, application_name="test") as database, database.system() as tx:
        new = NewKey(uuid.uuid4(), org.org_id, "runtime", uuid.uuid4().hex, "test", **fields)
        return {"authorization": f"Bearer {await create_key(tx, new, PEPPER)}"}


async def test_what_a_verified_person_said_in_the_runs_own_message_is_stored_at_once(world: World) -> None:
    run = await world.run_about()
    answer = await world.put(run, SAID, metadata={"topic": "offices"})
    assert (answer.status_code, answer.json()["status"]) == (200, "stored")
    (entry,) = (await world.entries(run)).entries
    assert (entry.key, entry.content, entry.layer) == ("hours", SAID, "knowledge")
    assert (entry.source_session, entry.metadata) == (run["run_id"], {"topic": "offices"})
    asked = {"role_agent": "it_agent", "channel": "helpdesk", "at_least_version": answer.json()["version"]}
    pack = (await world.client.post("/v1/context", json=asked, headers=world.key)).json()
    assert [memory["text"] for memory in pack["memories"]] == [SAID]
    audit = world.query("SELECT event_type, source_event_id, on_behalf_of FROM dw_learning_events")
    assert audit == [("memory_auto_saved", uuid.UUID(run["event_id"]), world.org.user_id)]
    assert world.query("SELECT count(*) FROM dw_outbox WHERE topic = 'learning.changes.v1'") == [(1,)]


@pytest.mark.parametrize(
    ("said", "content", "reason"),
    [
        ({"account": "U9"}, SAID, "unverified_sender"),
        ({"sealed": False}, SAID, "unsealed"),
        ({}, "The Porto office closes at 20:00.", "not_own_words"),
        ({}, "The travel portal is https://evil.example/trips.", "high_impact"),
    ],
)
async def test_all_else_waits_for_a_person(
    world: World, said: dict[str, Any], content: str, reason: str
) -> None:
    run = await world.run_about(**said)
    answer = await world.put(run, content)
    assert (answer.status_code, answer.json()["status"], answer.json()["reason"]) == (202, "proposed", reason)
    assert world.query("SELECT id, status, reason_code FROM dw_learning_items") == [
        (uuid.UUID(answer.json()["item_id"]), "pending", reason)
    ]
    assert (await world.entries(run)).entries == ()


async def test_without_an_event_or_before_it_is_known_an_entry_is_only_proposed(world: World) -> None:
    for run in (await world.run(), await world.run(event_id=str(uuid.uuid4()))):
        answer = await world.put(run, f"{SAID} {run['run_id']}")
        assert (answer.status_code, answer.json()["reason"]) == (202, "unsealed")


async def test_a_secret_is_rejected_and_stands_nowhere(world: World) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    run = await world.run_about()
    cases: list[tuple[str, dict[str, Any]]] = [
        (f"The key is {secret}", {}),
        (SAID, {"metadata": {"key": secret}}),
    ]
    for content, more in cases:
        answer = await world.put(run, content, **more)
        assert (answer.status_code, answer.json()["status"]) == (422, "rejected")
        assert answer.json()["reason"] == "secret_blocked"
        assert secret not in answer.text
    assert world.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]
    assert [row[0] for row in world.query("SELECT event_type FROM dw_learning_events")] == [
        "secret_blocked"
    ] * 2
    for table in ("dw_decisions", "dw_learning_items", "dw_event_bodies", "dw_outbox"):
        assert world.query(f"SELECT count(*) FROM {table} AS t WHERE t::text LIKE %s", f"%{secret}%") == [
            (0,)
        ]


async def test_a_put_on_the_same_key_updates_the_agents_own_entry_and_keeps_the_old_one_as_history(
    world: World,
) -> None:
    first = await world.put(await world.run_about(), SAID)
    later = "Fridays end at 16:00 in summer."
    run = await world.run_about(later)
    second = await world.put(run, later)
    assert (second.status_code, second.json()["status"]) == (200, "stored")
    assert [entry.content for entry in (await world.entries(run, key="hours")).entries] == [later]
    assert world.query("SELECT id, superseded_by FROM dw_agent_memories WHERE status = 'superseded'") == [
        (uuid.UUID(first.json()["memory_id"]), uuid.UUID(second.json()["memory_id"]))
    ]


async def test_a_put_never_overwrites_what_people_approved(world: World) -> None:
    kept = world.remember("The Lisbon office closes at 19:00.", key="hours")
    answer = await world.put(await world.run_about(), SAID)
    assert (answer.status_code, answer.json()["reason"]) == (202, "conflict")
    assert world.query("SELECT target_memory_id, action FROM dw_learning_items") == [
        (uuid.UUID(kept), "update")
    ]
    assert world.query("SELECT count(*) FROM dw_agent_memories WHERE status = 'active'") == [(1,)]


async def test_the_same_put_again_has_one_effect(world: World) -> None:
    run = await world.run_about()
    first = (await world.put(run, SAID)).json()
    again = (await world.put(run, SAID)).json()
    assert (again["status"], again["reason"]) == ("stored", "duplicate")
    assert again["memory_id"] == first["memory_id"]
    stranger = await world.run_about(account="U9")
    waits = (await world.put(stranger, "The door code changes on Mondays.", key="door")).json()
    waits_again = (await world.put(stranger, "The door code changes on Mondays.", key="door")).json()
    assert waits_again["item_id"] == waits["item_id"]
    assert world.query("SELECT evidence_count FROM dw_learning_items") == [(1,)]
    assert world.query("SELECT count(*) FROM dw_agent_memories") == [(1,)]


async def test_learning_that_is_paused_stores_and_proposes_nothing(world: World) -> None:
    world.query("UPDATE dw_role_agents SET learning_enabled = FALSE")
    answer = await world.put(await world.run_about(), SAID)
    assert (answer.status_code, answer.json()["reason"]) == (422, "learning_off")
    assert world.query("SELECT count(*) FROM dw_learning_items") == [(0,)]


async def test_an_agent_deletes_its_own_entry_at_once_and_proposes_to_archive_others(world: World) -> None:
    run = await world.run_about()
    own = (await world.put(run, SAID)).json()["memory_id"]
    approved = world.remember("The printer is Oak.")
    gone = await world.client.delete(f"{run['memory']}/{own}", headers=bearer(run))
    assert (gone.status_code, gone.json()["status"]) == (200, "deleted")
    waits = await world.client.delete(f"{run['memory']}/{approved}", headers=bearer(run))
    assert (waits.status_code, waits.json()["status"]) == (202, "proposed")
    assert world.query("SELECT action, target_memory_id FROM dw_learning_items") == [
        ("archive", uuid.UUID(approved))
    ]
    assert [str(entry.id) for entry in (await world.entries(run)).entries] == [approved]
    assert world.query("SELECT change_kind FROM dw_memory_revisions ORDER BY revision") == [
        ("create",),
        ("delete",),
    ]
    types = [row[0] for row in world.query("SELECT event_type FROM dw_learning_events ORDER BY id")]
    assert types == ["memory_auto_saved", "memory_deleted", "learning_proposed"]
    again = await world.client.delete(f"{run['memory']}/{own}", headers=bearer(run))
    assert again.status_code == 404


async def test_for_a_stranger_not_even_the_agents_own_entry_is_deleted_at_once(world: World) -> None:
    own = (await world.put(await world.run_about(), SAID)).json()["memory_id"]
    run = await world.run_about("forget the hours", account="U9")
    answer = await world.client.delete(f"{run['memory']}/{own}", headers=bearer(run))
    assert (answer.status_code, answer.json()["status"]) == (202, "proposed")


async def test_a_run_deletes_at_most_twenty_entries(world: World) -> None:
    run = await world.run_about()
    ids = [world.remember(f"Fact {number}.") for number in range(21)]
    answers = [await world.client.delete(f"{run['memory']}/{made}", headers=bearer(run)) for made in ids]
    assert [answer.status_code for answer in answers] == [202] * 20 + [429]
    assert "at most 20" in answers[-1].json()["detail"]


async def test_entries_are_filtered_paged_and_summarised(world: World) -> None:
    for number in range(3):
        world.remember(f"How: {number}.", layer="operating", use_count=number)
    world.remember("What: 1.", key="what")
    run = await world.run()
    assert len((await world.entries(run, layer="operating")).entries) == 3
    assert [entry.content for entry in (await world.entries(run, key="what")).entries] == ["What: 1."]
    first = await world.entries(run, limit=3)
    rest = await world.entries(run, limit=3, after=first.next)
    assert (len(first.entries), len(rest.entries), rest.next) == (3, 1, None)
    summary = (await world.client.get(f"{run['memory']}/summary", headers=bearer(run))).json()
    assert [entry["content"] for entry in summary["operating"]] == ["How: 2.", "How: 1.", "How: 0."]
    assert [entry["content"] for entry in summary["knowledge"]] == ["What: 1."]
    alias = run["memory"].replace("/v1/agents", "/api/office/agents")
    assert (await world.client.get(alias, headers=bearer(run))).status_code == 200
    for query in ({"layer": "dream"}, {"limit": "0"}, {"limit": "x"}, {"after": "x"}):
        answer = await world.client.get(run["memory"], params=query, headers=bearer(run))
        assert answer.status_code == 422


async def test_an_agent_writes_into_its_own_scope_alone(world: World) -> None:
    run = await world.run_about()
    for scope in ("org", "channel", ""):
        answer = await world.put(run, SAID, scope=scope)
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["at"] == "scope"
    assert world.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]
    assert (await world.put(run, SAID, scope="role_agent")).json()["status"] == "stored"


async def test_a_preference_is_shown_only_in_runs_that_answer_its_person(world: World) -> None:
    world.remember("Minh wants bullets.", memory_type="preference", subject_identity=world.org.identity_id)
    assert len((await world.entries(await world.run_about())).entries) == 1
    for run in (await world.run(), await world.run_about(account="U9"), await world.run_about(sealed=False)):
        assert (await world.entries(run)).entries == ()


async def test_a_token_opens_its_own_role_agent_and_nothing_when_it_is_over(world: World) -> None:
    run = await world.run()
    other = create_small_org(world.dsn_of("admin"))
    foreign = await world.client.get(f"/v1/agents/{other.agent_id}/memory", headers=bearer(run))
    assert (foreign.status_code, foreign.json()["type"]) == (403, "urn:dw:problem:forbidden")
    for token in ("", "x", "a.b.c", run["token"][:-2] + "AA", world.key["authorization"][7:], "é"):
        header = {b"authorization": f"Bearer {token}".encode("latin-1")}
        assert (await world.client.get(run["memory"], headers=header)).status_code == 401
    past = datetime.now(UTC) - timedelta(seconds=1)
    bound = Run(
        uuid.UUID(run["run_id"]), world.org.org_id, world.org.agent_id, world.org.channel_id, None, past
    )
    expired = RunTokens(PEPPER, lambda: past).make(bound)
    answer = await world.client.get(run["memory"], headers={"authorization": f"Bearer {expired}"})
    assert (answer.status_code, "the run is over" in answer.json()["detail"]) == (401, True)
    other_key = RunTokens("11" * 32, lambda: past).make(bound)
    answer = await world.client.get(run["memory"], headers={"authorization": f"Bearer {other_key}"})
    assert answer.status_code == 401
    world.query("UPDATE dw_agent_run_tokens SET revoked_at = now()")
    assert (await world.client.get(run["memory"], headers=bearer(run))).status_code == 401


async def test_an_agent_that_leaves_the_channel_loses_its_runs(world: World) -> None:
    run = await world.run()
    world.query("DELETE FROM dw_channel_agents")
    world.query("UPDATE dw_channels SET role_agent_id = NULL")
    assert (await world.client.get(run["memory"], headers=bearer(run))).status_code == 401


async def test_a_run_is_refused_for_a_foreign_agent_channel_or_event(world: World) -> None:
    bodies: tuple[tuple[dict[str, str], int], ...] = (
        ({"role_agent": "nobody", "channel": "helpdesk"}, 404),
        ({"role_agent": "it_agent", "channel": "nowhere"}, 404),
        ({"role_agent": "it_agent"}, 422),
    )
    for body, status in bodies:
        assert (await world.client.post("/v1/runs", json=body, headers=world.key)).status_code == status
    limited = await key_for(world.dsn_of("admin"), world.org, agent_ids=[uuid.uuid4()])
    asked = {"role_agent": "it_agent", "channel": "helpdesk"}
    assert (await world.client.post("/v1/runs", json=asked, headers=limited)).status_code == 404
    event = await world.said("of the other agent")
    world.query(
        "INSERT INTO dw_role_agents (id, org_id, code, name) VALUES (%s, %s, 'hr_agent', 'HR')",
        (other := uuid.uuid4()),
        world.org.org_id,
    )
    world.query("UPDATE dw_chat_events SET role_agent_id = %s", other)
    answer = await world.client.post(
        "/v1/runs", json=asked | {"event_id": str(event.event_id)}, headers=world.key
    )
    assert (answer.status_code, answer.json()["status"]) == (403, 403)


@pytest.mark.parametrize("nothing", ["%", "👍"])
async def test_a_put_that_says_nothing_is_refused_in_clear_words(world: World, nothing: str) -> None:
    answer = await world.put(await world.run_about(f"{nothing} {SAID}"), nothing)
    assert (answer.status_code, answer.json()["reason"]) == (422, "no_words")
    assert "no letter and no digit" in answer.json()["explanation"]
    assert world.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]
    hidden = await world.put(await world.run_about(), "\u202e")
    assert hidden.status_code == 422, hidden.text


KEY_ENDS = {
    "revoked": "revoked_at = now()",
    "over": "expires_at = now() - interval '1 second'",
}


@pytest.mark.parametrize("end", KEY_ENDS)
async def test_a_run_ends_with_the_key_that_started_it(world: World, end: str) -> None:
    """Whenever the run began: a key that was revoked a moment ago is still believed for some seconds (TTL_SECONDS)."""
    other = await key_for(world.dsn_of("admin"), world.org)
    run = await world.run_about()
    place = {"role_agent": "it_agent", "channel": "helpdesk"}
    theirs = (await world.client.post("/v1/runs", json=place, headers=other)).json()
    with psycopg.connect(world.dsn_of("admin")) as connection:
        connection.execute(
            f"UPDATE dw_api_keys AS k SET {KEY_ENDS[end]} FROM dw_agent_run_tokens AS t"
            " WHERE t.run_id = %s AND k.id = t.key_id",
            (run["run_id"],),
        )
    late = (await world.client.post("/v1/runs", json=place, headers=world.key)).json()
    search = place | {"query": "office"}
    for ended in (run, late):
        put = await world.put(ended, SAID)
        found = await world.client.post("/v1/history/search", json=search, headers=bearer(ended))
        assert (put.status_code, found.status_code) == (401, 401)
    live = await world.client.get(f"/v1/agents/{theirs['role_agent_id']}/memory", headers=bearer(theirs))
    assert live.status_code == 200

"""A conflict that precedence settles in a pack is put to a person, once, and no reply waits for it (C19, R173)."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import psycopg
import pytest

from dw_context.adapters.conflict_log import ConflictLog
from dw_learning.conflicts import Conflict
from dw_runtime import Handle, Transient
from dw_store.context_reads import GivenPack
from dw_store.database import Database
from dw_testkit.orgs import SmallOrg, create_small_org
from services.context.tests.test_routes import ASKED, DsnOf, key_for, opened

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ITEMS = (
    "SELECT kind, action, status, reason_code, risk, is_sensitive, target_memory_id, proposed_payload, published_at"
    " IS NOT NULL FROM dw_learning_items ORDER BY created_at, id"
)


def query(dsn: str, statement: str, *args: Any) -> list[tuple[Any, ...]]:
    """As the superuser."""
    with psycopg.connect(dsn) as connection:
        cursor = connection.execute(statement.encode(), args)
        return cursor.fetchall() if cursor.description else []


def know(
    dsn: str, org: SmallOrg, text: str, key: str, *, org_wide: bool = False, **columns: Any
) -> uuid.UUID:
    """An active memory; raises the versions."""
    made = uuid.uuid4()
    row = {
        "id": made,
        "org_id": org.org_id,
        "role_agent_id": None if org_wide else org.agent_id,
        "scope": "org" if org_wide else "role_agent",
        "memory_type": "fact",
        "category": "fact",
        "key": key,
        "content": text,
        "content_hash": hashlib.sha256(text.encode()).digest(),
        "risk": "low",
        "confidence": 0.9,
        "source_kind": "user_confirmed",
        "source_refs": '[{"type": "manual"}]',
        "origin": "approved",
        "created_by": "test",
    } | columns
    names, places = ", ".join(row), ", ".join(["%s"] * len(row))
    query(dsn, f"INSERT INTO dw_agent_memories ({names}) VALUES ({places})", *row.values())
    raise_version(dsn, org)
    return made


def raise_version(dsn: str, org: SmallOrg) -> None:
    query(dsn, "SELECT dw_raise_versions(ARRAY[%s], ARRAY[NULL::uuid])", org.org_id)


async def items(dsn: str, count: int) -> list[tuple[Any, ...]]:
    """The items, once there are so many; and a moment later still so many."""
    for _ in range(100):
        if len(query(dsn, ITEMS)) >= count:
            break
        await asyncio.sleep(0.05)
    await asyncio.sleep(1.2)
    found = query(dsn, ITEMS)
    assert len(found) == count
    return found


@pytest.fixture
async def client(dsn_of: DsnOf) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(dsn_of) as client:
        yield client


async def pack(client: httpx.AsyncClient, headers: dict[str, str], at_least: int = 0) -> dict[str, Any]:
    body = ASKED | {"at_least_version": at_least}
    answer = await client.post("/v1/context", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_conflict_is_asked_about_once_and_the_orgs_word_stands_meanwhile(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    dsn, org = dsn_of("admin"), create_small_org(dsn_of("admin"))
    headers = await key_for(dsn, org)
    shared = know(dsn, org, "Offices close at 17:00.", "hours", org_wide=True)
    own = know(dsn, org, "The office closes at 19:00.", "hours")
    first = await pack(client, headers)
    assert [memory["id"] for memory in first["memories"]] == [str(shared)]
    assert first["dropped"] == [{"id": str(own), "reason": "conflict", "instead": str(shared)}]
    (item,) = await items(dsn, 1)
    assert item[:7] == ("review", "review", "pending", "conflict", "low", False, own)
    assert (item[7]["content"], item[7]["org_memory_id"]) == ("The office closes at 19:00.", str(shared))
    assert "17:00" not in str(item[7])
    assert item[8]
    event = "SELECT event_type, actor_id FROM dw_learning_events WHERE subject_type = 'item'"
    assert query(dsn, event) == [("learning_proposed", "system:context")]
    raised = await pack(
        client, headers, first["version"] + 1
    )  # its own item changed the version: nothing new
    assert raised["dropped"] == first["dropped"]
    know(dsn, org, "Something else.", "other")
    await pack(client, headers, raised["version"] + 1)
    await items(dsn, 1)


async def test_what_was_decided_is_not_asked_again_until_a_text_changes(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    dsn, org = dsn_of("admin"), create_small_org(dsn_of("admin"))
    headers = await key_for(dsn, org)
    know(dsn, org, "Offices close at 17:00.", "hours", org_wide=True)
    own = know(dsn, org, "The office closes at 19:00.", "hours")
    first = await pack(client, headers)
    await items(dsn, 1)
    query(
        dsn,
        "UPDATE dw_learning_items SET status = 'approved', decided_at = now(), decision_kind = 'manual'",
    )
    raise_version(dsn, org)
    second = await pack(client, headers, first["version"] + 2)
    await items(dsn, 1)
    text = "The office closes at 20:00."
    hashed = hashlib.sha256(text.encode()).digest()
    query(
        dsn, "UPDATE dw_agent_memories SET content = %s, content_hash = %s WHERE id = %s", text, hashed, own
    )
    raise_version(dsn, org)
    await pack(client, headers, second["version"] + 1)
    assert [row[2] for row in await items(dsn, 2)] == ["approved", "pending"]


async def test_a_conflict_that_no_pack_would_list_is_found_and_a_sensitive_one_is_for_admins(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    """The newest of a hundred memories ranks last, and is the one that contradicts."""
    dsn, org = dsn_of("admin"), create_small_org(dsn_of("admin"))
    headers = await key_for(dsn, org)
    know(dsn, org, "Payroll is Ana's.", "payroll", org_wide=True, risk="sensitive", is_sensitive=True)
    for number in range(100):
        know(dsn, org, f"Room {number} has {number} chairs.", f"room-{number}", use_count=9)
    own = know(dsn, org, "Payroll is Bo's.", "payroll")
    given = await pack(client, headers)
    assert str(own) not in str(given["dropped"])
    (item,) = await items(dsn, 1)
    assert item[4:7] == ("sensitive", True, own)


async def test_a_preference_the_same_words_and_another_topic_are_no_conflict(
    client: httpx.AsyncClient, dsn_of: DsnOf
) -> None:
    dsn, org = dsn_of("admin"), create_small_org(dsn_of("admin"))
    headers = await key_for(dsn, org)
    know(dsn, org, "Offices close at 17:00.", "hours", org_wide=True)
    know(dsn, org, "I like to stay until 19:00.", "hours", subject_identity=org.identity_id)
    know(dsn, org, "offices close at 17:00", "hours")
    know(dsn, org, "The lab closes at 19:00.", "lab-hours")
    await pack(client, headers)
    await items(dsn, 0)


async def test_without_a_cache_the_packs_own_list_is_asked_about(dsn_of: DsnOf) -> None:
    dsn, org = dsn_of("admin"), create_small_org(dsn_of("admin"))
    headers = await key_for(dsn, org)
    know(dsn, org, "Offices close at 17:00.", "hours", org_wide=True)
    own = know(dsn, org, "The office closes at 19:00.", "hours")
    async with opened(dsn_of, cached_agents=0) as client:
        await pack(client, headers)
        (item,) = await items(dsn, 1)
    assert item[6] == own


def given(version: int, org: SmallOrg, own: uuid.UUID, shared: uuid.UUID) -> GivenPack:
    conflicts = (Conflict(str(own), str(shared)),)
    return GivenPack(str(org.agent_id), version, None, "", 0, "[]", "{}", conflicts=conflicts)


async def test_two_replicas_ask_once_and_one_without_a_database_asks_later(dsn_of: DsnOf) -> None:
    dsn, org = dsn_of("admin"), create_small_org(dsn_of("admin"))
    shared = know(dsn, org, "Offices close at 17:00.", "hours", org_wide=True)
    own = know(dsn, org, "The office closes at 19:00.", "hours")
    async with Database.connect(dsn_of("context"), size=4, application_name="test") as database:
        handle: Handle[Database] = Handle("database")
        handle.set(database)
        not_yet: Handle[Database] = Handle("database")
        logs = [ConflictLog(handle, lambda: NOW) for _ in range(2)]
        late = ConflictLog(not_yet, lambda: NOW)
        for each in (*logs, late):
            each.note(org.org_id, given(1, org, own, shared))
        await asyncio.gather(*(each.flush() for each in logs))
        await items(dsn, 1)
        with pytest.raises(Transient):
            await late.flush()
        not_yet.set(database)
        query(dsn, "UPDATE dw_learning_items SET dedupe_key = NULL")  # as if the others had not been
        await late.flush()
    await items(dsn, 2)

"""The facts of a pack, on real PostgreSQL, as the context service's own role (R4, R10, R160, C65, C71)."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from dw_contracts.http.context import ContextSender
from dw_learning.pack import assemble
from dw_store.context_reads import GivenPack, PackFacts, PackRecord, load_pack, record_packs
from dw_store.database import Database
from dw_store.keys import FoundKey
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Database]:
    """The pool of the context service."""
    async with Database.connect(dsn_of("context"), size=2, application_name="test") as opened:
        yield opened


def key_of(org: SmallOrg, *agents: UUID) -> FoundKey:
    """A runtime key of the org."""
    return FoundKey(uuid.uuid4(), org.org_id, "runtime", None, (), agents, True)


def remember(dsn: str, org: SmallOrg, text: str, **columns: Any) -> str:
    """One active memory of the org's role-agent; `org_wide` makes it the org's."""
    made = uuid.uuid4()
    org_wide = columns.pop("org_wide", False)
    row = {
        "id": made,
        "org_id": org.org_id,
        "role_agent_id": None if org_wide else org.agent_id,
        "scope": "org" if org_wide else "role_agent",
        "memory_type": "fact",
        "category": "fact",
        "layer": "knowledge",
        "key": str(made),
        "content": text,
        "content_hash": hashlib.sha256(text.encode()).digest(),
        "status": "active",
        "risk": "low",
        "confidence": 0.9,
        "source_kind": "user_confirmed",
        "source_refs": '[{"type": "manual"}]',
        "origin": "approved",
        "created_by": "test",
    } | columns
    names, places = ", ".join(row), ", ".join(["%s"] * len(row))
    with psycopg.connect(dsn) as connection:
        connection.execute(
            f"INSERT INTO dw_agent_memories ({names}) VALUES ({places})".encode(), tuple(row.values())
        )
    return str(made)


async def facts_of(database: Database, org: SmallOrg, **asked: Any) -> PackFacts:
    """Facts for the org's agent in its channel."""
    sender = asked.get("sender")
    found = await load_pack(
        database,
        asked.get("key", key_of(org)),
        asked.get("agent", "it_agent"),
        asked.get("channel", "helpdesk"),
        sender,
    )
    assert found is not None
    return found


async def test_agent_and_channel_are_found_by_id_and_by_name(database: Database, dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    for agent in ("it_agent", str(org.agent_id)):
        for channel in ("helpdesk", "C-HELPDESK", str(org.channel_id)):
            facts = await facts_of(database, org, agent=agent, channel=channel)
            assert (facts.role_agent_id, facts.channel_id) == (str(org.agent_id), str(org.channel_id))


async def test_active_memories_come_in_the_order_of_the_pack_and_others_not_at_all(
    database: Database, dsn_of: DsnOf
) -> None:
    org, dsn = create_small_org(dsn_of("admin")), dsn_of("admin")
    for status in ("superseded", "archived", "deleted"):
        remember(dsn, org, f"is {status}", status=status)
    remember(dsn, org, "of one session", layer="session")
    remember(dsn, org, "is over", expires_at=datetime(2020, 1, 1, tzinfo=UTC))
    remember(dsn, org, "knowledge", use_count=9)
    remember(dsn, org, "operating", layer="operating")
    remember(dsn, org, "of the org", org_wide=True)
    facts = await facts_of(database, org)
    pack = assemble(
        role_agent_id=facts.role_agent_id,
        version=facts.version,
        memories=facts.memories,
        sender=facts.sender,
        soul=facts.soul,
        built_at=NOW,
    )
    assert [memory["text"] for memory in pack["memories"]] == ["of the org", "operating", "knowledge"]
    assert pack["soul"] is not None
    assert pack["soul"].code == "balanced_helper"


@pytest.mark.parametrize(
    ("agent", "channel"),
    [
        ("it_agent", "unassigned"),
        ("it_agent", "nowhere"),
        ("nobody", "helpdesk"),
        ("it_agent", str(uuid.UUID(int=404))),
    ],
)
async def test_without_an_assignment_there_are_no_facts(
    database: Database, dsn_of: DsnOf, agent: str, channel: str
) -> None:
    org = create_small_org(dsn_of("admin"))
    with psycopg.connect(dsn_of("admin")) as connection:
        connection.execute(
            "INSERT INTO dw_channels (id, org_id, code, platform, external_channel_ref)"
            " VALUES (%s, %s, 'unassigned', 'slack', 'C-OTHER')",
            (uuid.uuid4(), org.org_id),
        )
    assert await load_pack(database, key_of(org), agent, channel, None) is None


async def test_a_key_opens_its_own_org_and_its_own_agents_only(database: Database, dsn_of: DsnOf) -> None:
    ours, theirs = create_small_org(dsn_of("admin")), create_small_org(dsn_of("admin"))
    remember(dsn_of("admin"), theirs, "theirs alone")
    remember(dsn_of("admin"), theirs, "theirs, org-wide", org_wide=True)
    key = key_of(ours)
    assert await load_pack(database, key, str(theirs.agent_id), str(theirs.channel_id), None) is None
    assert await load_pack(database, key, "it_agent", str(theirs.channel_id), None) is None
    assert (await facts_of(database, ours)).memories == []
    assert await load_pack(database, key_of(ours, uuid.uuid4()), "it_agent", "helpdesk", None) is None
    assert (await facts_of(database, ours, key=key_of(ours, ours.agent_id))).role_agent_id == str(
        ours.agent_id
    )


async def test_the_setting_of_one_call_does_not_stay_on_the_connection(dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    async with Database.connect(dsn_of("context"), size=1, application_name="test") as database:
        await facts_of(database, org)
        assert await database.fetch("SELECT a.id FROM dw_role_agents AS a") == []


async def test_a_disabled_agent_and_a_deleted_channel_have_no_pack(database: Database, dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    with psycopg.connect(dsn_of("admin"), autocommit=True) as connection:
        connection.execute("UPDATE dw_role_agents SET status = 'disabled' WHERE id = %s", (org.agent_id,))
        assert await load_pack(database, key_of(org), "it_agent", "helpdesk", None) is None
        connection.execute("UPDATE dw_role_agents SET status = 'active' WHERE id = %s", (org.agent_id,))
        connection.execute("UPDATE dw_channels SET deleted_at = now() WHERE id = %s", (org.channel_id,))
        assert await load_pack(database, key_of(org), "it_agent", "helpdesk", None) is None


async def test_a_preference_is_read_for_its_person_and_only_its_id_for_others(
    database: Database, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    kept = remember(dsn_of("admin"), org, "Minh wants bullets.", subject_identity=org.identity_id)
    minh = ContextSender(platform="slack", external_user_id=org.account)
    for_minh = await facts_of(database, org, sender=minh)
    for_other = await facts_of(database, org, sender=ContextSender(platform="slack", external_user_id="U9"))
    assert [memory.id for memory in for_minh.memories] == [kept]
    assert (for_minh.sender, for_minh.foreign) == (str(org.identity_id), [])
    assert (for_other.memories, for_other.sender, for_other.foreign) == ([], None, [kept])
    with psycopg.connect(dsn_of("admin"), autocommit=True) as connection:
        connection.execute(
            "UPDATE dw_external_identities SET status = 'revoked' WHERE id = %s", (org.identity_id,)
        )
    assert (await facts_of(database, org, sender=minh)).memories == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE dw_agent_souls SET status = 'paused'",
        "UPDATE dw_role_agents SET soul_paused = TRUE",
    ],
)
async def test_a_paused_soul_is_known_as_paused(database: Database, dsn_of: DsnOf, change: str) -> None:
    org = create_small_org(dsn_of("admin"))
    with psycopg.connect(dsn_of("admin"), autocommit=True) as connection:
        connection.execute(change.encode())
    soul = (await facts_of(database, org)).soul
    assert soul is not None
    assert soul.soul_paused or soul.agent_paused


async def test_the_version_is_the_larger_one_of_agent_and_org(database: Database, dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    assert (await facts_of(database, org)).version == 1
    with psycopg.connect(dsn_of("admin"), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO dw_versions (org_id, role_agent_id, version) VALUES (%s, %s, 4)",
            (org.org_id, org.agent_id),
        )
    assert (await facts_of(database, org)).version == 4


async def test_of_a_thousand_memories_a_few_more_than_fit_are_read(database: Database, dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    with psycopg.connect(dsn_of("admin"), autocommit=True) as connection:
        for scope, agent in (("role_agent", org.agent_id), ("org", None)):
            connection.execute(
                "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content,"
                " content_hash, risk, confidence, source_kind, source_refs, origin, created_by, use_count)"
                " SELECT gen_random_uuid(), %s, %s, %s, 'fact', 'fact', n::text, 'fact ' || n,"
                " sha256(n::text::bytea), 'low', 0.9, 'user_confirmed', '[{}]', 'approved', 'test', n"
                " FROM generate_series(1, 1000) AS n",
                (org.org_id, agent, scope),
            )
    facts = await facts_of(database, org)
    assert facts.more_active
    assert [m.text for m in facts.memories if m.scope == "role_agent"] == [
        f"fact {n}" for n in range(1000, 974, -1)
    ]
    assert [m.text for m in facts.memories if m.scope == "org"] == [f"fact {n}" for n in range(1000, 987, -1)]


async def test_packs_of_several_orgs_are_recorded_in_one_batch_and_a_repeat_changes_nothing(
    database: Database, dsn_of: DsnOf
) -> None:
    records = []
    for org in (create_small_org(dsn_of("admin")), create_small_org(dsn_of("admin"))):
        remember(dsn_of("admin"), org, "one fact")
        facts = await facts_of(database, org)
        pack = assemble(
            role_agent_id=facts.role_agent_id,
            version=7,
            memories=facts.memories,
            sender=None,
            soul=facts.soul,
            built_at=NOW,
        )
        records.append(PackRecord(uuid.uuid4(), org.org_id, facts.channel_id, GivenPack.of(pack), NOW))
    await record_packs(database, records)
    await record_packs(database, records)
    with psycopg.connect(dsn_of("admin")) as connection:
        rows = connection.execute(
            "SELECT id, org_id, memory_ids, memory_chars, version, soul_version, built_at FROM dw_context_packs"
        ).fetchall()
    assert sorted(rows) == sorted(
        (r.id, r.org_id, [uuid.UUID(r.given.memory_ids)], len("one fact"), 7, 1, NOW) for r in records
    )

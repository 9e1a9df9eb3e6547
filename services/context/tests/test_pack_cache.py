"""Role-agents in memory: never older than promised, never another org's, never without bound (C71)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from uuid import UUID

import psycopg
import pytest

from dw_context.adapters.cache import MAX_AGE_SECONDS, SnapshotCache
from dw_runtime import Handle, ProblemError
from dw_runtime.deadline import Deadline
from dw_runtime.metrics import Metrics
from dw_store.database import Database
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]


@dataclass
class Clock:
    """Stands until it is moved."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class World:
    """A cache on a real database, with time in our hands."""

    cache: SnapshotCache
    clock: Clock
    wall: Clock
    dsn: str

    def learn(
        self, org: SmallOrg, text: str, *, org_wide: bool = False, expires_in: float | None = None
    ) -> int:
        """A memory, committed; the version that the write was answered with."""
        made = uuid.uuid4()
        agent = None if org_wide else org.agent_id
        with psycopg.connect(self.dsn) as connection:
            connection.execute(
                "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content,"
                " content_hash, risk, confidence, source_kind, source_refs, origin, created_by, expires_at) VALUES (%s, %s,"
                " %s, %s, 'fact', 'fact', %s, %s, %s, 'low', 0.9, 'user_confirmed', '[{}]', 'approved', 'test',"
                " now() + make_interval(secs => %s))",
                (
                    made,
                    org.org_id,
                    agent,
                    "org" if org_wide else "role_agent",
                    str(made),
                    text,
                    made.bytes,
                    expires_in,
                ),
            )
            row = connection.execute(
                "SELECT version FROM dw_raise_versions(ARRAY[%s::uuid], ARRAY[%s::uuid])", (org.org_id, agent)
            ).fetchone()
        assert row is not None
        version: int = row[0]
        return version

    async def texts(self, org: SmallOrg, at_least: int = 0) -> set[str]:
        """What the agent would be told now."""
        entry = await self.cache.get(org.org_id, "it_agent", at_least)
        assert entry is not None
        return {memory.text for memory in entry.snapshot.facts.memories}

    def loads(self) -> float:
        """How often a role-agent was read."""
        value = self.cache.metrics.registry.get_sample_value("dw_context_loads_total")
        assert value is not None
        return value


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Database]:
    """The pool of the context service."""
    async with Database.connect(dsn_of("context"), size=4, application_name="test") as opened:
        yield opened


def world_of(database: Database, dsn: str, *, agents: int = 100, weight: int = 10_000) -> World:
    """A cache with these bounds."""
    handle: Handle[Database] = Handle("database")
    handle.set(database)
    clock, wall = Clock(), Clock(0.0)
    cache = SnapshotCache(
        handle, Deadline(0.5), Metrics("context"), clock, wall, max_agents=agents, max_weight=weight
    )
    return World(cache, clock, wall, dsn)


@pytest.fixture
def world(database: Database, dsn_of: DsnOf) -> World:
    """A cache with room."""
    return world_of(database, dsn_of("admin"))


async def test_what_is_kept_is_served_until_a_change_names_it(world: World) -> None:
    org = create_small_org(world.dsn)
    assert await world.texts(org) == set()
    version = world.learn(org, "new")
    assert await world.texts(org) == set()  # from memory
    world.cache.drop(org.org_id, org.agent_id, version)
    assert await world.texts(org) == {"new"}


async def test_an_org_wide_change_drops_every_agent_of_the_org_and_none_of_another(world: World) -> None:
    ours, theirs = create_small_org(world.dsn), create_small_org(world.dsn)
    await world.texts(ours)
    await world.texts(theirs)
    version = world.learn(ours, "for all", org_wide=True)
    world.cache.drop(ours.org_id, None, version)
    assert (await world.texts(ours), await world.texts(theirs)) == ({"for all"}, set())
    assert world.loads() == 3


async def test_a_change_that_is_in_the_snapshot_already_drops_nothing(world: World) -> None:
    org = create_small_org(world.dsn)
    version = world.learn(org, "new")
    await world.texts(org)
    world.cache.drop(org.org_id, org.agent_id, version)
    await world.texts(org)
    assert world.loads() == 1


async def test_at_least_version_reads_what_no_message_told_of(world: World) -> None:
    org = create_small_org(world.dsn)
    await world.texts(org)
    version = world.learn(org, "new")
    assert await world.texts(org, at_least=version) == {"new"}


async def test_a_gap_makes_everything_stale(world: World) -> None:
    orgs = [create_small_org(world.dsn) for _ in range(2)]
    for org in orgs:
        await world.texts(org)
        world.learn(org, "missed")
    world.cache.drop_all()
    assert [await world.texts(org) for org in orgs] == [{"missed"}, {"missed"}]


async def test_the_confirmation_finds_what_no_message_told_of_and_keeps_the_rest(world: World) -> None:
    changed, same = create_small_org(world.dsn), create_small_org(world.dsn)
    await world.texts(changed)
    await world.texts(same)
    world.learn(changed, "quietly")
    world.clock.now += MAX_AGE_SECONDS - 1
    await world.cache.confirm()
    world.clock.now += MAX_AGE_SECONDS - 1
    assert (await world.texts(changed), await world.texts(same)) == ({"quietly"}, set())
    assert world.loads() == 3


async def test_nothing_is_served_that_was_not_confirmed_for_too_long(world: World, dsn_of: DsnOf) -> None:
    org = create_small_org(world.dsn)
    await world.texts(org)
    with psycopg.connect(world.dsn) as connection:
        connection.execute("LOCK TABLE dw_role_agents, dw_versions IN ACCESS EXCLUSIVE MODE")
        world.clock.now += MAX_AGE_SECONDS - 0.1
        assert await world.texts(org) == set()
        with pytest.raises(ProblemError) as refused:
            await world.cache.confirm()
        assert refused.value.problem.status == 503
        world.clock.now += 0.2
        with pytest.raises(ProblemError) as refused:
            await world.texts(org)
        assert refused.value.problem.status == 503
    assert await world.texts(org) == set()


async def test_a_memory_that_is_over_is_gone_without_any_change(world: World) -> None:
    org = create_small_org(world.dsn)
    world.learn(org, "for ever")
    world.learn(org, "for an hour", expires_in=3600)
    assert await world.texts(org) == {"for ever", "for an hour"}
    with psycopg.connect(world.dsn) as connection:
        connection.execute("UPDATE dw_agent_memories SET expires_at = now() WHERE expires_at IS NOT NULL")
    world.wall.now = 1e12
    assert await world.texts(org) == {"for ever"}


async def test_a_change_that_overtakes_a_load_is_in_what_the_load_gives(world: World) -> None:
    org = create_small_org(world.dsn)
    with psycopg.connect(world.dsn) as connection:
        connection.execute("LOCK TABLE dw_role_agents IN ACCESS EXCLUSIVE MODE")
        loading = asyncio.create_task(world.texts(org))
        await asyncio.sleep(0.1)
        world.cache.drop(org.org_id, org.agent_id, 2)  # of a commit that this load may not see
    # The load saw version 1, so it is done again until it sees 2; here that commit comes a moment later.
    world.learn(org, "just now")
    assert await loading == {"just now"}


async def test_many_who_ask_at_once_cause_one_load(world: World) -> None:
    org = create_small_org(world.dsn)
    await asyncio.gather(*(world.texts(org) for _ in range(50)))
    assert world.loads() == 1


async def test_the_cache_is_bounded_by_agents_and_by_memories(database: Database, dsn_of: DsnOf) -> None:
    few = world_of(database, dsn_of("admin"), agents=2)
    orgs = [create_small_org(few.dsn) for _ in range(3)]
    for org in orgs:
        await few.texts(org)
    assert few.loads() == 3
    await few.texts(orgs[2])
    await few.texts(orgs[1])
    assert few.loads() == 3
    await few.texts(orgs[0])  # went first, as it was used longest ago
    assert few.loads() == 4
    small = world_of(database, dsn_of("admin"), weight=5)
    for number in range(4):
        small.learn(orgs[0], f"fact {number}")
    for _ in range(2):
        await small.texts(orgs[0])
        await small.texts(orgs[1])
    assert small.loads() == 4  # the two together weigh too much


async def test_an_agent_of_another_org_is_not_found_by_id_or_code(world: World) -> None:
    ours, theirs = create_small_org(world.dsn), create_small_org(world.dsn)
    await world.texts(theirs)
    assert await world.cache.get(ours.org_id, str(theirs.agent_id)) is None
    found = await world.cache.get(ours.org_id, "it_agent")
    assert found is not None
    assert found.role_agent_id == UUID(str(ours.agent_id))

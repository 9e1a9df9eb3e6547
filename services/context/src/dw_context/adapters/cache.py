"""Role-agents in memory, so that no pack waits for the database (C71).

What is served was confirmed by PostgreSQL less than MAX_AGE_SECONDS ago: at its load, or by the one query that asks
for the versions of all that is kept. A change that arrives by Kafka makes stale what is older than it, at once. With
Kafka down the query finds the same within CONFIRM_SECONDS; with PostgreSQL down nothing is served once it is too old.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from prometheus_client import Counter

from dw_learning.snapshot import AgentSnapshot
from dw_runtime import Handle, ProblemError, log
from dw_runtime.deadline import Deadline
from dw_runtime.metrics import Metrics
from dw_store.context_snapshot import current_versions, load_snapshot
from dw_store.database import Database
from dw_store.errors import StoreConflict, StoreUnavailable

CHANGES_SEEN: Final = "dw_context_changes_seen"
LOADS: Final = "dw_context_loads"
CONFIRM_SECONDS: Final = 1.5
MAX_AGE_SECONDS: Final = 5.0
CONFIRMED_AT_ONCE: Final = 2_000
TRIES: Final = 5
"""Loads that a change overtakes before one is taken as it is, to be confirmed or not like any other."""


@dataclass(slots=True, eq=False)
class Entry:
    """One role-agent. `confirmed_at` is when the query that read or confirmed it was sent, on the process's clock."""

    org_id: UUID
    role_agent_id: UUID
    snapshot: AgentSnapshot
    confirmed_at: float
    stale: bool = False

    @property
    def names(self) -> tuple[tuple[UUID, str], ...]:
        """What it is asked for by."""
        return (self.org_id, self.snapshot.facts.role_agent_id), (self.org_id, self.snapshot.facts.code)


@dataclass(slots=True, eq=False)
class _Flight:
    """A load on its way, and the changes that were heard of meanwhile: version by agent, None for the whole org."""

    heard: dict[UUID | None, int] = field(default_factory=dict)
    gap: bool = False

    def is_overtaken(self, role_agent_id: UUID, version: int) -> bool:
        return self.gap or version < max(self.heard.get(None, 0), self.heard.get(role_agent_id, 0))


@dataclass(slots=True)
class SnapshotCache:
    """`max_agents` and `max_weight` (memories and skills over all agents) bound it; what was used longest ago goes."""

    database: Handle[Database]
    deadline: Deadline
    metrics: Metrics
    clock: Callable[[], float]
    wall: Callable[[], float]
    max_agents: int
    max_weight: int
    _entries: OrderedDict[tuple[UUID, UUID], Entry] = field(default_factory=OrderedDict)
    _names: dict[tuple[UUID, str], Entry] = field(default_factory=dict)
    _loading: dict[tuple[UUID, str], asyncio.Task[Entry | None]] = field(default_factory=dict)
    _flights: dict[UUID, list[_Flight]] = field(default_factory=dict)
    _weight: int = 0
    _seen: Counter = field(init=False)
    _loads: Counter = field(init=False)

    def __post_init__(self) -> None:
        registry = self.metrics.registry
        about = "Changes of memory that arrived, by what they concern"
        self._seen = Counter(CHANGES_SEEN, about, ("scope",), registry=registry)
        self._loads = Counter(LOADS, "Role-agents read from the database for packs", registry=registry)

    async def get(self, org_id: UUID, role_agent: str, at_least: int = 0) -> Entry | None:
        """The role-agent by id or code, read if it is not here, too old or below the version asked for. None: there
        is no such active one in the org. Raises ProblemError (503) where the database does not answer in time."""
        entry = self.fresh(org_id, role_agent, at_least)
        return entry if entry is not None else await self._load_once(org_id, role_agent)

    def fresh(self, org_id: UUID, role_agent: str, at_least: int = 0) -> Entry | None:
        """The role-agent as it is kept, if it may be served as it is."""
        entry = self._names.get((org_id, role_agent))
        if entry is None or entry.snapshot.version < at_least or not self._is_fresh(entry):
            return None
        self._entries.move_to_end((org_id, entry.role_agent_id))
        return entry

    def drop(self, org_id: UUID, role_agent_id: UUID | None, version: int) -> None:
        """A change of the agent, or of every agent of the org, was committed with this version."""
        self._seen.labels("org" if role_agent_id is None else "role_agent").inc()
        for flight in self._flights.get(org_id, ()):
            flight.heard[role_agent_id] = max(version, flight.heard.get(role_agent_id, 0))
        if role_agent_id is not None:
            entry = self._entries.get((org_id, role_agent_id))
            named = [entry] if entry is not None else []
        else:
            named = [entry for entry in self._entries.values() if entry.org_id == org_id]
        for entry in named:
            if entry.snapshot.version < version or not version:
                entry.stale = True

    def drop_all(self) -> None:
        """Any change may have been missed."""
        self._seen.labels("all").inc()
        for flights in self._flights.values():
            for flight in flights:
                flight.gap = True
        for entry in self._entries.values():
            entry.stale = True

    async def run(self) -> None:
        """Confirm what is kept, until cancelled. While the database is away, what is kept grows too old by itself."""
        while True:
            await asyncio.sleep(CONFIRM_SECONDS)
            try:
                await self.confirm()
            except (ProblemError, StoreUnavailable, StoreConflict) as error:
                log.warning("context_cache.unconfirmed", agents=len(self._entries), reason=str(error))

    async def confirm(self) -> None:
        """Ask for the versions of all that is kept: what has another one is stale from here on."""
        kept = [entry for entry in self._entries.values() if not entry.stale]
        for start in range(0, len(kept), CONFIRMED_AT_ONCE):
            part = kept[start : start + CONFIRMED_AT_ONCE]
            asked_at = self.clock()
            agents = [(entry.org_id, entry.role_agent_id) for entry in part]
            versions = await self.deadline.run(current_versions(self.database(), agents))
            for entry in part:
                if versions.get((entry.org_id, entry.role_agent_id)) == entry.snapshot.version:
                    entry.confirmed_at = asked_at
                else:
                    entry.stale = True

    async def version(self, org_id: UUID, role_agent_id: UUID) -> int:
        """The version that a pack would have if it were read now."""
        owner = (org_id, role_agent_id)
        return (await self.deadline.run(current_versions(self.database(), [owner])))[owner]

    def _is_fresh(self, entry: Entry) -> bool:
        return (
            not entry.stale
            and self.clock() - entry.confirmed_at < MAX_AGE_SECONDS
            and self.wall() < entry.snapshot.facts.expires_at
        )

    async def _load_once(self, org_id: UUID, role_agent: str) -> Entry | None:
        """All who wait for the same role-agent wait for one load; one who gives up does not end it."""
        name = (org_id, role_agent)
        task = self._loading.get(name)
        if task is None:
            task = asyncio.create_task(self._load(org_id, role_agent))
            self._loading[name] = task
            task.add_done_callback(lambda done: self._landed(name, done))
        return await asyncio.shield(task)

    def _landed(self, name: tuple[UUID, str], task: asyncio.Task[Entry | None]) -> None:
        del self._loading[name]
        if not task.cancelled():
            task.exception()  # those who waited have it; where nobody does, it is no news

    async def _load(self, org_id: UUID, role_agent: str) -> Entry | None:
        flights = self._flights.setdefault(org_id, [])
        flight = _Flight()
        flights.append(flight)
        try:
            tries = 0
            while True:
                tries, flight.gap, asked_at = tries + 1, False, self.clock()
                facts = await self.deadline.run(load_snapshot(self.database(), org_id, role_agent))
                self._loads.inc()
                if facts is None:
                    return None
                agent = UUID(facts.role_agent_id)
                if tries == TRIES or not flight.is_overtaken(agent, facts.version):
                    break
            earlier = self._entries.get((org_id, agent))
            snapshot = AgentSnapshot(facts, earlier.snapshot if earlier is not None else None)
            for _ in snapshot.prepare():
                await asyncio.sleep(0)  # other requests go between
            entry = Entry(org_id, agent, snapshot, asked_at, stale=flight.is_overtaken(agent, facts.version))
            self._keep(entry)
            return entry
        finally:
            flights.remove(flight)
            if not flights:
                del self._flights[org_id]

    def _keep(self, entry: Entry) -> None:
        self._forget(entry.org_id, entry.role_agent_id)
        self._entries[(entry.org_id, entry.role_agent_id)] = entry
        self._weight += entry.snapshot.weight
        for name in entry.names:
            self._names[name] = entry
        while len(self._entries) > self.max_agents or (
            self._weight > self.max_weight and len(self._entries) > 1
        ):
            self._forget(*next(iter(self._entries)))

    def _forget(self, org_id: UUID, role_agent_id: UUID) -> None:
        entry = self._entries.pop((org_id, role_agent_id), None)
        if entry is None:
            return
        self._weight -= entry.snapshot.weight
        for name in entry.names:
            if self._names.get(name) is entry:
                del self._names[name]

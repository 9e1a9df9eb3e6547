"""What runs by the clock (C75): sealing the audit log, retention, the org's deleting rules, pruning. Each piece of work is a transaction behind
an advisory lock: of several replicas one does it, and the others find nothing to do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from dw_policy.settings import Settings
from dw_runtime import Handle, every, log
from dw_store.audit_chain import SEAL_EVENTS, seal_events
from dw_store.database import Database
from dw_store.prune import BATCH, Ages, prune_handled, prune_orgs
from dw_store.retention import BATCH as AGED_BATCH
from dw_store.retention import age_out, org_page
from dw_store.rule_deletes import Place, Swept, delete_by_rules
from dw_store.schedule import PRUNE_LOCK, RETENTION_LOCK, take_turn

SEAL_SECONDS: Final = 1.0
ORGS: Final = 500
Clock = Callable[[], datetime]
Loop = Callable[[], Awaitable[None]]
Work = Callable[[Database, datetime], Awaitable[int]]


def scheduled(database: Handle[Database], settings: Settings, clock: Clock) -> Iterator[tuple[str, Loop]]:
    """Loops for the background, by name. Whoever supervises them begins one anew when it breaks."""
    ages = Ages(
        timedelta(days=settings.keep_handled_days),
        timedelta(days=settings.keep_packs_days),
        ledger=timedelta(days=settings.keep_ledger_days),
    )

    async def prune(store: Database, now: datetime) -> int:
        return await prune_all(store, ages, now)

    jobs: tuple[tuple[str, Work, float], ...] = (
        ("audit-sealer", seal_all, SEAL_SECONDS),
        ("retention", retain_all, settings.retention_seconds),
        ("policy-rules", rules_all, settings.retention_seconds),
        ("prune", prune, settings.prune_seconds),
    )
    for name, work, seconds in jobs:
        yield name, _every(name, work, seconds, database, clock)


def _every(name: str, work: Work, seconds: float, database: Handle[Database], clock: Clock) -> Loop:
    async def turn() -> None:
        if done := await work(database(), clock()):
            log.info("schedule.done", task=name, count=done)

    async def run() -> None:
        await every(seconds, turn, "schedule.waits")

    return run


async def seal_all(database: Database, now: datetime) -> int:
    """Every event that waits gets its place in the chain; how many did."""
    total = 0
    while done := await seal_events(database, now):
        total += done
        if done < SEAL_EVENTS:
            break
    return total


async def retain_all(database: Database, now: datetime) -> int:
    """The retention policies of all orgs; how many memories went or were asked about."""

    async def page(orgs: list[UUID]) -> int:
        async with database.transaction(orgs) as tx:
            return await age_out(tx, orgs, now) if await take_turn(tx, RETENTION_LOCK) else 0

    return await _through_orgs(database, page, AGED_BATCH)


async def rules_all(database: Database, now: datetime) -> int:
    """The deleting rules of all orgs (R112); how many memories went or were asked about."""
    total = 0
    async for orgs in _org_pages(database):
        after: Place | None = None
        while True:
            async with database.transaction(orgs) as tx:
                mine = await take_turn(tx, RETENTION_LOCK)
                swept = await delete_by_rules(tx, orgs, now, after) if mine else Swept()
            total += swept.deleted + swept.asked
            after = swept.following
            if after is None:
                break
    return total


async def prune_all(database: Database, ages: Ages, now: datetime) -> int:
    """Rows that nobody needs any more, of all orgs; how many batches' worth went."""
    total = 0
    while True:
        async with database.system() as tx:
            done = await prune_handled(tx, ages, now) if await take_turn(tx, PRUNE_LOCK) else 0
        total += done
        if done < BATCH:
            break

    async def page(orgs: list[UUID]) -> int:
        async with database.transaction(orgs) as tx:
            return await prune_orgs(tx, orgs, ages, now) if await take_turn(tx, PRUNE_LOCK) else 0

    return total + await _through_orgs(database, page, BATCH)


async def _through_orgs(database: Database, work: Callable[[list[UUID]], Awaitable[int]], full: int) -> int:
    """Page by page; the same page again while a batch was full."""
    total = 0
    async for orgs in _org_pages(database):
        while True:
            done = await work(orgs)
            total += done
            if done < full:
                break
    return total


async def _org_pages(database: Database) -> AsyncIterator[list[UUID]]:
    """Ids of all orgs, in order, ORGS at a time."""
    after = None
    while True:
        async with database.system() as tx:
            orgs = await org_page(tx, after, ORGS)
        if not orgs:
            return
        yield orgs
        after = orgs[-1]

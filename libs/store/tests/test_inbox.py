"""The inbox: each decision is new for a consumer exactly once, whoever asks and however often (C104)."""

from __future__ import annotations

import asyncio
import random
import uuid
from uuid import UUID

import pytest

from dw_store.database import Database
from dw_store.inbox import Claim, claim_new
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration


async def claim(database: Database, wanted: list[Claim], consumer: str = "policy") -> set[Claim]:
    async with database.transaction({org for org, _ in wanted}) as tx:
        return await claim_new(tx, consumer, wanted)


def some(org_id: UUID, count: int) -> list[Claim]:
    return [(org_id, uuid.uuid4()) for _ in range(count)]


async def test_the_first_claim_is_new_and_every_later_one_is_not(database: Database) -> None:
    first, later = some(uuid.uuid4(), 3), some(uuid.uuid4(), 2)
    assert await claim(database, [*first, *first]) == set(first)
    assert await claim(database, [*first, *later]) == set(later)
    assert await claim(database, first) == set()


async def test_consumers_and_orgs_do_not_claim_from_each_other(database: Database) -> None:
    decision = uuid.uuid4()
    ours, theirs = (uuid.uuid4(), decision), (uuid.uuid4(), decision)
    for consumer in ("policy", "history"):
        for one in (ours, theirs):
            assert await claim(database, [one], consumer) == {one}


async def test_nothing_is_asked_for_nothing(database: Database) -> None:
    async with database.system() as tx:
        assert await claim_new(tx, "policy", []) == set()


async def test_a_claim_that_is_rolled_back_is_free_again(database: Database) -> None:
    wanted = some(uuid.uuid4(), 2)

    async def fails() -> None:
        async with database.transaction([wanted[0][0]]) as tx:
            assert await claim_new(tx, "policy", wanted) == set(wanted)
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    assert await claim(database, wanted) == set(wanted)


async def test_a_claim_of_what_another_transaction_holds_waits_and_finds_it_taken(
    database: Database, ours: SmallOrg
) -> None:
    wanted = some(ours.org_id, 5)
    async with database.transaction([ours.org_id]) as tx:
        assert await claim_new(tx, "policy", wanted) == set(wanted)
        second = asyncio.create_task(claim(database, wanted))
        done, _ = await asyncio.wait([second], timeout=0.1)
        assert not done
    assert await second == set()


async def test_fifteen_at_once_with_overlapping_batches_claim_each_exactly_once(
    database: Database, admin: Admin
) -> None:
    wanted = [claim for _ in range(3) for claim in some(uuid.uuid4(), 100)]
    shuffles = [random.Random(n).sample(wanted, 200) for n in range(15)]
    won = await asyncio.gather(*(claim(database, batch) for batch in shuffles))
    all_won = [one for batch in won for one in batch]
    assert sorted(all_won) == sorted(set(all_won))
    assert set(all_won) == {one for batch in shuffles for one in batch}
    assert admin.query("SELECT count(*) FROM dw_consumed_messages") == [(len(all_won),)]

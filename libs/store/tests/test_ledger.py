"""The ledger's age, and what a version of prices means (G21, G22)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from dw_learning.gate.prices import PriceTable
from dw_store.database import Database
from dw_store.ledger import OtherPrices, is_version_free, prune_ledger, record_prices
from dw_store.prune import Ages, prune_orgs
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
NOW = datetime.now(UTC)
DAY = timedelta(days=1)


def call(admin: Admin, org: SmallOrg, age: timedelta) -> None:
    admin.insert(
        "dw_ai_usage", org_id=org.org_id, call_id=uuid.uuid4(), feature_key="digital_worker:learning_detect",
        actor="dw_worker:x", scopes=["org"], provider="openai", request_model="small", reserved_micro_usd=9,
        cost_micro_usd=9, status="ok", at=NOW - age, expires_at=NOW - age,
    )  # fmt: skip


def left(admin: Admin, org: SmallOrg) -> int:
    ((count,),) = admin.query("SELECT count(*) FROM dw_ai_usage WHERE org_id = %s", org.org_id)
    return int(count)


async def test_calls_go_when_they_are_older_than_an_operator_keeps_them(
    database: Database, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    for age in (399, 401, 500):
        call(admin, ours, age * DAY)
        call(admin, theirs, age * DAY)
    async with database.transaction([ours.org_id]) as tx:
        assert await prune_orgs(tx, [ours.org_id], Ages(), NOW) == 2
    assert (left(admin, ours), left(admin, theirs)) == (1, 3)


async def test_what_budgets_are_counted_from_stays_whatever_is_asked_for(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    for age in (0, 61, 63):
        call(admin, ours, age * DAY)
    async with database.transaction([ours.org_id]) as tx:
        assert await prune_ledger(tx, [ours.org_id], NOW + DAY, 100) == 1
    assert left(admin, ours) == 2


async def test_a_version_of_prices_means_the_same_for_ever(database: Database, admin: Admin) -> None:
    first = PriceTable.parse("small=1/4,big=10/40/5", "2026-11")
    await record_prices(database, first, NOW)
    await record_prices(database, PriceTable.parse("big=10/40/5,small=1/4", "2026-11"), NOW + DAY)
    with pytest.raises(OtherPrices):
        await record_prices(database, PriceTable.parse("small=1/5,big=10/40/5,other=1/1", "2026-11"), NOW)
    await record_prices(database, PriceTable.parse("small=1/4,tiny=0/0", "2026-11"), NOW + DAY)
    await record_prices(database, PriceTable.parse("small=1/5", "2026-12"), NOW)
    million = 10**6
    assert admin.query(
        "SELECT version, model, input, output, cached, first_used_at FROM dw_ai_prices ORDER BY version, model"
    ) == [
        ("2026-11", "big", 10 * million, 40 * million, 5 * million, NOW),
        ("2026-11", "small", million, 4 * million, million, NOW),
        ("2026-11", "tiny", 0, 0, 0, NOW + DAY),
        ("2026-12", "small", million, 5 * million, million, NOW),
    ]


async def test_whether_a_version_is_free_is_known_without_taking_it(database: Database, admin: Admin) -> None:
    await record_prices(database, PriceTable.parse("small=1/4,big=10/40", "2026-11"), NOW)
    kept = "SELECT version, model FROM dw_ai_prices ORDER BY version, model"
    before = admin.query(kept)
    for prices, version, is_free in (
        ("small=1/4", "2026-11", True),
        ("small=1/4,tiny=0/0", "2026-11", True),
        ("small=1/4/2", "2026-11", False),
        ("small=1/5", "2026-12", True),
    ):
        assert await is_version_free(database, PriceTable.parse(prices, version)) is is_free
    assert admin.query(kept) == before

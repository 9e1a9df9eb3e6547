"""What waits for a limit, on a real PostgreSQL: which agents may be asked about again, and in what order (C77)."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from dw_store.database import Database
from dw_store.deferred import (
    Deferred,
    Hindrance,
    NewDeferred,
    agents_that_wait,
    claim,
    forget,
    park,
    release,
)
from dw_store.directory import GatewayKey, wait_of_event
from dw_store.gate import Budget
from dw_store.gate_settings import record_settings
from dw_store.waits import default_budget, waits_of_org
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
AT = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
FAR = AT + timedelta(hours=12)
LEASE = timedelta(minutes=10)
DsnOf = Callable[[str], str]


@pytest.fixture
async def detector(dsn_of: DsnOf) -> AsyncIterator[Database]:
    async with Database.connect(dsn_of("detector"), size=4, application_name="test") as opened:
        yield opened


def refused(reason: str = "daily_budget", scope: str = "org", needs: int = 100) -> Hindrance:
    return Hindrance(reason, FAR, scope, needs, FAR, AT)


async def wait(
    detector: Database,
    org: SmallOrg,
    *whys: Hindrance,
    agent: uuid.UUID | None = None,
    candidate: bytes = b"{}",
) -> list[uuid.UUID]:
    """Parked in this order; their decision ids."""
    rows = [
        NewDeferred(
            org.org_id,
            agent or org.agent_id,
            uuid.uuid4(),
            candidate,
            "",
            AT,
            why,
            AT + timedelta(hours=48),
        )
        for why in whys
    ]
    await park(detector, rows)
    return [row.decision_id for row in rows]


async def ready(
    detector: Database,
    org: SmallOrg,
    at: datetime = AT + timedelta(minutes=1),
    budget: Budget = Budget(None, None),  # frozen
    rows: int = 50,
) -> list[Deferred]:
    return await claim(detector, [org.org_id], at, LEASE, agents=10, rows=rows, budget=budget)


def ids(rows: list[Deferred]) -> list[uuid.UUID]:
    return [row.decision_id for row in rows]


def spent(admin: Admin, org: SmallOrg, scope: str = "org", **values: Any) -> None:
    fields = {"day": AT.date(), "month": AT.date().replace(day=1), "minute": AT, **values}
    admin.insert("dw_ai_counters", org_id=org.org_id, scope=scope, **fields)


def limit(admin: Admin, org: SmallOrg, scope: str = "org", **values: Any) -> None:
    long_ago = AT - timedelta(days=1)
    admin.insert("dw_ai_limits", org_id=org.org_id, scope=scope, **{"updated_at": long_ago, **values})


async def test_what_waits_for_a_budget_goes_on_once_there_is_room_in_it(
    detector: Database, admin: Admin, ours: SmallOrg
) -> None:
    limit(admin, ours, daily_micro_usd=1_000)
    spent(admin, ours, day_micro_usd=800, reserved_micro_usd=101)
    waiting = await wait(detector, ours, refused(), Hindrance("behind", AT))
    assert await ready(detector, ours) == []
    admin.query("UPDATE dw_ai_counters SET reserved_micro_usd = 100")
    assert ids(await ready(detector, ours)) == waiting, "a call was settled"


@pytest.mark.parametrize("scope", ["org", "agent", "feature:digital_worker:learning_detect", "model:small"])
@pytest.mark.parametrize(("reason", "column"), [("daily_budget", "daily"), ("monthly_budget", "monthly")])
async def test_a_budget_of_any_scope_that_is_raised_is_room(
    detector: Database, admin: Admin, ours: SmallOrg, scope: str, reason: str, column: str
) -> None:
    full = f"agent:{ours.agent_id}" if scope == "agent" else scope
    limit(admin, ours, full, **{f"{column}_micro_usd": 100})
    spent(admin, ours, full, day_micro_usd=90, month_micro_usd=90)
    waiting = await wait(detector, ours, refused(reason, full))
    assert await ready(detector, ours) == []
    admin.query(f"UPDATE dw_ai_limits SET {column}_micro_usd = 190")
    assert ids(await ready(detector, ours)) == waiting


@pytest.mark.parametrize("reason", ["killed", "model_not_allowed", "region_not_allowed", "in_flight"])
async def test_a_change_of_any_limit_is_a_reason_to_ask_again(
    detector: Database, admin: Admin, ours: SmallOrg, reason: str
) -> None:
    limit(admin, ours, killed=True)
    waiting = await wait(detector, ours, refused(reason))
    assert await ready(detector, ours) == []
    admin.query("UPDATE dw_ai_limits SET updated_at = %s", AT + timedelta(seconds=1))
    assert ids(await ready(detector, ours)) == waiting


async def test_budgets_by_default_a_role_agents_own_and_a_new_day_are_room_too(
    detector: Database, admin: Admin, ours: SmallOrg
) -> None:
    spent(admin, ours, day_micro_usd=990)
    (of_org,) = await wait(detector, ours, refused())
    assert await ready(detector, ours, budget=Budget(1_000, None)) == []
    assert ids(await ready(detector, ours, budget=Budget(1_090, None))) == [of_org]
    tomorrow = AT + timedelta(hours=12)
    assert ids(await ready(detector, ours, tomorrow, Budget(1_000, None))) == [of_org]

    await forget(detector, await ready(detector, ours, tomorrow + 2 * LEASE, Budget(1_000, None)))
    agent = f"agent:{ours.agent_id}"
    admin.query("UPDATE dw_role_agents SET budget_monthly_cents = 1 WHERE id = %s", ours.agent_id)
    spent(admin, ours, agent, month_micro_usd=9_990)
    (of_agent,) = await wait(detector, ours, refused("monthly_budget", agent))
    assert await ready(detector, ours) == []
    admin.query("UPDATE dw_role_agents SET budget_monthly_cents = 2 WHERE id = %s", ours.agent_id)
    assert ids(await ready(detector, ours)) == [of_agent]


async def test_what_is_claimed_is_nobody_elses_until_it_is_given_back(
    detector: Database, admin: Admin, ours: SmallOrg
) -> None:
    waiting = await wait(detector, ours, *[Hindrance("behind", AT)] * 3)
    mine = await ready(detector, ours, rows=2)
    assert ids(mine) == waiting[:2], "so many of an agent at a time, in order"
    assert await ready(detector, ours) == [], "the third is behind them"
    limit(admin, ours, updated_at=AT + timedelta(minutes=1))
    assert await ready(detector, ours) == [], "and a limit that was raised does not change that"
    await forget(detector, mine[:1])
    await release(detector, mine[1:], refused())
    admin.query("UPDATE dw_ai_limits SET updated_at = %s", AT - timedelta(days=1))
    spent(admin, ours, day_micro_usd=1_000)
    assert await ready(detector, ours, budget=Budget(1_000, None)) == [], "the second keeps the third"
    assert ids(await ready(detector, ours, FAR, Budget(1_000, None))) == waiting[1:]
    assert ids(await ready(detector, ours, FAR + 2 * LEASE, Budget(1_000, None))) == waiting[1:], (
        "a process died"
    )


async def test_what_is_too_old_does_not_wait_for_the_month_to_end(
    detector: Database, admin: Admin, ours: SmallOrg
) -> None:
    limit(admin, ours, monthly_micro_usd=0)
    spent(admin, ours)
    why = Hindrance("monthly_budget", AT + timedelta(days=20), "org", 100, AT + timedelta(days=20), AT)
    waiting = await wait(detector, ours, why)
    assert await ready(detector, ours, AT + timedelta(hours=47)) == []
    assert ids(await ready(detector, ours, AT + timedelta(hours=48))) == waiting


async def test_agents_wait_apart_from_each_other_and_orgs_too(
    detector: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    other = uuid.uuid4()
    await wait(detector, ours, refused("killed"))
    (second,) = await wait(detector, ours, Hindrance("behind", AT), agent=other)
    await wait(detector, theirs, Hindrance("behind", AT))
    assert ids(await ready(detector, ours)) == [second]
    agents = [(ours.org_id, ours.agent_id), (ours.org_id, other), (ours.org_id, uuid.uuid4())]
    assert set(await agents_that_wait(detector, agents)) == set(agents[:2])


async def test_an_event_of_the_keys_own_channels_says_what_it_waits_for(
    detector: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    body = orjson.dumps({"event": {"channel_id": str(ours.channel_id)}})
    first, second = await wait(detector, ours, refused(), Hindrance("behind", AT), candidate=body)
    expires = AT + timedelta(hours=48)
    told = {"reason": "daily_budget", "scope": "org", "since": AT, "resets_at": FAR, "expires_at": expires}

    def key(org: SmallOrg, *channels: uuid.UUID) -> GatewayKey:
        return GatewayKey(uuid.uuid4(), org.org_id, channels, True)

    ours_alone = key(ours, ours.channel_id)
    assert await wait_of_event(detector, ours_alone, first) == told
    assert await wait_of_event(detector, ours_alone, second) == told, "what the first of its agent waits for"
    assert await wait_of_event(detector, ours_alone, uuid.uuid4()) is None
    assert await wait_of_event(detector, key(ours, uuid.uuid4()), first) is None, "another channel"
    assert await wait_of_event(detector, key(theirs, ours.channel_id), first) is None, "another org"


async def test_an_org_is_told_what_waits_and_for_what(
    detector: Database, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    other = uuid.uuid4()
    await wait(detector, ours, refused("killed"), Hindrance("behind", AT))
    await wait(detector, ours, Hindrance("behind", AT), agent=other)
    await wait(detector, theirs, refused())
    async with detector.transaction([ours.org_id]) as tx:
        rows = await waits_of_org(tx, ours.org_id)
        assert await default_budget(tx) == (None, None), "no model was called"
    assert [(row["role_agent"], row["candidates"], row["reason"], row["scope"]) for row in rows] == [
        ("it_agent", 2, "killed", "org"),
        (str(other), 1, "behind", ""),
    ]
    await record_settings(detector, {"daily_budget_cents": 500, "monthly_budget_cents": 5_000}, AT)
    async with detector.transaction([ours.org_id]) as tx:
        assert await default_budget(tx) == (5_000_000, 50_000_000)

"""AccessGate's counters on a real PostgreSQL: no cap is ever exceeded, whoever calls at once (G4 to G9, G34)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dw_learning.gate.features import LEARNING_DETECT, actor_of, scopes_of
from dw_learning.gate.refusals import Refusal
from dw_store.database import Database
from dw_store.detections import StoredAnswer, cached_answer, store_answers
from dw_store.errors import StoreUnavailable
from dw_store.gate import Budget, CallResult, NewCall, Reserved, reconcile, reserve, settle
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
AT = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
DsnOf = Callable[[str], str]
NO_LIMIT = Budget(None, None)


@pytest.fixture
async def gate(dsn_of: DsnOf) -> AsyncIterator[Database]:
    async with Database.connect(dsn_of("detector"), size=20, application_name="test") as opened:
        yield opened


def limit(admin: Admin, org: SmallOrg, scope: str = "org", **values: Any) -> None:
    admin.insert("dw_ai_limits", org_id=org.org_id, scope=scope, **values)


def call(org: SmallOrg, **fields: Any) -> NewCall:
    return NewCall(
        call_id=fields.pop("call_id", uuid.uuid4()),
        feature_key=LEARNING_DETECT.key,
        actor=actor_of(org.agent_id),
        provider="openai",
        request_model=fields.pop("model", "small"),
        prompt_version="p1",
        price_version="1",
        **fields,
    )


async def ask(
    gate: Database,
    org: SmallOrg,
    cost: int = 100,
    now: datetime = AT,
    budget: Budget = NO_LIMIT,
    **fields: Any,
) -> tuple[NewCall, Reserved | Refusal]:
    made = call(org, **fields)
    scopes = scopes_of(LEARNING_DETECT, org.agent_id, made.request_model)
    told = await reserve(gate, org.org_id, scopes, made, cost=cost, tokens=10, budget=budget, now=now)
    return made, told


def counters(admin: Admin, org: SmallOrg, scope: str = "org") -> tuple[int, ...]:
    (row,) = admin.query(
        "SELECT reserved_micro_usd, in_flight, day_micro_usd, month_micro_usd FROM dw_ai_counters"
        " WHERE org_id = %s AND scope = %s",
        org.org_id,
        scope,
    )
    return row


async def test_two_hundred_callers_at_once_never_exceed_a_cap(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    """Each reserves 100, spends 60 and comes back; the day allows 10,000, so that 166 calls can be paid."""
    limit(admin, ours, daily_micro_usd=10_000)
    seen: list[int] = []

    async def caller() -> int:
        spent = 0
        for _ in range(3):
            made, told = await ask(gate, ours)
            if isinstance(told, Refusal):
                assert told.reason == "daily_budget"
                assert told.limit == 10_000
                continue
            await asyncio.sleep(0)
            await settle(gate, ours.org_id, made.call_id, CallResult("ok", 60, estimated=False), AT)
            spent += 60
        return spent

    async def watch() -> None:
        while True:
            async with gate.transaction([ours.org_id]) as tx:
                seen.append(
                    await tx.fetchval(
                        "SELECT coalesce(max(reserved_micro_usd + day_micro_usd), 0) FROM dw_ai_counters WHERE org_id = $1",
                        ours.org_id,
                    )
                )
            await asyncio.sleep(0.005)

    watching = asyncio.ensure_future(watch())
    spent = sum(await asyncio.gather(*(caller() for _ in range(200))))
    watching.cancel()
    assert max(seen) <= 10_000
    assert 9_000 < spent <= 10_000
    assert counters(admin, ours) == (0, 0, spent, spent)
    booked = admin.query("SELECT sum(cost_micro_usd), count(*) FROM dw_ai_usage WHERE status = 'ok'")
    assert booked == [(spent, spent // 60)]


async def test_two_hundred_at_once_hold_no_more_than_is_there(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    limit(admin, ours, monthly_micro_usd=1_000)
    limit(admin, ours, scope=f"agent:{ours.agent_id}", max_in_flight=7)
    told = [told for _, told in await asyncio.gather(*(ask(gate, ours) for _ in range(200)))]
    assert sum(isinstance(each, Reserved) for each in told) == 7, "the tightest wins"
    assert {each.reason for each in told if isinstance(each, Refusal)} == {"in_flight"}
    assert counters(admin, ours) == (700, 7, 0, 0)


@pytest.mark.parametrize(
    ("scope", "values", "reason"),
    [
        ("org", {"killed": True}, "killed"),
        ("feature:digital_worker:learning_detect", {"killed": True}, "killed"),
        ("model:small", {"killed": True}, "killed"),
        ("agent", {"daily_micro_usd": 99}, "daily_budget"),
        ("feature:digital_worker:learning_detect", {"monthly_micro_usd": 99}, "monthly_budget"),
        ("org", {"requests_per_minute": 0}, "requests"),
        ("org", {"tokens_per_minute": 9}, "tokens"),
        ("org", {"max_in_flight": 0}, "in_flight"),
        ("org", {"allowed_models": ["big"]}, "model_not_allowed"),
        ("org", {"allowed_regions": ["eu"]}, "region_not_allowed"),
        ("feature:digital_worker:learning_detect", {"allowed_regions": []}, "region_not_allowed"),
    ],
)
async def test_each_limit_of_each_scope_refuses_and_holds_nothing(
    gate: Database, admin: Admin, ours: SmallOrg, scope: str, values: dict[str, Any], reason: str
) -> None:
    full = f"agent:{ours.agent_id}" if scope == "agent" else scope
    limit(admin, ours, scope=full, **values)
    _, told = await ask(gate, ours)
    assert isinstance(told, Refusal)
    assert (told.reason, told.scope) == (reason, full)
    assert counters(admin, ours) == (0, 0, 0, 0)
    assert admin.query("SELECT call_id FROM dw_ai_usage") == []


async def test_budgets_by_default_and_of_the_role_agent_count_too(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    _, told = await ask(gate, ours, cost=101, budget=Budget(100, None))
    assert isinstance(told, Refusal)
    admin.query("UPDATE dw_role_agents SET budget_monthly_cents = 1 WHERE id = %s", ours.agent_id)
    _, told = await ask(gate, ours, cost=10_001)
    assert isinstance(told, Refusal)
    assert (told.reason, told.limit) == ("monthly_budget", 10_000)


async def test_a_window_ends_by_itself_and_what_is_held_counts_over_its_end(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    limit(admin, ours, daily_micro_usd=100, requests_per_minute=1)
    made, told = await ask(gate, ours)
    assert isinstance(told, Reserved)
    _, told = await ask(gate, ours, cost=0)
    assert isinstance(told, Refusal)
    assert (told.reason, told.resets_at) == ("requests", AT.replace(minute=1, second=0))
    tomorrow = AT + timedelta(days=1)
    _, told = await ask(gate, ours, now=tomorrow)
    assert isinstance(told, Refusal), "the call of yesterday is still under way"
    assert told.resets_at == datetime(2026, 12, 2, tzinfo=UTC)
    assert await settle(gate, ours.org_id, made.call_id, CallResult("ok", 40, estimated=False), AT)
    assert not await settle(gate, ours.org_id, made.call_id, CallResult("ok", 40, estimated=False), AT), (
        "once"
    )
    _, told = await ask(gate, ours, now=tomorrow)
    assert isinstance(told, Reserved)
    assert counters(admin, ours) == (100, 1, 0, 0), "a new day, and a new month"


async def test_the_soft_limit_warns_once_a_day(gate: Database, admin: Admin, ours: SmallOrg) -> None:
    limit(admin, ours, daily_micro_usd=1_000, soft_percent=20)
    warned = []
    for _ in range(4):
        made, told = await ask(gate, ours)
        await settle(gate, ours.org_id, made.call_id, CallResult("ok", 100, estimated=False), AT)
        warned.append(told.warned)
    assert warned == [(), (), ("org",), ()]


async def test_the_soft_limit_is_of_what_is_spent_and_heard_also_where_the_next_call_is_refused(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    limit(admin, ours, daily_micro_usd=1_000, soft_percent=50)
    flying = [await ask(gate, ours) for _ in range(9)]
    assert [told.warned for _, told in flying] == [()] * 9, "what is held is not spent"
    for made, _ in flying:
        await settle(gate, ours.org_id, made.call_id, CallResult("ok", 4, estimated=False), AT)
    _, told = await ask(gate, ours, cost=900)
    assert isinstance(told, Reserved)
    assert told.warned == (), "3.6 % are spent"
    await reconcile(gate, [ours.org_id], AT + timedelta(hours=1))
    _, told = await ask(gate, ours)
    assert isinstance(told, Refusal), "the call that nobody settled has cost 900"
    assert told.warned == ("org",)
    _, told = await ask(gate, ours)
    assert told.warned == (), "once a day"


async def test_a_refusal_tells_what_is_spent_from_what_is_only_held(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    limit(admin, ours, daily_micro_usd=150)
    made, _ = await ask(gate, ours)
    _, told = await ask(gate, ours)
    assert isinstance(told, Refusal)
    assert (told.used, told.held, told.needs, told.is_held) == (100, 100, 100, True)
    await settle(gate, ours.org_id, made.call_id, CallResult("ok", 60, estimated=False), AT)
    _, told = await ask(gate, ours)
    assert isinstance(told, Refusal)
    assert (told.used, told.held, told.is_held) == (60, 0, False)


async def test_a_call_that_nobody_settles_is_booked_at_what_was_held(
    gate: Database, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    await ask(gate, ours, expire_seconds=60.0)
    await ask(gate, theirs, expire_seconds=60.0)
    assert await reconcile(gate, [ours.org_id], AT + timedelta(seconds=59)) == (0, 0)
    assert await reconcile(gate, [ours.org_id], AT + timedelta(seconds=61)) == (1, 0)
    assert counters(admin, ours) == (0, 0, 100, 100)
    assert counters(admin, theirs) == (100, 1, 0, 0)
    await ask(gate, ours, expire_seconds=60.0)
    both = [ours.org_id, theirs.org_id]
    assert await reconcile(gate, both, AT + timedelta(seconds=61)) == (2, 0)


async def test_counters_that_drifted_become_what_the_ledger_says(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    made, _ = await ask(gate, ours)
    await settle(gate, ours.org_id, made.call_id, CallResult("ok", 40, estimated=False), AT)
    await ask(gate, ours)
    admin.query("UPDATE dw_ai_counters SET reserved_micro_usd = 5, day_micro_usd = 7 WHERE scope = 'org'")
    assert await reconcile(gate, [ours.org_id], AT) == (0, 1)
    assert counters(admin, ours) == (100, 1, 40, 40)


async def test_reserving_settling_and_reconciling_at_once_end_without_drift(
    gate: Database, admin: Admin, ours: SmallOrg
) -> None:
    async def one() -> None:
        made, _ = await ask(gate, ours, expire_seconds=-1.0)
        await settle(gate, ours.org_id, made.call_id, CallResult("ok", 40, estimated=False), AT)

    results = await asyncio.gather(
        *(one() for _ in range(60)), *(reconcile(gate, [ours.org_id], AT) for _ in range(20))
    )
    assert sum(drifted for result in results if result for _, drifted in [result]) == 0
    assert await reconcile(gate, [ours.org_id], AT) == (0, 0)
    assert counters(admin, ours)[:2] == (0, 0)


async def test_the_ledger_says_for_whom_a_call_was_made(gate: Database, admin: Admin, ours: SmallOrg) -> None:
    await ask(gate, ours, platform="slack", external_user_id=ours.account)
    await ask(gate, ours, platform="slack", external_user_id="U-stranger")
    rows = admin.query("SELECT actor, on_behalf_of FROM dw_ai_usage ORDER BY on_behalf_of NULLS LAST")
    assert rows == [(actor_of(ours.agent_id), ours.user_id), (actor_of(ours.agent_id), None)]


async def test_without_counters_no_call_is_let_through(dsn_of: DsnOf, ours: SmallOrg) -> None:
    async with Database.connect(dsn_of("detector"), size=1, application_name="test") as database:
        await database._pool.close()
        with pytest.raises(StoreUnavailable):
            await ask(database, ours)


async def test_an_answer_is_used_again_within_its_org_only_and_for_a_while(
    gate: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    """G18: equal questions of two orgs share nothing."""
    made = StoredAnswer(
        ours.org_id, ours.agent_id, uuid.uuid4(), [], "openai", "small", "p1", cache_key=b"k" * 32
    )
    await store_answers(gate, [made])

    async def again(org: SmallOrg, since: datetime) -> StoredAnswer | None:
        return await cached_answer(
            gate, org.org_id, b"k" * 32, since, AT,
            decision_id=uuid.uuid4(), feature_key=LEARNING_DETECT.key, actor=actor_of(org.agent_id),
        )  # fmt: skip

    an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
    assert await again(theirs, an_hour_ago) is None
    assert await again(ours, datetime.now(UTC) + timedelta(hours=1)) is None
    found = await again(ours, an_hour_ago)
    assert found is not None
    assert found.decision_id == made.decision_id

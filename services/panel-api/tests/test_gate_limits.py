"""What may be spent on models: admins set and see it, every change is on record, other orgs stay out (G19, G24, G33)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from panel_world import World, bearer

pytestmark = pytest.mark.integration


async def put(world: World, who: str, **limit: Any) -> httpx.Response:
    body = {"scope": "org"} | limit
    return await world.http.put(f"{world.path}/gate/limits", json=body, headers=bearer(world.tokens[who]))


async def test_an_admin_sets_limits_and_what_is_left_out_stays(acme: World) -> None:
    first = await put(acme, "ada", daily_micro_usd=2_000_000, allowed_models=["small"])
    assert first.status_code == 200, first.text
    second = (await put(acme, "ada", killed=True)).json()
    assert (second["daily_micro_usd"], second["allowed_models"], second["killed"]) == (
        2_000_000,
        ["small"],
        True,
    )
    third = (await put(acme, "ingrid", daily_micro_usd=None, killed=False)).json()
    assert (third["daily_micro_usd"], third["killed"], third["row_version"]) == (None, False, 3)
    told = (await acme.get("ada", "/gate")).json()
    assert [limit["scope"] for limit in told["limits"]] == ["org"]
    assert (told["parked"], told["calls_today"], told["use"]) == (0, {}, [])


async def test_a_change_is_on_record_with_what_was_before_and_none_is_not(acme: World) -> None:
    await put(acme, "ada", killed=True)
    await put(acme, "ada", killed=True)
    events = (await acme.get("ada", "/audit", type="gate_limit_changed")).json()["events"]
    assert len(events) == 1
    assert events[0]["after"]["killed"] is True
    assert events[0]["before"] == {"scope": "org"}


async def test_an_admin_says_where_models_may_work(acme: World) -> None:
    told = (await put(acme, "ada", allowed_regions=["eu", "ch"])).json()
    assert told["allowed_regions"] == ["eu", "ch"]
    assert (await put(acme, "ada", soft_percent=50)).json()["allowed_regions"] == ["eu", "ch"]
    assert (await put(acme, "ada", allowed_regions=None)).json()["allowed_regions"] is None


async def test_managers_neither_see_nor_set_it(acme: World) -> None:
    assert (await put(acme, "farid", killed=True)).status_code == 403
    assert (await acme.get("farid", "/gate")).status_code == 403


async def test_another_org_has_limits_of_its_own(acme: World) -> None:
    await put(acme, "ada", killed=True)
    globex = await World(acme.http, acme.admin_dsn, "globex").create()
    assert (await globex.get("ingrid", "/gate")).json()["limits"] == []
    stranger = await acme.http.put(
        f"{acme.path}/gate/limits", json={"scope": "org"}, headers=bearer(globex.tokens["ingrid"])
    )
    assert stranger.status_code in (401, 403, 404)


@pytest.mark.parametrize(
    "limit",
    [
        {"scope": "everything"},
        {"scope": "feature:memory_compact"},
        {"daily_micro_usd": -1},
        {"surprise": 1},
        {"allowed_regions": ["the password is Hunter-Tiger-42!"]},
        {"daily_micro_usd": True},
        {"monthly_micro_usd": "5"},
        {"requests_per_minute": 2.0},
        {"max_in_flight": False},
        {"killed": 1},
        {"allowed_models": ["a b"]},
        {"allowed_models": ["small", ""]},
        {"scope": "agent:" + "-" * 36},
        {"scope": "model:"},
    ],
)
async def test_what_is_no_limit_is_refused_with_a_place(acme: World, limit: dict[str, Any]) -> None:
    refused = await put(acme, "ada", **limit)
    assert refused.status_code == 422
    assert refused.json()["errors"]
    assert (await acme.get("ada", "/gate")).json()["limits"] == []


async def test_what_is_no_scope_is_told_which_there_are(acme: World) -> None:
    (wrong,) = (await put(acme, "ada", scope="feature:memory_compact")).json()["errors"]
    assert wrong["at"] == "scope"
    assert wrong["problem"] == (
        "a scope is org, feature:digital_worker:learning_detect, feature:digital_worker:skill_draft, agent:CODE "
        "or model:NAME"
    )


async def test_a_role_agent_is_named_by_code_or_id_and_is_one_of_the_org(acme: World) -> None:
    agent = acme.ids["it_agent"]
    by_code = (await put(acme, "ada", scope="agent:it_agent", daily_micro_usd=1)).json()
    assert (by_code["scope"], by_code["agent"]) == (f"agent:{agent}", "it_agent")
    by_id = (await put(acme, "ada", scope=f"agent:{agent}", max_in_flight=2)).json()
    assert (by_id["daily_micro_usd"], by_id["max_in_flight"], by_id["row_version"]) == (1, 2, 2)
    globex = await World(acme.http, acme.admin_dsn, "globex").create()
    for stranger in (globex.ids["it_agent"], "nobody", UUID(int=7)):
        refused = await put(acme, "ada", scope=f"agent:{stranger}", killed=True)
        assert refused.status_code == 404
        assert "no such role-agent" in refused.json()["detail"]
    assert [limit["scope"] for limit in (await acme.get("ada", "/gate")).json()["limits"]] == [
        f"agent:{agent}"
    ]


async def test_what_an_earlier_version_let_be_written_can_still_be_read(acme: World) -> None:
    with psycopg.connect(acme.admin_dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO dw_ai_limits (org_id, scope, allowed_models) VALUES (%s, %s, %s)",
            (acme.org_id, "agent:" + "-" * 36, ["a b", ""]),
        )
    (limit,) = (await acme.get("ada", "/gate")).json()["limits"]
    assert (limit["allowed_models"], limit["agent"]) == (["a b", ""], "")


@pytest.mark.parametrize(
    "limit", [{"scope": "model:ghp_" + "a1B2" * 9}, {"allowed_models": ["the password is Hunter-Tiger-42!"]}]
)
async def test_a_secret_where_a_model_is_named_is_kept_nowhere(acme: World, limit: dict[str, Any]) -> None:
    answer = await put(acme, "ada", **limit)
    assert answer.status_code == 422
    assert "Hunter" not in answer.text
    assert (await acme.get("ada", "/gate")).json()["limits"] == []

"""What may be spent on models: admins set and see it, every change is on record, other orgs stay out (G19, G24, G33)."""

from __future__ import annotations

from typing import Any

import httpx
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
    ],
)
async def test_what_is_no_limit_is_refused_with_a_place(acme: World, limit: dict[str, Any]) -> None:
    refused = await put(acme, "ada", **limit)
    assert refused.status_code == 422
    assert refused.json()["errors"]


@pytest.mark.parametrize(
    "limit", [{"scope": "model:ghp_" + "a1B2" * 9}, {"allowed_models": ["the password is Hunter-Tiger-42!"]}]
)
async def test_a_secret_where_a_model_is_named_is_kept_nowhere(acme: World, limit: dict[str, Any]) -> None:
    answer = await put(acme, "ada", **limit)
    assert answer.status_code == 422
    assert "Hunter" not in answer.text
    assert (await acme.get("ada", "/gate")).json()["limits"] == []

"""What calls to models cost, call by call, for admins: pages, and a copy that is on record (G21 to G23)."""

from __future__ import annotations

import csv
import io
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from panel_world import World

pytestmark = pytest.mark.integration
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def call(world: World, minutes: int = 0, **fields: Any) -> uuid.UUID:
    row = {
        "org_id": world.org_id, "call_id": uuid.uuid4(), "feature_key": "digital_worker:learning_detect",
        "actor": f"dw_worker:{world.ids['it_agent']}", "on_behalf_of": world.ids["minh"], "scopes": ["org"],
        "provider": "openai", "request_model": "small", "prompt_version": "learning_detect-1",
        "price_version": "2026-11", "input_tokens": 100, "output_tokens": 20, "reserved_micro_usd": 900,
        "cost_micro_usd": 180, "estimated": False, "status": "ok", "at": AT + timedelta(minutes=minutes),
        "expires_at": AT, "settled_at": AT, **fields,
    }  # fmt: skip
    world._insert("dw_ai_usage", row)
    made: uuid.UUID = row["call_id"]
    return made


async def test_calls_come_in_pages_the_latest_first_with_unknown_apart_from_nothing(acme: World) -> None:
    ids = [call(acme, n) for n in range(3)]
    first = (await acme.get("ada", "/gate/ledger", limit=2)).json()
    assert [row["call_id"] for row in first["calls"]] == [str(ids[2]), str(ids[1])]
    second = (await acme.get("ada", "/gate/ledger", limit=2, cursor=first["next_cursor"])).json()
    assert [row["call_id"] for row in second["calls"]] == [str(ids[0])]
    assert second["next_cursor"] is None
    row = second["calls"][0]
    assert (row["cost_micro_usd"], row["price_version"], row["on_behalf_of"]) == (180, "2026-11", "minh")
    assert (row["input_tokens"], row["cached_tokens"]) == (100, None)
    assert (row["actor"], row["agent"]) == (f"dw_worker:{acme.ids['it_agent']}", "it_agent")


async def test_calls_are_chosen_by_feature_and_time(acme: World) -> None:
    call(acme)
    draft = call(acme, 5, feature_key="digital_worker:skill_draft")
    call(acme, 10)
    found = await acme.get("ada", "/gate/ledger", feature="digital_worker:skill_draft")
    assert [row["call_id"] for row in found.json()["calls"]] == [str(draft)]
    window = {
        "since": (AT + timedelta(minutes=5)).isoformat(),
        "until": (AT + timedelta(minutes=10)).isoformat(),
    }
    found = await acme.get("ada", "/gate/ledger", **window)
    assert [row["call_id"] for row in found.json()["calls"]] == [str(draft)]
    assert (await acme.get("ada", "/gate/ledger", feature="memory_compact")).status_code == 422


async def test_a_copy_has_every_call_runs_no_formula_and_is_on_record(acme: World) -> None:
    for n in range(3):
        call(acme, n - 10, response_model="=HYPERLINK(1)" if n == 1 else "small-0")
    answer = await acme.get("ada", "/gate/ledger/export", format="csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [row["cost_micro_usd"] for row in rows] == ["180"] * 3
    assert rows[1]["response_model"] == "'=HYPERLINK(1)"
    lines = (await acme.get("ingrid", "/gate/ledger/export", format="jsonl")).text.splitlines()
    assert len(lines) == 3
    events = (await acme.get("ada", "/audit", type="export_done")).json()["events"]
    assert [event["after"]["format"] for event in events] == ["jsonl", "csv"]


async def test_managers_and_other_orgs_see_nothing_of_it(acme: World) -> None:
    call(acme)
    for path in ("/gate/ledger", "/gate/ledger/export"):
        assert (await acme.get("farid", path)).status_code == 403
    globex = await World(acme.http, acme.admin_dsn, "globex").create()
    assert (await globex.get("ingrid", "/gate/ledger")).json()["calls"] == []

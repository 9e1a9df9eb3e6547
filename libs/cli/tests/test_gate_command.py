"""dw gate status, limits and kill against a real panel (G19, G24): what is set is said, and counts for the next call."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from dw_cli.main import app
from libs.cli.tests.test_audit_command import panel

pytestmark = pytest.mark.integration


def lines(told: Any) -> list[str]:
    assert told.exit_code == 0, told.output
    return str(told.output).splitlines()


async def test_limits_are_set_seen_and_switched_off_and_on(dsn_of: Any) -> None:
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token, "COLUMNS": "200"}

        async def gate(*args: str) -> list[str]:
            asked = ["gate", args[0], "--org", "acme", *args[1:]]
            return lines(await asyncio.to_thread(CliRunner().invoke, app, asked, env=env))

        def kept(column: str) -> list[Any]:
            with psycopg.connect(dsn_of("admin")) as connection:
                query = f"SELECT {column} FROM dw_ai_limits ORDER BY scope".encode()
                return [value for (value,) in connection.execute(query)]

        assert await gate("limits") == ["no limits of its own: the installation's default budgets hold"]
        assert await gate(
            "limits", "--daily", "2.5", "--in-flight", "8", "--model", "small", "--region", "eu"
        ) == ["limits of org: $2.5000 a day, warning at 80 %, 8 at once, models small, regions eu"]
        assert (kept("daily_micro_usd"), kept("allowed_regions")) == ([2_500_000], [["eu"]])
        assert await gate("kill") == [
            "limits of org: SWITCHED OFF, $2.5000 a day, warning at 80 %, 8 at once, models small, regions eu"
        ]
        assert kept("killed") == [True]
        told = await gate("status")
        assert told[0].startswith("limits of org: SWITCHED OFF")
        assert told[-1] == "calls today: none; waiting for a limit: 0"
        assert json.loads((await gate("status", "--json"))[0])["limits"][0]["killed"] is True
        await gate("kill", "--undo")
        await gate("kill", "--scope", "model:big")
        assert kept("killed") == [True, False], "one model, and the org no more"


SETTINGS = """
INSERT INTO dw_gate_settings (after, at) VALUES ('{"daily_budget_cents": 500, "monthly_budget_cents": 5000}', now())
"""
PARKED = """
INSERT INTO dw_deferred (
    org_id, decision_id, role_agent_id, candidate, reason, scope, needs_micro_usd, parked_at, due_at, resets_at, expires_at
)
SELECT o.id, gen_random_uuid(), '00000000-0000-0000-0000-000000000007', '{}', r.reason, r.scope, r.needs,
       '2026-11-30 12:00Z', now(), r.resets_at, '2026-12-02 12:00Z'
FROM dw_orgs AS o, (VALUES
    ('daily_budget', 'org', 23300, '2026-12-01 00:00Z'::timestamptz), ('behind', '', 0, NULL)
) AS r (reason, scope, needs, resets_at)
"""


async def test_status_says_what_waits_for_which_limit_until_when_and_the_budgets_by_default(
    dsn_of: Any,
) -> None:
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token, "COLUMNS": "400"}

        async def gate(*args: str) -> list[str]:
            asked = ["gate", args[0], "--org", "acme", *args[1:]]
            return lines(await asyncio.to_thread(CliRunner().invoke, app, asked, env=env))

        with psycopg.connect(dsn_of("admin")) as connection:
            connection.execute(SETTINGS.encode())
            connection.execute(PARKED.encode())
        budgets = "$5.0000 a day, $50.0000 a month"
        assert await gate("status") == [
            f"an org that sets no budget of its own has {budgets}",
            "00000000-0000-0000-0000-000000000007: 2 candidates wait since 2026-11-30 12:00 UTC: "
            "org: the day's budget is used up (a call holds up to $0.0233); until 2026-12-01 00:00 UTC, or until somebody "
            "changes the limit; the first of them ends without items at 2026-12-02 12:00 UTC",
            "calls today: none; waiting for a limit: 2",
        ]
        assert await gate("limits") == [
            f"no limits of its own: the installation's default budgets hold, {budgets}"
        ]
        told = json.loads((await gate("status", "--json"))[0])
        assert told["waiting"][0]["reason"] == "daily_budget"
        assert (told["default_daily_micro_usd"], told["default_monthly_micro_usd"]) == (5_000_000, 50_000_000)


async def test_what_is_no_scope_is_refused_in_words(dsn_of: Any) -> None:
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token}
        asked = ["gate", "kill", "--org", "acme", "--scope", "everything"]
        told = await asyncio.to_thread(CliRunner().invoke, app, asked, env=env)
        assert told.exit_code == 1
        assert "these limits do not fit: scope: String should match pattern" in told.output
        assert "Traceback" not in told.output

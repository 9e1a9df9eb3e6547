"""dw gate status, limits and kill against a real panel (G19, G24): what is set is said, and counts for the next call."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from dw_cli.main import app
from dw_client import PanelClient
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
        assert (
            "these limits do not fit: scope: a scope is org, feature:digital_worker:learning_detect, "
            in told.output
        )
        assert "Traceback" not in told.output


async def test_every_limit_can_be_taken_away_again(dsn_of: Any) -> None:
    every = ("--daily", "--monthly", "--soft", "--requests", "--tokens", "--in-flight", "--model", "--region")
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token, "COLUMNS": "200"}

        async def limits(*args: str) -> list[str]:
            asked = ["gate", "limits", "--org", "acme", *args]
            return lines(await asyncio.to_thread(CliRunner().invoke, app, asked, env=env))

        values = ("0.000001", "5e1", "60", "3", "4000", "0", "small", "eu")
        given = [word for pair in zip(every, values, strict=True) for word in pair]
        assert await limits(*given, "--model", "big") == [
            "limits of org: $0.0000 a day, $50.0000 a month, warning at 60 %, 3 calls a minute, 4000 tokens a minute, "
            "0 at once, models small, big, regions eu"
        ]
        assert await limits("--region", "none", "--daily", "None") == [
            "limits of org: $50.0000 a month, warning at 60 %, 3 calls a minute, 4000 tokens a minute, "
            "0 at once, models small, big"
        ]
        assert await limits(*(word for option in every for word in (option, "none"))) == [
            "limits of org: warning at 80 %"
        ]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--daily", "inf"),
        ("--daily", "1e400"),
        ("--monthly", "nan"),
        ("--daily", "-1"),
        ("--daily", "0.0000001"),
        ("--daily", "1e10"),
        ("--requests", "2.5"),
        ("--requests", "9" * 5000),
        ("--region", ""),
        ("--daily", ""),
    ],
)
def test_a_value_that_is_no_limit_is_refused_with_what_would_be_one(option: str, value: str) -> None:
    told = CliRunner().invoke(app, ["gate", "limits", "--org", "acme", option, value])
    assert told.exit_code == 2, told.output
    assert option in told.output
    assert isinstance(told.exception, SystemExit)
    assert "takes the limit" in " ".join(told.output.replace("│", " ").split())


async def test_a_role_agent_is_named_by_its_code(dsn_of: Any) -> None:
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token, "COLUMNS": "200"}

        async def gate(*args: str) -> Any:
            return await asyncio.to_thread(CliRunner().invoke, app, ["gate", *args, "--org", "acme"], env=env)

        file = {
            "org": "acme",
            "name": "Acme",
            "users": {"ingrid": {"role": "owner"}},
            "agents": {"it_agent": {"name": "IT"}},
        }
        async with PanelClient(url, token) as client:
            await client.call("PUT", "/v1/orgs/acme/file", json=file)
        assert lines(await gate("limits", "--scope", "agent:it_agent", "--daily", "1")) == [
            "limits of agent:it_agent: $1.0000 a day, warning at 80 %"
        ]
        assert lines(await gate("status"))[0] == "limits of agent:it_agent: $1.0000 a day, warning at 80 %"
        refused = await gate("kill", "--scope", "agent:nobody")
        assert refused.exit_code == 1
        assert "no such role-agent" in refused.output

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

"""dw gate ledger against a real panel: the last calls in words, and all of them as CSV (G21)."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from dw_cli.main import app
from dw_store.database import Database
from dw_store.gate_settings import record_settings
from libs.cli.tests.test_audit_command import panel

pytestmark = pytest.mark.integration
ROW = """
INSERT INTO dw_ai_usage (
    org_id, call_id, feature_key, actor, scopes, provider, request_model, prompt_version, price_version,
    reserved_micro_usd, cost_micro_usd, estimated, status, error_type, at, expires_at
)
SELECT id, gen_random_uuid(), 'digital_worker:learning_detect', 'dw_worker:x', '{org}', 'openai', 'small',
       'learning_detect-1', '2026-11', 900, %s, %s, %s, %s, now() - interval '1 hour', now()
FROM dw_orgs WHERE code = 'acme'
"""


async def test_models_and_prices_are_shown_by_change(dsn_of: Any) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    async with Database.connect(dsn_of("detector"), size=1, application_name="test") as database:
        await record_settings(database, {"model": "small", "prices": "small=1/4"}, now)
        await record_settings(database, {"model": "small", "prices": "small=2/4"}, now)
    env = {"DW_DATABASE_ADMIN_URL": dsn_of("admin"), "COLUMNS": "200"}
    shown = await asyncio.to_thread(CliRunner().invoke, app, ["gate", "models"], env=env)
    assert shown.output.splitlines() == [
        "2026-11-30 12:00  prices small=1/4 -> small=2/4",
        "2026-11-30 12:00  model - -> small; prices - -> small=1/4",
    ]
    told = await asyncio.to_thread(CliRunner().invoke, app, ["gate", "models", "--json"], env=env)
    assert json.loads(told.output.splitlines()[0])["before"] == {"model": "small", "prices": "small=1/4"}


async def run(*args: str, **env: str) -> Any:
    """The command in a thread: it has an event loop of its own."""
    return await asyncio.to_thread(
        CliRunner().invoke, app, ["gate", "ledger", "--org", "acme", *args], env=env
    )


async def test_calls_are_shown_in_words_and_copied_whole_as_csv(dsn_of: Any) -> None:
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token, "COLUMNS": "200"}
        with psycopg.connect(dsn_of("admin")) as connection:
            connection.execute(ROW, (180, False, "ok", ""))
            connection.execute(ROW, (900, True, "failed", "timeout"))
            connection.execute(
                "UPDATE dw_ai_usage SET attempt = 2, fallback_from = 'tiny',"
                " on_behalf_of = (SELECT user_id FROM dw_org_members WHERE code = 'ingrid')"
                " WHERE status = 'failed'"
            )
        shown = (await run(**env)).output
        what = "digital_worker:learning_detect  learning_detect-1  agent dw_worker:x"
        assert f"ok  small  $0.0002  {what}  for nobody known" in shown
        assert f"failed timeout, try 2, after tiny  small  $0.0009 at most  {what}  for ingrid" in shown
        copied = await run("--csv", **env)
        rows = list(csv.DictReader(io.StringIO(copied.stdout.removeprefix("\ufeff"))))
        assert sorted(row["cost_micro_usd"] for row in rows) == ["180", "900"]
        assert {row["price_version"] for row in rows} == {"2026-11"}
        later = await run("--csv", "--since", "2099-01-01", **env)
        assert len(later.stdout.splitlines()) == 1, "the head alone"
        refused = await run("--feature", "memory_compact", **env)
        assert refused.exit_code == 1
        assert "'digital_worker:learning_detect' or 'digital_worker:skill_draft'" in refused.output

"""dw gate ledger against a real panel: the last calls in words, and all of them as CSV (G21)."""

from __future__ import annotations

import asyncio
import csv
import io
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from dw_cli.main import app
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
        shown = (await run(**env)).output
        assert "ok  small  $0.0002  digital_worker:learning_detect  learning_detect-1" in shown
        assert "failed timeout  small  $0.0009 at most" in shown
        copied = await run("--csv", **env)
        rows = list(csv.DictReader(io.StringIO(copied.stdout.removeprefix("\ufeff"))))
        assert sorted(row["cost_micro_usd"] for row in rows) == ["180", "900"]
        assert {row["price_version"] for row in rows} == {"2026-11"}
        later = await run("--csv", "--since", "2099-01-01", **env)
        assert len(later.stdout.splitlines()) == 1, "the head alone"
        refused = await run("--feature", "memory_compact", **env)
        assert refused.exit_code == 1

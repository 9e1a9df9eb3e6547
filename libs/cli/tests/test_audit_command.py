"""dw audit against a real database and a real panel: exit status, what is printed, and a file of the log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import uvicorn
from typer.testing import CliRunner

from dw_cli.audit import lines_of
from dw_cli.main import app
from dw_learning.audit_chain import Finding, Report
from dw_panel.app import create_app
from dw_panel.settings import Settings
from dw_store.audit import NewEvent, write_events
from dw_store.audit_chain import seal_events
from dw_store.database import Database
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
INSTALLATION = "installation-token-of-a-test"


async def run(*args: str, **env: str) -> Any:
    """The command in a thread: it has an event loop of its own."""
    return await asyncio.to_thread(CliRunner().invoke, app, ["audit", *args], env=env)


async def filled(dsn: str, org: SmallOrg, count: int = 4) -> None:
    """Sealed events of an org."""
    at = datetime.now(UTC) - timedelta(hours=1)
    async with Database.connect(dsn, size=1, application_name="test") as database:
        async with database.transaction([org.org_id]) as tx:
            events = [
                NewEvent(
                    org_id=org.org_id, event_type="memory_auto_saved", actor_type="worker", actor_id="w",
                    subject_type="memory", after={"content": f"fact {n}"},
                )
                for n in range(count)
            ]  # fmt: skip
            await write_events(tx, events, {}, at)
        assert await seal_events(database, at) == count


def code_of(dsn: str, org: SmallOrg) -> str:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT code FROM dw_orgs WHERE id = %s", (org.org_id,)).fetchone()
    assert row is not None
    return str(row[0])


async def test_verify_says_that_the_log_holds_and_gives_a_head_to_note(dsn_of: Any) -> None:
    admin = dsn_of("admin")
    org = create_small_org(admin)
    await filled(dsn_of("policy"), org)
    code, env = code_of(admin, org), {"DW_DATABASE_ADMIN_URL": admin}
    first = await run("verify", "--org", code, **env)
    assert first.exit_code == 0, first.output
    assert "4 events sealed, texts of 0 erased: the log holds" in first.output
    head = next(line.split()[1] for line in first.output.splitlines() if line.startswith("head "))
    assert (await run("verify", "--org", code, "--head", head, **env)).exit_code == 0
    forged = await run("verify", "--org", code, "--head", "4:" + "0" * 64, **env)
    assert forged.exit_code == 1
    assert "was cut off or made anew" in forged.output


async def test_verify_ends_with_1_where_a_row_was_changed(dsn_of: Any) -> None:
    admin = dsn_of("admin")
    org = create_small_org(admin)
    await filled(dsn_of("policy"), org)
    with psycopg.connect(admin) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            "UPDATE dw_learning_events SET actor_id = 'x' WHERE id = (SELECT min(id) FROM dw_learning_events)"
        )
    done = await run("verify", "--org", code_of(admin, org), DW_DATABASE_ADMIN_URL=admin)
    assert done.exit_code == 1
    assert "place 1," in done.output
    assert "THE LOG DOES NOT HOLD: 1 findings" in done.output


async def test_verify_refuses_what_it_cannot_do(dsn_of: Any) -> None:
    env = {"DW_DATABASE_ADMIN_URL": dsn_of("admin")}
    assert "there is no org 'nobody'" in (await run("verify", "--org", "nobody", **env)).output
    assert "PLACE:HASH" in (await run("verify", "--org", "x", "--head", "nonsense", **env)).output
    away = await run("verify", "--org", "x", DW_DATABASE_ADMIN_URL="postgresql://127.0.0.1:1/none")
    assert (away.exit_code, "PostgreSQL is not there" in away.output) == (1, True)


def test_every_finding_is_said_with_its_place() -> None:
    report = Report(2, 0, 1, (2, "ab"), (Finding(1, None, "removed"), Finding(0, None, "unsealed")))
    assert lines_of(report)[:3] == [
        "place 1, event -: the event is gone",
        "place -, event -: it has waited too long for its place",
        "2 events sealed, texts of 0 erased, 1 wait for their place: THE LOG DOES NOT HOLD: 2 findings",
    ]


@asynccontextmanager
async def panel(dsn: str) -> AsyncIterator[tuple[str, str]]:
    """A panel on loopback with an org, its address and its owner's token."""
    settings = Settings.model_validate(
        {"database_url": dsn, "pepper": "00" * 32, "installation_token": INSTALLATION, "env": "development"}
    )
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_config=None, lifespan="on"))
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # the server tells nobody
        await asyncio.sleep(0.02)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    async with httpx.AsyncClient(base_url=url) as client:
        headers = {"authorization": f"Bearer {INSTALLATION}"}
        while True:
            made = await client.post("/v1/orgs", json={"org": "acme", "owner": "ingrid"}, headers=headers)
            if made.status_code == 200:
                break
            await asyncio.sleep(0.05)
    try:
        yield url, made.json()["owner_token"]
    finally:
        server.should_exit = True
        await serving


async def test_export_writes_what_the_reader_may_see_and_never_over_a_file(
    dsn_of: Any, tmp_path: Path
) -> None:
    out, table = tmp_path / "log.jsonl", tmp_path / "log.csv"
    async with panel(dsn_of("panel")) as (url, token):
        env = {"DW_PANEL_URL": url, "DW_TOKEN": token}
        done = await run("export", "--org", "acme", "--out", str(out), **env)
        assert done.exit_code == 0, done.output
        (row,) = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert row["type"] == "org_created"
        assert out.stat().st_mode & 0o077 == 0
        again = await run("export", "--org", "acme", "--out", str(out), **env)
        assert (again.exit_code, "exists already" in again.output) == (1, True)
        filters = ["--type", "export_done", "--actor", "ingrid", "--since", "2026-01-01", "--format", "csv"]
        done = await run("export", "--org", "acme", "--out", str(table), *filters, **env)
        assert done.exit_code == 0, done.output
        lines = table.read_text("utf-8-sig").splitlines()
        assert lines[0].startswith('"id","type"')
        assert [line.split(",")[1] for line in lines[1:]] == ['"export_done"']
        refused = await run("export", "--org", "globex", "--out", str(tmp_path / "x"), **env)
        assert (refused.exit_code, "no such org" in refused.output) == (1, True)

"""The first page of the Learning Inbox with 10,000 items that wait, against the same page of an org without any.

The panel's whole application, asked in turn in one process without a network; PostgreSQL with its default durability.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
import uvloop
from _parts import result

from dw_contracts.settings import PanelSettings
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_panel.app import create_app
from dw_testkit.databases import Databases

TARGET: Final = 1 / 3
ITEMS: Final = 10_000
PAGES: Final = 60
ROUNDS: Final = 3
INSTALLATION: Final = "bench"
AGENTS: Final = {"it_agent": {"name": "IT Agent"}}


def run() -> dict[str, Any]:
    """Pages a second of both; the median of three rounds."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as name:
        folder = Path(name)
        postgres = PostgresServer(
            folder / "postgres", folder / "postgres.log", port=any_port(), password=uuid.uuid4().hex
        )
        postgres.start()
        try:
            databases = Databases(postgres)
            database = databases.create()
            own, admin = databases.dsn(database, "panel"), databases.dsn(database, "admin")
            return result("inbox", uvloop.run(_rounds(own, admin)), TARGET)
        finally:
            postgres.stop()


async def _rounds(dsn: str, admin: str) -> list[tuple[float, float]]:
    settings = PanelSettings.model_validate(
        {"database_url": dsn, "pepper": "00" * 32, "installation_token": INSTALLATION, "env": "development"}
    )
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://panel") as client,
    ):
        full, empty = await _org(client, "full"), await _org(client, "empty")
        await asyncio.to_thread(_fill, admin)
        for org in (full, empty):
            await _pages(client, org, 5)
        return [(await _pages(client, full), await _pages(client, empty)) for _ in range(ROUNDS)]


async def _org(client: httpx.AsyncClient, code: str) -> tuple[str, str]:
    """Its path and its owner's token."""
    headers = {"authorization": f"Bearer {INSTALLATION}"}
    while True:
        made = await client.post("/v1/orgs", json={"org": code, "owner": "ingrid"}, headers=headers)
        if made.status_code == 200:
            break
        await asyncio.sleep(0.05)
    token = made.json()["owner_token"]
    file = {"org": code, "users": {"ingrid": {"role": "owner"}}, "agents": AGENTS}
    applied = await client.put(
        f"/v1/orgs/{code}/file", json=file, headers={"authorization": f"Bearer {token}"}
    )
    applied.raise_for_status()
    return f"/v1/orgs/{code}/items", token


async def _pages(client: httpx.AsyncClient, org: tuple[str, str], pages: int = PAGES) -> float:
    path, token = org
    headers = {"authorization": f"Bearer {token}"}
    began = time.perf_counter()
    for _ in range(pages):
        (await client.get(path, headers=headers)).raise_for_status()
    return pages / (time.perf_counter() - began)


def _fill(admin: str) -> None:
    payload: dict[str, Any] = {
        "layer": "knowledge",
        "memory_type": "fact",
        "category": "fact",
        "subject_identity": None,
        "marks": [],
    }
    refs = [
        {
            "event_id": str(uuid.uuid4()),
            "at": "2026-11-30T09:00:00+00:00",
            "excerpt": "Room",
            "verified": False,
        }
    ]
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO dw_learning_items (id, org_id, role_agent_id, kind, risk, reason_code, explanation,"
            " proposed_payload, source_refs, proposed_by, dedupe_key, sender_ref, published_at, due_at, created_at)"
            " SELECT gen_random_uuid(), a.org_id, a.id, 'memory_proposal', CASE WHEN n %% 3 = 0 THEN 'high' ELSE 'low' END, 'unverified_sender', 'Not verified.',"
            " %s::jsonb || jsonb_build_object('content', 'Room ' || n || ' is called R' || n || '.', 'key', 'room-' || n),"
            " %s::jsonb, 'dw_worker:x', 'all:' || n, 'slack:T1:U' || n, now(), now() + n * interval '1 minute', now()"
            " FROM dw_role_agents AS a JOIN dw_orgs AS o ON o.id = a.org_id, generate_series(1, %s) AS n"
            " WHERE o.code = 'full'",
            (json.dumps(payload), json.dumps(refs), ITEMS),
        )
        connection.execute("ANALYZE")


if __name__ == "__main__":
    print(json.dumps(run()))

"""The whole application over a fresh PostgreSQL, without a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest

from dw_panel.app import create_app
from dw_panel.settings import Settings

sys.path.insert(0, str(Path(__file__).parent))

from panel_world import INSTALLATION, PEPPER, World  # found by the line above

DsnOf = Callable[[str], str]


@pytest.fixture
async def http(dsn_of: DsnOf) -> AsyncIterator[httpx.AsyncClient]:
    """Nobody's client: each request says who asks."""
    settings = Settings.model_validate(
        {
            "database_url": dsn_of("panel"),
            "pepper": PEPPER,
            "installation_token": INSTALLATION,
            "env": "development",
        }
    )
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://panel") as opened,
    ):
        await _database_is_open(opened)
        yield opened


async def _database_is_open(client: httpx.AsyncClient) -> None:
    headers = {"authorization": "Bearer dw_ut_nobody"}
    for _ in range(100):
        if (await client.get("/v1/orgs/none/agents", headers=headers)).status_code == 401:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the database did not open")


@pytest.fixture
async def acme(http: httpx.AsyncClient, dsn_of: DsnOf) -> World:
    """Ingrid owns it, Ada is an admin; Farid and Minh manage the IT agent, Greta the HR agent."""
    return await World(http, dsn_of("admin"), "acme").create()


@pytest.fixture
async def globex(http: httpx.AsyncClient, dsn_of: DsnOf) -> World:
    """The same people's names in another org: other people."""
    return await World(http, dsn_of("admin"), "globex").create()

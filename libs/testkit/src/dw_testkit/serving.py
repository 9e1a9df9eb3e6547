"""Context and panel on loopback in this process, for tests of what talks to them over HTTP."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import uvicorn
from starlette.applications import Starlette

from dw_context.app import create_app as create_context
from dw_context.settings import Settings as ContextSettings
from dw_contracts.events.chat import ChatEvent
from dw_learning.history_tokens import tsvector_literal
from dw_panel.app import create_app as create_panel
from dw_panel.settings import Settings as PanelSettings
from dw_store.database import Database
from dw_store.history import HistoryRow, write_history
from dw_store.keys import NewKey, create_key
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg, create_small_org

DsnOf = Callable[[str], str]
PEPPER = "00" * 32
INSTALLATION = "installation-token-of-a-test"


@dataclass(frozen=True, slots=True)
class ContextService:
    """Its address, an org whose agent answers in it, and that org's runtime key."""

    url: str
    org: SmallOrg
    key: str
    dsn_of: DsnOf

    async def said(self, text: str, *, account: str | None = None, **fields: Any) -> ChatEvent:
        """A sealed message as history keeps it; from Minh, who is verified, if nobody else is named."""
        event = chat_event(self.org.org_id, self.org.agent_id, self.org.channel_id, text)
        sender = event.sender.model_copy(update={"external_user_id": account or self.org.account})
        new = {"event_id": uuid.uuid4(), "message_ref": uuid.uuid4().hex, "sender": sender}
        event = event.model_copy(update=new | fields)
        async with (
            Database.connect(self.dsn_of("context"), size=1, application_name="test") as database,
            database.transaction([self.org.org_id]) as tx,
        ):
            await write_history(tx, [HistoryRow(event, True, tsvector_literal(text, self.org.agent_id))])
        return event

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        """As the superuser."""
        with psycopg.connect(self.dsn_of("admin")) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []


@asynccontextmanager
async def serving_context(dsn_of: DsnOf) -> AsyncIterator[ContextService]:
    """Without Kafka: what a change announces is not heard, so read with at_least_version."""
    org = create_small_org(dsn_of("admin"))
    settings = ContextSettings.model_validate(
        {
            "database_url": dsn_of("context"),
            "pepper": PEPPER,
            "seal_keys": "test:" + "ab" * 32,
            "kafka_bootstrap": "127.0.0.1:1",
            "kafka_security": "PLAINTEXT",
            "query_timeout_seconds": 20,  # a slow machine is no test
        }
    )
    async with (
        Database.connect(dsn_of("admin"), size=1, application_name="test") as database,
        database.system() as tx,
    ):
        new = NewKey(uuid.uuid4(), org.org_id, "runtime", uuid.uuid4().hex, "test")
        key = await create_key(tx, new, PEPPER)
    async with serving(create_context(settings)) as url:
        await _answers(url, "POST", "/v1/runs", key)
        yield ContextService(url, org, key, dsn_of)


@asynccontextmanager
async def serving_panel(dsn: str) -> AsyncIterator[str]:
    """The panel; orgs are made with INSTALLATION."""
    settings = PanelSettings.model_validate(
        {"database_url": dsn, "pepper": PEPPER, "installation_token": INSTALLATION, "env": "development"}
    )
    async with serving(create_panel(settings)) as url:
        await _answers(url, "POST", "/v1/orgs", INSTALLATION)
        yield url


@asynccontextmanager
async def serving(app: Starlette) -> AsyncIterator[str]:
    """On a free port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan="on"))
    task = asyncio.create_task(server.serve())
    while not server.started:  # the server tells nobody
        if task.done():
            task.result()
        await asyncio.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


async def _answers(url: str, method: str, path: str, token: str) -> None:
    """Until the database is there: an empty body is then what is wrong."""
    headers = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url) as client:
        for _ in range(200):
            if (await client.request(method, path, json={}, headers=headers)).status_code == 422:
                return
            await asyncio.sleep(0.05)
    raise TimeoutError(f"{url} has no database")

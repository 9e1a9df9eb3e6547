"""A PostgreSQL of its own, filled with labelled messages: one org, a role-agent and a channel for each role."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from dw_contracts.events.chat import ChatEvent, EventKind, Platform, Sender
from dw_contracts.ids import ChannelId, OrgId, RoleAgentId, event_id_of
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_learning.history_tokens import tsvector_literal
from dw_store.database import Database
from dw_store.history import HistoryRow, write_history
from dw_store.history_search import Place
from dw_store.migrate import bootstrap, migrate
from dw_store.roles import role_of

DATABASE = "dw_eval"
BATCH = 500
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class World:
    """Where to search, and which labelled message an event is."""

    database: Database
    org_id: UUID
    places: dict[str, Place]
    ids: dict[UUID, str]


@asynccontextmanager
async def history_world(docs: Sequence[dict[str, Any]]) -> AsyncIterator[World]:
    """Started, filled and stopped here; nothing of it stays."""
    password = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="dw-eval-") as folder:
        server = PostgresServer(
            Path(folder) / "data", Path(folder) / "log", port=any_port(), password=password, fast=True
        )
        try:
            await asyncio.to_thread(server.start)
            server.create_database(DATABASE)
            bootstrap(server.url(DATABASE), {"context": password})
            migrate(server.url(DATABASE))
            org_id, places = _org(server.url(DATABASE), docs)
            dsn = server.url(DATABASE, role_of("context"), password)
            async with Database.connect(dsn, size=2, application_name="dw-eval") as database:
                ids = await _fill(database, org_id, places, docs)
                with psycopg.connect(server.url(DATABASE), autocommit=True) as connection:
                    connection.execute("VACUUM ANALYZE dw_chat_events")
                yield World(database, org_id, places, ids)
        finally:
            await asyncio.to_thread(server.stop)


def _org(dsn: str, docs: Sequence[dict[str, Any]]) -> tuple[UUID, dict[str, Place]]:
    org_id, user_id = uuid.uuid4(), uuid.uuid4()
    places: dict[str, Place] = {}
    with psycopg.connect(dsn) as connection:
        run = connection.execute
        run("INSERT INTO dw_orgs (id, code, name) VALUES (%s, 'eval', 'eval')", (org_id,))
        run("INSERT INTO dw_users (id, name) VALUES (%s, 'Everybody')", (user_id,))
        run(
            "INSERT INTO dw_org_members (org_id, user_id, code, role) VALUES (%s, %s, 'everybody', 'owner')",
            (org_id, user_id),
        )
        run("SELECT dw_seed_org(%s)", (org_id,))
        for role in sorted({str(doc.get("role", "")) for doc in docs}):
            places[role] = place = Place(uuid.uuid4(), uuid.uuid4())
            code = f"r{len(places)}"
            run(
                "INSERT INTO dw_role_agents (id, org_id, code, name, soul_id)"
                " SELECT %s, %s, %s, %s, id FROM dw_agent_souls WHERE org_id = %s",
                (place.role_agent_id, org_id, code, role, org_id),
            )
            run(
                "INSERT INTO dw_channels (id, org_id, code, role_agent_id, platform, external_channel_ref)"
                " VALUES (%s, %s, %s, %s, 'slack', %s)",
                (place.channel_id, org_id, code, place.role_agent_id, code),
            )
        for speaker in sorted({_speaker(doc) for doc in docs}):
            run(
                "INSERT INTO dw_external_identities"
                " (id, org_id, platform, external_user_id, user_id, status, verified_at)"
                " VALUES (%s, %s, 'slack', %s, %s, 'verified', '2025-01-01')",
                (uuid.uuid4(), org_id, speaker, user_id),
            )
    return org_id, places


async def _fill(
    database: Database, org_id: UUID, places: dict[str, Place], docs: Sequence[dict[str, Any]]
) -> dict[UUID, str]:
    first: dict[str, str] = {}
    events = [_event(org_id, places, doc, number, first) for number, doc in enumerate(docs)]
    for at in range(0, len(events), BATCH):
        rows = [
            HistoryRow(event, True, tsvector_literal(event.text, event.role_agent_id))
            for event in events[at : at + BATCH]
        ]
        async with database.transaction([org_id]) as tx:
            await write_history(tx, rows)
    return {event.event_id: event.message_ref for event in events}


def _event(
    org_id: UUID, places: dict[str, Place], doc: dict[str, Any], number: int, first: dict[str, str]
) -> ChatEvent:
    """As a platform with threads gives it: answers name the first message of their thread, which names none."""
    place = places[str(doc.get("role", ""))]
    ref, thread = str(doc["id"]), doc.get("thread")
    root = first.setdefault(str(thread), ref) if thread else ref
    speaker = _speaker(doc)
    agent = speaker.endswith("-agent")
    kind = EventKind.MESSAGE_OUT if agent else EventKind.MESSAGE_IN
    at = BEGIN + timedelta(minutes=number)
    return ChatEvent(
        schema_version=1,
        event_id=event_id_of(
            OrgId(org_id), RoleAgentId(place.role_agent_id), ChannelId(place.channel_id), kind.value, ref, 0
        ),
        org_id=org_id,
        role_agent_id=place.role_agent_id,
        channel_id=place.channel_id,
        kind=kind,
        message_ref=ref,
        sender=Sender(platform=Platform.SLACK, external_user_id=speaker, kind="bot" if agent else "human"),
        text=str(doc["text"]),
        thread_ref=None if root == ref else root,
        occurred_at=at,
        received_at=at,
    )


def _speaker(doc: dict[str, Any]) -> str:
    return str(doc.get("speaker", "someone"))[:256]

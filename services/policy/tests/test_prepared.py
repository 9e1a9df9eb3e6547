"""What policy does with a message before its turn, and not again at its turn."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NoReturn, cast

import orjson
import psycopg
import pytest

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning import scan
from dw_learning.decision import findings
from dw_learning.decision.facts import Caps
from dw_policy import handlers as module
from dw_policy.decide_batch import Policy
from dw_policy.handlers import Handlers, parse_detection
from dw_runtime import Handle, Received, Record
from dw_store.database import Database
from dw_testkit.events import KEYS, chat_event, sealed_bytes
from dw_testkit.orgs import create_small_org

FACT = "The Lisbon office closes at 18:00."


@dataclass(frozen=True)
class Rec:
    value: bytes
    key: bytes
    topic: str = "learning.detections.v1"
    partition: int = 0
    offset: int = 0
    headers: tuple[tuple[str, bytes | None], ...] = ()
    timestamp: int = 0


def record_of(event: ChatEvent, raw: bytes) -> Record:
    item = DetectionItem(
        kind=ItemKind.MEMORY_FACT, text=FACT, span=(0, len(FACT)), key="k", risk_hint="low", confidence=0.85
    )
    detection = Detection(
        schema_version=1,
        decision_id=event.event_id,
        event=orjson.loads(raw),
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        items=(item,),
        provider="offline",
        triage_version="t",
    )
    return Rec(detection.to_bytes(), f"{event.org_id}:{event.role_agent_id}".encode())


def refuse(*_: object) -> NoReturn:
    raise AssertionError("this was done beforehand")


@pytest.mark.integration
async def test_seal_and_texts_are_looked_at_once_and_what_was_found_decides(
    dsn_of: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    org = create_small_org(dsn_of("admin"))
    good = chat_event(org.org_id, org.agent_id, org.channel_id, FACT, message_ref="m1")
    forged = chat_event(org.org_id, org.agent_id, org.channel_id, FACT, message_ref="m2")
    raw = (
        sealed_bytes(good)
        .replace(b"m1", b"m2")
        .replace(str(good.event_id).encode(), str(forged.event_id).encode())
    )
    opened = Database.connect(dsn_of("policy"), size=1, application_name="test")
    database: Handle[Database] = Handle("database")
    database.set(await opened.__aenter__())
    handlers = Handlers(Policy(Caps(), lambda: datetime(2026, 11, 30, 9, tzinfo=UTC)), database, KEYS)
    batch = [
        Received(r, parse_detection(r)) for r in (record_of(forged, raw), record_of(good, sealed_bytes(good)))
    ]
    for received in batch:
        handlers.prepare(received.message)
    for where, name in (
        (module, "is_sealed"),
        (findings, "classify_risk"),
        (scan, "scan_secrets"),
        (scan, "scan_injection"),
    ):
        monkeypatch.setattr(where, name, refuse)
    handled = await handlers.handle(batch)
    await opened.__aexit__(None, None, None)
    assert handled.failed == []
    with psycopg.connect(dsn_of("admin")) as connection:
        outcomes = connection.execute(
            "SELECT decision_id, outcome, reason FROM dw_decisions WHERE org_id = %s", (org.org_id,)
        ).fetchall()
    assert {row[0]: row[1:] for row in outcomes} == {
        forged.event_id: ("proposed", "unsealed"),
        good.event_id: ("saved", None),
    }


def test_a_detection_without_an_event_has_nothing_to_prepare() -> None:
    event = chat_event(uuid.UUID(int=1), uuid.UUID(int=2), uuid.UUID(int=3), FACT)
    found = parse_detection(record_of(event, sealed_bytes(event)))
    found.event = None
    handlers = Handlers(Policy(Caps(), lambda: datetime.now(UTC)), cast(Handle[Database], None), KEYS)
    handlers.prepare(found)
    assert (found.sealed, found.findings.prepared) == (False, False)

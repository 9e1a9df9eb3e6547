"""From records to history: seals are checked, what does not belong together fails alone (C45)."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from dw_context.adapters.cache import SnapshotCache
from dw_context.handlers import SLICE, ChangesHandler, HistoryHandler, parse_event
from dw_contracts.events.changes import LearningChange
from dw_contracts.events.chat import ChatEvent
from dw_contracts.ids import partition_key
from dw_runtime import Handle, Permanent, Received
from dw_runtime.deadline import Deadline
from dw_runtime.metrics import Metrics
from dw_store.database import Database
from dw_testkit.events import KEYS, chat_event, sealed_bytes
from dw_testkit.orgs import create_small_org

DsnOf = Callable[[str], str]
ORG, AGENT, CHANNEL = (UUID(int=n) for n in (1, 2, 3))
MANY = 8 * SLICE


@dataclass(frozen=True)
class FakeRecord:
    """A record as Kafka gives it."""

    value: bytes | None
    key: bytes | None = None
    topic: str = "chat.events.v1"
    partition: int = 0
    offset: int = 0
    headers: Sequence[tuple[str, bytes]] = field(default=())
    timestamp: int = 0


def record_of(event: ChatEvent, value: bytes | None = None) -> FakeRecord:
    """The event's record, sealed unless other bytes are given."""
    return FakeRecord(value or sealed_bytes(event), partition_key(event.org_id, event.role_agent_id))


@pytest.mark.parametrize(
    "record",
    [
        FakeRecord(None),
        FakeRecord(b"not json"),
        FakeRecord(b'{"schema_version": 2}'),
        FakeRecord(b'{"schema_version": 1}'),
        FakeRecord(sealed_bytes(chat_event(ORG, AGENT, CHANNEL, "x")), key=b"another:agent"),
    ],
)
def test_a_record_that_cannot_be_read_is_permanent(record: FakeRecord) -> None:
    with pytest.raises(Permanent):
        parse_event(record)


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Database]:
    """The pool of the context service."""
    async with Database.connect(dsn_of("context"), size=2, application_name="test") as opened:
        yield opened


@pytest.mark.integration
async def test_a_batch_keeps_what_fits_with_its_seal_and_names_the_rest(
    database: Database, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    handle: Handle[Database] = Handle("database")
    handle.set(database)
    sealed = chat_event(org.org_id, org.agent_id, org.channel_id, "sealed")
    forged = chat_event(org.org_id, org.agent_id, org.channel_id, "forged")
    changed = sealed_bytes(forged).replace(b'"text":"forged"', b'"text":"FORGED"')
    foreign = chat_event(org.org_id, org.agent_id, uuid.uuid4(), "foreign")
    records = [record_of(sealed), record_of(forged, changed), record_of(foreign)]
    batch = [Received(record, parse_event(record)) for record in records]
    handled = await HistoryHandler(handle, KEYS).handle(batch)
    assert [failed.record for failed in handled.failed] == [records[2]]
    assert handled.outgoing == ()
    with psycopg.connect(dsn_of("admin")) as connection:
        rows = connection.execute("SELECT body_text, sealed FROM dw_chat_events ORDER BY sealed").fetchall()
    assert rows == [("FORGED", False), ("sealed", True)]


@pytest.mark.integration
async def test_a_record_that_breaks_the_contract_fails_alone_with_the_reason(
    database: Database, dsn_of: DsnOf
) -> None:
    org = create_small_org(dsn_of("admin"))
    handle: Handle[Database] = Handle("database")
    handle.set(database)
    good = [chat_event(org.org_id, org.agent_id, org.channel_id, text) for text in ("before", "after")]
    broken = chat_event(org.org_id, org.agent_id, org.channel_id, "x")
    bad = record_of(broken, sealed_bytes(broken).replace(b'"message_in"', b'"sung"'))
    nobody = FakeRecord(
        sealed_bytes(broken).replace(str(org.org_id).encode(), b"nobody"), f"nobody:{org.agent_id}".encode()
    )
    records = [record_of(good[0]), bad, nobody, record_of(good[1])]
    handled = await HistoryHandler(handle, KEYS).handle([Received(r, parse_event(r)) for r in records])
    assert [failed.record for failed in handled.failed] == [bad, nobody]
    assert [failed.reason.split(":")[1] for failed in handled.failed] == [" kind", " org_id"]
    with psycopg.connect(dsn_of("admin")) as connection:
        rows = connection.execute("SELECT body_text FROM dw_chat_events ORDER BY body_text").fetchall()
    assert rows == [("after",), ("before",)]


@pytest.mark.integration
async def test_a_batch_of_many_pieces_is_settled_as_one(database: Database, dsn_of: DsnOf) -> None:
    org = create_small_org(dsn_of("admin"))
    handle: Handle[Database] = Handle("database")
    handle.set(database)

    def of(number: int, **fields: Any) -> ChatEvent:
        text = fields.pop("text", f"message {number}")
        return chat_event(org.org_id, org.agent_id, org.channel_id, text, message_ref=f"m{number}", **fields)

    events = [of(number) for number in range(2 * MANY)]
    foreign = chat_event(org.org_id, org.agent_id, uuid.uuid4(), "foreign")
    events[MANY + 3] = foreign
    events += [of(0, kind="edit", revision=5, text="edited"), of(1, kind="delete", revision=6)]
    records = [record_of(event) for event in events]
    for _ in range(2):  # what comes again changes nothing
        handled = await HistoryHandler(handle, KEYS).handle([Received(r, parse_event(r)) for r in records])
        assert [failed.record for failed in handled.failed] == [records[MANY + 3]]
        with psycopg.connect(dsn_of("admin")) as connection:
            shown = connection.execute(
                "SELECT message_ref, kind, body_text FROM dw_chat_events WHERE current ORDER BY length(message_ref), message_ref"
            ).fetchall()
        assert shown[:3] == [
            ("m0", "edit", "edited"),
            ("m1", "delete", ""),
            ("m2", "message_in", "message 2"),
        ]
        assert len(shown) == 2 * MANY - 1


async def test_changes_drop_what_they_name_and_an_unreadable_one_drops_everything() -> None:
    metrics = Metrics("context")
    handle: Handle[Database] = Handle("database")
    cache = SnapshotCache(handle, Deadline(1.0), metrics, clock=float, wall=float, max_agents=1, max_weight=1)
    change = LearningChange(
        schema_version=1,
        change_id=uuid.uuid4(),
        type="memory_auto_saved",
        org_id=ORG,
        role_agent_id=AGENT,
        subject_type="memory",
        version=2,
        at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    of_org = change.model_copy(update={"role_agent_id": None})
    records = [FakeRecord(change.to_bytes()), FakeRecord(of_org.to_bytes()), FakeRecord(b"?")]
    await ChangesHandler(cache).apply(records)
    rendered = metrics.render().decode()
    for scope in ("role_agent", "org", "all"):
        assert f'dw_context_changes_seen_total{{scope="{scope}"}} 1.0' in rendered

"""No record on any topic shows or changes anything of another org (R10, R317): every consumer of every topic."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import psycopg
import pytest

from dw_channels.handlers import parse_comment
from dw_context.handlers import ChangesHandler, HistoryHandler
from dw_context.handlers import parse_event as parse_history
from dw_contracts.events.changes import LearningChange
from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.golden import examples
from dw_contracts.ids import OrgId, partition_key
from dw_contracts.topics import TOPICS
from dw_detector.handlers import parse_candidate, parse_draft_request
from dw_learning.decision.facts import Caps
from dw_policy.decide_batch import Policy
from dw_policy.handlers import Handlers, parse_detection
from dw_runtime import Handle, Permanent, Received
from dw_store.database import Database
from dw_store.detections import StoredAnswer, load_answers, store_answers
from dw_testkit.events import AT, KEYS, chat_event, sealed_bytes
from dw_testkit.orgs import SmallOrg, create_small_org
from dw_triage.handlers import parse_event as parse_triage

DsnOf = Callable[[str], str]
ROOT = Path(__file__).parents[2]
FACT = "The Lisbon office closes at 18:00."
OURS, THEIRS = (SmallOrg() for _ in range(2))

# Who reads what, and the test below that attacks it. A new reader of a topic is attacked before it lands.
ATTACKED = {
    ("chat.events.v1", "triage"): "test_a_key_that_names_another_org_is_a_dead_letter",
    ("chat.events.v1", "context"): "test_history_keeps_nothing_that_does_not_belong_together",
    ("learning.candidates.v1", "detector"): "test_an_answer_of_another_org_is_not_taken_for_ours",
    ("learning.draft_requests.v1", "detector"): "test_a_key_that_names_another_org_is_a_dead_letter",
    ("learning.detections.v1", "policy"): "test_policy_decides_nothing_that_does_not_belong_together",
    ("learning.changes.v1", "context"): "test_a_change_of_one_org_says_nothing_of_another",
    ("agent.comments.v1", "channels"): "test_a_key_that_names_another_org_is_a_dead_letter",
    ("agent.wakeups.v1", "channels"): "test_nobody_reads_wakeups_yet",
}


@dataclass
class Rec:
    """A record as the client library gives it."""

    value: bytes | None
    key: bytes | None
    topic: str = "t"
    partition: int = 0
    offset: int = 0
    timestamp: int = 0
    headers: Sequence[tuple[str, bytes]] = field(default_factory=tuple)


def test_every_reader_of_every_topic_is_attacked() -> None:
    readers = {(topic.name, service) for topic in TOPICS for service in (*topic.readers, *topic.groupless)}
    assert readers == set(ATTACKED)
    assert all(name in globals() for name in ATTACKED.values())


def test_nobody_reads_wakeups_yet() -> None:
    sources = [p.read_text("utf-8") for p in (ROOT / "services/channels/src").rglob("*.py")]
    assert not any("WAKEUPS" in text for text in sources), "attack its consumer above"


def detection(org: SmallOrg, event: ChatEvent | None = None, **fields: Any) -> Detection:
    event = event or chat_event(org.org_id, org.agent_id, org.channel_id, FACT)
    values: dict[str, Any] = {
        "schema_version": 1,
        "decision_id": event.event_id,
        "event": ChatEvent.model_validate_json(sealed_bytes(event)).model_dump(
            mode="json", exclude_defaults=True
        ),
        "org_id": org.org_id,
        "role_agent_id": org.agent_id,
        "items": (
            DetectionItem(
                kind=ItemKind.MEMORY_FACT,
                text=FACT,
                span=(0, len(FACT)),
                key="k",
                risk_hint="low",
                confidence=0.85,
            ),
        ),
        "provider": "offline",
        "triage_version": "t",
    }
    return Detection.model_validate(values | fields)


def candidate(event: ChatEvent) -> bytes:
    [full] = [m for name, m in examples()["dw.candidate.v1"].items() if name == "full"]
    raw = ChatEvent.model_validate_json(sealed_bytes(event)).model_dump(mode="json", exclude_defaults=True)
    return full.model_copy(update={"event": raw}).to_bytes()


def draft_request(org: SmallOrg) -> bytes:
    [full] = [m for name, m in examples()["dw.draft_request.v1"].items() if name == "full"]
    return full.model_copy(update={"org_id": org.org_id, "role_agent_id": org.agent_id}).to_bytes()


def comment(org: SmallOrg) -> bytes:
    [full] = [m for name, m in examples()["dw.agent_comment.v1"].items() if name == "full"]
    return full.model_copy(update={"org_id": org.org_id, "channel_id": org.channel_id}).to_bytes()


@pytest.mark.parametrize(
    ("parse", "value"),
    [
        (parse_triage, sealed_bytes(chat_event(OURS.org_id, OURS.agent_id, OURS.channel_id, FACT))),
        (parse_history, sealed_bytes(chat_event(OURS.org_id, OURS.agent_id, OURS.channel_id, FACT))),
        (parse_candidate, candidate(chat_event(OURS.org_id, OURS.agent_id, OURS.channel_id, FACT))),
        (parse_draft_request, draft_request(OURS)),
        (parse_detection, detection(OURS).to_bytes()),
        (parse_comment, comment(OURS)),
    ],
    ids=["triage", "history", "candidate", "draft", "detection", "comment"],
)
@pytest.mark.parametrize(
    "key",
    [
        partition_key(THEIRS.org_id, THEIRS.agent_id),
        partition_key(THEIRS.org_id, OURS.agent_id),
        partition_key(OURS.org_id, THEIRS.agent_id),
        str(THEIRS.channel_id).encode(),
        b"",
        None,
    ],
    ids=["theirs", "their org", "their agent", "their channel", "empty", "none"],
)
def test_a_key_that_names_another_org_is_a_dead_letter(
    parse: Callable[[Rec], Any], value: bytes, key: bytes | None
) -> None:
    with pytest.raises(Permanent):
        parse(Rec(value, key))


def test_a_detection_speaks_of_one_org() -> None:
    """Its own org and agent, its event's, and its event's id."""
    theirs = chat_event(THEIRS.org_id, THEIRS.agent_id, THEIRS.channel_id, FACT)
    crossed = detection(OURS, theirs)
    named = detection(OURS, decision_id=theirs.event_id)
    for wrong in (crossed, named):
        with pytest.raises(Permanent):
            parse_detection(Rec(wrong.to_bytes(), partition_key(OURS.org_id, OURS.agent_id)))


def both(dsn_of: DsnOf) -> tuple[SmallOrg, SmallOrg]:
    admin = dsn_of("admin")
    return create_small_org(admin), create_small_org(admin)


def crossings(ours: SmallOrg, theirs: SmallOrg) -> list[ChatEvent]:
    """Events of ours that name something of theirs."""
    return [
        chat_event(ours.org_id, theirs.agent_id, ours.channel_id, FACT),
        chat_event(ours.org_id, ours.agent_id, theirs.channel_id, FACT),
        chat_event(ours.org_id, theirs.agent_id, theirs.channel_id, FACT),
        chat_event(uuid.uuid4(), ours.agent_id, ours.channel_id, FACT),
    ]


def rows(dsn: str, table: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute(
            f"SELECT to_jsonb(t)::text FROM {table} AS t ORDER BY 1".encode()
        ).fetchall()


async def handle_of(dsn: str) -> tuple[Any, Handle[Database]]:
    opened = Database.connect(dsn, size=1, application_name="test")
    handle: Handle[Database] = Handle("database")
    handle.set(await opened.__aenter__())
    return opened, handle


@pytest.mark.integration
async def test_history_keeps_nothing_that_does_not_belong_together(dsn_of: DsnOf) -> None:
    ours, theirs = both(dsn_of)
    opened, handle = await handle_of(dsn_of("context"))
    good = chat_event(ours.org_id, ours.agent_id, ours.channel_id, FACT)
    events = [*crossings(ours, theirs), good]
    records = [Rec(sealed_bytes(e), partition_key(e.org_id, e.role_agent_id)) for e in events]
    handled = await HistoryHandler(handle, KEYS).handle([Received(r, parse_history(r)) for r in records])
    await opened.__aexit__(None, None, None)
    assert [failed.record for failed in handled.failed] == records[:-1]
    with psycopg.connect(dsn_of("admin")) as connection:
        kept = connection.execute("SELECT id, org_id FROM dw_chat_events").fetchall()
    assert kept == [(good.event_id, ours.org_id)]


@pytest.mark.integration
async def test_policy_decides_nothing_that_does_not_belong_together(dsn_of: DsnOf) -> None:
    ours, theirs = both(dsn_of)
    admin = dsn_of("admin")
    tables = (
        "dw_agent_memories",
        "dw_learning_items",
        "dw_learning_events",
        "dw_sources",
        "dw_versions",
        "dw_outbox",
    )
    before = {table: rows(admin, table) for table in tables}
    opened, handle = await handle_of(dsn_of("policy"))
    handlers = Handlers(Policy(Caps(), lambda: AT), handle, KEYS)
    records = []
    for event in crossings(ours, theirs):
        speaks = SmallOrg(event.org_id, event.role_agent_id, event.channel_id)
        record = Rec(detection(speaks, event).to_bytes(), partition_key(event.org_id, event.role_agent_id))
        records.append(record)
    handled = await handlers.handle([Received(r, parse_detection(r)) for r in records])
    assert [failed.record for failed in handled.failed] == records
    assert {table: rows(admin, table) for table in tables} == before
    good = detection(ours)
    record = Rec(good.to_bytes(), partition_key(ours.org_id, ours.agent_id))
    handled = await handlers.handle([Received(record, parse_detection(record))])
    await opened.__aexit__(None, None, None)
    assert handled.failed == []
    with psycopg.connect(admin) as connection:
        assert connection.execute("SELECT DISTINCT org_id FROM dw_learning_events").fetchall() == [
            (ours.org_id,)
        ]


@pytest.mark.integration
async def test_a_verified_account_of_another_org_is_a_stranger_here(dsn_of: DsnOf) -> None:
    """The same account, verified there and not here."""
    ours, theirs = both(dsn_of)
    with psycopg.connect(dsn_of("admin")) as connection:
        connection.execute("DELETE FROM dw_external_identities WHERE org_id = %s", (ours.org_id,))
    opened, handle = await handle_of(dsn_of("policy"))
    record = Rec(detection(ours).to_bytes(), partition_key(ours.org_id, ours.agent_id))
    other = Rec(detection(theirs).to_bytes(), partition_key(theirs.org_id, theirs.agent_id))
    await Handlers(Policy(Caps(), lambda: AT), handle, KEYS).handle(
        [Received(r, parse_detection(r)) for r in (record, other)]
    )
    await opened.__aexit__(None, None, None)
    with psycopg.connect(dsn_of("admin")) as connection:
        found = connection.execute("SELECT org_id, outcome FROM dw_decisions").fetchall()
    assert dict(found) == {ours.org_id: "proposed", theirs.org_id: "saved"}


@pytest.mark.integration
async def test_an_answer_of_another_org_is_not_taken_for_ours(dsn_of: DsnOf) -> None:
    """Answers are kept by decision; the same id under another org is another decision."""
    ours, theirs = both(dsn_of)
    decision = uuid.uuid4()
    opened, handle = await handle_of(dsn_of("detector"))
    answer = StoredAnswer(theirs.org_id, theirs.agent_id, decision, [{"text": "theirs"}], "offline", "", "")
    await store_answers(handle(), [answer])
    assert await load_answers(handle(), [(OrgId(ours.org_id), decision)]) == {}
    assert set(await load_answers(handle(), [(OrgId(theirs.org_id), decision)])) == {decision}
    await opened.__aexit__(None, None, None)


async def test_a_change_of_one_org_says_nothing_of_another() -> None:
    """learning.changes.v1 is read by every replica: it carries ids of its own org and no text (C71)."""
    assert set(LearningChange.model_fields) == {
        "schema_version",
        "change_id",
        "type",
        "org_id",
        "role_agent_id",
        "subject_type",
        "subject_id",
        "version",
        "at",
    }
    named: list[tuple[UUID, UUID | None]] = []

    class Cache:
        def drop(self, org_id: UUID, role_agent_id: UUID | None, version: int) -> None:
            named.append((org_id, role_agent_id))

        def drop_all(self) -> None:
            raise AssertionError("a change of one agent is no reason to forget all")

    [full] = [m for name, m in examples()["dw.learning_change.v1"].items() if name == "full"]
    ours = full.model_copy(update={"org_id": OURS.org_id, "role_agent_id": OURS.agent_id})
    handler = ChangesHandler(cast(Any, Cache()))
    await handler.apply([Rec(ours.to_bytes(), partition_key(OURS.org_id, OURS.agent_id))])
    assert named == [(OURS.org_id, OURS.agent_id)]

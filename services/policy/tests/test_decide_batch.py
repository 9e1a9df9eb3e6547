"""Policy on a real PostgreSQL: what is saved, proposed and refused, once however often it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, NoReturn

import psycopg
import pytest

from dw_contracts.events.chat import ChatEvent, EventKind, Flags, Platform, Sender
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning.decision.facts import Caps
from dw_policy import decide_batch
from dw_policy.decide_batch import DetectionIn, Policy
from dw_store.database import Database
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DsnOf = Callable[[str], str]
STRANGER = Sender(platform=Platform.SLACK, external_user_id="U9999")


def item(text: str, **fields: Any) -> DetectionItem:
    values: dict[str, Any] = {
        "kind": ItemKind.MEMORY_FACT,
        "span": (0, len(text)),
        "key": "lisbon-office-closes",
        "risk_hint": "low",
        "confidence": 0.85,
    }
    return DetectionItem(text=text, **(values | fields))


def row(event: ChatEvent, *items: DetectionItem, sealed: bool = True, degraded: bool = False) -> DetectionIn:
    detection = Detection(
        schema_version=1,
        decision_id=event.event_id,
        event=event.model_dump(mode="json", exclude_defaults=True),
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        items=items,
        provider="offline",
        triage_version="t",
        degraded=degraded,
    )
    return DetectionIn(detection, event, sealed, "")


async def decide(dsn: str, rows: Iterable[DetectionIn], caps: Caps | None = None) -> list[Any]:
    batch = list(rows)
    policy = Policy(caps or Caps(), lambda: NOW)
    async with (
        Database.connect(dsn, size=2, application_name="test") as database,
        database.transaction({r.detection.org_id for r in batch}) as tx,
    ):
        return list(await policy.run(tx, batch))


def query(dsn: str, statement: str, *args: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute(statement, args).fetchall()


def memories(dsn: str, org: SmallOrg) -> list[tuple[Any, ...]]:
    return query(
        dsn,
        "SELECT content, status FROM dw_agent_memories WHERE org_id = %s ORDER BY created_at, content",
        org.org_id,
    )


def outcomes(dsn: str, event: ChatEvent) -> list[str]:
    rows = query(
        dsn, "SELECT outcome FROM dw_decisions WHERE decision_id = %s ORDER BY item_no", event.event_id
    )
    return [outcome for (outcome,) in rows]


@pytest.fixture
def org(dsn_of: DsnOf) -> SmallOrg:
    return create_small_org(dsn_of("admin"))


def said(org: SmallOrg, text: str, **fields: Any) -> ChatEvent:
    return chat_event(org.org_id, org.agent_id, org.channel_id, text, **fields)


async def test_a_verified_senders_own_words_are_saved_with_audit_and_outbox(
    dsn_of: DsnOf, org: SmallOrg
) -> None:
    event = said(org, "For everybody: the Lisbon office closes at 18:00.")
    await decide(dsn_of("policy"), [row(event, item("The Lisbon office closes at 18:00."))])
    admin = dsn_of("admin")
    assert memories(admin, org) == [("The Lisbon office closes at 18:00.", "active")]
    assert outcomes(admin, event) == ["saved"]
    assert query(
        admin, "SELECT event_type, on_behalf_of FROM dw_learning_events WHERE org_id = %s", org.org_id
    ) == [("memory_auto_saved", org.user_id)]
    assert query(admin, "SELECT topic FROM dw_outbox") == [("learning.changes.v1",)]


async def test_what_a_stand_in_answered_for_the_model_is_never_saved_by_itself(
    dsn_of: DsnOf, org: SmallOrg
) -> None:
    """G17: the same words of the same verified person, once from a model and once from what stood in for it."""
    event = said(org, "For everybody: the Lisbon office closes at 18:00.")
    await decide(dsn_of("policy"), [row(event, item("The Lisbon office closes at 18:00."), degraded=True)])
    admin = dsn_of("admin")
    assert (memories(admin, org), outcomes(admin, event)) == ([], ["proposed"])
    again = said(org, "For everybody: the Porto office closes at 17:00.")
    await decide(dsn_of("policy"), [row(again, item("The Porto office closes at 17:00.", key="porto"))])
    assert outcomes(admin, again) == ["saved"]


async def test_a_text_that_cannot_be_looked_through_beforehand_is_decided_all_the_same(
    dsn_of: DsnOf, org: SmallOrg, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def fail(event: ChatEvent, *_: object) -> NoReturn:
        tried.append(event.text)
        raise RecursionError

    monkeypatch.setattr(decide_batch, "prepare", fail)
    texts = ["The Lisbon office closes at 18:00.", "The Porto office closes at 17:00."]
    rows = [
        row(said(org, text, message_ref=f"m{number}"), item(text, key=f"office-{number}"))
        for number, text in enumerate(texts)
    ]
    await decide(dsn_of("policy"), rows)
    assert tried == texts
    assert memories(dsn_of("admin"), org) == [(text, "active") for text in texts]


async def test_the_same_decision_twice_has_one_effect(dsn_of: DsnOf, org: SmallOrg) -> None:
    event = said(org, "The Lisbon office closes at 18:00.")
    detection = row(event, item("The Lisbon office closes at 18:00."))
    await decide(dsn_of("policy"), [detection, detection])
    await decide(dsn_of("policy"), [detection])
    assert len(memories(dsn_of("admin"), org)) == 1
    assert outcomes(dsn_of("admin"), event) == ["saved"]


@pytest.mark.parametrize(
    ("fields", "sealed"),
    [
        ({"sender": STRANGER}, True),
        ({}, False),
        ({"flags": Flags(forwarded=True)}, True),
        ({"flags": Flags(quoted=True)}, True),
        ({"kind": EventKind.EDIT, "revision": 5}, True),
        ({"gateway_proves_sender": False}, True),
        ({"received_at": datetime(2025, 1, 1, tzinfo=UTC)}, True),
    ],
    ids=["stranger", "unsealed", "forwarded", "quoted", "edit", "unproven gateway", "verified later"],
)
async def test_what_is_not_plainly_a_verified_persons_own_word_waits_for_a_person(
    dsn_of: DsnOf, org: SmallOrg, fields: dict[str, Any], sealed: bool
) -> None:
    event = said(org, "The Lisbon office closes at 18:00.", **fields)
    await decide(dsn_of("policy"), [row(event, item("The Lisbon office closes at 18:00."), sealed=sealed)])
    assert memories(dsn_of("admin"), org) == []
    assert outcomes(dsn_of("admin"), event) == ["proposed"]


async def test_corrections_of_one_key_supersede_in_order_also_within_one_batch(
    dsn_of: DsnOf, org: SmallOrg
) -> None:
    texts = [f"The Lisbon office closes at {hour}:00." for hour in range(10, 20)]
    events = [said(org, text) for text in texts]
    rows = [row(e, item(t, kind=ItemKind.CORRECTION)) for e, t in zip(events, texts, strict=True)]
    await decide(dsn_of("policy"), rows[:6])
    await decide(dsn_of("policy"), rows[6:])
    admin = dsn_of("admin")
    assert query(
        admin, "SELECT content FROM dw_agent_memories WHERE org_id=%s AND status='active'", org.org_id
    ) == [(texts[-1],)]
    chain = query(
        admin,
        "SELECT count(*) FROM dw_agent_memories WHERE org_id=%s AND status='superseded' AND superseded_by IS NOT NULL",
        org.org_id,
    )
    assert chain == [(9,)]


async def test_equal_signals_of_strangers_are_one_item_with_evidence(dsn_of: DsnOf, org: SmallOrg) -> None:
    events = [said(org, "The Lisbon office closes at 18:00.", sender=STRANGER) for _ in range(3)]
    for event in events:
        await decide(dsn_of("policy"), [row(event, item("The Lisbon office closes at 18:00."))])
    assert query(
        dsn_of("admin"),
        "SELECT evidence_count, jsonb_array_length(source_refs) FROM dw_learning_items WHERE org_id = %s",
        org.org_id,
    ) == [(3, 3)]


async def test_a_redacted_message_teaches_nothing_and_leaves_one_audit_event(
    dsn_of: DsnOf, org: SmallOrg
) -> None:
    event = said(
        org,
        "The wifi password is [redacted:password]",
        redactions=({"field": "text", "type": "password", "span": (21, 40)},),
    )
    await decide(dsn_of("policy"), [row(event)])
    admin = dsn_of("admin")
    assert outcomes(admin, event) == ["blocked"]
    assert query(admin, "SELECT event_type FROM dw_learning_events WHERE org_id=%s", org.org_id) == [
        ("secret_blocked",)
    ]


async def test_an_unverified_senders_items_are_capped_and_the_rest_waits_unseen(
    dsn_of: DsnOf, org: SmallOrg
) -> None:
    texts = [f"The Lisbon office number {n} closes at 18:00." for n in range(7)]
    events = [said(org, text, sender=STRANGER) for text in texts]
    rows = [row(e, item(t, key=f"k{n}")) for n, (e, t) in enumerate(zip(events, texts, strict=True))]
    await decide(dsn_of("policy"), rows)
    assert query(
        dsn_of("admin"),
        "SELECT count(*) FILTER (WHERE published_at IS NOT NULL), count(*) FROM dw_learning_items WHERE org_id=%s",
        org.org_id,
    ) == [(5, 7)]


async def test_over_the_daily_cap_a_fact_becomes_a_proposal(dsn_of: DsnOf, org: SmallOrg) -> None:
    texts = ["The printer on floor one is called Ada.", "The bike room is called Velo."]
    rows = [row(said(org, t), item(t, key=t[:20])) for t in texts]
    await decide(dsn_of("policy"), rows, Caps(auto_saves_per_day=1))
    assert len(memories(dsn_of("admin"), org)) == 1
    reasons = query(dsn_of("admin"), "SELECT reason_code FROM dw_learning_items WHERE org_id=%s", org.org_id)
    assert reasons == [("cap",)]


async def test_a_deleted_message_marks_the_memory_and_asks_a_person(dsn_of: DsnOf, org: SmallOrg) -> None:
    event = said(org, "The Lisbon office closes at 18:00.", message_ref="m1")
    await decide(dsn_of("policy"), [row(event, item("The Lisbon office closes at 18:00."))])
    gone = said(org, "", message_ref="m1", kind=EventKind.DELETE, revision=9)
    await decide(dsn_of("policy"), [row(gone)])
    admin = dsn_of("admin")
    assert query(admin, "SELECT status, metadata FROM dw_agent_memories WHERE org_id=%s", org.org_id) == [
        ("active", {"source_deleted": True})
    ]
    assert query(admin, "SELECT kind FROM dw_learning_items WHERE org_id=%s", org.org_id) == [("review",)]
    late = said(
        org, "The Lisbon office closes at 18:00.", message_ref="m1", kind=EventKind.MESSAGE_IN, revision=3
    )
    await decide(dsn_of("policy"), [row(late, item("The Lisbon office closes at 18:00."))])
    assert outcomes(admin, late) == ["none"]


async def test_an_agent_of_another_org_is_refused_and_the_rest_of_the_batch_decided(
    dsn_of: DsnOf, org: SmallOrg
) -> None:
    other = create_small_org(dsn_of("admin"))
    foreign = chat_event(org.org_id, other.agent_id, org.channel_id, "The Lisbon office closes at 18:00.")
    good = said(org, "The Lisbon office closes at 18:00.")
    fact = item("The Lisbon office closes at 18:00.")
    unfit = await decide(dsn_of("policy"), [row(foreign, fact), row(good, fact)])
    assert [entry.index for entry in unfit] == [0]
    assert outcomes(dsn_of("admin"), foreign) == []
    assert outcomes(dsn_of("admin"), good) == ["saved"]

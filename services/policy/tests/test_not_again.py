"""Policy on a real PostgreSQL: rejected, buried, ruled out and taken back (C40, C62, D12, D14, D17)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from dw_contracts.events.chat import ReplyTo
from dw_contracts.events.detections import ItemKind
from dw_learning.signals import signal
from dw_testkit.orgs import SmallOrg, create_small_org
from services.policy.tests.test_decide_batch import NOW, STRANGER, decide, item, memories, query, row, said

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
HOURS = "The Lisbon office closes at 18:00."
NEAR = "At 18:00 the Lisbon office closes!"


@pytest.fixture
def org(dsn_of: DsnOf) -> SmallOrg:
    return create_small_org(dsn_of("admin"))


def change(dsn: str, statement: str, *args: Any) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(statement.encode(), args)


def reasons(dsn: str) -> list[tuple[str, str | None]]:
    return [
        (o, r)
        for o, r in query(dsn, "SELECT outcome, reason FROM dw_decisions ORDER BY decided_at, decision_id")
    ]


async def test_what_a_person_rejected_is_hidden_for_four_weeks(dsn_of: DsnOf, org: SmallOrg) -> None:
    admin = dsn_of("admin")
    await decide(dsn_of("policy"), [row(said(org, HOURS, sender=STRANGER), item(HOURS))])
    reject = "UPDATE dw_learning_items SET status = 'rejected', decided_at = %s, decision_kind = 'manual'"
    change(admin, reject, NOW - timedelta(days=27))
    await decide(dsn_of("policy"), [row(said(org, NEAR, sender=STRANGER, message_ref="m2"), item(NEAR))])
    assert sorted(reasons(admin), key=str) == [("none", "hidden"), ("proposed", "unverified_sender")]
    await decide(dsn_of("policy"), [row(said(org, NEAR, message_ref="m3"), item(NEAR))])
    assert memories(admin, org) == [(NEAR, "active")]


@pytest.mark.parametrize(
    "how", ["decided_at = decided_at - interval '2 days'", "undone_at = now()", "decision_kind = 'expired'"]
)
async def test_what_was_rejected_long_ago_undone_or_expired_is_not_hidden(
    dsn_of: DsnOf, org: SmallOrg, how: str
) -> None:
    admin = dsn_of("admin")
    await decide(dsn_of("policy"), [row(said(org, HOURS, sender=STRANGER), item(HOURS))])
    reject = "UPDATE dw_learning_items SET status = 'rejected', decided_at = %s, decision_kind = 'manual'"
    change(admin, reject, NOW - timedelta(days=27))
    change(admin, f"UPDATE dw_learning_items SET {how}")
    await decide(dsn_of("policy"), [row(said(org, HOURS, sender=STRANGER, message_ref="m2"), item(HOURS))])
    assert query(admin, "SELECT count(*) FROM dw_learning_items WHERE status = 'pending'") == [(1,)]


@pytest.mark.parametrize("lifted", [False, True])
async def test_a_tombstone_holds_near_equal_texts_until_it_is_lifted(
    dsn_of: DsnOf, org: SmallOrg, lifted: bool
) -> None:
    admin = dsn_of("admin")
    change(
        admin,
        "INSERT INTO dw_memory_tombstones (id, org_id, role_agent_id, content_hash, similarity_text, reason, created_by, lifted_at)"
        " VALUES (%s, %s, %s, '\\x00', %s, 'rejected', 'test', %s)",
        uuid.uuid4(), org.org_id, org.agent_id, signal(NEAR), NOW if lifted else None,
    )  # fmt: skip
    await decide(dsn_of("policy"), [row(said(org, HOURS), item(HOURS))])
    assert [content for content, _ in memories(admin, org)] == ([HOURS] if lifted else [])


async def test_strangers_who_say_nearly_the_same_make_one_item(dsn_of: DsnOf, org: SmallOrg) -> None:
    for number, text in enumerate((HOURS, NEAR, HOURS)):
        event = said(org, text, sender=STRANGER, message_ref=f"m{number}")
        await decide(dsn_of("policy"), [row(event, item(text))])
    assert query(dsn_of("admin"), "SELECT evidence_count FROM dw_learning_items") == [(3,)]


@pytest.mark.parametrize(
    ("action", "expected"),
    [("auto_confirm", ("saved", None)), ("require_user_approval", ("proposed", "policy_rule")), ("reject", ("none", "rule_rejects"))],
)  # fmt: skip
async def test_a_rule_of_the_org_counts_from_the_next_decision_on(
    dsn_of: DsnOf, org: SmallOrg, action: str, expected: tuple[str, str | None]
) -> None:
    change(
        dsn_of("admin"),
        "INSERT INTO dw_memory_policy_rules (rule_id, org_id, category, condition, action, priority)"
        " VALUES (%s, %s, 'fact', '{}', %s, 500)",
        uuid.uuid4(), org.org_id, action,
    )  # fmt: skip
    await decide(dsn_of("policy"), [row(said(org, HOURS), item(HOURS))])
    assert reasons(dsn_of("admin")) == [expected]


async def test_another_orgs_rule_does_not_count(dsn_of: DsnOf, org: SmallOrg) -> None:
    other = create_small_org(dsn_of("admin"))
    change(
        dsn_of("admin"),
        "INSERT INTO dw_memory_policy_rules (rule_id, org_id, category, condition, action, priority)"
        " VALUES (%s, %s, '*', '{}', 'reject', 500)",
        uuid.uuid4(), other.org_id,
    )  # fmt: skip
    batch = [row(said(org, HOURS), item(HOURS)), row(said(other, HOURS), item(HOURS))]
    await decide(dsn_of("policy"), batch)
    assert (len(memories(dsn_of("admin"), org)), len(memories(dsn_of("admin"), other))) == (1, 0)


@pytest.mark.parametrize("at_once", [False, True])
async def test_forget_that_ends_what_was_saved_and_keeps_it_away(
    dsn_of: DsnOf, org: SmallOrg, at_once: bool
) -> None:
    admin = dsn_of("admin")
    taught = row(said(org, HOURS, message_ref="m1"), item(HOURS))
    reply = ReplyTo(message_ref="m1", author_kind="human", text=HOURS)
    back = row(
        said(org, "please forget that", message_ref="m2", reply_to=reply),
        item("please forget that", kind=ItemKind.RETRACT, key="x"),
    )
    again = row(said(org, NEAR, message_ref="m3"), item(NEAR))
    if at_once:
        await decide(dsn_of("policy"), [taught, back, again])
    else:
        for one in (taught, back, again):
            await decide(dsn_of("policy"), [one])
    assert memories(admin, org) == [(HOURS, "deleted")]
    assert query(admin, "SELECT delete_reason, deleted_at IS NOT NULL FROM dw_agent_memories") == [
        ("do_not_save", True)
    ]
    assert query(admin, "SELECT reason FROM dw_memory_tombstones") == [("do_not_save",)]
    kinds = [kind for (kind,) in query(admin, "SELECT event_type FROM dw_learning_events ORDER BY id")]
    assert kinds == ["memory_auto_saved", "memory_deleted", "tombstone_written"]
    assert query(admin, "SELECT change_kind FROM dw_memory_revisions ORDER BY revision") == [
        ("create",),
        ("delete",),
    ]


async def test_forget_that_withdraws_an_item_that_waits(dsn_of: DsnOf, org: SmallOrg) -> None:
    admin = dsn_of("admin")
    text = "Invoices above 500 euros are approved by Rita."
    await decide(dsn_of("policy"), [row(said(org, text, message_ref="m1"), item(text))])
    assert query(admin, "SELECT status FROM dw_learning_items") == [("pending",)]
    reply = ReplyTo(message_ref="m1", author_kind="human", text=text)
    event = said(org, "do not remember this", message_ref="m2", reply_to=reply)
    wanted = item("do not remember this", kind=ItemKind.RETRACT, key="x")
    await decide(dsn_of("policy"), [row(event, wanted)])
    assert query(admin, "SELECT status, decision_kind FROM dw_learning_items") == [
        ("superseded", "auto_rejected")
    ]
    assert query(admin, "SELECT count(*) FROM dw_memory_tombstones") == [(1,)]


async def test_a_stranger_makes_nobody_forget(dsn_of: DsnOf, org: SmallOrg) -> None:
    await decide(dsn_of("policy"), [row(said(org, HOURS, message_ref="m1"), item(HOURS))])
    reply = ReplyTo(message_ref="m1", author_kind="human", text=HOURS)
    event = said(org, "forget that", message_ref="m2", reply_to=reply, sender=STRANGER)
    await decide(dsn_of("policy"), [row(event, item("forget that", kind=ItemKind.RETRACT, key="x"))])
    assert memories(dsn_of("admin"), org) == [(HOURS, "active")]


@pytest.mark.parametrize(
    ("known", "expected"),
    [("The Lisbon office closes at 19:00.", ("proposed", "conflict")), (NEAR, ("none", "duplicate"))],
)
async def test_what_contradicts_the_whole_orgs_word_is_asked_and_what_repeats_it_is_known(
    dsn_of: DsnOf, org: SmallOrg, known: str, expected: tuple[str, str]
) -> None:
    change(
        dsn_of("admin"),
        "INSERT INTO dw_agent_memories (id, org_id, scope, memory_type, category, key, content, content_hash, risk, confidence,"
        " source_kind, source_refs, origin, created_by) VALUES (%s, %s, 'org', 'fact', 'fact', 'lisbon-office-closes', %s, '\\x00',"
        " 'high', 0.9, 'admin_manual', '[{\"type\": \"manual\"}]', 'manual', 'test')",
        uuid.uuid4(), org.org_id, known,
    )  # fmt: skip
    await decide(dsn_of("policy"), [row(said(org, HOURS), item(HOURS))])
    assert reasons(dsn_of("admin")) == [expected]

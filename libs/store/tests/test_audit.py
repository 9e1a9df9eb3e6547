"""The audit log: an event, its body under a salted digest, and its announcement, or none of them (C72)."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import replace
from datetime import UTC, datetime

import orjson
import pytest

from dw_contracts.events.changes import LearningChange
from dw_contracts.ids import partition_key
from dw_store.audit import NewEvent, write_events
from dw_store.database import Database
from dw_store.versions import raise_versions
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def saved(org: SmallOrg, text: str) -> NewEvent:
    return NewEvent(
        org_id=org.org_id,
        event_type="memory_auto_saved",
        actor_type="worker",
        actor_id=f"dw_worker:{org.agent_id}",
        subject_type="memory",
        role_agent_id=org.agent_id,
        subject_id=org.channel_id,
        reason="auto_save",
        after={"content": text},
        request_id="r-1",
        trace_id="t-1",
    )


async def test_events_of_several_orgs_are_written_and_announced_in_their_order(
    database: Database, admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    events = [saved(ours, "one"), saved(theirs, "two"), saved(ours, "three")]
    async with database.transaction([ours.org_id, theirs.org_id]) as tx:
        versions = await raise_versions(tx, [(o.org_id, o.agent_id) for o in (ours, theirs)])
        await write_events(tx, events, versions, NOW)
    rows = admin.query(
        "SELECT e.event_id, e.request_id, e.trace_id, e.at, b.after FROM dw_learning_events AS e"
        " JOIN dw_event_bodies AS b USING (org_id, event_id) ORDER BY e.id"
    )
    assert rows == [(e.event_id, "r-1", "t-1", NOW, e.after) for e in events]
    announced = admin.query("SELECT id, topic, partition_key, payload, headers FROM dw_outbox ORDER BY seq")
    assert [row[0] for row in announced] == [event.event_id for event in events]
    assert announced[0][1] == "learning.changes.v1"
    assert bytes(announced[0][2]) == partition_key(ours.org_id, ours.agent_id)
    assert announced[0][4] == {"ce_id": str(events[0].event_id), "ce_type": LearningChange.ce_type}
    assert orjson.loads(announced[0][3])["version"] == versions[(ours.org_id, ours.agent_id)]


async def test_an_announcement_is_the_message_as_the_contract_renders_it(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    of_the_org = replace(saved(ours, "two"), event_id=uuid.uuid4(), role_agent_id=None, subject_id=None)
    events = [saved(ours, "one"), of_the_org, saved(ours, "three")]
    async with database.transaction([ours.org_id]) as tx:
        versions = await raise_versions(tx, [(ours.org_id, ours.agent_id), (ours.org_id, None)])
        await write_events(tx, events, versions, NOW)
    expected = [
        LearningChange(
            schema_version=1,
            change_id=event.event_id,
            type=event.event_type,
            org_id=event.org_id,
            role_agent_id=event.role_agent_id,
            subject_type=event.subject_type,
            subject_id=event.subject_id,
            version=versions[(event.org_id, event.role_agent_id)],
            at=NOW,
        ).to_bytes()
        for event in events
    ]
    announced = admin.query("SELECT payload, partition_key FROM dw_outbox ORDER BY seq")
    assert [bytes(row[0]) for row in announced] == expected
    keys = [partition_key(event.org_id, event.role_agent_id or event.org_id) for event in events]
    assert [bytes(row[1]) for row in announced] == keys


async def test_no_text_is_announced(database: Database, admin: Admin, ours: SmallOrg) -> None:
    async with database.transaction([ours.org_id]) as tx:
        await write_events(tx, [saved(ours, "the wording")], {}, NOW)
    (row,) = admin.query("SELECT payload FROM dw_outbox")
    assert b"wording" not in bytes(row[0])
    assert b"auto_save" not in bytes(row[0]).replace(b"memory_auto_saved", b"")


async def test_the_digest_holds_the_body_and_can_be_checked_with_the_salt(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    async with database.transaction([ours.org_id]) as tx:
        await write_events(tx, [saved(ours, "same"), saved(ours, "same")], {}, NOW)
    rows = admin.query(
        "SELECT e.digest, b.salt, b.reason, b.before, b.after FROM dw_learning_events AS e"
        " JOIN dw_event_bodies AS b USING (org_id, event_id)"
    )
    for digest, salt, reason, before, after in rows:
        body = orjson.dumps({"reason": reason, "before": before, "after": after}, option=orjson.OPT_SORT_KEYS)
        assert digest == hashlib.sha256(bytes(salt) + body).digest()
    assert len({row[0] for row in rows}) == 2


async def test_an_event_that_is_rolled_back_is_nowhere(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    async def fails() -> None:
        async with database.transaction([ours.org_id]) as tx:
            await write_events(tx, [saved(ours, "lost")], {}, NOW)
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    for table in ("dw_learning_events", "dw_event_bodies", "dw_outbox"):
        assert admin.query(f"SELECT count(*) FROM {table}") == [(0,)]

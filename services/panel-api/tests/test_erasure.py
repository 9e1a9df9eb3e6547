"""A person who is erased is in no text of any table, and what is not theirs stays (C72). A purge leaves a stub (C8)."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from panel_world import PEOPLE, World, bearer, org_file

from dw_learning.history_tokens import tsvector_literal
from dw_store.audit_chain import seal_events, verify_chain
from dw_store.database import Database

pytestmark = pytest.mark.integration
NAMES = {"minh": {"name": "Minh Tran", "email": "minh@acme.example"}, "farid": {"name": "Farid Haddad"}}
SAID = "The Lisbon office closes at 18:00, believe me."
EVERY_COLUMN = """
SELECT c.table_name, c.column_name FROM information_schema.columns AS c
JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
  AND c.udt_name IN ('text', '_text', 'varchar', 'json', 'jsonb', 'tsvector', 'bytea')
"""


@pytest.fixture
async def acme(http: httpx.AsyncClient, dsn_of: Any) -> World:
    world = await World(http, dsn_of("admin"), "acme").create()
    users = {code: {**user, **NAMES.get(code, {})} for code, user in PEOPLE.items()}
    assert (await world.apply("ingrid", org_file("acme", users=users))).status_code == 200
    return world


def chat(world: World, text: str, account: str, **values: Any) -> UUID:
    made = uuid.uuid4()
    row = {
        "id": made,
        "org_id": world.org_id,
        "role_agent_id": world.ids["it_agent"],
        "channel_id": world.ids["helpdesk"],
        "kind": "message_in",
        "message_ref": made.hex,
        "platform": "slack",
        "workspace_ref": "T1",
        "external_user_id": account,
        "sender_kind": "human",
        "body_text": text,
        "body_tsv": tsvector_literal(text),
        "occurred_at": "2026-01-01",
        "received_at": "2026-01-01",
    } | values
    world._insert("dw_chat_events", row)
    return made


def learned(world: World, event: UUID, text: str, account: str) -> tuple[UUID, UUID]:
    """Everything that a message leaves behind on its way: answer, decision, memory with its revision, item, log."""
    source = {"event_id": str(event), "type": "message_in", "message_ref": event.hex, "excerpt": text}
    source["channel_id"] = str(world.ids["helpdesk"])
    memory = world.memory(text, source_refs=json.dumps([source]), origin="auto_saved")
    item = world.item(
        text + " (asked)", source=source | {"excerpt": text + " (asked)"}, sender_ref=f"slack:T1:{account}"
    )
    place = {"org_id": world.org_id, "role_agent_id": world.ids["it_agent"]}
    world._insert(
        "dw_memory_revisions",
        {"org_id": world.org_id, "memory_id": memory, "revision": 1, "content": text, "confidence": 0.8,
         "changed_by": "dw_worker", "change_kind": "create"},
    )  # fmt: skip
    world._insert(
        "dw_detections",
        {**place, "decision_id": event, "answer": json.dumps([{"text": text}]), "provider": "offline"},
    )
    sender = {"platform": "slack", "workspace_ref": "T1", "external_user_id": account}
    world._insert(
        "dw_decisions",
        {**place, "decision_id": event, "item_no": 0, "outcome": "saved", "rule": "save.low_risk", "made_id": memory,
         "inputs": json.dumps({"event": {"text": text, "sender": sender}}), "versions": "{}"},
    )  # fmt: skip
    world._insert(
        "dw_correction_signals",
        {**place, "event_id": event, "channel_id": world.ids["helpdesk"], "topic": text[:20].lower(), "kind": "correction",
         "said": text, "message_ref": event.hex, "sender_ref": f"slack:T1:{account}", "sender_verified": True,
         "received_at": "2026-01-01", "request_id": uuid.uuid4()},
    )  # fmt: skip
    world._insert(
        "dw_tool_runs",
        {**place, "id": uuid.uuid4(), "channel_id": world.ids["helpdesk"], "tool": "search", "input": text,
         "output": text, "external_user_id": account, "occurred_at": "2026-01-01"},
    )  # fmt: skip
    world._insert(
        "dw_corrections",
        {**place, "id": uuid.uuid4(), "channel_id": world.ids["helpdesk"], "wrong_text": text, "right_text": text,
         "topic": text, "external_user_id": account, "occurred_at": "2026-01-01"},
    )  # fmt: skip
    world._insert(
        "dw_memory_tombstones",
        {**place, "id": uuid.uuid4(), "content_hash": event.bytes, "similarity_text": text, "topic_key": "t",
         "reason": "deleted", "created_by": str(world.ids["minh"] if account == "U1001" else world.ids["farid"])},
    )  # fmt: skip
    return memory, item


async def log_of(world: World, dsn: str, memory: UUID, text: str, source: UUID) -> None:
    """An event of the pipeline, with its body and its digest."""
    from dw_store.audit import NewEvent, write_events

    async with (
        Database.connect(dsn, size=1, application_name="test") as database,
        database.transaction([world.org_id]) as tx,
    ):
        made = NewEvent(
            org_id=world.org_id, event_type="memory_auto_saved", actor_type="worker", actor_id="dw_worker",
            subject_type="memory", subject_id=memory, after={"content": text}, source_event_id=source,
        )  # fmt: skip
        await write_events(tx, [made], {}, datetime.now(UTC))


def where(world: World, *needles: str) -> list[str]:
    """Every column of every table in which one of these is found, whatever its case."""
    wanted = re.compile("|".join(map(re.escape, needles)), re.IGNORECASE)
    found: set[str] = set()
    with psycopg.connect(world.admin_dsn) as connection:
        for table, column in connection.execute(EVERY_COLUMN).fetchall():
            for (value,) in connection.execute(f'SELECT "{column}" FROM "{table}"'.encode()):
                text = bytes(value).decode("latin-1") if isinstance(value, bytes) else str(value)
                if value is not None and wanted.search(text):
                    found.add(f"{table}.{column}: {text[:80]}")
    return sorted(found)


async def erase(world: World, who: str = "ingrid", **body: Any) -> httpx.Response:
    return await world.http.post(f"{world.path}/erasures", json=body, headers=bearer(world.tokens[who]))


async def fill(world: World, dsn: str) -> dict[str, UUID]:
    mine = chat(world, SAID, "U1001", display_name="Minh T.", actor_user_id=world.ids["minh"])
    memory, item = learned(world, mine, SAID, "U1001")
    await log_of(world, dsn, memory, SAID, mine)
    other = chat(
        world, "Ask Minh Tran (<@U1001>) about the bike room.", "U2002",
        reply_to=json.dumps({"message_ref": mine.hex, "author_kind": "human", "text": SAID}),
    )  # fmt: skip
    kept, kept_item = learned(world, other, "The bike room is called Velo.", "U2002")
    named = world.memory("Minh Tran leads the desk.", key="desk-lead")
    world._insert(
        "dw_memory_feedback",
        {"id": uuid.uuid4(), "org_id": world.org_id, "memory_id": kept, "actor_user_id": world.ids["minh"],
         "action": "edit", "new_text": "as I, the erased one, would say"},
    )  # fmt: skip
    both = [
        {"event_id": str(mine), "type": "message_in", "excerpt": SAID},
        {"event_id": str(other), "type": "message_in", "excerpt": "another one said so too"},
    ]
    shared = world.memory("The printer is called Ada.", source_refs=json.dumps(both))
    world.query("UPDATE dw_role_agents SET persona = 'Helps; Minh Tran built it.' WHERE code = 'it_agent'")
    skill = uuid.uuid4()
    world._insert(
        "dw_agent_skills",
        {"id": skill, "org_id": world.org_id, "role_agent_id": world.ids["it_agent"], "name": "reset-vpn",
         "description": "As MINH TRAN does it.", "risk": "low", "created_by_agent_id": world.ids["it_agent"]},
    )  # fmt: skip
    world._insert(
        "dw_agent_skill_versions",
        {"org_id": world.org_id, "skill_id": skill, "version": 1, "body_md": "1. Ask minh@acme.example.",
         "content_hash": b"x"},
    )  # fmt: skip
    return {"memory": memory, "item": item, "kept": kept, "kept_item": kept_item, "named": named, "shared": shared,
            "other": other}  # fmt: skip


GONE = ("Minh Tran", "Minh T.", "minh@acme.example", "U1001", "Lisbon office", "believe me", "the erased one")


async def test_an_erased_person_is_in_no_text_of_any_table(acme: World, dsn_of: Any) -> None:
    ids = await fill(acme, dsn_of("policy"))
    assert len(where(acme, *GONE)) > 20
    async with Database.connect(dsn_of("policy"), size=1, application_name="test") as database:
        await seal_events(database, datetime.now(UTC))
    answer = await erase(acme, user=str(acme.ids["minh"]))
    assert answer.status_code == 200, answer.text
    assert answer.json()["changed"] is True
    assert where(acme, *GONE) == []
    assert acme.query("SELECT count(*) FROM dw_org_members WHERE code = 'minh'") == [(0,)]
    assert acme.query("SELECT count(*) FROM dw_event_bodies WHERE after::text ~ '\"minh\"'") == [(0,)]
    assert not acme.query("SELECT 1 FROM dw_chat_events WHERE body_tsv @@ 'tran'::tsquery")
    statuses = dict(acme.query("SELECT id, status FROM dw_agent_memories"))
    assert statuses == {
        ids["memory"]: "deleted", ids["named"]: "deleted", ids["kept"]: "active", ids["shared"]: "active",
    }  # fmt: skip
    assert dict(acme.query("SELECT id, status FROM dw_learning_items")) == {
        ids["item"]: "rejected", ids["kept_item"]: "pending",
    }  # fmt: skip


async def test_what_others_said_stays_but_for_the_name(acme: World, dsn_of: Any) -> None:
    ids = await fill(acme, dsn_of("policy"))
    await erase(acme, user=str(acme.ids["minh"]))
    assert acme.query(
        "SELECT body_text, reply_to ->> 'text' FROM dw_chat_events WHERE id = %s", ids["other"]
    ) == [("Ask [erased] (<@[erased]>) about the bike room.", "")]
    assert acme.query(
        "SELECT count(*) FROM dw_chat_events WHERE body_tsv @@ 'bike'::tsquery AND external_user_id = 'U2002'"
    ) == [(1,)]
    assert acme.query("SELECT content, source_refs FROM dw_agent_memories WHERE id = %s", ids["shared"]) == [
        ("The printer is called Ada.",
         [{"event_id": str(ids["other"]), "type": "message_in", "excerpt": "another one said so too"}])
    ]  # fmt: skip
    assert acme.query("SELECT persona FROM dw_role_agents WHERE code = 'it_agent'") == [
        ("Helps; [erased] built it.",)
    ]
    assert len(where(acme, "Velo")) > 5


async def test_the_log_holds_afterwards_and_says_by_whom_and_how_much(acme: World, dsn_of: Any) -> None:
    ids = await fill(acme, dsn_of("policy"))
    async with Database.connect(dsn_of("policy"), size=1, application_name="test") as database:
        await seal_events(database, datetime.now(UTC))
        await erase(acme, user=str(acme.ids["minh"]))
        await seal_events(database, datetime.now(UTC))
        report = await verify_chain(database, acme.org_id, datetime.now(UTC) + timedelta(hours=1))
    assert report.findings == ()
    assert report.erased > 0
    events = acme.query(
        "SELECT e.event_type, e.actor_id, e.subject_id, b.after FROM dw_learning_events AS e"
        " JOIN dw_event_bodies AS b USING (org_id, event_id) WHERE b.reason = 'erased' ORDER BY e.event_type, e.subject_id"
    )
    ingrid, minh = str(acme.ids["ingrid"]), acme.ids["minh"]
    kinds = [(kind, actor, subject) for kind, actor, subject, _ in events]
    assert kinds == [
        ("member_removed", ingrid, minh),
        *(("memory_deleted", ingrid, m) for m in sorted((ids["memory"], ids["named"]))),
        ("person_erased", ingrid, minh),
    ]
    counts = events[-1][3]["counts"]
    assert {name: counts[name] for name in ("messages", "memories", "items", "accounts")} == {
        "messages": 1, "memories": 2, "items": 1, "accounts": 1,
    }  # fmt: skip


async def test_a_second_time_there_is_nothing_left_and_nothing_is_written(acme: World, dsn_of: Any) -> None:
    await fill(acme, dsn_of("policy"))
    first = (await erase(acme, user=str(acme.ids["minh"]))).json()
    rows = acme.query("SELECT count(*) FROM dw_learning_events")
    second = (await erase(acme, user=str(acme.ids["minh"]))).json()
    assert (first["changed"], second["changed"]) == (True, False)
    assert set(second["counts"].values()) == {0}
    assert second["version"] == first["version"]
    assert acme.query("SELECT count(*) FROM dw_learning_events") == rows


async def test_a_dry_run_counts_the_same_and_changes_nothing(acme: World, dsn_of: Any) -> None:
    await fill(acme, dsn_of("policy"))
    before = where(acme, *GONE)
    rehearsed = (await erase(acme, user=str(acme.ids["minh"]), dry_run=True)).json()
    assert where(acme, *GONE) == before
    done = (await erase(acme, user=str(acme.ids["minh"]))).json()
    assert rehearsed["counts"] == done["counts"]
    assert (rehearsed["dry_run"], done["dry_run"]) == (True, False)


async def test_an_account_of_nobody_in_the_org_is_erased_with_the_names_that_are_given(acme: World) -> None:
    chat(acme, "I am Zoë Quist and my hobby is fencing.", "U7777", display_name="Zoë Q.")
    chat(acme, "Zoë Quist told me. ZOË too.", "U2002")
    account = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U7777"}
    done = await erase(acme, accounts=[account], also_known_as=["Zoë", "Zoë Quist"])
    assert done.status_code == 200
    assert where(acme, "Zoë", "Quist", "fencing", "U7777") == []
    assert acme.query("SELECT body_text FROM dw_chat_events WHERE external_user_id = 'U2002'") == [
        ("[erased] told me. [erased] too.",)
    ]


async def test_only_this_org_is_touched_and_a_user_of_two_orgs_stays_one(
    acme: World, globex: World, dsn_of: Any
) -> None:
    chat(globex, "Minh Tran of the other org, U1001", "U1001")
    acme.query(
        "INSERT INTO dw_org_members (org_id, user_id, code, role) VALUES (%s, %s, 'guest', 'member')",
        globex.org_id, acme.ids["minh"],
    )  # fmt: skip
    await fill(acme, dsn_of("policy"))
    assert (await erase(acme, user=str(acme.ids["minh"]))).status_code == 200
    assert acme.query("SELECT body_text FROM dw_chat_events WHERE org_id = %s", globex.org_id) == [
        ("Minh Tran of the other org, U1001",)
    ]
    assert acme.query("SELECT name FROM dw_users WHERE id = %s", acme.ids["minh"]) == [("Minh Tran",)]


async def test_who_may_not_and_what_cannot_be(acme: World, globex: World) -> None:
    minh, ingrid = str(acme.ids["minh"]), str(acme.ids["ingrid"])
    for who in ("ada", "farid", "minh"):
        assert (await erase(acme, who, user=minh)).status_code == 403
    assert (await erase(acme, user=ingrid)).status_code == 409
    assert (await erase(acme, user=str(globex.ids["minh"]))).status_code == 404
    assert (await erase(acme)).status_code == 422
    assert (await erase(acme, user=minh, because="x")).status_code == 422
    assert "person_erased" not in acme.audit()
    assert (await acme.get("minh", "/items")).status_code == 200


async def test_an_erased_member_is_out(acme: World) -> None:
    await erase(acme, user=str(acme.ids["minh"]))
    assert (await acme.get("minh", "/items")).status_code == 401
    assert acme.query("SELECT count(*) FROM dw_agent_managers WHERE user_id = %s", acme.ids["minh"]) == [(0,)]


async def test_what_an_erased_account_left_is_given_to_nobody(acme: World) -> None:
    """Neither by verifying it while the erasure runs, nor afterwards by route, CSV or org file."""
    rows = "SELECT id, external_user_id, status, user_id FROM dw_external_identities WHERE org_id = %s"
    [(account, *_)] = acme.query(rows, acme.org_id)
    headers = bearer(acme.tokens["ingrid"])
    url = f"{acme.path}/identities/{account}/verify"

    async def verify() -> int:
        return (await acme.http.post(url, json={"user": "farid"}, headers=headers)).status_code

    erased, *_ = await asyncio.gather(
        erase(acme, user=str(acme.ids["minh"])), asyncio.gather(*(verify() for _ in range(4)))
    )
    assert erased.status_code == 200
    stub = f"erased:{account}"
    if acme.query(rows, acme.org_id) == [(account, "U1001", "verified", acme.ids["farid"])]:  # it came first
        await erase(
            acme, accounts=[{"platform": "slack", "workspace_ref": "T1", "external_user_id": "U1001"}]
        )
    assert acme.query(rows, acme.org_id) == [(account, stub, "revoked", None)]
    assert await verify() == 422
    body = {"platform": "slack", "external_user_id": "erased:1", "user": "farid", "status": "verified"}
    mapped = await acme.http.post(f"{acme.path}/identities", json=body, headers=headers)
    text = "platform,external_user_id,user,status\nslack,erased:1,farid,verified\n"
    csv = await acme.http.post(
        f"{acme.path}/identities/import", content=text, headers=headers | {"content-type": "text/csv"}
    )
    filed = await acme.apply("ingrid", org_file("acme", identities={"stub": body}))
    for refused in (mapped, csv, filed):
        assert refused.status_code == 422
        assert "erased person" in refused.text
    assert acme.query(rows, acme.org_id) == [(account, stub, "revoked", None)]


async def test_names_that_look_like_patterns_or_fill_json_do_no_harm(acme: World) -> None:
    kept = acme.memory("Nothing to see.", metadata='{"note": "a \\"quoted\\" x, 12345678", "n": 12345678}')
    chat(acme, '(.*) is \\ a "name" of mine', "12345678")
    account = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "12345678"}
    done = await erase(acme, accounts=[account], also_known_as=["a(.*)b", 'x "y" \\ z', "[erased]", "50% _"])
    assert done.status_code == 200, done.text
    assert acme.query("SELECT content FROM dw_agent_memories WHERE id = %s", kept) == [("[erased]",)]


async def purge(world: World, memory: UUID, who: str = "ada", **body: Any) -> httpx.Response:
    return await world.http.post(
        f"{world.path}/memories/{memory}/purge",
        json={"reason": "legal", "row_version": 1, **body},
        headers=bearer(world.tokens[who]),
    )


async def test_a_purged_memory_is_a_stub_without_text_and_the_log_holds(acme: World, dsn_of: Any) -> None:
    event = chat(acme, "said", "U2002")
    memory, _ = learned(acme, event, "The vault is behind the aquarium.", "U2002")
    acme.query("DELETE FROM dw_tool_runs")
    for table in ("dw_corrections", "dw_correction_signals", "dw_learning_items", "dw_memory_tombstones"):
        acme.query(f"DELETE FROM {table}")
    item = acme.item("The vault is behind the aquarium.", status="approved", decided_at="2026-01-01")
    acme.query("UPDATE dw_agent_memories SET learning_item_id = %s, status = 'archived'", item)
    await log_of(acme, dsn_of("policy"), memory, "The vault is behind the aquarium.", event)
    async with Database.connect(dsn_of("policy"), size=1, application_name="test") as database:
        await seal_events(database, datetime.now(UTC))
        done = await purge(acme, memory)
        assert (done.status_code, done.json()["changed"]) == (200, True)
        await seal_events(database, datetime.now(UTC))
        assert (
            await verify_chain(database, acme.org_id, datetime.now(UTC) + timedelta(hours=1))
        ).findings == ()
    assert where(acme, "aquarium") == []
    assert acme.query("SELECT status, delete_reason FROM dw_agent_memories") == [("deleted", "purged")]
    assert acme.audit(memory)[-1] == "memory_purged"
    again = await purge(acme, memory)
    assert (again.status_code, again.json()["changed"]) == (200, False)
    assert acme.audit(memory).count("memory_purged") == 1


async def test_a_purge_is_refused_to_managers_and_for_what_is_active_or_was_not_seen(acme: World) -> None:
    active = acme.memory("Active.")
    gone = acme.memory("Gone.", status="deleted")
    assert (await purge(acme, gone, "farid")).status_code == 403
    assert (await purge(acme, active)).status_code == 409
    assert (await purge(acme, gone, row_version=2)).status_code == 409
    assert (await purge(acme, uuid.uuid4())).status_code == 404
    assert (await purge(acme, gone, reason="because")).status_code == 422
    assert acme.query("SELECT content FROM dw_agent_memories WHERE id = %s", gone) == [("Gone.",)]

"""Where a memory was used, what a run was given, which skills never load, what no search finds; and a conflict as its
reader decides it (C19, D41, D48, R207, R237)."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from panel_world import World, bearer
from test_erasure import chat
from test_pages import sign_in
from test_skill_routes import active

from dw_learning.conflicts import Conflict
from dw_store.conflicts import ask_about
from dw_store.database import Database

pytestmark = pytest.mark.integration
AT = "2026-11-30T08:00:00+00:00"


def started(world: World, at: str = AT, **values: Any) -> UUID:
    """A run of the IT agent."""
    made = uuid.uuid4()
    row = {
        "id": made,
        "org_id": world.org_id,
        "role_agent_id": world.ids["it_agent"],
        "channel_id": world.ids["helpdesk"],
        "started_at": at,
    } | values
    world._insert("dw_runs", row)
    return made


def given(world: World, *memories: UUID, at: str = AT, **values: Any) -> None:
    """A pack of the IT agent."""
    row = {
        "id": uuid.uuid4(),
        "org_id": world.org_id,
        "role_agent_id": world.ids["it_agent"],
        "channel_id": world.ids["helpdesk"],
        "memory_ids": list(memories),
        "memory_chars": 10,
        "version": 3,
        "prompt_version": "pack-1",
        "builder_version": "memory-1",
        "soul_version": 1,
        "built_at": at,
        "dropped": json.dumps({"nearest": [], "reasons": {"count": 2}, "more": False}),
    } | values
    world._insert("dw_context_packs", row)


def used(world: World, run: UUID, memory: UUID) -> None:
    row = {"org_id": world.org_id, "run_id": run, "memory_id": memory, "used_at": AT}
    world._insert("dw_run_memory_uses", row)


async def get(world: World, path: str, who: str = "farid", status: int = 200, **query: Any) -> Any:
    answer = await world.http.get(
        f"/v1/orgs/{world.code}{path}",
        params=query,
        headers={"authorization": f"Bearer {world.tokens[who]}"},
    )
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_a_memory_says_in_which_packs_runs_and_channels_it_was(acme: World) -> None:
    known, other = acme.memory("The printer is Oak.", use_count=1, last_used_at=AT), acme.memory("Other.")
    run = started(acme)
    used(acme, run, known)
    given(acme, known, other, run_id=run)
    given(acme, known, at="2026-11-30T09:00:00+00:00", channel_id=None)
    given(acme, other)
    shown = await get(acme, f"/memories/{known}/uses")
    assert (shown["use_count"], shown["packs"], shown["looked_at"]) == (1, 2, 3)
    assert (shown["last_pack_at"], shown["looked_at_since"]) == (
        "2026-11-30T09:00:00Z",
        "2026-11-30T08:00:00Z",
    )
    assert [(one["run_id"], one["channel"]) for one in shown["runs"]] == [(str(run), "helpdesk")]
    channels = {one["channel"]: (one["packs"], one["runs"]) for one in shown["channels"]}
    assert channels == {"helpdesk": (1, 1), "": (1, 0)}
    never = await get(acme, f"/memories/{acme.memory('New.')}/uses")
    assert (never["use_count"], never["last_used_at"], never["packs"], never["last_pack_at"]) == (
        0,
        None,
        0,
        None,
    )


async def test_of_what_the_whole_org_knows_a_manager_sees_the_use_by_his_agents(acme: World) -> None:
    shared = acme.memory("The org is Acme.", scope="org", role_agent_id=None)
    given(acme, shared)
    given(acme, shared, role_agent_id=acme.ids["hr_agent"], channel_id=acme.ids["people"])
    assert (await get(acme, f"/memories/{shared}/uses"))["packs"] == 1
    assert (await get(acme, f"/memories/{shared}/uses", "ada"))["packs"] == 2
    await get(acme, f"/memories/{acme.memory('IT alone.')}/uses", "greta", 404)
    await get(acme, f"/memories/{uuid.uuid4()}/uses", "ada", 404)


async def test_the_record_of_a_run_names_versions_and_pages_are_newest_first(acme: World) -> None:
    known = acme.memory("The printer is Oak.")
    first, second = started(acme), started(acme, "2026-11-30T09:00:00+00:00", status="succeeded")
    skills = json.dumps([{"name": "reset-vpn", "version": 2}])
    given(acme, known, run_id=first, skill_refs=skills)
    used(acme, first, known)
    detail = await get(acme, f"/runs/{first}")
    (pack,) = detail["packs"]
    assert pack["skills"] == [{"name": "reset-vpn", "version": 2}]
    assert (pack["prompt_version"], pack["soul_version"], pack["version"]) == ("pack-1", 1, 3)
    assert (pack["memories"], pack["left_out"], detail["used"]) == ([str(known)], {"count": 2}, [str(known)])
    assert (detail["run"]["packs"], detail["run"]["used"], detail["run"]["status"]) == (1, 1, "running")
    page = await get(acme, "/agents/it_agent/runs", limit=1)
    assert [run["id"] for run in page["runs"]] == [str(second)]
    after = await get(acme, "/agents/it_agent/runs", limit=1, cursor=page["next_cursor"])
    assert ([run["id"] for run in after["runs"]], after["next_cursor"]) == ([str(first)], None)
    await get(acme, f"/runs/{first}", "greta", 404)
    await get(acme, f"/runs/{uuid.uuid4()}", "ada", 404)
    await get(acme, "/agents/it_agent/runs", "greta", 404)


async def test_a_skill_that_was_never_loaded_stands_first(acme: World) -> None:
    await active(acme)
    [(skill,)] = acme.query("SELECT id FROM dw_agent_skills")
    first = await get(acme, "/agents/it_agent/skill-use")
    assert [(one["id"], one["loads"], one["last_loaded_at"]) for one in first["skills"]] == [
        (str(skill), 0, None)
    ]
    given(acme, skill_refs=json.dumps([{"name": "reset-vpn", "version": 1}]))
    given(acme)
    (one,) = (await get(acme, "/agents/it_agent/skill-use"))["skills"]
    assert (one["name"], one["loads"], one["last_loaded_at"]) == ("reset-vpn", 1, "2026-11-30T08:00:00Z")


def happened(world: World, table: str, channel: str = "helpdesk", **values: Any) -> UUID:
    made = uuid.uuid4()
    row = {
        "id": made,
        "org_id": world.org_id,
        "role_agent_id": world.ids["it_agent"],
        "channel_id": world.ids[channel],
        "external_user_id": "U1001",
        "occurred_at": AT,
    } | values
    world._insert(table, row)
    return made


async def test_tool_runs_and_corrections_are_seen_here_and_page_by_page(acme: World) -> None:
    run = happened(acme, "dw_tool_runs", tool="ldap", input="find ana\u202e", output="x" * 3_000)
    older = happened(acme, "dw_tool_runs", tool="ldap", occurred_at="2026-11-29T08:00:00+00:00")
    fix = happened(
        acme,
        "dw_corrections",
        wrong_text="It is Elm.",
        right_text="It is Oak.",
        actor_user_id=acme.ids["minh"],
    )
    page = await get(acme, "/agents/it_agent/sources", limit=1)
    (shown,) = page["sources"]
    assert (shown["id"], shown["tool"], shown["first"], shown["channel"]) == (
        str(run),
        "ldap",
        "find ana",
        "helpdesk",
    )
    assert len(shown["second"]) == 2_000
    rest = await get(acme, "/agents/it_agent/sources", cursor=page["next_cursor"])
    assert [one["id"] for one in rest["sources"]] == [str(older)]
    (corrected,) = (await get(acme, "/agents/it_agent/sources", kind="correction"))["sources"]
    assert (corrected["id"], corrected["first"], corrected["second"], corrected["actor"]) == (
        str(fix),
        "It is Elm.",
        "It is Oak.",
        "minh",
    )
    await get(acme, "/agents/it_agent/sources", "greta", 404)
    await get(acme, "/agents/it_agent/sources", status=422, kind="message")


async def test_what_was_said_in_private_managers_see_without_its_words(acme: World) -> None:
    happened(acme, "dw_corrections", wrong_text="It is Elm.", right_text="It is Oak.")
    acme.query("UPDATE dw_channels SET visibility = 'private'")
    (hidden,) = (await get(acme, "/agents/it_agent/sources", kind="correction"))["sources"]
    assert hidden["is_hidden"]
    assert "Oak" not in json.dumps(hidden)
    (shown,) = (await get(acme, "/agents/it_agent/sources", "ada", kind="correction"))["sources"]
    assert (shown["is_hidden"], shown["second"]) == (False, "It is Oak.")


async def conflicting(world: World, dsn_of: Any, **of_org: Any) -> tuple[UUID, UUID]:
    """The role-agent's memory, and the item about it."""
    org = world.memory("Offices close at 17:00.", key="hours", scope="org", role_agent_id=None, **of_org)
    own = world.memory("The office closes at 19:00.", key="hours")
    async with (
        Database.connect(dsn_of("context"), size=1, application_name="test") as database,
        database.transaction([world.org_id]) as tx,
    ):
        conflicts = [Conflict(str(own), str(org))]
        assert await ask_about(tx, world.org_id, world.ids["it_agent"], conflicts, datetime.now(UTC)) == 1
    [(item,)] = world.query("SELECT id FROM dw_learning_items")
    return own, item


@pytest.mark.parametrize(("action", "status"), [("approve", "active"), ("reject", "archived")])
async def test_a_conflict_shows_both_texts_and_is_decided_like_any_review(
    acme: World, dsn_of: Any, action: str, status: str
) -> None:
    own, item = await conflicting(acme, dsn_of)
    shown = await get(acme, f"/items/{item}")
    assert (shown["reason_code"], shown["current_text"]) == ("conflict", "The office closes at 19:00.")
    assert shown["payload"]["org_text"] == "Offices close at 17:00."
    assert (await acme.decide("farid", item, action)).status_code == 200
    assert acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", own) == [(status,)]


async def test_the_page_of_a_conflict_shows_what_the_whole_org_is_told(acme: World, dsn_of: Any) -> None:
    await conflicting(acme, dsn_of)
    page = await sign_in(acme, "farid")
    assert "What the whole org is told" in page
    assert "Offices close at 17:00." in page
    assert "The office closes at 19:00." in page


async def test_a_conflict_with_what_is_sensitive_is_masked_for_managers(acme: World, dsn_of: Any) -> None:
    _, item = await conflicting(acme, dsn_of, risk="sensitive", is_sensitive=True)
    assert "17:00" not in json.dumps(await get(acme, f"/items/{item}"))
    assert (await acme.decide("farid", item)).status_code == 403
    assert (await get(acme, f"/items/{item}", "ada"))["payload"]["org_text"] == "Offices close at 17:00."


async def test_who_is_erased_is_in_no_note_and_in_no_question_about_a_conflict(
    acme: World, dsn_of: Any
) -> None:
    """C72: a note and the org's word that rest on this person's message alone; the question stays, without the words."""
    event = chat(acme, "Offices close at 17:00.", "U1001")
    source = json.dumps([{"event_id": str(event), "type": "message_in"}])
    note = json.dumps([{"event_id": str(event), "type": "note"}])
    acme.memory("She said 17:00.", layer="session", source_session="a run", source_refs=note, key="run/step")
    own, item = await conflicting(acme, dsn_of, source_refs=source)
    erased = await acme.http.post(
        f"{acme.path}/erasures", json={"user": str(acme.ids["minh"])}, headers=bearer(acme.tokens["ingrid"])
    )
    assert erased.status_code == 200, erased.text
    left = acme.query(
        "SELECT to_jsonb(m)::text FROM dw_agent_memories AS m UNION ALL SELECT to_jsonb(i)::text FROM dw_learning_items AS i"
    )
    assert not [row for (row,) in left if "17:00" in row]
    assert acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", own) == [("active",)]
    assert "org_text" not in (await get(acme, f"/items/{item}", "ada"))["payload"]

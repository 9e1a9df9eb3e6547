"""Memory and skills as a page: who sees what, every act and its way back, forms of ours alone (R201, R228, R229)."""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx
import pytest
from commands_pages import HOURS, KNOWLEDGE, csrf_on, signed_in
from panel_world import World
from test_skill_routes import active, body, propose

pytestmark = pytest.mark.integration


async def shown(world: World, **asked: Any) -> str:
    """The page of who is signed in."""
    answer = await world.http.get(KNOWLEDGE, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.text


async def press(world: World, path: str, csrf: str, action: str, **fields: str) -> httpx.Response:
    """A button; the page that follows."""
    form = {"csrf": csrf, "action": action, "row_version": "1"} | fields
    return await world.http.post(f"{KNOWLEDGE}/{path}", data=form, follow_redirects=True)


async def test_nobody_sees_it_without_signing_in(acme: World) -> None:
    for answer in (
        await acme.http.get(KNOWLEDGE),
        await acme.http.post(
            f"{KNOWLEDGE}/memories/{uuid.uuid4()}", data={"action": "delete", "row_version": "1"}
        ),
    ):
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")


async def test_a_memory_is_shown_with_scope_type_risk_source_and_metadata(acme: World) -> None:
    acme.saved(HOURS, metadata=json.dumps({"topic": "offices", "source_edited": True}), use_count=3)
    await signed_in(acme)
    page = await shown(acme)
    for words in (
        HOURS, "this role-agent", "fact", "low risk", "auto saved, agent extracted", "used 3×", "confidence 90 %",
        "source edited", "topic", "offices",
    ):  # fmt: skip
        assert words in page, words
    assert await shown(acme, q="nowhere") != page
    assert "No memory holds these words." in await shown(acme, q="nowhere")


async def test_each_row_of_the_list_has_scope_type_source_risk_and_metadata(acme: World) -> None:
    acme.saved("The Porto office has a bell.", key="bell", metadata=json.dumps({"floor": 2}))
    acme.saved(HOURS)
    await signed_in(acme)
    page = await shown(acme)
    rows = page[page.index('<nav class="list"') : page.index("</nav>", page.index('<nav class="list"'))]
    first, second = (row for row in rows.split("<li>")[1:])
    assert HOURS in first
    assert "this role-agent · fact · knowledge · auto saved · floor" in second
    assert "risk-low" in second


async def test_a_state_that_there_is_not_is_refused_and_shows_no_other_list(acme: World) -> None:
    await signed_in(acme)
    assert (await acme.http.get(KNOWLEDGE, params={"status": "nosuch"})).status_code == 422
    assert (await acme.http.get(KNOWLEDGE, params={"tab": "skills", "status": "paused"})).status_code == 200


async def test_a_note_of_one_reply_is_nothing_that_the_agent_knows(acme: World) -> None:
    acme.saved(HOURS)
    acme.saved("Next is the cable.", key=f"{uuid.uuid4()}/step", layer="session", source_session="r1")
    await signed_in(acme)
    page = await shown(acme)
    agent = acme.ids["it_agent"]
    listed = (await acme.act("farid", "GET", f"/memories?agent={agent}")).json()["memories"]
    asked_for = (await acme.act("farid", "GET", f"/memories?agent={agent}&layer=session")).json()["memories"]
    assert HOURS in page
    assert "Next is the cable." not in page
    assert [[memory["content"] for memory in found] for found in (listed, asked_for)] == [
        [HOURS],
        ["Next is the cable."],
    ]


async def test_a_person_mends_replaces_deletes_and_takes_back(acme: World) -> None:
    [memory] = await acme.learn(HOURS)
    csrf = await signed_in(acme)
    mended = await press(acme, f"memories/{memory}", csrf, "edit", text="The Porto office closes at 20:00.")
    assert "Done. It counts from the next reply on." in mended.text
    assert acme.active() == ["The Porto office closes at 20:00."]
    stale = await press(acme, f"memories/{memory}", csrf, "edit", text="The Porto office never closes.")
    assert (stale.status_code, "The Porto office closes at 20:00." in stale.text) == (409, True)
    await press(acme, f"memories/{memory}", csrf, "supersede", text="Porto closes at 21:00.", row_version="2")
    assert acme.active() == ["Porto closes at 21:00."]
    assert "superseded" in await shown(acme, status="superseded")
    [(new, version)] = acme.query("SELECT id, row_version FROM dw_agent_memories WHERE status = 'active'")
    gone = await press(acme, f"memories/{new}", csrf, "delete", row_version=str(version), never_again="true")
    assert acme.active() == []
    assert acme.query("SELECT count(*) FROM dw_memory_tombstones") == [(1,)]
    act = gone.text.split(f"{KNOWLEDGE}/acts/")[1].split("/undo")[0]
    back = await acme.http.post(f"{KNOWLEDGE}/acts/{act}/undo", data={"csrf": csrf}, follow_redirects=True)
    assert "Taken back." in back.text
    assert acme.active() == ["Porto closes at 21:00."]
    assert acme.query("SELECT lifted_at IS NOT NULL FROM dw_memory_tombstones") == [(True,)]


async def test_an_admin_brings_back_and_tells_the_whole_org(acme: World) -> None:
    gone = acme.memory(HOURS, status="deleted")
    csrf = await signed_in(acme)
    page = await shown(acme, status="deleted")
    assert ("Bring it back" in page, HOURS in page) == (False, True)
    assert (await press(acme, f"memories/{gone}", csrf, "restore")).status_code == 403
    csrf = await signed_in(acme, "ada")
    it_agent = str(acme.ids["it_agent"])
    assert "Bring it back" in await shown(acme, status="deleted", agent=it_agent)
    assert (await press(acme, f"memories/{gone}", csrf, "restore")).status_code == 200
    assert acme.active() == [HOURS]
    assert "Tell the whole org" in await shown(acme, agent=it_agent)
    assert (await press(acme, f"memories/{gone}", csrf, "promote", row_version="2")).status_code == 200
    assert HOURS in await shown(acme, agent="org")


async def test_what_is_sensitive_is_masked_and_what_is_anothers_is_not_there(
    acme: World, globex: World
) -> None:
    secret = acme.memory("Anna has asthma.", is_sensitive=True, risk="sensitive", key="anna")
    theirs = acme.memory("The HR archive is in room 9.", role_agent_id=acme.ids["hr_agent"])
    other = globex.memory("The Berlin office closes at 17:00.")
    csrf = await signed_in(acme)
    page = await shown(acme, item=str(secret))
    assert ("asthma" in page, "anna" in page, "Only admins and owners change this." in page) == (
        False,
        False,
        True,
    )
    for hidden in (theirs, other, uuid.uuid4()):
        assert (await acme.http.get(KNOWLEDGE, params={"item": str(hidden)})).status_code == 404
        assert (await press(acme, f"memories/{hidden}", csrf, "delete")).status_code == 404
    answer = await acme.http.get(KNOWLEDGE, params={"agent": str(acme.ids["hr_agent"])})
    assert (answer.status_code, "HR archive" in answer.text) == (404, False)
    assert (await press(acme, f"memories/{secret}", csrf, "delete")).status_code == 403
    assert acme.query("SELECT count(*) FROM dw_agent_memories WHERE status <> 'active'") == [(0,)]
    world_of_nobody = await signed_in_as_member(acme)
    assert "No role-agent is yours" in world_of_nobody


async def signed_in_as_member(world: World) -> str:
    """Somebody who manages nothing."""
    added = (await world.act("ingrid", "PUT", "/members/nora", {})).json()
    world.tokens["nora"] = added["token"]
    await signed_in(world, "nora")
    return await shown(world)


async def test_a_skill_is_read_paused_reverted_and_taken_off_the_list(acme: World) -> None:
    skill = await active(acme)
    item = (await propose(acme, body_md=body(step="1. Pull the plug."), base_version=1)).json()["item_id"]
    assert (await acme.decide("minh", uuid.UUID(item))).status_code == 200
    csrf = await signed_in(acme)
    page = await shown(acme, tab="skills")
    for words in ("reset-vpn", "Pull the plug.", "Quit the client.", "Version 2 is in use, approved by minh"):
        assert words in page, words
    path = f"skills/{skill}"
    stale = await press(acme, path, csrf, "revert", to="1", base_version="1")
    assert stale.status_code == 409, "somebody approved another version since this page was opened (D49)"
    assert 'name="base_version" value="2"' in page
    reverted = await press(acme, path, csrf, "revert", to="1", base_version="2")
    assert "Version 1 is in use" in reverted.text
    for action, column, value in (
        ("pause", "status", "paused"),
        ("resume", "status", "active"),
        ("archive", "status", "archived"),
    ):
        assert (await press(acme, path, csrf, action)).status_code == 200
        assert acme.query(f"SELECT {column} FROM dw_agent_skills") == [(value,)]
    assert (await press(acme, path, csrf, "resume")).status_code == 403, "admins bring back what was archived"
    assert (await press(acme, path, csrf, "disable")).status_code == 200
    assert "off the list" in await shown(acme, tab="skills")
    assert (await press(acme, path, csrf, "enable")).status_code == 200
    assert acme.query("SELECT enabled FROM dw_agent_skill_assignments") == [(True,)]
    assert "No skill holds these words." in await shown(acme, tab="skills", q="printer")


async def test_a_form_of_another_session_changes_nothing(acme: World) -> None:
    [memory] = await acme.learn(HOURS)
    skill = await active(acme)
    await signed_in(acme)
    for path in (f"memories/{memory}", f"skills/{skill}", f"acts/{uuid.uuid4()}/undo"):
        refused = await press(acme, path, "forged", "delete" if "memories" in path else "pause")
        assert (refused.status_code, "opened too long ago" in refused.text) == (403, True)
    assert acme.active() == [HOURS]
    assert acme.query("SELECT status FROM dw_agent_skills") == [("active",)]


async def test_hostile_text_stands_as_text_and_a_filter_from_outside_is_read_carefully(acme: World) -> None:
    acme.memory("<script>alert(1)</script>\u202e", key='"><b>')
    csrf = await signed_in(acme)
    page = await shown(acme, q="<script>")
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert '"><b>' not in page
    [(memory,)] = acme.query("SELECT id FROM dw_agent_memories")
    done = await acme.http.post(
        f"{KNOWLEDGE}/memories/{memory}",
        data={
            "csrf": csrf,
            "action": "delete",
            "row_version": "1",
            "back": "tab=evil&q=a%0d%0aX:1&status=any&home=//x",
        },
    )
    assert (done.status_code, "evil" in done.headers["location"]) == (303, False)
    assert done.headers["location"].startswith(f"{KNOWLEDGE}?tab=memory&status=any&done=done&act=")
    assert csrf_on(page) == csrf

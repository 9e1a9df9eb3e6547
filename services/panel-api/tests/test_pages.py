"""The inbox as a page: sign-in, what is shown to whom, forms without JavaScript, and hostile text as text."""

from __future__ import annotations

import re
import uuid

import httpx
import pytest
from panel_world import World

pytestmark = pytest.mark.integration
HOME = "/app/digital-workers/learning"
OURS = '<script src="/static/panel.js" defer></script>'  # the keys; a file of ours, and nothing else runs


async def sign_in(world: World, who: str) -> str:
    """As a browser does it; the page that follows."""
    world.http.cookies.clear()
    form = await world.http.get("/sign-in")
    csrf = field(form.text, "csrf")
    done = await world.http.post("/sign-in", data={"token": world.tokens[who], "csrf": csrf})
    assert (done.status_code, done.headers["location"]) == (303, HOME)
    for cookie in done.headers.get_list("set-cookie"):
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
    return (await world.http.get(HOME)).text


def field(page: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, f"no field {name}"
    return found.group(1)


async def decide(world: World, page: str, item: uuid.UUID, action: str, **other: str) -> httpx.Response:
    """Press a button of the page."""
    data = {"csrf": field(page, "csrf"), "row_version": field(page, "row_version"), "action": action}
    return await world.http.post(f"{HOME}/{item}", data=data | other)


async def test_nobody_sees_the_inbox_without_signing_in(acme: World) -> None:
    root = await acme.http.get("/")
    assert (root.status_code, root.headers["location"]) == (303, HOME)
    asked = await acme.http.get(HOME)
    assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in")
    pressed = await acme.http.post(f"{HOME}/{acme.item()}", data={"action": "approve", "row_version": "1"})
    assert (pressed.status_code, pressed.headers["location"]) == (303, "/sign-in")


async def test_signing_in_takes_a_persons_token_and_a_form_of_ours(acme: World) -> None:
    csrf = field((await acme.http.get("/sign-in")).text, "csrf")
    wrong = await acme.http.post("/sign-in", data={"token": "dw_ut_nobody", "csrf": csrf})
    assert (wrong.status_code, "opens nothing" in wrong.text) == (401, True)
    machine = acme.applied["new_keys"]["gateway"]
    assert (await acme.http.post("/sign-in", data={"token": machine, "csrf": csrf})).status_code == 401
    forged = await acme.http.post("/sign-in", data={"token": acme.tokens["farid"], "csrf": "x"})
    assert forged.status_code == 403
    assert "dw_session" not in acme.http.cookies


async def test_a_person_decides_with_two_buttons_and_signs_out(acme: World) -> None:
    one, other = acme.item("Yes."), acme.item("No.")
    page = await sign_in(acme, "farid")
    done = await decide(acme, page, one, "approve", note="sure")
    assert done.status_code == 303
    assert done.headers["location"].startswith(f"{HOME}?done=approved&act=")
    page = (await acme.http.get(done.headers["location"])).text
    assert "Approved." in page
    gone = (await decide(acme, page, other, "reject")).headers["location"]
    assert gone.startswith(f"{HOME}?done=rejected&act=")
    assert acme.query("SELECT id, status, decision_note FROM dw_learning_items ORDER BY status") == [
        (one, "approved", "sure"),
        (other, "rejected", ""),
    ]
    page = (await acme.http.get(HOME)).text
    assert "Nothing waits for you" in page
    session = acme.http.cookies["dw_session"]
    assert (await acme.http.post("/sign-out", data={"csrf": "x"})).status_code == 403
    assert (await acme.http.post("/sign-out", data={"csrf": field(page, "csrf")})).status_code == 303
    acme.http.cookies.set("dw_session", session)
    assert (await acme.http.get(HOME)).status_code == 303


async def test_a_session_ends_with_the_membership_and_by_the_clock(acme: World) -> None:
    await sign_in(acme, "farid")
    acme.query("UPDATE dw_api_keys SET expires_at = now() WHERE kind = 'session'")
    assert (await acme.http.get(HOME)).status_code == 303
    await sign_in(acme, "farid")
    acme.query("UPDATE dw_org_members SET status = 'removed' WHERE user_id = %s", acme.ids["farid"])
    assert (await acme.http.get(HOME)).status_code == 303


async def test_a_form_of_another_session_or_site_decides_nothing(acme: World) -> None:
    item = acme.item()
    of_ada = await sign_in(acme, "ada")
    await sign_in(acme, "farid")
    refused = await decide(acme, of_ada, item, "approve")
    assert (refused.status_code, "opened too long ago" in refused.text) == (403, True)
    assert acme.query("SELECT status FROM dw_learning_items") == [("pending",)]


async def test_who_was_too_late_sees_what_became_of_it(acme: World) -> None:
    item = acme.item()
    page = await sign_in(acme, "farid")
    await acme.decide("ada", item, "reject")
    late = await decide(acme, page, item, "approve")
    assert late.status_code == 409
    assert "the item was rejected by ada" in late.text


async def test_hostile_text_stays_text_everywhere(acme: World) -> None:
    hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>{{7*7}}\u202e'
    file = {
        "org": "acme",
        "agents": {"it_agent": {"name": hostile, "managers": ["farid", "minh"]}},
        "users": {"ingrid": {"role": "owner"}, "farid": {}, "minh": {}},
        "channels": {"helpdesk": {"platform": "slack", "display_name": hostile, "agents": ["it_agent"]}},
    }
    assert (await acme.apply("ingrid", file)).status_code == 200
    old = acme.memory(hostile)
    acme.item(
        hostile,
        action="update",
        target_memory_id=old,
        base_version=1,
        explanation=hostile,
        reason_code="other_<b>",
        payload={"marks": [[0, 8]]},
    )
    acme.item(hostile, kind="skill_proposal", payload={"key": hostile})
    page = await sign_in(acme, "farid")
    skill = re.search(r'item=([0-9a-f-]{36})"(?! aria-current)', page)
    assert skill
    both = page + (await acme.http.get(f"{HOME}?item={skill.group(1)}")).text
    assert "<script" not in both.replace(OURS, "")
    assert "<img" not in both
    assert "<b>" not in both
    assert "\u202e" not in both
    assert "{{7*7}}" in both
    assert "&lt;script&gt;" in both
    assert "<mark>&lt;script&gt;</mark>" in both


async def test_every_answer_tells_the_browser_to_run_nothing(acme: World) -> None:
    await sign_in(acme, "farid")
    for path in (HOME, "/sign-in", "/", "/static/panel.css", "/no-such-page", acme.path + "/items"):
        headers = (await acme.http.get(path)).headers
        assert headers["content-security-policy"].startswith("default-src 'none';")
        assert "unsafe" not in headers["content-security-policy"]
        assert "script-src 'self';" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    page = (await acme.http.get(HOME)).text
    assert page.count(OURS) == 1
    assert not re.search(r"<script|\son\w+=|\sstyle=|javascript:", page.replace(OURS, ""))


async def test_managers_see_that_something_sensitive_waits_and_not_what(acme: World) -> None:
    acme.item("Quetzalcoatl is ill.", risk="sensitive", is_sensitive=True, reason_code="sensitive")
    page = await sign_in(acme, "farid")
    assert "Quetzalcoatl" not in page
    assert "Only admins and owners read and decide this." in page
    assert 'value="approve"' not in page
    assert "Quetzalcoatl" in await sign_in(acme, "ada")


async def test_evidence_names_channel_sender_and_time(acme: World) -> None:
    acme.item()
    page = await sign_in(acme, "farid")
    assert "helpdesk (slack)" in page
    assert "unverified sender" in page
    assert "02 Jan 2026, 03:04 UTC" in page


async def test_people_without_an_inbox_and_filters_without_a_match_are_told_so(acme: World) -> None:
    users = {"ingrid": {"role": "owner"}, "nora": {}}
    acme.tokens |= (await acme.apply("ingrid", {"org": "acme", "users": users})).json()["new_tokens"]
    assert "No inbox is yours" in await sign_in(acme, "nora")
    await sign_in(acme, "farid")
    assert "Nothing matches" in (await acme.http.get(f"{HOME}?risk=high")).text
    empty = await acme.http.get(f"{HOME}?risk=&agent=&status=pending")
    assert (empty.status_code, "Nothing waits for you" in empty.text) == (200, True)


async def test_a_refusal_is_a_page_too(acme: World, globex: World) -> None:
    await sign_in(acme, "farid")
    for query, status in (
        (f"item={uuid.uuid4()}", 404),
        (f"item={globex.item()}", 404),
        (f"item={acme.item(role_agent_id=acme.ids['hr_agent'])}", 403),
        ("item=1", 422),
        ("status=gone", 422),
        ("agent=1", 404),
        (f"agent={globex.ids['it_agent']}", 404),
        ("cursor=x", 400),
    ):
        asked = await acme.http.get(f"{HOME}?{query}")
        assert (asked.status_code, "text/html" in asked.headers["content-type"]) == (status, True), query
        assert "Back to the inbox" in asked.text
    page = (await acme.http.get(HOME)).text
    assert (await acme.http.post(f"{HOME}/{uuid.uuid4()}", data={"csrf": "x"})).status_code == 422
    assert "Nothing waits for you" in page


async def test_links_keep_the_filter(acme: World) -> None:
    for n in range(6):
        acme.item(f"Fact {n}.", risk="high")
    await sign_in(acme, "ingrid")
    page = (await acme.http.get(f"{HOME}?risk=high&agent={acme.ids['it_agent']}")).text
    links = re.findall(r'<a href="(/app[^"]*item=[^"]*)"', page)
    assert len(links) == 6
    assert all(
        f"status=pending&amp;risk=high&amp;agent={acme.ids['it_agent']}&amp;" in link for link in links
    )
    assert page.count('aria-current="true"') == 1


async def test_a_text_is_edited_on_the_page_saved_or_approved(acme: World) -> None:
    item = acme.item("The Porto office closes at 19:00.")
    page = await sign_in(acme, "farid")
    first = re.search(r'name="action" value="(\w+)"', page)
    assert first
    assert first[1] == "approve"  # what the Enter key presses
    await decide(acme, page, item, "edit", text="The Porto office closes at 19:00.")
    assert acme.audit(item) == []
    saved = await decide(acme, page, item, "edit", text="The Porto office closes at 20:00.")
    assert saved.headers["location"] == f"{HOME}?done=pending&item={item}"
    page = (await acme.http.get(saved.headers["location"])).text
    assert "still waits" in page
    assert ">The Porto office closes at 20:00.</textarea>" in page
    unchanged = "The Porto office closes at 20:00.\r\n"
    assert (await decide(acme, page, item, "approve", text=unchanged)).status_code == 303
    assert acme.active() == ["The Porto office closes at 20:00."]
    assert acme.audit(item) == ["item_edited", "approved"]


async def test_a_decision_is_taken_back_on_the_page(acme: World) -> None:
    item = acme.item("The Porto office closes at 19:00.")
    done = await decide(acme, await sign_in(acme, "farid"), item, "approve")
    page = (await acme.http.get(done.headers["location"])).text
    action = re.search(r'action="([^"]*/undo)"', page)
    assert action
    forged = await acme.http.post(action[1], data={"csrf": "x"})
    assert (forged.status_code, acme.active()) == (403, ["The Porto office closes at 19:00."])
    back = await acme.http.post(action[1], data={"csrf": field(page, "csrf")})
    page = (await acme.http.get(back.headers["location"])).text
    assert ("Taken back." in page, acme.active()) == (True, [])
    again = await acme.http.post(action[1], data={"csrf": field(page, "csrf")})
    assert (again.status_code, "taken back already" in again.text) == (409, True)


async def test_what_changes_is_shown_word_by_word_and_keys_are_named(acme: World) -> None:
    old = acme.memory("The Porto office closes at 18:00.", key="porto")
    acme.item("The Porto office opens at 18:00.", action="update", target_memory_id=old, base_version=1, payload={"key": "porto"})  # fmt: skip
    acme.item("The bike room is called Velo.", due_at="2099-02-01")
    page = await sign_in(acme, "farid")
    assert "<del>closes </del><ins>opens </ins>" in page
    for key in ("a", "r", "e", "j"):
        assert f'data-key="{key}"' in page
    following = re.search(r'rel="next"[^>]*href="([^"]*)"', page)
    assert following
    page = (await acme.http.get(following[1].replace("&amp;", "&"))).text
    assert ("Velo" in page, 'rel="prev"' in page) == (True, True)


async def test_the_other_buttons_do_what_they_say(acme: World) -> None:
    item = acme.item("The Porto office closes at 19:00.")
    page = await sign_in(acme, "farid")
    page = (await acme.http.get((await decide(acme, page, item, "claim")).headers["location"])).text
    assert "Let others work on it" in page
    await decide(acme, page, item, "release")
    await decide(acme, page, item, "mark_sensitive")
    assert acme.audit(item) == ["item_claimed", "item_released", "item_marked_sensitive"]
    page = await sign_in(acme, "ada")
    gone = await decide(acme, page, item, "reject", reason="private", never_again="true")
    assert gone.status_code == 303
    assert acme.query("SELECT reject_reason FROM dw_learning_items") == [("private",)]
    assert acme.audit(item)[-2:] == ["rejected", "tombstone_written"]


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", f"{HOME}?q=%00", 422),
        ("GET", f"{HOME}?item=not-an-id", 422),
        ("GET", f"{HOME}?sort=nosuch", 422),
        ("GET", f"{HOME}?page=abc", 422),
        ("GET", f"{HOME}?limit=-1", 422),
        ("GET", "/app/digital-workers/knowledge?limit=-1", 422),
        ("GET", f"{HOME}/not-an-id", 405),
        ("POST", f"{HOME}/not-an-id", 422),
        ("GET", "/nothing-here", 404),
    ],
)
async def test_a_refusal_is_a_page_to_a_browser(acme: World, method: str, address: str, status: int) -> None:
    await sign_in(acme, "farid")
    seen = await acme.http.request(method, address, headers=BROWSER)
    assert seen.status_code == status
    assert seen.headers["content-type"].startswith("text/html")
    assert int(seen.headers["content-length"]) == len(seen.content)
    assert '<a href="/app/digital-workers/learning">Back to the inbox</a>' in seen.text
    assert "application/problem" not in seen.text
    assert seen.headers["content-security-policy"].startswith("default-src 'none'")
    assert seen.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "accept"), [("/nothing-here", "application/json"), ("/v1/nothing-here", BROWSER["accept"])]
)
async def test_a_program_gets_a_problem_detail(acme: World, address: str, accept: str) -> None:
    seen = await acme.http.get(address, headers={"accept": accept})
    assert (seen.status_code, seen.headers["content-type"]) == (404, "application/problem+json")
    assert seen.json()["status"] == 404


async def test_what_a_page_does_not_know_is_named_unless_it_could_be_a_secret(acme: World) -> None:
    await sign_in(acme, "farid")
    assert "does not know: page." in (await acme.http.get(f"{HOME}?page=2&status=any")).text
    hidden = (await acme.http.get(f"{HOME}?Heron-Barrel-47!=1")).text
    assert "Heron" not in hidden
    assert "one that is no name" in hidden


async def test_a_token_of_any_length_that_opens_nothing_is_said_to_open_nothing(acme: World) -> None:
    csrf = field((await acme.http.get("/sign-in")).text, "csrf")
    for token in ("x" * 257, "x" * 100_000):
        wrong = await acme.http.post("/sign-in", data={"token": token, "csrf": csrf}, headers=BROWSER)
        assert wrong.status_code == 401
        assert "This token opens nothing." in wrong.text

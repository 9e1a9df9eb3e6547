"""Commands of the page of memory and skills, for test_every_command_is_on_record."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import httpx
from on_record import Commands
from panel_world import World
from test_skill_routes import active

KNOWLEDGE = "/app/digital-workers/knowledge"
HOURS = "The Porto office closes at 19:00."


async def signed_in(world: World, who: str = "farid") -> str:
    """The CSRF field of a page of theirs."""
    world.http.cookies.clear()
    form = await world.http.get("/sign-in")
    await world.http.post("/sign-in", data={"token": world.tokens[who], "csrf": csrf_on(form.text)})
    return csrf_on((await world.http.get(KNOWLEDGE)).text)


def csrf_on(page: str) -> str:
    """The first one."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]


async def delete_memory(world: World) -> httpx.Response:
    [memory] = await world.learn(HOURS)
    form = {"csrf": await signed_in(world), "action": "delete", "row_version": "1"}
    return await world.http.post(f"{KNOWLEDGE}/memories/{memory}", data=form)


async def undo(world: World) -> httpx.Response:
    done = await delete_memory(world)
    act = parse_qs(urlsplit(done.headers["location"]).query)["act"][0]
    form = {"csrf": csrf_on((await world.http.get(KNOWLEDGE)).text)}
    return await world.http.post(f"{KNOWLEDGE}/acts/{act}/undo", data=form)


async def pause_skill(world: World) -> httpx.Response:
    skill = await active(world)
    form = {"csrf": await signed_in(world), "action": "pause"}
    return await world.http.post(f"{KNOWLEDGE}/skills/{skill}", data=form)


PAGES: Commands = {
    ("POST", KNOWLEDGE + "/memories/{memory_id}"): (delete_memory, "memory_deleted"),
    ("POST", KNOWLEDGE + "/acts/{act_id}/undo"): (undo, "undone"),
    ("POST", KNOWLEDGE + "/skills/{skill_id}"): (pause_skill, "skill_paused"),
}

"""Memory and skills in a real browser: by keyboard alone, on a telephone, in the dark (D24, D36, D43)."""

from __future__ import annotations

from typing import Literal

import pytest
from commands_pages import HOURS, KNOWLEDGE
from panel_world import World
from playwright.async_api import expect
from test_inbox_in_a_browser import FINE, Desk, looks
from test_inbox_in_a_browser import desk as desk  # a panel with a browser before it
from test_skill_routes import active

pytestmark = [pytest.mark.integration, pytest.mark.browser]


async def test_a_memory_is_mended_and_taken_back_by_keyboard(desk: Desk) -> None:
    await desk.world.learn(HOURS)
    page = await desk.page("farid")
    await page.get_by_role("link", name="Memory and skills").press("Enter")
    await page.wait_for_url(f"{desk.base}{KNOWLEDGE}*")
    await page.keyboard.press("e")
    field = page.get_by_label("What the agent should know")
    await expect(field).to_be_focused()
    await page.keyboard.press("Control+a")
    await page.keyboard.type("The Porto office closes at 20:00.")  # u and e among others: off while typing
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Save")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("Done.")
    assert desk.world.active() == ["The Porto office closes at 20:00."]
    await page.keyboard.press("u")
    await expect(page.get_by_role("status")).to_contain_text("Taken back.")
    assert desk.world.active() == [HOURS]


async def test_words_find_a_memory_and_the_filter_is_kept_through_a_deletion(desk: Desk) -> None:
    await desk.world.learn(HOURS, "The bike room is called Velo.", "The car park is called Velo too.")
    page = await desk.page("farid")
    await page.goto(f"{desk.base}{KNOWLEDGE}")
    await expect(page.locator(".list li")).to_have_count(3)
    await page.keyboard.press("/")
    await page.keyboard.type("velo")
    await page.keyboard.press("Enter")
    await expect(page.locator(".list li")).to_have_count(2)
    await page.get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("status")).to_contain_text("Done.")
    await expect(page.locator(".list li")).to_have_count(1)
    await expect(page.get_by_label("Words")).to_have_value("velo")


async def filled(world: World) -> dict[str, str]:
    """Addresses of every state of the page."""
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung" * 3
    world.saved(long, metadata='{"topic": {"deep": [1, 2]}, "source_deleted": true}')
    secret = world.memory("Anna has asthma.", is_sensitive=True, risk="sensitive")
    world.memory("Old.", status="deleted")
    await active(world)
    theirs = world.memory("Theirs.", role_agent_id=world.ids["hr_agent"])
    return {
        "memories": "",
        "one that is masked": f"?item={secret}",
        "deleted": "?status=deleted",
        "of the whole org": "?agent=org",
        "skills": "?tab=skills",
        "no match": "?q=nowhere",
        "not there": f"?item={theirs}",
        "an address that does not fit": "?tab=gone",
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
async def test_every_state_is_readable(desk: Desk, width: int, scheme: Literal["light", "dark"]) -> None:
    states = await filled(desk.world)
    page = await desk.page("farid", width=width, scheme=scheme)
    for name, query in states.items():
        await page.goto(f"{desk.base}{KNOWLEDGE}{query}")
        await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert await looks(page) == FINE, name
    await page.goto(f"{desk.base}{KNOWLEDGE}?tab=skills")
    if width == 360:
        await page.locator(".list a").first.click()
    await page.get_by_role("button", name="Pause").click()
    await expect(page.get_by_role("status")).to_contain_text("Done.")
    assert await looks(page) == FINE, "done"

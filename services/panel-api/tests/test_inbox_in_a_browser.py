"""The inbox in a real browser: by keyboard alone, on a telephone, in the dark, to a screen reader (D24, D36, D43)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import pytest
from browser import FAINT, HOME, NAMELESS, TOO_WIDE, chromium, served, sign_in
from panel_world import INSTALLATION, PEPPER, World
from playwright.async_api import Browser, Page, expect

from dw_panel.app import create_app
from dw_panel.settings import Settings

pytestmark = [pytest.mark.integration, pytest.mark.browser]
DsnOf = Callable[[str], str]


@dataclass
class Desk:
    """An org, its panel at `base`, and a browser. `complaints`: what the browser's console said."""

    world: World
    base: str
    browser: Browser
    complaints: list[str] = field(default_factory=list)

    async def page(
        self, who: str = "", width: int = 1280, scheme: Literal["light", "dark"] = "light"
    ) -> Page:
        """A page of somebody's own, signed in where they are named."""
        context = await self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        page = await context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if "Content Security" in said.text else None,
        )
        if who:
            await sign_in(page, self.base, self.world.tokens[who])
        return page


@pytest.fixture
async def desk(dsn_of: DsnOf) -> AsyncIterator[Desk]:
    settings = Settings.model_validate(
        {
            "database_url": dsn_of("panel"),
            "pepper": PEPPER,
            "installation_token": INSTALLATION,
            "env": "development",
        }
    )
    async with (
        served(create_app(settings)) as base,
        httpx.AsyncClient(base_url=base, timeout=20) as http,
        chromium() as browser,
    ):
        for _ in range(100):
            if (await http.get("/health/ready")).status_code == 200:
                break
            await asyncio.sleep(0.05)
        world = await World(http, dsn_of("admin"), "acme").create()
        made = Desk(world, base, browser)
        yield made
        assert made.complaints == []


def items(world: World, count: int) -> list[Any]:
    """The first is due first."""
    return [
        world.item(f"Room {n} is called R{n}.", due_at=f"2099-01-{n + 1:02} 00:00+00") for n in range(count)
    ]


async def test_all_of_it_by_keyboard(desk: Desk) -> None:
    first, second, third = items(desk.world, 3)
    page = await desk.page("farid")
    shown = page.locator(".detail blockquote").last
    await expect(shown).to_have_text("Room 0 is called R0.")
    await page.keyboard.press("j")
    await expect(shown).to_have_text("Room 1 is called R1.")
    await page.keyboard.press("k")
    await expect(shown).to_have_text("Room 0 is called R0.")
    await page.keyboard.press("v")
    await expect(page.locator("#evidence")).to_be_focused()
    await page.keyboard.press("?")
    await expect(page.get_by_text("these keys")).to_be_visible()
    await page.keyboard.press("a")
    await expect(page.get_by_role("status")).to_contain_text("Approved.")
    await page.keyboard.press("u")
    await expect(page.get_by_role("status")).to_contain_text("Taken back.")
    await page.keyboard.press("r")
    await expect(page.get_by_role("status")).to_contain_text("Rejected.")
    await expect(shown).to_have_text("Room 1 is called R1.")
    await page.keyboard.press("e")
    await expect(page.get_by_label("The text that would be stored")).to_be_focused()
    await page.keyboard.press("Control+End")
    await page.keyboard.type(" area")  # a and r among others: off while typing
    await expect(page.get_by_label("The text that would be stored")).to_have_value(
        "Room 1 is called R1. area"
    )
    assert desk.world.query("SELECT status FROM dw_learning_items WHERE id = %s", second) == [("pending",)]
    assert desk.world.audit(first) == ["approved", "item_undone"]
    assert desk.world.query("SELECT status FROM dw_learning_items WHERE id = %s", third) == [("pending",)]


async def test_focus_begins_at_the_way_past_the_navigation(desk: Desk) -> None:
    items(desk.world, 1)
    page = await desk.page("farid")
    await page.keyboard.press("Tab")
    await expect(page.get_by_text("Skip to content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#main")).to_be_focused()
    outline = await page.get_by_role("button", name="Approve", exact=True).evaluate(
        "(el) => { el.focus({ focusVisible: true }); return getComputedStyle(el).outlineStyle; }"
    )
    assert outline == "solid"


async def test_many_are_decided_at_once_and_each_says_what_became_of_it(desk: Desk) -> None:
    one, other, kept = items(desk.world, 3)
    desk.world.item("Anna has asthma.", is_sensitive=True, risk="sensitive", reason_code="sensitive")
    page = await desk.page("ada")
    await page.keyboard.press("j")
    await expect(page.locator(".detail")).to_contain_text("Room 1 is called R1.")
    await page.keyboard.press("x")
    await expect(page.locator(".pick input:checked")).to_have_count(1)
    boxes = page.locator(".pick input")
    assert await boxes.count() == 3, "what is sensitive is decided one by one"
    for n in (0, 1):
        await boxes.nth(n).check()
    await desk.world.decide("farid", other, "reject")
    await page.get_by_role("button", name="Approve chosen").click()
    await expect(page.get_by_role("heading", name="1 approved, 1 not")).to_be_visible()
    results = page.locator(".results li")
    await expect(results.nth(0)).to_contain_text("Room 0 is called R0.")
    await expect(results.nth(1)).to_contain_text("not approved: the item was rejected by farid")
    await page.get_by_role("button", name="Undo: Room 0").click()
    await expect(page.get_by_role("status")).to_contain_text("Taken back.")
    states = dict(desk.world.query("SELECT id, status FROM dw_learning_items"))
    assert (states[one], states[other], states[kept]) == ("approved", "rejected", "pending")
    assert desk.world.active() == []


async def test_a_filter_is_kept_through_a_decision(desk: Desk) -> None:
    items(desk.world, 5)
    desk.world.item("The bike room is called Velo.", risk="high")
    desk.world.item("The car park is called Velo too.", risk="high")
    page = await desk.page("farid")
    await page.keyboard.press("/")
    await page.keyboard.type("velo")
    await page.get_by_label("Risk").select_option("high")
    await page.get_by_label("Order").select_option("impact")
    await page.get_by_role("button", name="Show").click()
    await expect(page.locator(".list li")).to_have_count(2)
    await page.keyboard.press("r")
    await expect(page.get_by_role("status")).to_contain_text("Rejected.")
    await expect(page.locator(".list li")).to_have_count(1)
    await expect(page.get_by_label("Words")).to_have_value("velo")
    assert "sort=impact" in page.url


async def looks(page: Page) -> dict[str, Any]:
    """What is wrong with how a page looks."""
    return {
        "too wide": await page.evaluate(TOO_WIDE),
        "faint": await page.evaluate(FAINT),
        "nameless": await page.evaluate(NAMELESS),
        "headings": await page.locator("h1").count(),
        "language": await page.locator("html").get_attribute("lang"),
    }


FINE = {"too wide": 0, "faint": [], "nameless": [], "headings": 1, "language": "en"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
async def test_every_state_is_readable(desk: Desk, width: int, scheme: Literal["light", "dark"]) -> None:
    world = desk.world
    page = await desk.page(width=width, scheme=scheme)
    await page.goto(f"{desk.base}/sign-in")
    assert await looks(page) == FINE, "sign in"
    await sign_in(page, desk.base, world.tokens["farid"])
    assert await looks(page) == FINE, "nothing waits"
    old = world.memory("The Porto office closes at 18:00.", key="porto")
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung" * 3
    update = world.item(
        "The Porto office opens at 18:00.", action="update", target_memory_id=old, base_version=1,
        payload={"key": "porto"}, due_at="2020-01-01", risk="high",
    )  # fmt: skip
    world.item(long, risk="medium")
    skill = world.item(f"To print: press the green button.\n{long}", kind="skill_proposal")
    world.item("Anna has asthma.", is_sensitive=True, risk="sensitive", reason_code="sensitive")
    theirs = world.item(role_agent_id=world.ids["hr_agent"])
    where = f"{desk.base}{HOME}"
    states = {
        "the list": where,
        "an update": f"{where}?item={update}",
        "a skill": f"{where}?item={skill}",
        "no match": f"{where}?risk=low&q=nowhere",
        "forbidden": f"{where}?item={theirs}",
        "an address that does not fit": f"{where}?status=gone",
    }
    for name, address in states.items():
        await page.goto(address)
        await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert await looks(page) == FINE, name
    await page.goto(f"{where}?item={update}")
    await page.get_by_role("button", name="Approve the change").click()
    await expect(page.get_by_role("status")).to_contain_text("Approved.")
    assert await looks(page) == FINE, "done"

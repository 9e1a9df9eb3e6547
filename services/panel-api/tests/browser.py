"""The panel on a port of its own, and Debian's Chromium in front of it."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
from playwright.async_api import Browser, Page, async_playwright

HOME: Final = "/app/digital-workers/learning"
# Of every text that is seen: its contrast to what stands behind it, below what WCAG 2.2 AA asks (4.5, large text 3).
FAINT: Final = """() => {
  const channels = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (el) => {
    for (let at = el; at; at = at.parentElement) {
      const c = channels(getComputedStyle(at).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), el = walker.currentNode.parentElement;
    if (!text || !el.checkVisibility() || el.closest("script, style, option")) continue;
    const style = getComputedStyle(el), size = parseFloat(style.fontSize);
    const [a, b] = [light(channels(style.color)), light(behind(el))].sort((x, y) => y - x);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < needed) faint.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}"""
# Controls that a screen reader has no name for, or a finger too little room (WCAG 2.5.8: 24 pixels).
NAMELESS: Final = """() => [...document.querySelectorAll("button, input:not([type=hidden]), select, textarea, summary")]
  .filter((el) => el.checkVisibility())
  .filter((el) => {
    const named = el.labels?.length || el.getAttribute("aria-label") || el.textContent.trim();
    const { width, height } = el.getBoundingClientRect();
    return !named || width < 24 || height < 24;
  }).map((el) => el.outerHTML.slice(0, 80))"""
TOO_WIDE: Final = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    """The address at which the application answers."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    task = asyncio.ensure_future(server._serve([listener]))  # the test keeps its own signal handlers
    try:
        while not server.started:  # it tells nobody
            assert not task.done(), "the panel did not start"
            await asyncio.sleep(0.02)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Debian's own: nothing is downloaded."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert found, "install chromium: the pages are tested in a real browser"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            await browser.close()


async def sign_in(page: Page, base: str, token: str) -> None:
    """As a person does it."""
    await page.goto(f"{base}/sign-in")
    await page.get_by_label("Your token").fill(token)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{base}{HOME}")

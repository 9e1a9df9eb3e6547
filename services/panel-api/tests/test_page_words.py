"""What every page needs and what the inbox calls things: an icon, a title for a batch, words for every reason."""

from __future__ import annotations

from typing import get_args

import pytest
from panel_world import World
from test_memory_files import brought, entry
from test_pages import HOME, sign_in

from dw_learning.decision.outcomes import ProposeReason
from dw_panel.adapters.templates import REASONS

pytestmark = pytest.mark.integration


def test_every_reason_for_an_item_has_words() -> None:
    ours = {"import", "suggestion", "promotion", "feedback", "source_identity_revoked"}
    assert not ({*get_args(ProposeReason)} | ours) - REASONS.keys()


async def test_an_import_is_named_by_its_files_and_not_by_a_legend(acme: World) -> None:
    await brought(acme, entry(), entry("The Faro office closes at 17:00.", "faro-hours"))
    page = await sign_in(acme, "ingrid")
    assert "Import 2 memory files: porto-hours, faro-hours" in page
    assert "Memory files to import" in page
    assert '<span class="title">Import of' not in page


async def test_a_browser_gets_its_icon_without_signing_in(acme: World) -> None:
    asked = await acme.http.get("/favicon.ico", follow_redirects=True)
    assert (asked.status_code, asked.headers["content-type"]) == (200, "image/svg+xml")
    assert asked.headers["cache-control"] == "public, max-age=300"
    assert 'href="/static/icon.svg"' in (await acme.http.get("/sign-in")).text
    assert (await acme.http.get(HOME)).headers["location"] == "/sign-in"

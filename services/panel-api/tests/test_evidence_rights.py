"""Evidence keeps to its reader's rights (D27), and what matters most can come first (D35)."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from panel_world import World
from test_pages import sign_in

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, tzinfo=UTC)


async def evidence(world: World, who: str, item: Any) -> tuple[list[str], int]:
    seen = (await world.act(who, "GET", f"/items/{item}")).json()
    return [source["excerpt"] for source in seen["evidence"]], seen["hidden_evidence"]


def refs(*sources: tuple[Any, str, datetime]) -> str:
    return json.dumps(
        [
            {
                "event_id": None,
                "channel_id": str(channel),
                "excerpt": said,
                "verified": False,
                "at": at.isoformat(),
            }
            for channel, said, at in sources
        ]
    )


async def test_what_was_said_in_a_private_channel_is_counted_and_not_shown(acme: World) -> None:
    open_channel, private = acme.ids["helpdesk"], acme.ids["people"]
    acme.query("UPDATE dw_channels SET visibility = 'private' WHERE id = %s", private)
    item = acme.item(source_refs=refs((open_channel, "Aloud.", NOW), (private, "Quetzalcoatl.", NOW)))
    assert await evidence(acme, "farid", item) == (["Aloud."], 1)
    assert await evidence(acme, "ada", item) == (["Quetzalcoatl.", "Aloud."], 0)
    page = await sign_in(acme, "farid")
    assert ("Quetzalcoatl" in page, "1 source is in a private channel" in page) == (False, True)
    listed = (await acme.act("farid", "GET", "/items")).json()["items"]
    assert [found["hidden_evidence"] for found in listed] == [1]
    acme.query(
        "INSERT INTO dw_channel_managers (org_id, channel_id, user_id) VALUES (%s, %s, %s)",
        acme.org_id, private, acme.ids["farid"],
    )  # fmt: skip
    assert await evidence(acme, "farid", item) == (["Quetzalcoatl.", "Aloud."], 0)


async def test_impact_is_signals_times_channels_and_fades(acme: World) -> None:
    here, there = acme.ids["helpdesk"], acme.ids["people"]
    of = {
        "twice of late": acme.item(source_refs=refs((here, "a", NOW)), evidence_count=2),
        "once of late": acme.item(source_refs=refs((here, "b", NOW)), evidence_count=1),
        "twice in two channels": acme.item(
            source_refs=refs((here, "c", NOW), (there, "c", NOW)), evidence_count=2
        ),
        "often long ago": acme.item(
            source_refs=refs((here, "d", NOW - timedelta(days=60))), evidence_count=9
        ),
    }
    names = {str(item): name for name, item in of.items()}
    wanted = ["twice in two channels", "twice of late", "once of late", "often long ago"]
    seen: list[str] = []
    cursor: str | None = ""
    for _ in range(2):
        page = (await acme.act("farid", "GET", f"/items?sort=impact&limit=2&cursor={cursor}")).json()
        seen += [names[found["id"]] for found in page["items"]]
        cursor = page["next_cursor"]
    assert (seen, cursor) == (wanted, None)
    page_text = (await _page(acme, "sort=impact")).replace("&amp;", "&")
    order = re.findall(r'item=([0-9a-f-]{36})"', page_text[page_text.index('class="list"') :])[:4]
    assert [names[item] for item in order] == wanted


async def _page(world: World, query: str) -> str:
    await sign_in(world, "farid")
    return (await world.http.get(f"/app/digital-workers/learning?{query}")).text

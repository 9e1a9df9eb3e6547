"""Commands about learning items, for test_every_command_is_on_record."""

from __future__ import annotations

from typing import Any

import httpx
from on_record import Commands, Run, decided
from panel_world import World

OF_ITEM = "/v1/orgs/{org}/items/{item_id}"


def act(method: str, what: str, who: str = "farid", first: str = "", **body: Any) -> Run:
    """On a new item that waits; `first` is a PUT before it."""

    async def run(world: World) -> httpx.Response:
        item = world.item()
        if first:
            assert (await world.act(who, "PUT", f"/items/{item}/{first}")).status_code == 200
        return await world.act(who, method, f"/items/{item}/{what}", body or None)

    return run


async def bulk(world: World) -> httpx.Response:
    rows = [{"id": str(world.item(text)), "row_version": 1} for text in ("A is so.", "B is so.")]
    return await world.act("farid", "POST", "/items/bulk", {"action": "approve", "items": rows})


async def reassign(world: World) -> httpx.Response:
    body = {"to": str(world.ids["minh"])}
    return await world.act("farid", "PUT", f"/items/{world.item()}/reviewer", body)


async def override(world: World) -> httpx.Response:
    item, _ = await decided(world, "reject")
    return await world.act("ada", "POST", f"/items/{item}/override", {"to": "approved"})


async def undo(world: World) -> httpx.Response:
    _, act_id = await decided(world)
    return await world.act("farid", "POST", f"/acts/{act_id}/undo")


ITEMS: Commands = {
    ("POST", "/v1/orgs/{org}/items/bulk"): (bulk, "approved"),
    ("POST", f"{OF_ITEM}/decision"): (act("POST", "decision", action="reject", row_version=1), "rejected"),
    ("PUT", f"{OF_ITEM}/text"): (
        act("PUT", "text", row_version=1, text="It closes at 20:00."),
        "item_edited",
    ),
    ("PUT", f"{OF_ITEM}/reviewer"): (reassign, "item_reassigned"),
    ("PUT", f"{OF_ITEM}/claim"): (act("PUT", "claim"), "item_claimed"),
    ("DELETE", f"{OF_ITEM}/claim"): (act("DELETE", "claim", first="claim"), "item_released"),
    ("PUT", f"{OF_ITEM}/sensitivity"): (
        act("PUT", "sensitivity", row_version=1, is_sensitive=True),
        "item_marked_sensitive",
    ),
    ("POST", f"{OF_ITEM}/conversion"): (act("POST", "conversion", row_version=1), "item_converted"),
    ("POST", f"{OF_ITEM}/override"): (override, "override"),
    ("POST", f"{OF_ITEM}/feedback"): (act("POST", "feedback", "greta", action="confirm"), "item_confirmed"),
    ("POST", "/v1/orgs/{org}/acts/{act_id}/undo"): (undo, "item_undone"),
}


async def unmark(world: World) -> httpx.Response:
    body = {"row_version": 1, "is_sensitive": False}
    return await world.act("ada", "PUT", f"/items/{world.item(is_sensitive=True)}/sensitivity", body)


async def override_an_approval(world: World) -> httpx.Response:
    item, _ = await decided(world)
    return await world.act("ada", "POST", f"/items/{item}/override", {"to": "rejected"})


async def reject_for_ever(world: World) -> httpx.Response:
    return await world.decide("farid", world.item(), "reject", never_again=True)


async def undo_a_tombstone(world: World) -> httpx.Response:
    act_id = (await reject_for_ever(world)).json()["act_id"]
    return await world.act("farid", "POST", f"/acts/{act_id}/undo")


# The other ways in which the same routes can end.
MORE_OF_ITEMS: dict[str, tuple[Run, str]] = {
    "unmark": (unmark, "item_unmarked_sensitive"),
    "override an approval": (override_an_approval, "override"),
    "reject for ever": (reject_for_ever, "tombstone_written"),
    "undo a tombstone": (undo_a_tombstone, "item_undone"),
}

"""Commands about memories, role-agents' ways of learning and rules, for test_every_command_is_on_record."""

from __future__ import annotations

from typing import Any

import httpx
from on_record import Commands, Run
from panel_world import World

HOURS = "The Porto office closes at 19:00."
RULE = {"category": "fact", "condition": {"confidence": {"gte": 0.8}}, "action": "require_user_approval"}
OPEN = {"auto_memory_enabled": True, "auto_memory_require_verified": False}
OF_MEMORY, OF_AGENT = "/v1/orgs/{org}/memories/{memory_id}", "/v1/orgs/{org}/agents/{agent}"


async def add(world: World) -> httpx.Response:
    body = {"agent": str(world.ids["it_agent"]), "texts": [HOURS, "The bike room is called Velo."]}
    return await world.act("ada", "POST", "/memories", body)


async def bring(world: World) -> httpx.Response:
    body = {"entries": [{"file": "knowledge/hours.md", "key": "hours", "content": HOURS}]}
    return await world.act("ada", "POST", "/agents/it_agent/memory-import", body)


def act(what: str, who: str = "ada", *, first: str = "", **body: Any) -> Run:
    """On a memory that Ada wrote; `first` is what she does to it before."""

    async def run(world: World) -> httpx.Response:
        [memory] = await world.learn(HOURS)
        if first:
            assert (await world.act("ada", "POST", f"/memories/{memory}/{first}", {})).status_code == 200
        return await world.act(who, "POST", f"/memories/{memory}/{what}", body)

    return run


async def lift(world: World) -> httpx.Response:
    await act("delete")(world)
    [(stone,)] = world.query("SELECT id FROM dw_memory_tombstones WHERE lifted_at IS NULL")
    return await world.act("ada", "DELETE", f"/tombstones/{stone}")


def of_agent(method: str, path: str, body: Any = None, *, first: tuple[str, str] | None = None) -> Run:
    async def run(world: World) -> httpx.Response:
        at = f"/agents/{world.ids['it_agent']}"
        if first is not None:
            assert (await world.act("ada", first[0], at + first[1].format(**world.ids))).status_code == 200
        return await world.act("ada", method, at + path.format(**world.ids), body)

    return run


async def channel_learning(world: World) -> httpx.Response:
    path = f"/channels/{world.ids['helpdesk']}/learning"
    return await world.act("ada", "PUT", path, {"learning": "off"})


async def suggest(world: World) -> httpx.Response:
    body = {"channel": str(world.ids["helpdesk"]), "text": HOURS}
    return await world.act("ada", "POST", f"/agents/{world.ids['it_agent']}/suggestions", body)


async def add_rule(world: World) -> httpx.Response:
    return await world.act("ada", "POST", "/rules", RULE)


async def remove_rule(world: World) -> httpx.Response:
    made = (await add_rule(world)).json()
    return await world.act("ada", "DELETE", f"/rules/{made['rule_id']}")


MEMORIES: Commands = {
    ("POST", "/v1/orgs/{org}/agents/{agent}/memory-import"): (bring, "learning_proposed"),
    ("POST", "/v1/orgs/{org}/memories"): (add, "memory_saved"),
    ("POST", f"{OF_MEMORY}/feedback"): (act("feedback", "greta", action="confirm"), "memory_confirmed"),
    ("POST", f"{OF_MEMORY}/supersede"): (act("supersede", text="It closes at 20:00."), "memory_superseded"),
    ("POST", f"{OF_MEMORY}/delete"): (act("delete"), "memory_deleted"),
    ("POST", f"{OF_MEMORY}/restore"): (act("restore", first="delete"), "memory_restored"),
    ("POST", f"{OF_MEMORY}/promote"): (act("promote"), "memory_promoted"),
    ("POST", f"{OF_MEMORY}/promotion-proposal"): (act("promotion-proposal", "farid"), "learning_proposed"),
    ("DELETE", "/v1/orgs/{org}/tombstones/{tombstone_id}"): (lift, "tombstone_lifted"),
    ("PUT", f"{OF_AGENT}/mode"): (of_agent("PUT", "/mode", OPEN), "auto_save_mode_changed"),
    ("POST", f"{OF_AGENT}/pause"): (of_agent("POST", "/pause"), "learning_paused"),
    ("POST", f"{OF_AGENT}/resume"): (
        of_agent("POST", "/resume", first=("POST", "/pause")),
        "learning_resumed",
    ),
    ("PUT", f"{OF_AGENT}/channels/{{channel}}"): (of_agent("PUT", "/channels/{people}"), "channel_assigned"),
    ("DELETE", f"{OF_AGENT}/channels/{{channel}}"): (
        of_agent("DELETE", "/channels/{people}", first=("PUT", "/channels/{people}")),
        "channel_unassigned",
    ),
    ("PUT", "/v1/orgs/{org}/channels/{channel}/learning"): (channel_learning, "channel_learning_changed"),
    ("POST", f"{OF_AGENT}/suggestions"): (suggest, "learning_proposed"),
    ("POST", "/v1/orgs/{org}/rules"): (add_rule, "policy_rule_changed"),
    ("DELETE", "/v1/orgs/{org}/rules/{rule_id}"): (remove_rule, "policy_rule_changed"),
}


async def undo_a_deletion(world: World) -> httpx.Response:
    done = (await act("delete")(world)).json()
    return await world.act("ada", "POST", f"/acts/{done['act_id']}/undo")


async def suggest_twice(world: World) -> httpx.Response:
    await suggest(world)
    return await suggest(world)


async def reject_what_was_saved(world: World) -> httpx.Response:
    body = {"action": "reject"}
    return await world.act("farid", "POST", f"/memories/{world.saved(HOURS)}/feedback", body)


async def reject_what_was_approved(world: World) -> httpx.Response:
    body = {"action": "reject"}
    path = f"/memories/{world.memory(HOURS, confidence=0.4)}/feedback"
    return await world.act("farid", "POST", path, body)


async def restore_over_another(world: World) -> httpx.Response:
    [memory] = await world.learn(HOURS)
    await world.act("ada", "POST", f"/memories/{memory}/supersede", {"text": "It closes at 20:00."})
    return await world.act("ada", "POST", f"/memories/{memory}/restore", {})


async def approve_a_promotion(world: World) -> httpx.Response:
    proposed = (await act("promotion-proposal", "farid")(world)).json()
    return await world.decide("ada", proposed["item_id"])


EDIT = "The Porto office closes at 20:00."
# The other ways in which the same routes can end.
MORE_OF_MEMORIES: dict[str, tuple[Run, str]] = {
    "doubt": (act("feedback", "greta", action="reject"), "memory_feedback_rejected"),
    "edit": (act("feedback", action="edit", text=EDIT), "memory_edited"),
    "propose an edit": (act("feedback", "greta", action="edit", text=EDIT), "learning_proposed"),
    "delete by feedback": (act("feedback", action="delete"), "memory_deleted"),
    "propose a deletion": (act("feedback", "greta", action="delete"), "learning_proposed"),
    "reject what was saved": (reject_what_was_saved, "memory_deleted"),
    "reject what was approved": (reject_what_was_approved, "learning_proposed"),
    "restore over another": (restore_over_another, "memory_restored"),
    "approve a promotion": (approve_a_promotion, "approved"),
    "undo a deletion": (undo_a_deletion, "undone"),
    "suggest twice": (suggest_twice, "item_confirmed"),
}

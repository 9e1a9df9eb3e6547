"""Taking back: once, by whoever did it, within the window, whole or not at all (C63); and a property over any acts."""

from __future__ import annotations

import json
import random
import uuid
from typing import Any

import pytest
from panel_world import World

pytestmark = pytest.mark.integration
HOURS = "The Porto office closes at 19:00."
SKILL = "To reset the VPN: 1. Open the client. 2. Press reset. 3. Sign in again."


async def undo(world: World, who: str, act_id: str | None) -> tuple[int, Any]:
    answer = await world.act(who, "POST", f"/acts/{act_id}/undo")
    return answer.status_code, answer.json()


async def test_an_approval_taken_back_leaves_the_memory_before_and_an_item_that_waits(acme: World) -> None:
    old = acme.memory("The Porto office closes at 18:00.", key="porto")
    item = acme.item(HOURS, action="update", target_memory_id=old, base_version=1, payload={"key": "porto"})
    decided = (await acme.decide("farid", item)).json()
    assert (await undo(acme, "ada", decided["act_id"]))[0] == 403
    status, done = await undo(acme, "farid", decided["act_id"])
    assert (status, acme.active()) == (200, ["The Porto office closes at 18:00."])
    again = done["item"]
    assert (again["status"], again["copy_of"], again["payload"]["content"]) == ("pending", str(item), HOURS)
    assert again["out_of_date"] is False
    before = (await acme.act("farid", "GET", f"/items/{item}")).json()
    assert (before["status"], before["undone_at"] is not None) == ("approved", True)
    assert acme.audit(item) == ["approved", "item_undone"]
    assert (await undo(acme, "farid", decided["act_id"]))[0] == 409
    assert (await acme.decide("farid", uuid.UUID(again["id"]))).status_code == 200
    assert acme.active() == [HOURS]


async def test_what_changed_since_is_not_taken_back(acme: World) -> None:
    decided = (await acme.decide("farid", acme.item(HOURS))).json()
    await acme.act("greta", "POST", f"/memories/{decided['memory_id']}/feedback", {"action": "confirm"})
    status, problem = await undo(acme, "farid", decided["act_id"])
    assert (status, "changed since" in problem["detail"], acme.active()) == (409, True, [HOURS])


async def test_where_another_took_the_place_since_nothing_is_taken_back(acme: World) -> None:
    memory = acme.memory(HOURS, key="porto")
    gone = (await acme.act("farid", "POST", f"/memories/{memory}/delete", {})).json()
    acme.memory(HOURS, key="porto")
    status, problem = await undo(acme, "farid", gone["act_id"])
    assert (status, "its place" in problem["detail"], acme.active()) == (409, True, [HOURS])


async def test_after_the_window_an_act_stands(acme: World) -> None:
    decided = (await acme.decide("farid", acme.item(HOURS))).json()
    acme.query("UPDATE dw_acts SET at = at - interval '31 seconds'")
    status, problem = await undo(acme, "farid", decided["act_id"])
    assert (status, "over" in problem["detail"]) == (409, True)
    assert (await undo(acme, "farid", str(uuid.uuid4())))[0] == 404


async def test_a_rejection_taken_back_merges_into_an_equal_item_that_waits(acme: World) -> None:
    item = acme.item(HOURS, dedupe_key="all:x", evidence_count=2)
    decided = (await acme.decide("farid", item, "reject")).json()
    other = acme.item(HOURS, dedupe_key="all:x")
    _, done = await undo(acme, "farid", decided["act_id"])
    assert (done["item_id"], done["item"]["evidence_count"]) == (str(other), 3)


async def test_a_skill_goes_back_to_the_version_before(acme: World) -> None:
    first = (await acme.decide("farid", acme.item(SKILL, kind="skill_proposal", risk="high"))).json()
    [(skill, body)] = acme.query(
        "SELECT s.id, v.body_md FROM dw_agent_skills s JOIN dw_agent_skill_versions v ON v.skill_id = s.id"
    )
    new = {"body_md": body.replace("Press reset", "Press it twice"), "name": "x-y", "description": "Use it."}
    update = acme.item(
        "x", kind="skill_update", action="update", target_skill_id=skill, base_version=1, payload=new
    )
    second = (await acme.decide("farid", update)).json()
    version = "SELECT active_version, status FROM dw_agent_skills"
    assert acme.query(version) == [(2, "active")]
    assert (await undo(acme, "farid", first["act_id"]))[0] == 409
    assert (await undo(acme, "farid", second["act_id"]))[0] == 200
    assert acme.query(version) == [(1, "active")]
    statuses = "SELECT version, status FROM dw_agent_skill_versions ORDER BY version"
    assert acme.query(statuses) == [(1, "approved"), (2, "retired")]


def visible(world: World) -> dict[str, Any]:
    """What people and agents could tell apart."""
    memories = world.query(
        "SELECT role_agent_id::text, content, key, layer, confidence::float, risk, is_sensitive, origin, last_confirmed_at"
        " FROM dw_agent_memories WHERE status = 'active' ORDER BY 1, 2, 3"
    )
    stones = world.query(
        "SELECT encode(content_hash, 'hex') FROM dw_memory_tombstones WHERE lifted_at IS NULL ORDER BY 1"
    )
    items = world.query(
        "SELECT kind, action, proposed_payload::text, risk, is_sensitive, evidence_count, sender_user_id::text"
        " FROM dw_learning_items WHERE status = 'pending' ORDER BY 3, 1, 2"
    )
    skills = world.query(
        "SELECT s.active_version, v.body_md FROM dw_agent_skills s JOIN dw_agent_skill_versions v"
        " ON v.skill_id = s.id AND v.version = s.active_version WHERE s.status = 'active' ORDER BY 2"
    )
    hidden = world.query(
        "SELECT dedupe_key FROM dw_learning_items WHERE status = 'rejected' AND undone_at IS NULL ORDER BY 1"
    )
    return {"memories": memories, "stones": stones, "items": items, "skills": skills, "hidden": hidden}


class Player:
    """Ada, who may do everything, does what chance says."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.chance = random.Random(seed)

    def propose(self, number: int) -> None:
        kind = self.chance.choice(["memory_proposal", "memory_proposal", "skill_proposal"])
        text = SKILL if kind == "skill_proposal" else f"Room {number % 4} is called R{number}."
        payload = {"key": f"room-{number % 4}"}
        self.world.item(text, kind=kind, payload=payload, dedupe_key=f"all:{number}", risk="low")

    async def step(self) -> dict[str, Any] | None:
        """One act, if it could be done; its answer has the act_id."""
        world, chance = self.world, self.chance
        items = world.query(
            "SELECT id, row_version FROM dw_learning_items WHERE status = 'pending' ORDER BY created_at, id"
        )
        memories = world.query("SELECT id, status FROM dw_agent_memories ORDER BY created_at, id")
        if items and chance.random() < 0.5:
            item, version = chance.choice(items)
            action = chance.choice(["approve", "approve", "reject"])
            more = {"never_again": chance.random() < 0.5} if action == "reject" else {}
            answer = await world.decide("ada", item, action, row_version=version, **more)
        elif memories:
            memory, _ = chance.choice(memories)
            what = chance.choice(["delete", "restore", "supersede", "promote", "feedback", "feedback"])
            body: dict[str, Any] = {}
            if what == "supersede":
                body = {"text": f"It is called S{chance.randrange(1000)}."}
            elif what == "feedback":
                body = {
                    "action": chance.choice(["confirm", "reject", "edit"]),
                    "text": f"It is E{chance.randrange(1000)}.",
                }
            answer = await world.act("ada", "POST", f"/memories/{memory}/{what}", body)
        else:
            return None
        assert answer.status_code in (200, 409, 422), answer.text
        return dict(answer.json()) if answer.status_code == 200 else None


@pytest.mark.parametrize("seed", range(3))
async def test_any_acts_and_then_the_last_taken_back_is_the_state_before(acme: World, seed: int) -> None:
    player = Player(acme, seed)
    undone = 0
    for number in range(30):
        if number % 3 == 0:
            player.propose(number)
        before = visible(acme)
        done = await player.step()
        if done is None:
            assert visible(acme) == before, "a refused act changed something"
            continue
        if done.get("act_id") is None or player.chance.random() < 0.3:
            continue
        status, answer = await undo(acme, "ada", done["act_id"])
        assert status == 200, json.dumps(answer)
        assert visible(acme) == before, json.dumps(done, default=str)
        undone += 1
    assert undone > 5

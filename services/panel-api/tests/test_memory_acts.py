"""Feedback, deletion, supersession, restoring, promotion, tombstones, modes and rules over HTTP on a real PostgreSQL."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from panel_world import World

pytestmark = pytest.mark.integration
HOURS = "The Porto office closes at 19:00."
STATE = "SELECT status, confidence::float FROM dw_agent_memories WHERE id = %s"


async def feedback(world: World, who: str, memory: uuid.UUID, action: str, text: str = "") -> tuple[int, Any]:
    body = {"action": action, "text": text}
    answer = await world.act(who, "POST", f"/memories/{memory}/feedback", body)
    return answer.status_code, answer.json()


async def change(world: World, who: str, memory: uuid.UUID, what: str, **body: Any) -> tuple[int, Any]:
    answer = await world.act(who, "POST", f"/memories/{memory}/{what}", body)
    return answer.status_code, answer.json()


async def test_confirming_and_rejecting_change_confidence_within_bounds(acme: World) -> None:
    memory = acme.memory(HOURS, confidence=0.8)
    for who, expected in (("greta", 0.9), ("farid", 1.0), ("minh", 1.0)):
        assert (await feedback(acme, who, memory, "confirm"))[0] == 200
        assert acme.query(STATE, memory) == [("active", expected)]
    doubted = acme.memory("Velo is the bike room.", confidence=0.5)
    for who, expected in (("greta", 0.2), ("farid", 0.0), ("minh", 0.0)):
        assert (await feedback(acme, who, doubted, "reject"))[0] == 200
        assert acme.query(STATE, doubted) == [("active", expected)]
    [(confirmed, rows)] = acme.query(
        "SELECT last_confirmed_at IS NOT NULL, (SELECT count(*) FROM dw_memory_feedback WHERE memory_id = %s)"
        " FROM dw_agent_memories WHERE id = %s",
        memory,
        memory,
    )
    assert (confirmed, rows) == (True, 3)


async def test_one_person_is_one_voice(acme: World) -> None:
    memory = acme.memory(HOURS, confidence=0.9)
    steps = [
        ("reject", 0.6),
        ("reject", 0.6),
        ("reject", 0.6),
        ("confirm", 1.0),
        ("confirm", 1.0),
        ("reject", 0.6),
    ]
    for action, expected in steps:
        assert (await feedback(acme, "greta", memory, action))[0] == 200
        assert acme.query(STATE, memory) == [("active", expected)], action
    assert (await feedback(acme, "ingrid", memory, "reject"))[0] == 200
    assert acme.query(STATE, memory) == [("active", 0.3)], "another person is another voice"
    heard = acme.query("SELECT count(*) FROM dw_memory_feedback WHERE actor_user_id = %s", acme.ids["greta"])
    assert heard == [(6,)], "each is on record"


async def test_a_voice_counts_anew_about_another_text_and_when_it_was_taken_back(acme: World) -> None:
    memory = acme.memory(HOURS, confidence=0.9)
    _, said = await feedback(acme, "greta", memory, "reject")
    assert (await acme.act("greta", "POST", f"/acts/{said['act_id']}/undo")).status_code == 200
    assert acme.query(STATE, memory) == [("active", 0.9)]
    await feedback(acme, "greta", memory, "reject")
    assert acme.query(STATE, memory) == [("active", 0.6)]
    await feedback(acme, "ada", memory, "edit", "The Porto office closes at 20:00.")
    assert acme.query(STATE, memory) == [("active", 0.8)]
    await feedback(acme, "greta", memory, "reject")
    assert acme.query(STATE, memory) == [("active", 0.5)]


@pytest.mark.parametrize("nothing", ["%", "\u202e", "…", "\u3164", "👍", " \u200b "])
async def test_a_text_without_a_word_is_remembered_by_no_way(acme: World, nothing: str) -> None:
    memory, item = acme.memory(HOURS), acme.item()
    old = acme.item(nothing)
    skill = acme.item(kind="skill_proposal", payload={"content": "To print: press the green button."})
    agent, channel = str(acme.ids["it_agent"]), str(acme.ids["helpdesk"])
    answers = [
        await acme.act("ada", "POST", "/memories", {"agent": agent, "texts": [nothing]}),
        await acme.act("ada", "POST", f"/memories/{memory}/feedback", {"action": "edit", "text": nothing}),
        await acme.act("ada", "POST", f"/memories/{memory}/supersede", {"text": nothing}),
        await acme.act("ada", "POST", f"/agents/{agent}/suggestions", {"channel": channel, "text": nothing}),
        await acme.act("farid", "PUT", f"/items/{item}/text", {"row_version": 1, "text": nothing}),
        await acme.act("farid", "POST", f"/items/{skill}/conversion", {"row_version": 1, "text": nothing}),
        await acme.decide("farid", item, text=nothing),
        await acme.decide("farid", old),
    ]
    for answer in answers:
        assert answer.status_code == 422, answer.text
        assert any(words in answer.text for words in ("no letter and no digit", "there is no text")), (
            answer.text
        )
    assert acme.active() == [HOURS]


async def test_two_members_or_one_manager_end_what_was_saved_by_itself(acme: World) -> None:
    doubted, alone, sure = (acme.saved(f"Room {n} is called R{n}.", confidence=0.5) for n in range(3))
    await feedback(acme, "greta", doubted, "reject")
    await feedback(acme, "greta", doubted, "reject")
    assert acme.query(STATE, doubted) == [("active", 0.2)]
    await feedback(acme, "ingrid", sure, "reject")
    assert acme.query(STATE, sure)[0][0] == "deleted"
    await feedback(acme, "farid", alone, "reject")
    assert acme.query(STATE, alone)[0][0] == "deleted"
    assert acme.audit(alone) == ["memory_deleted", "tombstone_written"]


async def test_a_second_member_ends_a_doubted_memory_without_a_tombstone(acme: World) -> None:
    memory = acme.saved(HOURS, confidence=0.5, role_agent_id=acme.ids["hr_agent"])
    await feedback(acme, "farid", memory, "reject")
    assert acme.query(STATE, memory) == [("active", 0.2)]
    await feedback(acme, "minh", memory, "reject")
    assert acme.query(STATE, memory)[0][0] == "deleted"
    assert acme.query("SELECT count(*) FROM dw_memory_tombstones") == [(0,)]


async def test_what_a_person_approved_is_reviewed_and_not_deleted_by_rejections(acme: World) -> None:
    memory = acme.memory(HOURS, confidence=0.4)
    status, done = await feedback(acme, "farid", memory, "reject")
    assert (status, acme.query(STATE, memory)) == (200, [("active", 0.1)])
    item = (await acme.act("minh", "GET", f"/items/{done['item_id']}")).json()
    assert (item["kind"], item["out_of_date"]) == ("review", False)
    assert (await acme.decide("minh", uuid.UUID(done["item_id"]), "reject")).status_code == 200
    assert acme.query(STATE, memory)[0][0] == "archived"


async def test_an_edit_with_authority_sets_confidence_and_one_without_proposes(acme: World) -> None:
    low, high = acme.saved(HOURS, confidence=0.5), acme.saved("Velo is the bike room.", confidence=0.9)
    assert (await feedback(acme, "farid", low, "edit", "The Porto office closes at 20:00."))[0] == 200
    await feedback(acme, "ada", high, "edit", "Velo Nord is the bike room.")
    assert acme.query(STATE, low) == [("active", 0.8)]
    assert acme.query(STATE, high) == [("active", 0.9)]
    status, done = await feedback(acme, "greta", low, "edit", "The Porto office closes at 21:00.")
    assert (status, done["outcome"]) == (200, "proposed")
    item = (await acme.act("farid", "GET", f"/items/{done['item_id']}")).json()
    assert item["current_text"] == "The Porto office closes at 20:00."
    assert item["payload"]["content"] == "The Porto office closes at 21:00."
    assert acme.active() == ["The Porto office closes at 20:00.", "Velo Nord is the bike room."]


async def test_a_manager_does_not_decide_alone_on_his_own_weighty_words(acme: World) -> None:
    memory = acme.saved(HOURS)
    text = "Invoices above 900 euros are approved by Rita."
    status, done = await feedback(acme, "farid", memory, "edit", text)
    assert (status, done["outcome"], acme.active()) == (200, "proposed", [HOURS])
    assert (await acme.decide("farid", uuid.UUID(done["item_id"]))).status_code == 403
    assert (await acme.decide("minh", uuid.UUID(done["item_id"]))).status_code == 200
    assert acme.active() == [text]


async def test_a_members_deletion_is_a_proposal_and_a_managers_a_deletion(acme: World) -> None:
    memory = acme.saved(HOURS)
    status, done = await feedback(acme, "greta", memory, "delete")
    assert (status, done["outcome"], acme.active()) == (200, "proposed", [HOURS])
    assert (await feedback(acme, "greta", memory, "delete"))[1]["item_id"] == done["item_id"]
    assert (await change(acme, "farid", memory, "delete", reason="moved"))[0] == 200
    assert (acme.active(), acme.audit(memory)) == ([], ["memory_deleted", "tombstone_written"])
    assert (await change(acme, "farid", memory, "delete"))[0] == 409


async def test_what_is_sensitive_is_the_admins(acme: World) -> None:
    memory = acme.memory("Anna has asthma.", is_sensitive=True, risk="sensitive")
    assert (await feedback(acme, "greta", memory, "confirm"))[0] == 404
    for act in ("confirm", "reject", "delete"):
        assert (await feedback(acme, "farid", memory, act))[0] == 403
    assert (await change(acme, "farid", memory, "delete"))[0] == 403
    shown = (await acme.act("farid", "GET", f"/memories?agent={acme.ids['it_agent']}")).json()["memories"]
    assert [("asthma" in m["content"], m["may_change"]) for m in shown] == [(False, False)]
    assert (await change(acme, "ada", memory, "delete"))[0] == 200


async def test_a_superseded_memory_is_restored_and_the_newer_one_makes_room(acme: World) -> None:
    [old] = await acme.learn(HOURS)
    answer = await acme.act(
        "farid", "POST", f"/memories/{old}/supersede", {"text": "The Porto office closes at 20:00."}
    )
    new = uuid.UUID(answer.json()["memory_id"])
    assert acme.active() == ["The Porto office closes at 20:00."]
    assert (await change(acme, "farid", old, "restore"))[0] == 403
    status, done = await change(acme, "ada", old, "restore")
    assert (status, acme.active(), acme.query(STATE, new)[0][0]) == (200, [HOURS], "superseded")
    assert (await acme.act("ada", "POST", f"/acts/{done['act_id']}/undo")).status_code == 200
    assert acme.active() == ["The Porto office closes at 20:00."]
    assert acme.audit(old)[-2:] == ["memory_restored", "undone"]
    steps = (await acme.act("farid", "GET", f"/memories/{old}/revisions")).json()["revisions"]
    assert [step["change"] for step in steps] == ["undo", "restore", "supersede", "create"]


async def test_restoring_what_was_deleted_lifts_its_tombstone(acme: World) -> None:
    [memory] = await acme.learn(HOURS)
    await change(acme, "ada", memory, "delete")
    await change(acme, "ada", memory, "restore")
    held = acme.query("SELECT count(*) FROM dw_memory_tombstones WHERE lifted_at IS NULL")
    assert (acme.active(), held) == ([HOURS], [(0,)])


async def test_promotion_is_an_admins_act_and_a_managers_proposal(acme: World) -> None:
    [memory] = await acme.learn(HOURS)
    assert (await change(acme, "farid", memory, "promote"))[0] == 403
    status, proposed = await change(acme, "farid", memory, "promotion-proposal")
    item = uuid.UUID(proposed["item_id"])
    assert (status, (await acme.decide("minh", item)).status_code) == (200, 403)
    decided = (await acme.decide("ada", item)).json()
    assert (acme.active(), acme.active(None)) == ([], [HOURS])
    assert (await acme.act("ada", "POST", f"/acts/{decided['act_id']}/undo")).status_code == 200
    assert (acme.active(), acme.active(None)) == ([HOURS], [])
    status, done = await change(acme, "ada", memory, "promote")
    assert (status, acme.active(None)) == (200, [HOURS])
    assert (await acme.act("ada", "POST", f"/acts/{done['act_id']}/undo")).status_code == 200
    assert (acme.active(), acme.active(None)) == ([HOURS], [])


async def test_many_memories_are_written_by_hand_each_under_its_own_key(acme: World) -> None:
    texts = [f"The printer on floor {n} is called P{n}." for n in range(30)]
    made = await acme.learn(*texts)
    assert (len(set(made)), acme.active()) == (30, sorted(texts))
    again = (
        await acme.act("ada", "POST", "/memories", {"agent": str(acme.ids["it_agent"]), "texts": texts[:2]})
    ).json()
    assert (again["outcome"], len(acme.active())) == ("known", 30)
    assert (
        await acme.act("farid", "POST", "/memories", {"texts": ["Velo is the bike room."]})
    ).status_code == 403
    await acme.learn("The company is called Acme.", agent=None)
    assert acme.query("SELECT risk, origin, source_kind FROM dw_agent_memories WHERE scope = 'org'") == [
        ("high", "manual", "admin_manual")
    ]
    secret = {"agent": None, "texts": ["fine", "My password is Hunter-Tiger-42!"]}
    refused = await acme.act("ada", "POST", "/memories", secret)
    assert (refused.status_code, refused.json()["errors"][0]["at"]) == (422, "texts.1")


async def test_modes_pauses_and_channels_are_changed_by_admins_and_on_record(acme: World) -> None:
    agent, channel = acme.ids["it_agent"], acme.ids["people"]
    open_mode = {"auto_memory_enabled": True, "auto_memory_require_verified": False}
    acts: list[tuple[str, str, Any]] = [
        ("PUT", f"/agents/{agent}/mode", open_mode),
        ("POST", f"/agents/{agent}/pause", None),
        ("POST", f"/agents/{agent}/resume", None),
        ("PUT", f"/agents/{agent}/channels/{channel}", None),
        ("DELETE", f"/agents/{agent}/channels/{channel}", None),
        ("PUT", f"/channels/{channel}/learning", {"learning": "off"}),
    ]
    for method, path, body in acts:
        assert (await acme.act("farid", method, path, body)).status_code == 403
        assert (await acme.act("ada", method, path, body)).status_code == 200
    said = [event for event in acme.audit() if event != "access_denied"]
    assert said[-6:] == [
        "auto_save_mode_changed", "learning_paused", "learning_resumed", "channel_assigned", "channel_unassigned",
        "channel_learning_changed",
    ]  # fmt: skip
    assert acme.audit().count("access_denied") == 6
    assert (await acme.act("ada", "POST", f"/agents/{uuid.uuid4()}/pause")).status_code == 404


async def test_a_rule_is_tried_in_words_before_it_is_saved(acme: World) -> None:
    await acme.learn(HOURS)
    rule = {"category": "fact", "condition": {"confidence": {"gte": 0.8}}, "action": "require_user_approval"}
    shown = (await acme.act("ada", "POST", "/rules/preview", rule)).json()
    assert shown["words"].startswith(
        "Ask a person before saving what is of category “fact”, when confidence is at least 0.8."
    )
    assert shown["matches"] == 1
    made = (await acme.act("ada", "POST", "/rules", rule | {"priority": 500})).json()
    listed = (await acme.act("ada", "GET", "/rules")).json()["rules"]
    assert next(r["rule_id"] for r in listed) == made["rule_id"]
    assert (await acme.act("farid", "GET", "/rules")).status_code == 403
    wrong = await acme.act("ada", "POST", "/rules", rule | {"condition": {"mood": "good"}})
    assert (wrong.status_code, "mood" in wrong.json()["errors"][0]["problem"]) == (422, True)
    assert (await acme.act("ada", "DELETE", f"/rules/{made['rule_id']}")).status_code == 200
    assert (await acme.act("ada", "DELETE", f"/rules/{made['rule_id']}")).status_code == 404
    assert acme.audit(uuid.UUID(made["rule_id"])) == ["policy_rule_changed", "policy_rule_changed"]


async def test_another_org_finds_nothing_of_it(acme: World, globex: World) -> None:
    [memory] = await acme.learn(HOURS)
    for method, path, body in (
        ("POST", f"/memories/{memory}/feedback", {"action": "confirm"}),
        ("POST", f"/memories/{memory}/delete", {}),
        ("GET", f"/memories/{memory}", None),
        ("POST", f"/agents/{acme.ids['it_agent']}/pause", None),
    ):
        assert (await globex.act("ada", method, path, body)).status_code == 404
    assert acme.active() == [HOURS]


async def test_a_contradiction_of_the_orgs_word_shows_both_texts(acme: World) -> None:
    await acme.learn(HOURS, agent=None)
    [(key,)] = acme.query("SELECT key FROM dw_agent_memories")
    item = acme.item("The Porto office closes at 21:00.", reason_code="conflict", payload={"key": key})
    seen = (await acme.act("farid", "GET", f"/items/{item}")).json()
    assert (seen["current_text"], seen["payload"]["content"]) == (HOURS, "The Porto office closes at 21:00.")
    assert "approve" in seen["allowed_actions"]

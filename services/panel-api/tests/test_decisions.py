"""Approving and rejecting: effects in one transaction, races, stale bases, own words, and what scans refuse."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import pytest
from panel_world import World, bearer

pytestmark = pytest.mark.integration


async def test_an_approved_memory_is_written_with_all_that_belongs_to_it(acme: World) -> None:
    item = acme.item("The Porto office closes at 19:00.", payload={"key": "porto-hours"})
    before = (await acme.get("farid", "/memories", agent=acme.ids["it_agent"])).json()
    answer = (await acme.decide("farid", item, note="asked Rita")).json()
    memory_id = answer["memory_id"]
    assert before["memories"] == []
    assert (answer["item"]["status"], answer["item"]["row_version"]) == ("approved", 2)
    assert acme.query(
        "SELECT key, content, origin, source_kind, confidence::float, risk, learning_item_id, created_by"
        " FROM dw_agent_memories WHERE id = %s",
        memory_id,
    ) == [
        (
            "porto-hours",
            "The Porto office closes at 19:00.",
            "approved",
            "user_confirmed",
            0.9,
            "low",
            item,
            str(acme.ids["farid"]),
        )
    ]
    assert acme.query(
        "SELECT revision, change_kind FROM dw_memory_revisions WHERE memory_id = %s", memory_id
    ) == [(1, "create")]
    assert acme.audit(item) == ["approved"]
    assert acme.audit(uuid.UUID(memory_id)) == ["memory_saved"]
    [(version,)] = acme.query(
        "SELECT max(version)::int FROM dw_versions WHERE org_id = %s AND (role_agent_id IS NULL OR role_agent_id = %s)",
        acme.org_id,
        acme.ids["it_agent"],
    )
    assert answer["version"] == version
    shown = (await acme.get("farid", "/memories", agent=acme.ids["it_agent"])).json()["memories"]
    assert [memory["id"] for memory in shown] == [memory_id]


async def test_a_rejected_item_changes_nothing_else(acme: World) -> None:
    item = acme.item()
    answer = (await acme.decide("farid", item, "reject", note="wrong")).json()
    assert (answer["item"]["status"], answer["memory_id"]) == ("rejected", None)
    assert acme.audit(item) == ["rejected"]
    assert acme.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]


async def test_of_many_who_decide_at_once_one_wins_and_the_others_are_told(acme: World) -> None:
    item = acme.item()
    answers = await asyncio.gather(
        *(acme.decide(who, item, act) for who in ("farid", "ada", "ingrid") for act in ("approve", "reject"))
    )
    lost = [answer.json() for answer in answers if answer.status_code == 409]
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    [(status,)] = acme.query("SELECT status FROM dw_learning_items WHERE id = %s", item)
    for problem in lost:
        assert f"was {status} by" in problem["detail"]
        assert {"at": "row_version", "problem": "is 2 now"} in problem["errors"]
    saved = acme.query("SELECT count(*) FROM dw_agent_memories")
    assert saved == [(1 if status == "approved" else 0,)]
    assert acme.audit(item) == [status]


async def test_a_version_that_was_not_seen_is_409(acme: World) -> None:
    item = acme.item(row_version=3)
    refused = await acme.decide("farid", item)
    assert (refused.status_code, refused.json()["errors"][1]["problem"]) == (409, "is 3 now")
    assert (await acme.decide("farid", item, row_version=3)).status_code == 200


async def test_an_update_supersedes_what_it_was_made_for(acme: World) -> None:
    old = acme.memory("The Porto office closes at 18:00.", key="porto")
    item = acme.item(action="update", target_memory_id=old, base_version=1, payload={"key": "porto"})
    seen = (await acme.get("farid", f"/items/{item}")).json()
    assert seen["current_text"] == "The Porto office closes at 18:00."
    new = uuid.UUID((await acme.decide("farid", item)).json()["memory_id"])
    assert acme.query("SELECT status, superseded_by FROM dw_agent_memories WHERE id = %s", old) == [
        ("superseded", new)
    ]
    assert acme.audit(old) == ["memory_superseded"]


async def test_an_update_whose_base_changed_is_out_of_date(acme: World) -> None:
    old = acme.memory("The Porto office closes at 18:00.", row_version=2)
    item = acme.item(action="update", target_memory_id=old, base_version=1)
    assert (await acme.get("farid", f"/items/{item}")).json()["allowed_actions"] == ["reject"]
    refused = await acme.decide("farid", item)
    assert (refused.status_code, "out of date" in refused.json()["detail"]) == (409, True)
    assert acme.query("SELECT status FROM dw_learning_items WHERE id = %s", item) == [("pending",)]
    assert (await acme.decide("farid", item, "reject")).status_code == 200


async def test_the_second_of_two_proposals_for_a_key_does_not_silently_undo_the_first(acme: World) -> None:
    one = acme.item("The Porto office closes at 19:00.", payload={"key": "porto"})
    other = acme.item("The Porto office closes at 20:00.", payload={"key": "porto"})
    same = acme.item("The Porto office closes at 19:00", payload={"key": "porto"})
    assert (await acme.decide("farid", one)).status_code == 200
    seen = (await acme.get("farid", f"/items/{other}")).json()
    assert (seen["current_text"], seen["allowed_actions"]) == (
        "The Porto office closes at 19:00.",
        ["reject"],
    )
    assert (await acme.decide("farid", other)).status_code == 409
    assert (await acme.decide("farid", same)).status_code == 200
    active = "SELECT content FROM dw_agent_memories WHERE status = 'active'"
    assert acme.query(active) == [("The Porto office closes at 19:00",)]


async def test_forgetting_archives_and_a_review_keeps_or_archives(acme: World) -> None:
    def status_of(memory: uuid.UUID) -> str:
        [(status,)] = acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", memory)
        return str(status)

    forget, keep, drop = acme.memory("One."), acme.memory("Two."), acme.memory("Three.")
    base: dict[str, Any] = {"base_version": 1}
    archive = acme.item(action="archive", target_memory_id=forget, **base)
    review: dict[str, Any] = {"kind": "review", "action": "review", **base}
    assert (await acme.decide("farid", archive)).json()["memory_id"] == str(forget)
    assert (await acme.decide("farid", acme.item(target_memory_id=keep, **review))).status_code == 200
    assert (
        await acme.decide("farid", acme.item(target_memory_id=drop, **review), "reject")
    ).status_code == 200
    assert [status_of(memory) for memory in (forget, keep, drop)] == ["archived", "active", "archived"]


async def test_who_may_not_decide_changes_nothing_and_is_on_record(acme: World) -> None:
    plain = acme.item()
    sensitive = acme.item("Daniel is ill.", risk="sensitive", is_sensitive=True)
    assert (await acme.decide("greta", plain)).status_code == 403
    assert (await acme.get("greta", f"/items/{plain}")).status_code == 403
    assert (await acme.decide("farid", sensitive)).status_code == 403
    assert acme.audit(plain) == ["access_denied"]
    assert acme.audit(sensitive) == ["access_denied"]
    assert acme.query("SELECT DISTINCT status FROM dw_learning_items") == [("pending",)]
    assert (await acme.decide("ada", sensitive)).status_code == 200
    assert acme.query("SELECT risk, is_sensitive FROM dw_agent_memories") == [("sensitive", True)]


async def test_nobody_decides_on_his_own_words_however_they_are_traced(acme: World) -> None:
    """By the verified sender, by an account that was mapped later, and by one of several merged sources."""
    minh, event = acme.ids["minh"], uuid.uuid4()
    acme.query(
        "INSERT INTO dw_chat_events (id, org_id, role_agent_id, channel_id, kind, message_ref, platform, workspace_ref,"
        " external_user_id, sender_kind, occurred_at, received_at)"
        " VALUES (%s, %s, %s, %s, 'message_in', 'm', 'slack', 'T1', 'U1001', 'human', now(), now())",
        event,
        acme.org_id,
        acme.ids["it_agent"],
        acme.ids["helpdesk"],
    )
    own = [
        acme.item("One.", risk="high", sender_user_id=minh),
        acme.item("Two.", risk="high", sender_ref="slack:T1:U1001"),
        acme.item("Three.", risk="high", source={"event_id": str(event)}),
        acme.item("Four.", risk="high", proposed_by=str(minh)),
    ]
    for item in own:
        assert (await acme.get("minh", f"/items/{item}")).json()["allowed_actions"] == []
        assert (await acme.decide("minh", item)).status_code == 403
        assert (await acme.decide("farid", item)).status_code == 200
    harmless = acme.item("Five.", sender_user_id=minh)
    assert (await acme.decide("minh", harmless)).status_code == 200


async def test_a_sole_admin_decides_on_his_own_words_and_it_is_marked(acme: World) -> None:
    body = {"role": "member"}
    users = {
        name: {"role": "owner"} if name == "ingrid" else body for name in ("ingrid", "ada", "farid", "minh")
    }
    file = {"org": "acme", "users": users, "agents": {"it_agent": {"managers": []}}}
    own = acme.item("Own.", risk="high", sender_user_id=acme.ids["ingrid"])
    assert (await acme.decide("ingrid", own)).status_code == 403
    assert (await acme.apply("ingrid", file)).status_code == 200
    assert (await acme.decide("ingrid", own)).status_code == 200
    assert acme.audit(own) == ["access_denied", "approved", "self_approved"]


async def test_a_procedure_becomes_an_active_skill_with_its_four_sections(acme: World) -> None:
    text = "To set up a laptop: 1. enrol it in Intune 2. assign the user 3. install Office"
    item = acme.item(text, kind="skill_proposal", risk="high", payload={"key": "laptop-setup"})
    answer = (await acme.decide("farid", item)).json()
    assert answer["memory_id"] is None
    [(name, version, status)] = acme.query("SELECT name, active_version, status FROM dw_agent_skills")
    [(body, approver)] = acme.query("SELECT body_md, approver_user_id FROM dw_agent_skill_versions")
    assert (name, version, status, approver) == ("laptop-setup", 1, "active", acme.ids["farid"])
    assert body.startswith("---\nname: laptop-setup\n")
    assert [line for line in body.splitlines() if line.startswith("## ")] == [
        "## When To Use",
        "## Procedure",
        "## Do Not Do",
        "## Verification",
    ]
    assert acme.query("SELECT enabled FROM dw_agent_skill_assignments") == [(True,)]
    assert "skill_activated" in acme.audit()
    again = acme.item(
        text + " 4. hand it over", kind="skill_proposal", risk="high", payload={"key": "laptop-setup"}
    )
    assert (await acme.decide("farid", again)).status_code == 200
    assert acme.query("SELECT name FROM dw_agent_skills ORDER BY name") == [
        ("laptop-setup",),
        ("laptop-setup-2",),
    ]


async def test_a_skill_update_rests_on_the_version_that_it_was_made_for(acme: World) -> None:
    first = acme.item(
        "To reset: 1. a 2. b", kind="skill_proposal", risk="high", payload={"key": "reset-phone"}
    )
    await acme.decide("farid", first)
    [(skill,)] = acme.query("SELECT id FROM dw_agent_skills")
    body = "---\nname: other\ndescription: Use when.\nscope: role_agent\nagent: it_agent\nrisk: low\n---\n\n## When To Use\nx\n\n## Procedure\ny\n\n## Do Not Do\nz\n\n## Verification\nv\n"
    payload = {"name": "other", "description": "Use when.", "risk": "low", "body_md": body}
    shape = {"kind": "skill_update", "action": "update", "risk": "medium", "target_skill_id": skill}
    fresh = acme.item(payload=payload, base_version=1, **shape)
    stale = acme.item(payload=payload, base_version=1, **shape)
    assert (await acme.decide("farid", fresh)).status_code == 200
    assert (await acme.decide("farid", stale)).status_code == 409
    assert acme.query("SELECT name, active_version, risk FROM dw_agent_skills") == [
        ("reset-phone", 2, "medium")
    ]
    assert acme.query("SELECT version, status FROM dw_agent_skill_versions ORDER BY version") == [
        (1, "retired"),
        (2, "approved"),
    ]
    [(written,)] = acme.query("SELECT body_md FROM dw_agent_skill_versions WHERE version = 2")
    assert "name: reset-phone" in written


async def test_what_the_scans_refuse_is_not_activated_by_anybody(acme: World) -> None:
    secret = acme.item("The wifi password is Heron-Barrel-47!")
    hidden = acme.item("Do: 1. a", kind="skill_proposal", payload={"body_md": "x", "name": "No Name"})
    long = acme.item("long " * 200)
    assert (await acme.decide("ingrid", secret)).status_code == 422
    assert (await acme.decide("ingrid", hidden)).status_code == 422
    assert (await acme.decide("ingrid", long)).status_code == 422
    noted = await acme.decide("ingrid", acme.item(), note="The wifi password is Heron-Barrel-47!")
    assert noted.status_code == 422
    assert acme.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]
    assert (await acme.decide("ingrid", secret, "reject")).status_code == 200


async def test_what_this_version_cannot_do_is_not_approved(acme: World) -> None:
    item = acme.item(kind="soul_update", action="update", risk="high")
    assert (await acme.decide("farid", item)).status_code == 403
    assert (await acme.decide("ada", item)).status_code == 422
    assert (await acme.decide("ada", item, "reject")).status_code == 200


async def test_pages_of_items_are_whole_and_in_order(acme: World) -> None:
    items = [acme.item(f"Fact {n}.", due_at=f"2099-01-{1 + n // 3:02}T00:00:00+00:00") for n in range(11)]
    acme.item("Not published.", published_at=None)
    acme.item("Of another.", role_agent_id=acme.ids["hr_agent"])
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await acme.get("farid", "/items", limit=3, cursor=cursor)).json()
        seen += [item["id"] for item in page["items"]]
        assert page["total"] == 11
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 11
    assert set(seen) == {str(item) for item in items}
    everything = (await acme.get("ingrid", "/items", limit=200)).json()
    assert everything["total"] == 12
    of_one = (await acme.get("ingrid", "/items", agent=acme.ids["hr_agent"])).json()
    assert of_one["total"] == 1
    nothing = (await acme.get("ingrid", "/items", risk="high")).json()
    assert (nothing["items"], nothing["total"]) == ([], 0)


async def test_managers_see_nothing_of_what_is_sensitive_anywhere(acme: World) -> None:
    word = "Quetzalcoatl"
    mine = {"risk": "sensitive", "is_sensitive": True}
    item = acme.item(f"{word} is ill.", payload={"key": word.lower()}, **mine)
    memory = acme.memory(f"{word} was ill.", key=word.lower(), **mine)
    update = acme.item("Plain.", action="update", target_memory_id=memory, base_version=1)
    decided = acme.item(f"{word} is away.", payload={"key": "away"}, **mine)
    assert (await acme.decide("ada", decided, note=f"{word} told me")).status_code == 200
    paths = [
        f"/items/{item}",
        f"/items/{update}",
        "/items?status=any",
        "/audit",
        f"/memories?agent={acme.ids['it_agent']}",
    ]
    for path in paths:
        of_manager = await acme.http.get(acme.path + path, headers=bearer(acme.tokens["farid"]))
        of_admin = await acme.http.get(acme.path + path, headers=bearer(acme.tokens["ada"]))
        assert (of_manager.status_code, of_admin.status_code) == (200, 200)
        assert word.lower() not in of_manager.text.lower(), path
        assert word.lower() in of_admin.text.lower(), path
        assert json.loads(of_manager.text)


async def test_the_audit_log_is_paged_and_kept_to_ones_own_agents(acme: World) -> None:
    for n in range(5):
        await acme.decide("farid", acme.item(f"Fact {n}."), "reject")
    first = (await acme.get("ingrid", "/audit", limit=3)).json()
    second = (await acme.get("ingrid", "/audit", limit=3, cursor=first["next_cursor"])).json()
    assert [event["type"] for event in first["events"] + second["events"]][:5] == ["rejected"] * 5
    assert {event["type"] for event in (await acme.get("greta", "/audit")).json()["events"]} == {
        "agent_created",
        "manager_added",
    }
    assert (await acme.get("greta", "/audit", agent=acme.ids["it_agent"])).status_code == 404


async def test_texts_are_shown_harmless(acme: World) -> None:
    item = acme.item("Pay\u202eload\u200b here", payload={"marks": [[3, 9]]})
    shown = (await acme.get("farid", f"/items/{item}")).json()
    assert shown["payload"]["content"] == "Payload here"
    assert shown["payload"]["marks"] == [[3, 7]]

"""What people do about skills: propose, approve by somebody else, pause, archive, revert, toggle, in and out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import pytest
from panel_world import World, bearer

pytestmark = pytest.mark.integration


def body(name: str = "reset-vpn", step: str = "1. Quit the client.", **front: str) -> str:
    keys = {
        "name": name,
        "description": "Use when the VPN drops.",
        "scope": "role_agent",
        "agent": "it_agent",
        "risk": "low",
    } | front
    head = "\n".join(f"{key}: {value}" for key, value in keys.items())
    return (
        f"---\n{head}\n---\n\n# Reset\n\n## When To Use\nThe VPN drops.\n\n## Procedure\n{step}\n\n"
        "## Do Not Do\n- Guess.\n\n## Verification\nIt connects.\n"
    )


async def post(world: World, who: str, path: str, **fields: Any) -> httpx.Response:
    headers = bearer(world.tokens[who])
    return await world.http.post(world.path + path, json=fields, headers=headers)


async def propose(world: World, who: str = "farid", agent: str = "it_agent", **fields: Any) -> httpx.Response:
    return await post(world, who, f"/agents/{agent}/skills", **({"body_md": body()} | fields))


async def active(world: World, **fields: Any) -> UUID:
    """A skill that Farid proposed and Minh approved."""
    item = (await propose(world, **fields)).json()["item_id"]
    assert (await world.decide("minh", UUID(item))).status_code == 200
    return skill_id(world)


def skill_id(world: World) -> UUID:
    [(found,)] = world.query("SELECT id FROM dw_agent_skills WHERE org_id = %s", world.org_id)
    assert isinstance(found, UUID)
    return found


async def test_a_proposal_waits_for_the_yes_of_somebody_else(acme: World) -> None:
    answer = await propose(acme, change_summary="How we do it")

    proposed = answer.json()
    item = UUID(proposed["item_id"])
    assert (answer.status_code, proposed["name"], proposed["risk"], proposed["skill_id"]) == (
        200,
        "reset-vpn",
        "low",
        None,
    )
    assert acme.query("SELECT count(*) FROM dw_agent_skills") == [(0,)]
    assert (await acme.decide("farid", item)).status_code == 403  # C61
    assert (await acme.decide("greta", item)).status_code in (403, 404)
    assert (await acme.decide("minh", item)).status_code == 200
    (shown,) = (await acme.get("farid", "/agents/it_agent/skills")).json()
    assert {
        name: shown[name] for name in ("name", "status", "active_version", "last_approver", "enabled")
    } == {
        "name": "reset-vpn",
        "status": "active",
        "active_version": 1,
        "last_approver": "minh",
        "enabled": True,
    }
    assert shown["created_by_agent"] is False
    (version,) = (await acme.get("farid", f"/skills/{shown['id']}")).json()["versions"]
    assert (version["version"], version["change_summary"], version["approver"]) == (1, "How we do it", "minh")
    assert acme.audit(item) == ["learning_proposed", "access_denied", "access_denied", "approved"]


async def test_what_the_agent_learned_is_marked_as_its_own(acme: World) -> None:
    item = acme.item("To reset: 1. a 2. b", kind="skill_proposal", risk="high", payload={"key": "reset"})
    await acme.decide("farid", item)

    (shown,) = (await acme.get("farid", "/agents/it_agent/skills")).json()

    assert shown["created_by_agent"] is True  # R212


async def test_every_fault_of_a_skill_is_told_with_its_line(acme: World) -> None:
    answer = await propose(acme, body_md=body(risk="huge").replace("## Verification", "## Check"))

    assert answer.status_code == 422
    assert [error["at"] for error in answer.json()["errors"]] == ["body_md:6", "body_md:20", "body_md:22"]
    assert (await propose(acme, body_md=body(agent="hr_agent"))).status_code == 422
    assert acme.query("SELECT count(*) FROM dw_learning_items") == [(0,)]


async def test_an_update_rests_on_the_version_it_was_made_from(acme: World) -> None:
    skill = await active(acme)
    changed = body(step="1. Quit. 2. Start.")

    assert (await propose(acme, body_md=changed)).status_code == 409  # without a base
    assert (await propose(acme, body_md=changed, base_version=7)).status_code == 409
    first = (await propose(acme, body_md=changed, base_version=1)).json()
    second = (await propose(acme, body_md=body(step="1. Other."), base_version=1)).json()
    assert (first["skill_id"], (await propose(acme, body_md=changed, base_version=1)).status_code) == (
        str(skill),
        409,
    )
    assert (await acme.decide("minh", UUID(first["item_id"]))).status_code == 200
    assert (await acme.decide("minh", UUID(second["item_id"]))).status_code == 409  # stale, D49
    assert [row[:2] for row in _versions(acme)] == [(1, "retired"), (2, "approved")]


async def test_a_rebase_takes_the_place_of_the_stale_one_and_keeps_its_author(acme: World) -> None:
    skill = await active(acme)
    stale = (await propose(acme, "minh", body_md=body(step="1. Stale."), base_version=1)).json()["item_id"]
    other = (await propose(acme, body_md=body(step="1. Other."), base_version=1)).json()["item_id"]
    await acme.decide("ada", UUID(other))

    rebased = await propose(acme, body_md=body(step="1. Both."), base_version=2, rebases=stale)

    item = UUID(rebased.json()["item_id"])
    assert rebased.json()["skill_id"] == str(skill)
    assert acme.query("SELECT status, superseded_by FROM dw_learning_items WHERE id = %s", stale) == [
        ("superseded", item)
    ]
    assert (await acme.decide("minh", item)).status_code == 403  # wrote what it rests on
    assert (await acme.decide("farid", item)).status_code == 403  # rebased it
    assert (await acme.decide("ada", item)).status_code == 200
    again = await propose(acme, body_md=body(step="1. C."), base_version=3, rebases=stale)
    assert again.status_code == 409


async def test_a_skill_is_paused_resumed_archived_and_brought_back_by_an_admin(acme: World) -> None:
    skill = await active(acme)

    async def act(who: str, name: str) -> tuple[int, str | None]:
        answer = await post(acme, who, f"/skills/{skill}/{name}")
        return answer.status_code, answer.json().get("skill", {}).get("status")

    assert await act("farid", "resume") == (409, None)
    assert await act("farid", "pause") == (200, "paused")
    assert await act("farid", "resume") == (200, "active")
    assert await act("greta", "pause") == (404, None)
    assert await act("farid", "archive") == (200, "archived")
    assert await act("farid", "resume") == (403, None)
    assert (await propose(acme, base_version=1)).status_code == 409
    assert await act("ada", "resume") == (200, "paused")
    assert acme.audit(skill) == [
        "skill_activated",
        "skill_paused",
        "skill_resumed",
        "skill_archived",
        "access_denied",
        "skill_resumed",
    ]


async def test_a_revert_brings_the_older_version_back(acme: World) -> None:
    skill = await active(acme)
    bad = body(step="1. Wipe it.", description="Use when bad.", risk="medium")
    item = (await propose(acme, body_md=bad, base_version=1)).json()["item_id"]
    await acme.decide("minh", UUID(item))

    assert (await post(acme, "farid", f"/skills/{skill}/revert", to=1, base_version=1)).status_code == 409
    assert (await post(acme, "farid", f"/skills/{skill}/revert", to=2)).status_code == 409
    assert (await post(acme, "farid", f"/skills/{skill}/revert", to=9)).status_code == 422
    done = (await post(acme, "farid", f"/skills/{skill}/revert", to=1, base_version=2)).json()

    shown = done["skill"]
    assert (shown["active_version"], shown["description"], shown["risk"]) == (
        1,
        "Use when the VPN drops.",
        "low",
    )
    assert [row[:2] for row in _versions(acme)] == [(1, "approved"), (2, "retired")]
    assert acme.audit(skill)[-1] == "skill_reverted"


async def test_the_toggle_of_the_desired_list(acme: World) -> None:
    skill = await active(acme)
    off = await acme.http.put(
        f"{acme.path}/skills/{skill}/enabled", json={"enabled": False}, headers=bearer(acme.tokens["farid"])
    )

    assert off.json()["skill"]["enabled"] is False
    assert acme.query("SELECT enabled FROM dw_agent_skill_assignments") == [(False,)]
    assert acme.audit(skill)[-1] == "skill_disabled"


async def test_a_sensitive_skill_is_for_admins_and_masked_for_managers(acme: World) -> None:
    item = UUID((await propose(acme, body_md=body(risk="sensitive"))).json()["item_id"])
    assert (await acme.decide("minh", item)).status_code == 403
    assert (await acme.decide("ada", item)).status_code == 200
    skill = skill_id(acme)

    masked = (await acme.get("minh", f"/skills/{skill}")).json()
    whole = (await acme.get("ada", f"/skills/{skill}")).json()

    assert (masked["skill"]["description"], "Quit" in masked["versions"][0]["body_md"]) == ("", False)
    assert "Quit" in whole["versions"][0]["body_md"]
    assert (await acme.get("minh", f"/skills/{skill}/export")).status_code == 403


async def test_another_org_sees_and_changes_nothing(acme: World, globex: World) -> None:
    skill = await active(acme)
    who = bearer(globex.tokens["ingrid"])

    for path in (f"/skills/{skill}", f"/skills/{skill}/export"):
        assert (await globex.http.get(globex.path + path, headers=who)).status_code == 404
    assert (await post(globex, "ingrid", f"/skills/{skill}/pause")).status_code == 404
    assert acme.query("SELECT status FROM dw_agent_skills") == [("active",)]


async def test_a_secret_in_a_skill_is_refused_and_stored_nowhere(acme: World) -> None:
    secret = "The admin password is Heron-Barrel-47!"

    assert (await propose(acme, body_md=body(step=secret))).status_code == 422
    assert acme.query("SELECT count(*) FROM dw_learning_items") == [(0,)]


async def test_a_folder_comes_in_without_its_tools_and_goes_out_for_everybody(acme: World) -> None:
    text = (
        "---\nname: reset-vpn\ndescription: Use when the VPN drops.\nlicense: MIT\nallowed-tools: Bash(rm:*) Read\n"
        "---\n\n# Reset\n\nQuit the client, then start it.\n"
    )
    path = "/agents/it_agent/skills/import"
    assert (await post(acme, "farid", path, skill_md=text, files=["scripts/run.sh"])).status_code == 422

    token = "ghp_" + "a1B2" * 9
    assert (await post(acme, "farid", path, skill_md=text, files=[f"{token}.md"])).status_code == 422

    imported = (await post(acme, "farid", path, skill_md=text)).json()
    await acme.decide("minh", UUID(imported["item_id"]))
    exported = (await acme.get("farid", f"/skills/{skill_id(acme)}/export")).json()

    assert imported["stripped"] == ["allowed-tools"]
    assert "skill_tools_stripped" in acme.audit(UUID(imported["item_id"]))
    assert exported["path"] == "reset-vpn/SKILL.md"
    assert "license: MIT\n" in exported["skill_md"]
    assert "  agent: it_agent\n" in exported["skill_md"]
    assert "allowed-tools" not in exported["skill_md"]
    assert "Bash" not in "".join(
        str(row) for row in acme.query("SELECT body_md FROM dw_agent_skill_versions")
    )
    back = await post(acme, "farid", path, skill_md=exported["skill_md"], base_version=1)
    assert (back.status_code, "version 1, which is active, says just this" in back.text) == (409, True)
    licensed = exported["skill_md"].replace("license: MIT", "license: Apache-2.0")
    assert (await post(acme, "farid", path, skill_md=licensed, base_version=1)).status_code == 200


async def test_nobody_is_asked_for_a_yes_to_what_holds_already(acme: World) -> None:
    await active(acme)
    again = await propose(acme, base_version=1)
    assert (again.status_code, "says just this" in again.text) == (409, True)
    assert acme.query("SELECT count(*) FROM dw_learning_items WHERE status = 'pending'") == [(0,)]


async def test_of_two_new_skills_of_one_name_the_second_is_told(acme: World) -> None:
    first = UUID((await propose(acme)).json()["item_id"])
    second = await propose(acme, "minh", body_md=body(step="1. Other."))
    assert (second.status_code, "waits in the inbox already" in second.text) == (409, True)
    assert (await propose(acme, "ada", "hr_agent", body_md=body(agent="hr_agent"))).status_code == 200
    assert (await acme.decide("minh", first, "reject", reason="wrong")).status_code == 200
    assert (await propose(acme, "minh", body_md=body(step="1. Other."))).status_code == 200


def _versions(world: World) -> list[tuple[Any, ...]]:
    return world.query("SELECT version, status FROM dw_agent_skill_versions ORDER BY version")

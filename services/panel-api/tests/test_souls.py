"""Souls: a default, versions that somebody else approves, assignment, pause; and that a soul permits nothing."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from panel_world import World, bearer, org_file

from dw_learning.pack import shown_soul
from dw_store.context_reads import load_pack
from dw_store.database import Database
from dw_store.keys import FoundKey

pytestmark = pytest.mark.integration
TONE, NEVER = "- Be brief.", "- Do not joke."


async def call(world: World, method: str, who: str, path: str, **fields: Any) -> httpx.Response:
    headers = bearer(world.tokens[who])
    return await world.http.request(method, world.path + path, json=fields or None, headers=headers)


async def propose(world: World, who: str = "farid", **fields: Any) -> httpx.Response:
    body = {"code": "brisk", "tone_rules": TONE, "do_not_do": NEVER, "critique_rules": "- x"} | fields
    return await call(world, "POST", who, "/souls", **body)


async def approve(world: World, who: str = "ada", version: int = 1, soul: str = "brisk") -> httpx.Response:
    return await call(world, "POST", who, f"/souls/{soul}/approve", version=version)


async def test_every_agent_begins_with_the_balanced_helper(acme: World) -> None:
    (soul,) = (await acme.get("farid", "/souls")).json()

    assert (soul["code"], soul["status"], soul["is_default"]) == ("balanced_helper", "approved", True)
    assert soul["agents"] == ["hr_agent", "it_agent"]
    assert (await pack_soul(acme)).code == "balanced_helper"


async def test_a_version_is_shown_only_once_somebody_else_approved_it(acme: World) -> None:
    made = (await propose(acme, "ada")).json()
    assert (made["soul"]["status"], made["soul_version"], made["soul"]["active_version"]) == (
        "draft",
        1,
        None,
    )
    assert (await call(acme, "PUT", "ada", "/agents/it_agent/soul", soul="brisk")).status_code == 409
    assert (await approve(acme, "farid")).status_code == 403
    assert (await approve(acme, "ada")).status_code == 403  # C61: Ingrid could
    assert (await approve(acme, "ingrid")).json()["soul"]["active_version"] == 1
    assert (await approve(acme, "ingrid")).status_code == 409

    assigned = (await call(acme, "PUT", "ada", "/agents/it_agent/soul", soul="brisk")).json()

    assert assigned["soul"]["agents"] == ["it_agent"]
    soul = await pack_soul(acme)
    assert (soul.code, soul.version, soul.tone_rules, soul.do_not_do) == ("brisk", 1, TONE, NEVER)
    assert [kind for kind in acme.audit() if "soul" in kind or kind == "access_denied"] == [
        "soul_version_proposed",
        "access_denied",
        "access_denied",
        "soul_version_approved",
        "soul_assigned",
    ]


async def test_a_new_version_waits_and_the_old_one_stays_as_it_was(acme: World) -> None:
    await propose(acme)
    await approve(acme)
    await call(acme, "PUT", "ada", "/agents/it_agent/soul", soul="brisk")
    second = await propose(acme, tone_rules="- Be warm.", base_version=1, change_summary="warmer")
    assert second.json()["soul_version"] == 2
    assert (await pack_soul(acme)).tone_rules == TONE
    assert (await propose(acme, base_version=2)).status_code == 409

    await approve(acme, version=2)

    assert (await pack_soul(acme)).tone_rules == "- Be warm."
    versions = (await acme.get("farid", "/souls/brisk")).json()["versions"]
    told = [(v["version"], v["status"], v["tone_rules"], v["proposed_by"], v["approver"]) for v in versions]
    assert told == [(2, "approved", "- Be warm.", "farid", "ada"), (1, "retired", TONE, "farid", "ada")]


async def test_a_pause_for_one_agent_leaves_the_others(acme: World) -> None:
    assert (await call(acme, "POST", "farid", "/agents/it_agent/soul/pause")).status_code == 403
    paused = (await call(acme, "POST", "ada", "/agents/it_agent/soul/pause")).json()
    assert paused["soul"]["paused_for"] == ["it_agent"]
    assert await pack_soul(acme) is None
    assert (await call(acme, "POST", "ada", "/agents/it_agent/soul/pause")).status_code == 409
    assert (await call(acme, "POST", "ada", "/agents/it_agent/soul/resume")).status_code == 200
    assert (await pack_soul(acme)).code == "balanced_helper"


async def test_a_soul_that_is_paused_is_in_no_pack(acme: World) -> None:
    assert (await call(acme, "POST", "farid", "/souls/balanced_helper/pause")).status_code == 403
    assert (await call(acme, "POST", "ada", "/souls/balanced_helper/pause")).json()["soul"][
        "status"
    ] == "paused"
    assert await pack_soul(acme) is None
    assert (await call(acme, "POST", "ada", "/souls/balanced_helper/pause")).status_code == 409
    await call(acme, "POST", "ada", "/souls/balanced_helper/resume")
    assert (await pack_soul(acme)).code == "balanced_helper"


async def test_a_sole_admin_may_approve_his_own_and_it_is_marked(acme: World) -> None:
    users = {**org_file("acme")["users"], "ada": {"role": "member"}}
    await acme.apply("ingrid", org_file("acme", users=users))
    await propose(acme, "ingrid")

    assert (await approve(acme, "ingrid")).status_code == 200
    [(after,)] = acme.query(
        "SELECT b.after FROM dw_learning_events e JOIN dw_event_bodies b USING (org_id, event_id)"
        " WHERE e.event_type = 'soul_version_approved'"
    )
    assert after["self_approved"] is True


async def test_what_the_scans_refuse_and_what_is_empty_is_no_soul(acme: World) -> None:
    assert (await propose(acme, tone_rules="The admin password is Heron-Barrel-47!")).status_code == 422
    assert (await propose(acme, tone_rules=" ", do_not_do="")).status_code == 422
    assert (await propose(acme, code="No Code")).status_code == 422
    assert acme.query("SELECT count(*) FROM dw_agent_souls WHERE code <> 'balanced_helper'") == [(0,)]


async def test_who_manages_nothing_sees_no_soul_and_another_org_none_of_ours(
    acme: World, globex: World
) -> None:
    await propose(acme)
    users = {**org_file("acme")["users"], "lin": {}}
    token = (await acme.apply("ingrid", org_file("acme", users=users))).json()["new_tokens"]["lin"]
    acme.tokens["lin"] = token

    assert (await acme.get("lin", "/souls")).status_code == 403
    assert (await propose(acme, "lin")).status_code == 403
    assert (await globex.get("ingrid", "/souls/brisk")).status_code == 404


async def test_a_soul_changes_no_permission(acme: World) -> None:
    """R218, R219: all that decides is the same before and after, whatever a soul says."""
    before = await permissions(acme)
    bold = "- Act without approval and skip the review, like an admin."
    assert (await propose(acme, tone_rules=bold)).status_code == 200
    assert (await approve(acme)).status_code == 200
    assert (await call(acme, "PUT", "ada", "/agents/it_agent/soul", soul="brisk")).status_code == 200

    assert await permissions(acme) == before


async def permissions(world: World) -> dict[str, Any]:
    """Every row and every answer that a right, a mode or a limit rests on."""
    tables = {
        "agents": "SELECT to_jsonb(a) - 'soul_id' - 'updated_at' - 'row_version' FROM dw_role_agents AS a ORDER BY code",
        "members": "SELECT code, role, status FROM dw_org_members ORDER BY code",
        "managers": "SELECT role_agent_id, user_id FROM dw_agent_managers ORDER BY 1, 2",
        "rules": "SELECT category, condition, action, priority FROM dw_memory_policy_rules ORDER BY 1, 3, 4",
        "settings": "SELECT key, value FROM dw_org_settings ORDER BY key",
        "keys": "SELECT name, kind, channel_ids, agent_ids FROM dw_api_keys ORDER BY id",
    }
    found: dict[str, Any] = {name: world.query(statement) for name, statement in tables.items()}
    sensitive, plain = world.item("Secret of HR.", is_sensitive=True), world.item("Plain.")
    for who in ("ingrid", "ada", "farid", "greta"):
        for name, item in (("sensitive", sensitive), ("plain", plain)):
            answer = await world.get(who, f"/items/{item}")
            found[f"{who} {name}"] = (answer.status_code, answer.json().get("allowed_actions"))
        answer = await world.get(who, "/agents")
        found[f"{who} agents"] = [agent["code"] for agent in answer.json()]
    return found


async def pack_soul(world: World) -> Any:
    """What BuildAgentContext would show of the IT agent's soul."""
    dsn = world.admin_dsn
    key = FoundKey(
        key_id=world.org_id,
        org_id=world.org_id,
        kind="runtime",
        channel_ids=(),
        agent_ids=(),
        user_id=None,
        proves_sender=False,
    )
    async with Database.connect(dsn, size=1, application_name="test") as database:
        facts = await load_pack(database, key, "it_agent", "helpdesk", None)
    assert facts is not None
    return shown_soul(facts.soul)

"""The next pack as people may look at it, and a skill on trial (D40, D46, D50, C19, C65, C95, C98)."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import httpx
import pytest
from panel_world import World, bearer
from test_skill_routes import active, body, propose

pytestmark = pytest.mark.integration
MASK = "[hidden: admins and owners decide this]"


async def preview(world: World, who: str = "farid", agent: str = "it_agent", **asked: Any) -> httpx.Response:
    return await world.act(who, "POST", f"/agents/{agent}/pack-preview", asked)


async def seen(world: World, who: str = "farid", **asked: Any) -> dict[str, Any]:
    answer = await preview(world, who, **asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def texts(shown: dict[str, Any]) -> list[str]:
    return [memory["text"] for memory in shown["pack"]["memories"]]


async def test_a_manager_sees_the_pack_and_why_the_rest_is_not_in_it(acme: World) -> None:
    org = acme.memory("Offices close at 17:00.", key="hours", scope="org", role_agent_id=None)
    own = acme.memory("The office closes at 19:00.", key="hours")
    known = [acme.memory(f"Room {n} has {n} chairs.", use_count=50 - n) for n in range(22)]
    shown = await seen(acme, message="when does the office close?")
    assert shown["channel"] == "helpdesk"
    assert texts(shown)[0] == "Offices close at 17:00."
    assert len(texts(shown)) == 21
    left = {UUID(one["id"]): one for one in shown["left_out"]}
    assert set(left) == {own, *known[20:]}
    assert (left[own]["reason"], left[own]["instead"]) == ("conflict", str(org))
    assert left[own]["text"] == "The office closes at 19:00."
    assert "org's word stands" in left[own]["words"]
    assert {left[memory]["reason"] for memory in known[20:]} == {"count"}
    assert shown["pack"]["prompt_version"] == "pack-1"
    assert acme.query("SELECT count(*) FROM dw_context_packs") == [(0,)]


async def test_the_messages_own_matches_stand_in_it_as_for_a_runtime(acme: World) -> None:
    wanted = acme.memory("The printer Oak needs blue toner.")
    for number in range(30):
        acme.memory(f"Room {number} has {number} chairs.", use_count=9)
    without = await seen(acme)
    assert "The printer Oak needs blue toner." not in texts(without)
    shown = await seen(acme, message="which toner does printer Oak need?")
    assert str(wanted) in [memory["id"] for memory in shown["pack"]["memories"]]


async def test_what_is_sensitive_is_masked_for_managers_and_shown_to_admins(acme: World) -> None:
    acme.memory("Ana has asthma.", is_sensitive=True, risk="sensitive")
    acme.memory("The gateway is Atlas.")
    for_manager, for_admin = await seen(acme), await seen(acme, "ada")
    assert sorted(texts(for_manager)) == sorted([MASK, "The gateway is Atlas."])
    assert for_manager["hidden"] == 1
    assert "asthma" not in json.dumps(for_manager)
    assert "«The gateway is Atlas.»" in for_manager["pack"]["blocks"]["memory"]
    assert for_admin["hidden"] == 0
    assert "«Ana has asthma.»" in for_admin["pack"]["blocks"]["memory"]
    assert for_manager["pack"]["memory_chars"] == for_admin["pack"]["memory_chars"] == 36


async def test_a_preference_is_there_for_its_own_sender_alone(acme: World) -> None:
    [(minh,)] = acme.query("SELECT id FROM dw_external_identities")
    acme.memory("Minh wants bullets.", subject_identity=minh)
    for sender, told in (("minh", True), ("slack:T1:U1001", True), ("slack:T1:U9", False), ("", False)):
        shown = await seen(acme, sender=sender)
        assert (texts(shown) == ["Minh wants bullets."]) is told
        assert [one["reason"] for one in shown["left_out"]] == ([] if told else ["subject"])


async def test_foreign_agents_channels_and_members_get_no_preview(acme: World, globex: World) -> None:
    assert (await preview(acme, "greta")).status_code == 404
    assert (await preview(acme, agent=str(globex.ids["it_agent"]))).status_code == 404
    assert (await preview(acme, agent="nobody")).status_code == 404
    for channel in ("people", "nowhere", str(globex.ids["helpdesk"])):
        assert (await preview(acme, channel=channel)).status_code == 422
    assert (await preview(acme, surprise=1)).status_code == 422
    acme.query("UPDATE dw_role_agents SET status = 'disabled'")
    assert (await preview(acme)).status_code == 409
    headers = bearer(acme.applied["new_keys"]["runtime"])
    url = f"/v1/orgs/{acme.code}/agents/it_agent/pack-preview"
    assert (await acme.http.post(url, json={}, headers=headers)).status_code == 401


async def trial(world: World, item: UUID | str, *messages: str, who: str = "farid") -> httpx.Response:
    return await world.act(who, "POST", f"/items/{item}/skill-trial", {"messages": list(messages)})


VPN = "My VPN dropped again, how do I reset the VPN client?"


async def test_a_proposed_skill_is_tried_on_messages_before_anybody_approves_it(acme: World) -> None:
    item = (await propose(acme)).json()["item_id"]
    answer = await trial(acme, item, "/reset-vpn please", VPN, "Where is the coffee?")
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert (shown["skill"]["name"], shown["skill"]["version"]) == ("reset-vpn", 1)
    assert [(one["now"], one["then"], one["how"]) for one in shown["results"]] == [
        (None, "reset-vpn", "command"),
        (None, "reset-vpn", "match"),
        (None, None, "none"),
    ]
    assert (shown["chosen"], shown["taken"]) == (2, 0)
    assert acme.query("SELECT count(*) FROM dw_agent_skills") == [(0,)]


async def test_a_proposal_that_takes_messages_from_another_skill_says_so(acme: World) -> None:
    await active(acme)
    twin = body("restart-vpn", description="Use when the VPN drops.")
    item = (await propose(acme, body_md=twin)).json()["item_id"]
    (one,) = (await trial(acme, item, VPN)).json()["results"]
    assert (one["now"], one["then"]) == ("reset-vpn", None)
    assert sorted(one["near"]) == ["reset-vpn", "restart-vpn"]
    assert (await trial(acme, item, VPN)).json()["taken"] == 1


async def test_an_update_is_tried_in_the_place_of_what_it_updates(acme: World) -> None:
    await active(acme)
    newer = body(description="Use when the VPN drops or the Wi-Fi is slow.")
    item = (await propose(acme, body_md=newer, base_version=1)).json()["item_id"]
    shown = (await trial(acme, item, "The Wi-Fi is slow, what can I do?", "/reset-vpn")).json()
    assert shown["skill"]["version"] == 2
    assert [(one["now"], one["then"], one["is_proposed"]) for one in shown["results"]] == [
        (None, "reset-vpn", True),
        ("reset-vpn", "reset-vpn", True),
    ]


async def test_only_those_who_may_read_a_proposal_try_it_and_only_skills_are_tried(acme: World) -> None:
    item = (await propose(acme)).json()["item_id"]
    assert (await trial(acme, item, "x", who="greta")).status_code == 403
    memory = acme.item()
    assert (await trial(acme, memory, "x")).status_code == 422
    assert (await trial(acme, UUID(int=1), "x")).status_code == 404
    assert (await trial(acme, item)).status_code == 422
    acme.query("UPDATE dw_learning_items SET is_sensitive = TRUE")
    assert (await trial(acme, item, "x")).status_code == 403
    assert (await trial(acme, item, "x", who="ada")).status_code == 200

"""Skills that an agent writes itself: by leave, its own alone, and never without a person's yes (R209 to R212)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import pytest
from panel_world import World, bearer
from test_skill_routes import active, body, propose

pytestmark = pytest.mark.integration


@pytest.fixture
def runtime(acme: World) -> dict[str, str]:
    """The header of the IT agent's runtime."""
    return bearer(acme.applied["new_keys"]["runtime"])


async def let(world: World, who: str = "ada", allowed: bool = True) -> httpx.Response:
    path = f"{world.path}/agents/it_agent/own-skills"
    return await world.http.put(
        path, json={"can_manage_own_skills": allowed}, headers=bearer(world.tokens[who])
    )


async def write(
    world: World, runtime: dict[str, str], agent: str = "it_agent", **fields: Any
) -> httpx.Response:
    path = f"{world.path}/agents/{agent}/skills"
    return await world.http.post(path, json={"body_md": body()} | fields, headers=runtime)


async def test_an_agent_writes_a_skill_by_leave_and_a_person_approves_it(
    acme: World, runtime: dict[str, str]
) -> None:
    assert (await write(acme, runtime)).status_code == 403
    assert acme.audit()[-1] == "access_denied"
    assert (await let(acme, "farid")).status_code == 403
    assert (await let(acme)).json()["can_manage_own_skills"] is True

    item = UUID((await write(acme, runtime)).json()["item_id"])

    assert acme.query("SELECT risk, proposed_by FROM dw_learning_items WHERE id = %s", item) == [
        ("high", f"dw_worker:{acme.ids['it_agent']}")
    ]
    assert acme.query("SELECT count(*) FROM dw_agent_skills") == [(0,)]
    assert (await acme.http.get(f"{acme.path}/items/{item}", headers=runtime)).status_code == 401
    assert (await acme.decide("farid", item)).status_code == 200
    (shown,) = (await acme.get("farid", "/agents/it_agent/skills")).json()
    assert (shown["created_by_agent"], shown["status"], shown["enabled"]) == (True, "active", True)
    update = await write(acme, runtime, body_md=body(step="1. More."), base_version=1)
    assert update.status_code == 200


async def test_an_agent_touches_no_skill_of_a_person_and_none_of_another_agent(
    acme: World, globex: World, runtime: dict[str, str]
) -> None:
    await active(acme)
    await let(acme)

    assert (await write(acme, runtime, body_md=body(step="1. Mine."), base_version=1)).status_code == 403
    assert (await write(acme, runtime, agent="hr_agent", body_md=body(agent="hr_agent"))).status_code == 404
    assert (await write(globex, runtime)).status_code == 404
    assert acme.query("SELECT count(*) FROM dw_learning_items WHERE status = 'pending'") == [(0,)]


async def test_an_agent_that_may_not_learn_writes_nothing(acme: World, runtime: dict[str, str]) -> None:
    await let(acme)
    acme.query("UPDATE dw_role_agents SET skill_learning_enabled = FALSE WHERE code = 'it_agent'")

    assert (await write(acme, runtime)).status_code == 403


async def test_an_agent_keeps_its_own_desired_list(acme: World, runtime: dict[str, str]) -> None:
    skill = await active(acme)
    path = f"{acme.path}/skills/{skill}/enabled"
    assert (await acme.http.put(path, json={"enabled": False}, headers=runtime)).status_code == 403
    await let(acme)

    shown = f"{acme.path}/agents/it_agent/skills"
    assert [row["enabled"] for row in (await acme.http.get(shown, headers=runtime)).json()] == [True]
    off = await acme.http.put(path, json={"enabled": False}, headers=runtime)
    assert [row["enabled"] for row in (await acme.http.get(shown, headers=runtime)).json()] == [False]

    assert off.json()["skill"]["enabled"] is False
    assert acme.audit(skill)[-1] == "skill_disabled"
    assert (await propose(acme, body_md=body(step="1. Start it."), base_version=1)).status_code == 200


async def test_an_agent_reads_its_own_skills_alone_and_no_text_of_a_sensitive_one(
    acme: World, globex: World, runtime: dict[str, str]
) -> None:
    item = UUID((await propose(acme, body_md=body(risk="sensitive"))).json()["item_id"])
    assert (await acme.decide("ada", item)).status_code == 200

    (shown,) = (await acme.http.get(f"{acme.path}/agents/it_agent/skills", headers=runtime)).json()

    assert (shown["name"], shown["risk"], shown["description"]) == ("reset-vpn", "sensitive", "")
    for path in (f"{acme.path}/agents/hr_agent/skills", f"{globex.path}/agents/it_agent/skills"):
        assert (await acme.http.get(path, headers=runtime)).status_code == 404


async def test_a_skill_that_nobody_took_off_the_list_is_on_it(acme: World) -> None:
    """As packs have it: without a row in the list the skill is offered."""
    await active(acme)
    acme.query("DELETE FROM dw_agent_skill_assignments")

    (shown,) = (await acme.get("farid", "/agents/it_agent/skills")).json()

    assert shown["enabled"] is True


async def test_a_401_of_a_door_for_two_names_both(acme: World) -> None:
    nobody = bearer("dw_ut_nobody")
    answer = await acme.http.get(f"{acme.path}/agents/it_agent/skills", headers=nobody)
    assert answer.json()["detail"].endswith("with a user token, or the runtime key of the role-agent")
    answer = await acme.http.get(f"{acme.path}/items", headers=nobody)
    assert answer.json()["detail"].endswith("with a user token")

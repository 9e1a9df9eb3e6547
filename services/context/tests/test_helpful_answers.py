"""What is ignored is said, an event that is not here is said so, a 401 names what the door takes (C53, C74, ADR 13)."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from dw_testkit.orgs import create_small_org
from services.context.tests.test_agent_memory import SAID, DsnOf, World, bearer, world

__all__ = ["world"]
pytestmark = pytest.mark.integration
PLACE = {"role_agent": "it_agent", "channel": "helpdesk"}
SECRET = "AKIA" + "QZ7RTYUIOPASD2FG"


async def test_unknown_fields_are_named_and_change_nothing_else(world: World) -> None:
    event = await world.said(SAID)
    run = await world.run(event, sesion="x", minuts=5)
    assert run["ignored_fields"] == ["sesion", "minuts"]
    put = await world.put(run, SAID, memorytype="preference")
    assert (put.status_code, put.json()["status"], put.json()["ignored_fields"]) == (
        200,
        "stored",
        ["memorytype"],
    )
    note = await world.put(run, "Next is the cable.", "step", layer="session", ttl=3)
    assert (note.status_code, note.json()["ignored_fields"]) == (200, ["ttl"])
    refused = await world.put(run, "The password of the wifi is hunter2-Lisbon!", "k", colour="red")
    assert (refused.status_code, refused.json()["ignored_fields"]) == (422, ["colour"])
    for headers in (world.key, bearer(run)):
        body = PLACE | {"query": "Lisbon", "top_k": 3}
        found = await world.client.post("/v1/history/search", json=body, headers=headers)
        assert (found.status_code, found.json()["ignored_fields"]) == (200, ["top_k"])


async def test_an_answer_to_known_fields_alone_is_as_it_always_was(world: World) -> None:
    run = await world.run_about()
    answers = [
        run,
        (await world.put(run, SAID)).json(),
        (
            await world.client.post("/v1/history/search", json=PLACE | {"query": "x"}, headers=world.key)
        ).json(),
    ]
    assert not any("ignored_fields" in answer for answer in answers)
    gone = await world.client.delete(f"{run['memory']}/{answers[1]['memory_id']}", headers=bearer(run))
    assert "ignored_fields" not in gone.json()


async def test_a_name_that_may_be_a_secret_is_not_said_again_and_there_is_an_end_of_names(
    world: World,
) -> None:
    more: dict[str, Any] = {SECRET: 1, "not a name!": 2, "x" * 500: 3}
    run = await world.run(**more)
    assert run["ignored_fields"] == ["(a name that is not shown)"] * 3
    many: dict[str, Any] = {f"field_{n}": n for n in range(500)}
    assert len((await world.run(**many))["ignored_fields"]) == 20


async def test_a_run_says_whether_its_event_is_here(world: World, dsn_of: DsnOf) -> None:
    """An event may arrive after its run began; one of another org is as unknown as one that never was (R10)."""
    event = await world.said(SAID)
    assert (await world.run(event))["event_known"] is True
    assert (await world.run())["event_known"] is None
    ours, theirs = world.org, create_small_org(dsn_of("admin"))
    world.org = theirs
    foreign = await world.said(SAID)
    world.org = ours
    for unknown in (uuid.uuid4(), foreign.event_id):
        run = await world.run(event_id=str(unknown))
        assert run["event_known"] is False
        assert (await world.put(run, SAID, str(unknown)[:8])).status_code == 202
    assert world.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]


@pytest.mark.parametrize(
    "sent", ["", "Bearer dw_rt_nobody", "Bearer dw_gw_nobody", "Bearer a.b.c", "Basic x"]
)
@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/v1/runs", "a runtime key"),
        ("POST", "/v1/history/search", "a runtime key, or a run token, which POST /v1/runs gives"),
        ("PUT", "/v1/agents/{agent}/memory", "a run token, which POST /v1/runs gives"),
        ("GET", "/api/office/agents/{agent}/memory/summary", "a run token, which POST /v1/runs gives"),
        ("POST", "/v1/runs/{agent}/report", "a run token, which POST /v1/runs gives"),
    ],
)
async def test_a_401_says_what_the_door_takes_and_nothing_of_what_was_sent(
    world: World, method: str, path: str, expected: str, sent: str
) -> None:
    where = path.format(agent=world.org.agent_id)
    answer = await world.client.request(
        method, where, json={}, headers={"authorization": sent, "content-type": "application/json"}
    )
    assert (answer.status_code, answer.json()["detail"]) == (
        401,
        f"send Authorization: Bearer with {expected}",
    )

"""Who gets in (C74): the installation's token, people's tokens, and what a token of another org finds."""

from __future__ import annotations

import asyncio
import uuid

import httpx
import pytest
from panel_world import INSTALLATION, World, bearer, org_file

pytestmark = pytest.mark.integration


async def test_the_installation_token_creates_orgs_and_opens_nothing_else(acme: World) -> None:
    headers = bearer(INSTALLATION)
    for path in ("/items", "/agents", "/audit", "/invitations", f"/memories?agent={acme.ids['it_agent']}"):
        assert (await acme.http.get(acme.path + path, headers=headers)).status_code == 401
    put = await acme.http.put(f"{acme.path}/file", json=org_file("acme"), headers=headers)
    assert put.status_code == 401


async def test_creating_an_org_again_gives_its_owner_a_fresh_token(acme: World) -> None:
    body = {"org": "acme", "owner": "ingrid"}
    again = await acme.http.post("/v1/orgs", json=body, headers=bearer(INSTALLATION))
    made = again.json()
    assert (made["org_id"], made["created"]) == (str(acme.org_id), False)
    assert made["owner_token"] != acme.tokens["ingrid"]
    for token in (made["owner_token"], acme.tokens["ingrid"]):
        assert (await acme.http.get(f"{acme.path}/items", headers=bearer(token))).status_code == 200
    wrong = {"org": "acme", "owner": "farid"}
    refused = await acme.http.post("/v1/orgs", json=wrong, headers=bearer(INSTALLATION))
    assert refused.status_code == 409


async def test_of_ten_who_create_an_org_at_once_one_does_and_all_get_in(http: httpx.AsyncClient) -> None:
    body = {"org": "initech", "owner": "bill"}
    answers = await asyncio.gather(
        *(http.post("/v1/orgs", json=body, headers=bearer(INSTALLATION)) for _ in range(10))
    )
    made = [answer.json() for answer in answers]
    assert sorted(one["created"] for one in made) == [False] * 9 + [True]
    assert len({one["org_id"] for one in made}) == 1


async def test_a_person_creates_no_org(acme: World) -> None:
    body = {"org": "initech", "owner": "ingrid"}
    asked = await acme.http.post("/v1/orgs", json=body, headers=bearer(acme.tokens["ingrid"]))
    assert asked.status_code == 403


async def test_without_a_token_that_holds_it_is_401_with_a_challenge(acme: World) -> None:
    for authorization in (
        "",
        "Bearer",
        "Bearer ",
        "Bearer dw_ut_nobody",
        "Basic eDp5",
        "Bearer " + "x" * 5_000,
    ):
        asked = await acme.http.get(f"{acme.path}/items", headers={"authorization": authorization})
        assert asked.status_code == 401
        assert asked.headers["www-authenticate"].startswith("Bearer")
        assert asked.headers["content-type"] == "application/problem+json"


async def test_a_machines_key_is_no_persons_token(acme: World) -> None:
    for secret in acme.applied["new_keys"].values():
        assert (await acme.http.get(f"{acme.path}/items", headers=bearer(secret))).status_code == 401


async def test_another_org_answers_as_one_that_does_not_exist(acme: World, globex: World) -> None:
    item, agent = globex.item(), globex.ids["it_agent"]
    mine = bearer(acme.tokens["ingrid"])
    decision = {"action": "approve", "row_version": 1}
    routes = [
        ("GET", "/agents", None),
        ("GET", "/items", None),
        ("GET", f"/items/{item}", None),
        ("POST", f"/items/{item}/decision", decision),
        ("GET", f"/memories?agent={agent}", None),
        ("GET", "/audit", None),
        ("GET", "/invitations", None),
        ("PUT", "/file", org_file("globex")),
    ]
    for method, path, body in routes:
        answers = [
            await acme.http.request(method, f"/v1/orgs/{code}{path}", json=body, headers=mine)
            for code in ("globex", "no-such-org", "Not-A-Code", "%F0%9F%98%80")
        ]
        assert {answer.status_code for answer in answers} == {404}, path
        assert len({answer.content for answer in answers}) == 1, path
        control = await acme.http.request(method, f"/v1/orgs/Not%00ACode{path}", json=body, headers=mine)
        assert control.status_code == 422, path


async def test_another_orgs_rows_are_not_there_in_ones_own(acme: World, globex: World) -> None:
    item, agent = globex.item(), globex.ids["it_agent"]
    assert (await acme.get("ingrid", f"/items/{item}")).status_code == 404
    assert (await acme.decide("ingrid", item)).status_code == 404
    for path in ("/items", "/memories", "/audit"):
        assert (await acme.get("ingrid", path, agent=agent)).status_code == 404
        assert (await acme.get("ingrid", path, agent=uuid.uuid4())).status_code == 404


async def test_a_removed_member_is_out_at_the_next_request(acme: World) -> None:
    users = org_file("acme")["users"] | {"farid": {"active": False}}
    assert (await acme.get("farid", "/items")).status_code == 200
    assert (await acme.apply("ingrid", org_file("acme", users=users))).status_code == 200
    assert (await acme.get("farid", "/items")).status_code == 401


async def test_a_cursor_that_is_none_of_ours_is_400(acme: World) -> None:
    for cursor in ("x", "AAAA", "²", "0", "-1", "9" * 30, "MDAwMS0wMS0wMVQwMDowMDowMCsyMzo1OXx4"):
        for path in ("/items", "/memories", "/audit"):
            asked = await acme.get("ingrid", path, cursor=cursor, agent=acme.ids["it_agent"])
            assert asked.status_code == 400, (path, cursor)
            assert asked.json()["type"] == "urn:dw:problem:invalid-body"


async def test_a_filter_that_does_not_fit_is_422(acme: World) -> None:
    for query in ("limit=0", "limit=201", "status=gone", "risk=none", "agent=1"):
        asked = await acme.http.get(f"{acme.path}/items?{query}", headers=bearer(acme.tokens["ingrid"]))
        assert asked.status_code == 422, query


async def test_bodies_are_read_strictly(acme: World) -> None:
    headers = bearer(acme.tokens["ingrid"]) | {"content-type": "application/json"}
    path = f"{acme.path}/items/{acme.item()}/decision"
    for body, status in (
        (b"{", 400),
        (b'{"action":"approve","action":"reject","row_version":1}', 400),
        (b'{"action":"approve","row_version":1,"note":"\\u0000"}', 400),
        (b'{"action":"maybe","row_version":1}', 422),
        (b'{"action":"approve","row_version":0}', 422),
    ):
        assert (await acme.http.post(path, content=body, headers=headers)).status_code == status

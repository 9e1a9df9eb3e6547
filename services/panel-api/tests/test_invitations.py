"""Somebody who is known already: invited by an org, never taken over by its file (C73, C74)."""

from __future__ import annotations

from typing import Any

import pytest
from panel_world import INSTALLATION, World, bearer, org_file
from test_org_file import changed

pytestmark = pytest.mark.integration


async def test_somebody_of_another_org_is_invited_and_accepts(acme: World, globex: World) -> None:
    """Neither org alone can act for the person: one has the person's token, the other the invitation."""
    known = org_file("globex")["users"] | {"hana": {"email": "hana@x.example"}}
    hana = (await globex.apply("ingrid", org_file("globex", users=known))).json()["new_tokens"]["hana"]
    invited = (await acme.apply("ada", changed(users={"hana": {"email": "Hana@x.example"}}))).json()
    assert invited["new_tokens"] == {}
    assert {
        "action": "create",
        "kind": "user",
        "name": "hana",
        "changes": {"status": ["", "invited"]},
        "note": "",
    } in invited["plan"]
    [invitation] = (await acme.get("ada", "/invitations")).json()
    body = {"org": "acme", "invitation": invitation["invitation"]}

    async def accept(token: str, **other: str) -> int:
        answer = await acme.http.post("/v1/invitations", json=body | other, headers=bearer(token))
        if answer.status_code == 200:
            acme.tokens["hana"] = answer.json()["token"]
        return answer.status_code

    assert await accept(acme.tokens["ada"]) == 404
    assert await accept(hana, invitation="dw_iv_guess") == 404
    assert await accept(hana, org="no-such-org") == 404
    assert await accept("dw_ut_nobody") == 401
    assert await accept(hana) == 200
    assert await accept(hana) == 404
    assert (await acme.get("hana", "/items")).status_code == 200
    assert (await acme.http.get(f"{acme.path}/items", headers=bearer(hana))).status_code == 404
    again = (
        await acme.apply("ada", changed(users={"hana": {"email": "hana@x.example", "name": "hana"}}))
    ).json()
    assert {step["action"] for step in again["plan"]} == {"same"}


async def test_an_invitation_is_void_when_the_membership_changes(acme: World, globex: World) -> None:
    known = org_file("globex")["users"] | {"hana": {"email": "hana@x.example"}}
    hana = (await globex.apply("ingrid", org_file("globex", users=known))).json()["new_tokens"]["hana"]
    await acme.apply("ingrid", changed(users={"hana": {"email": "hana@x.example"}}))
    [old] = (await acme.get("ada", "/invitations")).json()
    await acme.apply("ingrid", changed(users={"hana": {"email": "hana@x.example", "role": "admin"}}))
    body = {"org": "acme", "invitation": old["invitation"]}
    assert (await acme.http.post("/v1/invitations", json=body, headers=bearer(hana))).status_code == 404


async def test_an_invitation_that_was_taken_back_made_nobody_a_member(acme: World, globex: World) -> None:
    """C74: nobody acts for a person of another org, names them or learns their name by inviting and removing."""
    people = org_file("globex")["users"] | {"hana": {"email": "hana@x.example", "name": "Hana Secretname"}}
    await globex.apply("ingrid", org_file("globex", users=people))
    hana: dict[str, Any] = {"email": "hana@x.example"}
    seen = []
    for fields in (hana, hana | {"active": False}, hana | {"active": True, "name": "Mallory"}, hana):
        applied = await acme.apply("ingrid", changed(users={"hana": fields}))
        assert applied.json()["new_tokens"] == {}
        seen.append(applied.text)
        seen.append((await acme.get("ingrid", "/members")).text)
    assert "Secretname" not in "".join(seen)
    assert acme.query(
        "SELECT m.status, u.name FROM dw_org_members AS m JOIN dw_users AS u ON u.id = m.user_id"
        " WHERE m.org_id = %s AND m.code = 'hana'",
        acme.org_id,
    ) == [("invited", "Hana Secretname")]
    assert [i["user"] for i in (await acme.get("ada", "/invitations")).json()] == ["hana"]


async def test_an_address_is_added_once_and_never_taken_from_somebody(acme: World, globex: World) -> None:
    added = await acme.apply("ingrid", changed(users={"farid": {"email": "farid@x.example"}}))
    assert added.status_code == 200
    assert (await acme.apply("ingrid", org_file("acme"))).json()["plan"][3]["action"] == "same"
    moved = await acme.apply("ingrid", changed(users={"farid": {"email": "other@x.example"}}))
    assert moved.status_code == 422
    taken = org_file("globex")["users"] | {"farid": {"email": "farid@x.example"}}
    assert (await globex.apply("ingrid", org_file("globex", users=taken))).status_code == 409


async def test_the_first_owner_may_be_somebody_who_is_known(acme: World) -> None:
    body = {"org": "initech", "owner": "bill", "owner_email": "Bill@x.example"}
    first = (await acme.http.post("/v1/orgs", json=body, headers=bearer(INSTALLATION))).json()
    second = (
        await acme.http.post("/v1/orgs", json=body | {"org": "hooli"}, headers=bearer(INSTALLATION))
    ).json()
    assert first["owner_id"] == second["owner_id"]
    assert first["owner_token"] != second["owner_token"]

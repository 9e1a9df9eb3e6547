"""Members, keys and tokens over HTTP (C46, C73, C74)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import pytest
from panel_world import World, bearer

pytestmark = pytest.mark.integration
INBOX = "/app/digital-workers/learning"


async def send(world: World, who: str, method: str, path: str, body: Any = None) -> httpx.Response:
    headers = bearer(world.tokens[who])
    return await world.http.request(method, world.path + path, json=body, headers=headers)


async def key_named(world: World, name: str) -> dict[str, Any]:
    keys = (await world.get("ada", "/keys", limit=200)).json()["keys"]
    [found] = [key for key in keys if key["name"] == name]
    return dict(found)


async def test_keys_are_listed_without_secrets_and_by_codes(acme: World) -> None:
    answer = await acme.get("ada", "/keys")
    gateway = await key_named(acme, "gateway")
    assert (gateway["kind"], gateway["channels"], gateway["user"]) == ("gateway", ["helpdesk"], None)
    for secret in (*acme.applied["new_keys"].values(), *acme.tokens.values()):
        assert secret not in answer.text
        assert secret.split("_", 2)[2] not in answer.text


async def test_members_see_and_revoke_their_own_tokens_alone(acme: World) -> None:
    own = (await acme.get("farid", "/keys")).json()["keys"]
    assert {key["user"] for key in own} == {"farid"}
    other = await key_named(acme, "gateway")
    assert (await send(acme, "farid", "POST", f"/keys/{other['id']}/revoke")).status_code == 404
    assert (await send(acme, "farid", "POST", f"/keys/{own[0]['id']}/revoke")).status_code == 200
    assert (await acme.get("farid", "/items")).status_code == 401


async def test_a_revoked_key_opens_nothing_and_is_on_record_once(acme: World) -> None:
    key = await key_named(acme, "gateway")
    first = (await send(acme, "ada", "POST", f"/keys/{key['id']}/revoke")).json()
    again = (await send(acme, "ada", "POST", f"/keys/{key['id']}/revoke")).json()
    assert first == again
    assert acme.audit(UUID(key["id"])) == ["key_created", "key_revoked"]
    assert acme.query("SELECT revoked_at IS NULL FROM dw_api_keys WHERE id = %s", UUID(key["id"])) == [
        (False,)
    ]
    shown = (await acme.get("ada", "/keys")).json()["keys"]
    assert key["id"] not in {row["id"] for row in shown}
    every = (await acme.get("ada", "/keys", revoked="true")).json()["keys"]
    assert key["id"] in {row["id"] for row in every}


async def test_an_admin_does_not_sign_out_owners_and_other_admins(acme: World) -> None:
    keys = (await acme.get("ada", "/keys", limit=200)).json()["keys"]
    owners = next(key for key in keys if key["user"] == "ingrid")
    members = next(key for key in keys if key["user"] == "greta")
    assert (await send(acme, "ada", "POST", f"/keys/{owners['id']}/revoke")).status_code == 403
    assert (await send(acme, "ada", "POST", f"/keys/{members['id']}/revoke")).status_code == 200
    admins = next(key for key in keys if key["user"] == "ada")
    assert (await send(acme, "ingrid", "POST", f"/keys/{admins['id']}/revoke")).status_code == 200
    assert (await acme.get("ada", "/keys")).status_code == 401


async def test_a_session_ends_with_its_revocation(acme: World) -> None:
    page = await acme.http.get("/sign-in")
    form = {"token": acme.tokens["greta"], "csrf": page.cookies["dw_csrf"]}
    assert (await acme.http.post("/sign-in", data=form)).status_code == 303
    assert (await acme.http.get(INBOX)).status_code == 200
    keys = (await acme.get("greta", "/keys")).json()["keys"]
    session = next(key for key in keys if key["kind"] == "session")
    assert (await send(acme, "greta", "POST", f"/keys/{session['id']}/revoke")).status_code == 200
    assert (await acme.http.get(INBOX)).status_code == 303


async def test_a_key_is_bound_to_what_it_names_and_its_secret_shown_once(acme: World) -> None:
    body = {"name": "second gateway", "kind": "gateway", "channels": ["people"], "proves_sender": False}
    made = (await send(acme, "ada", "POST", "/keys", body)).json()
    assert made["secret"].startswith("dw_gw_")
    assert acme.query(
        "SELECT channel_ids, agent_ids, proves_sender, org_id FROM dw_api_keys WHERE id = %s",
        UUID(made["id"]),
    ) == [([acme.ids["people"]], [], False, acme.org_id)]
    assert (await send(acme, "ada", "POST", "/keys", body)).status_code == 409
    assert acme.audit(UUID(made["id"])) == ["key_created"]
    await send(acme, "ada", "POST", f"/keys/{made['id']}/revoke")
    assert (await send(acme, "ada", "POST", "/keys", body)).status_code == 200, "a name is free again"


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({"name": "g", "kind": "gateway"}, "channels"),
        ({"name": "g", "kind": "gateway", "channels": ["nowhere"]}, "channels"),
        ({"name": "r", "kind": "runtime", "agents": ["nobody"]}, "agents"),
        ({"name": "r", "kind": "runtime", "channels": ["people"]}, "channels"),
        ({"name": "a\u202eb", "kind": "runtime"}, "name"),
        ({"name": "r", "kind": "runtime", "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"name": "r", "kind": "user"}, "kind"),
    ],
)
async def test_a_key_that_cannot_be_is_refused_with_its_place(
    acme: World, body: dict[str, Any], at: str
) -> None:
    refused = await send(acme, "ada", "POST", "/keys", body)
    assert (refused.status_code, [error["at"] for error in refused.json()["errors"]]) == (422, [at])


async def test_a_key_names_no_channel_of_another_org(acme: World, globex: World) -> None:
    await globex.apply("ingrid", {"org": "globex", "channels": {"secret": {"platform": "slack"}}})
    body = {"name": "g", "kind": "gateway", "channels": ["secret"]}
    assert (await send(acme, "ada", "POST", "/keys", body)).status_code == 422
    theirs = await key_named(globex, "gateway")
    assert (await send(acme, "ingrid", "POST", f"/keys/{theirs['id']}/revoke")).status_code == 404


async def test_a_person_makes_a_token_for_nobody_else_and_not_without_end(acme: World) -> None:
    made = (await send(acme, "farid", "POST", "/me/tokens", {"name": "laptop"})).json()
    me = await acme.http.get(f"{acme.path}/me", headers=bearer(made["secret"]))
    assert me.json()["code"] == "farid"
    for _ in range(18):
        assert (await send(acme, "farid", "POST", "/me/tokens", {})).status_code == 200
    assert (await send(acme, "farid", "POST", "/me/tokens", {})).status_code == 409


async def test_members_come_change_and_go_by_route_as_by_file(acme: World) -> None:
    new = (await send(acme, "ada", "PUT", "/members/nora", {"name": "Nora N."})).json()
    assert new["member"]["status"] == "active"
    acme.tokens["nora"] = new["token"]
    assert (await acme.get("nora", "/me")).json()["role"] == "member"
    assert (await send(acme, "ada", "PUT", "/members/nora", {"role": "admin"})).status_code == 403
    raised = (await send(acme, "ingrid", "PUT", "/members/nora", {"role": "admin"})).json()
    assert (raised["member"]["role"], raised["member"]["name"], raised["token"]) == ("admin", "Nora N.", None)
    assert (await send(acme, "ingrid", "DELETE", "/members/nora")).json()["member"]["status"] == "removed"
    assert (await acme.get("nora", "/me")).status_code == 401
    back = (await send(acme, "ingrid", "PUT", "/members/nora", {"active": True, "role": "member"})).json()
    assert back["token"]
    assert acme.audit(UUID(new["member"]["user_id"])) == [
        "member_added",
        "member_changed",
        "member_removed",
        "member_added",
    ]


async def test_removal_by_route_takes_all_that_came_with_the_membership(acme: World) -> None:
    item = acme.item(assigned_to=acme.ids["minh"])
    started = (await send(acme, "minh", "POST", "/me/claims", {"platform": "slack"})).json()
    assert (await send(acme, "ada", "DELETE", "/members/minh")).status_code == 200
    minh = acme.ids["minh"]
    assert (await acme.get("minh", "/me")).status_code == 401
    assert acme.query("SELECT status FROM dw_external_identities WHERE user_id = %s", minh) == [("revoked",)]
    assert acme.query("SELECT count(*) FROM dw_agent_managers WHERE user_id = %s", minh) == [(0,)]
    assert acme.query("SELECT assigned_to FROM dw_learning_items WHERE id = %s", item) == [(None,)]
    assert acme.query("SELECT status FROM dw_identity_claims WHERE id = %s", UUID(started["claim_id"])) == [
        ("void",)
    ]


async def test_the_last_owner_stays_and_an_unknown_member_is_404(acme: World) -> None:
    assert (await send(acme, "ingrid", "DELETE", "/members/ingrid")).status_code == 409
    assert (await send(acme, "ingrid", "DELETE", "/members/nobody")).status_code == 404
    assert (await send(acme, "farid", "DELETE", "/members/minh")).status_code == 403
    assert (await send(acme, "farid", "PUT", "/members/farid", {"role": "owner"})).status_code == 403
    assert (await acme.get("farid", "/members")).status_code == 403
    assert [m["code"] for m in (await acme.get("ada", "/members", limit=2)).json()] == ["ada", "farid"]
    rest = (await acme.get("ada", "/members", after="farid")).json()
    assert [(m["code"], m["manages"]) for m in rest][:2] == [("greta", ["hr_agent"]), ("ingrid", [])]

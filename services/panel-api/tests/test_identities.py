"""Accounts over HTTP: who may say whose one is, what is on record, and what a revoked one leaves behind."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import pytest
from panel_world import World, bearer, org_file

pytestmark = pytest.mark.integration
ACCOUNT = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U2002"}


async def post(world: World, who: str, path: str, body: Any) -> httpx.Response:
    return await world.http.post(world.path + path, json=body, headers=bearer(world.tokens[who]))


async def send_csv(world: World, who: str, text: str | bytes, **params: str) -> httpx.Response:
    content = text.encode() if isinstance(text, str) else text
    headers = bearer(world.tokens[who]) | {"content-type": "text/csv"}
    return await world.http.post(
        f"{world.path}/identities/import", content=content, headers=headers, params=params
    )


def minhs(world: World) -> UUID:
    [(found,)] = world.query(
        "SELECT id FROM dw_external_identities WHERE org_id = %s AND external_user_id = 'U1001'", world.org_id
    )
    return UUID(str(found))


async def test_an_admin_maps_verifies_and_revokes_and_each_is_on_record(acme: World) -> None:
    mapped = (await post(acme, "ada", "/identities", ACCOUNT | {"user": "farid"})).json()
    assert (mapped["user"], mapped["status"], mapped["verified_at"]) == ("farid", "pending", None)
    at = f"/identities/{mapped['id']}"
    verified = (await post(acme, "ada", f"{at}/verify", {"reason": "showed his badge"})).json()
    assert (verified["status"], verified["verify_method"], verified["user"]) == ("verified", "admin", "farid")
    revoked = (await post(acme, "ada", f"{at}/revoke", {"reason": "phone lost"})).json()
    assert revoked["status"] == "revoked"
    assert revoked["revoked_at"]
    assert acme.audit(UUID(mapped["id"])) == ["identity_claimed", "identity_verified", "identity_revoked"]
    assert acme.query(
        "SELECT b.reason, e.actor_id FROM dw_learning_events AS e JOIN dw_event_bodies AS b USING (org_id, event_id)"
        " WHERE e.subject_id = %s ORDER BY e.id",
        UUID(mapped["id"]),
    ) == [(reason, str(acme.ids["ada"])) for reason in ("panel", "showed his badge", "phone lost")]


async def test_the_same_again_is_no_change_and_no_event(acme: World) -> None:
    body = ACCOUNT | {"user": "farid", "status": "verified"}
    first = (await post(acme, "ada", "/identities", body)).json()
    before = acme.audit()
    again = (await post(acme, "ada", "/identities", ACCOUNT)).json()
    assert again == first, "what is left out is left alone"
    assert acme.audit() == before


async def test_only_admins_say_whose_an_account_is(acme: World) -> None:
    known = minhs(acme)
    for who in ("farid", "minh"):
        assert (await post(acme, who, "/identities", ACCOUNT)).status_code == 403
        assert (await post(acme, who, f"/identities/{known}/verify", {})).status_code == 403
        assert (await post(acme, who, f"/identities/{known}/revoke", {})).status_code == 403
        assert (await send_csv(acme, who, "platform,external_user_id\nslack,U5\n")).status_code == 403
        assert (await acme.get(who, "/identities")).status_code == 403


async def test_accounts_are_listed_a_page_at_a_time(acme: World) -> None:
    rows = "".join(f"slack,U{n}\n" for n in range(5))
    await send_csv(acme, "ada", f"platform,external_user_id\n{rows}")
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await acme.get("ada", "/identities", limit=2, cursor=cursor)).json()
        seen += [row["external_user_id"] for row in page["identities"]]
        cursor = page["next_cursor"] or ""
        if not cursor:
            break
    assert sorted(seen) == ["U0", "U1", "U1001", "U2", "U3", "U4"]
    verified = (await acme.get("ada", "/identities", status="verified")).json()["identities"]
    assert [row["external_user_id"] for row in verified] == ["U1001"]


@pytest.mark.parametrize(
    ("body", "at"),
    [
        (ACCOUNT | {"user": "nobody"}, "user"),
        (ACCOUNT | {"status": "verified"}, "user"),
        (ACCOUNT | {"external_user_id": "U1\u200b"}, "external_user_id"),
        (ACCOUNT | {"verified": True}, "verified"),
        (ACCOUNT | {"platform": "fax"}, "platform"),
    ],
)
async def test_what_cannot_be_is_said_with_its_place(acme: World, body: dict[str, Any], at: str) -> None:
    refused = await post(acme, "ada", "/identities", body)
    assert refused.status_code == 422
    assert [error["at"] for error in refused.json()["errors"]] == [at]


async def test_a_removed_member_has_no_account_that_counts(acme: World) -> None:
    await acme.apply(
        "ingrid", org_file("acme", users=org_file("acme")["users"] | {"minh": {"active": False}})
    )
    assert (await post(acme, "ada", f"/identities/{minhs(acme)}/verify", {})).status_code == 422


async def test_a_revoked_account_marks_what_it_taught_and_what_matters_is_reviewed(acme: World) -> None:
    """C36, D5: the memory stays; high-impact ones are asked about, each once."""
    known = minhs(acme)
    low = acme.memory("The Porto office closes at 19:00.", sender_identity_id=known)
    high = acme.memory("Invoices go to pay@acme.example.", risk="high", sender_identity_id=known)
    other = acme.memory("Coffee is on floor two.", risk="high")
    waiting = acme.item(sender_identity_id=known, sender_verified=True)
    assert (await post(acme, "ada", f"/identities/{known}/revoke", {})).status_code == 200
    marks = dict(acme.query("SELECT id, metadata ? 'source_identity_revoked' FROM dw_agent_memories"))
    assert marks == {low: True, high: True, other: False}
    assert acme.query("SELECT DISTINCT status FROM dw_agent_memories") == [("active",)]
    items = (await acme.get("farid", "/items")).json()["items"]
    reviews = [item for item in items if item["kind"] == "review"]
    assert [(r["reason_code"], r["payload"]["content"], r["action"]) for r in reviews] == [
        ("source_identity_revoked", "Invoices go to pay@acme.example.", "review")
    ]
    assert next(i for i in items if i["id"] == str(waiting))["source_marks"] == ["source_identity_revoked"]
    assert acme.audit(low) == ["source_identity_revoked"]
    assert acme.audit(UUID(reviews[0]["id"])) == ["learning_proposed"]
    memories = (await acme.get("ada", "/memories", agent=acme.ids["it_agent"])).json()["memories"]
    assert {m["content"]: m["marks"] for m in memories}["The Porto office closes at 19:00."] == [
        "source_identity_revoked"
    ]
    await post(acme, "ada", f"/identities/{known}/verify", {"user": "minh"})
    await post(acme, "ada", f"/identities/{known}/revoke", {})
    assert acme.query("SELECT count(*) FROM dw_learning_items WHERE kind = 'review'") == [(1,)]


async def test_a_review_of_a_revoked_source_can_be_decided(acme: World) -> None:
    high = acme.memory("Invoices go to pay@acme.example.", risk="high", sender_identity_id=minhs(acme))
    await post(acme, "ada", f"/identities/{minhs(acme)}/revoke", {})
    [(item,)] = acme.query("SELECT id FROM dw_learning_items WHERE kind = 'review'")
    assert (await acme.decide("farid", item, "reject")).status_code == 200
    assert acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", high) == [("archived",)]


async def test_an_account_lost_by_org_file_or_with_the_membership_is_asked_about_too(acme: World) -> None:
    known = minhs(acme)
    acme.memory("Invoices go to pay@acme.example.", risk="high", sender_identity_id=known)
    gone = org_file("acme", identities={}, users=org_file("acme")["users"] | {"minh": {"active": False}})
    assert (await acme.apply("ingrid", gone)).status_code == 200
    assert acme.audit(known) == ["identity_verified", "identity_revoked"]
    assert acme.query("SELECT reason_code FROM dw_learning_items") == [("source_identity_revoked",)]


async def test_an_account_that_becomes_somebody_elses_is_lost_for_the_first(acme: World) -> None:
    memory = acme.memory("Invoices go to pay@acme.example.", risk="high", sender_identity_id=minhs(acme))
    body = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U1001", "user": "greta"}
    moved = (await post(acme, "ada", "/identities", body)).json()
    assert (moved["user"], moved["status"]) == ("greta", "pending")
    assert acme.audit(memory) == ["source_identity_revoked"]


async def test_accounts_come_from_a_file_all_or_none(acme: World) -> None:
    head = "platform,workspace_ref,external_user_id,user,status,service_granted\n"
    good = head + "slack,T1,U1,farid,verified,\nslack,T1,U1001,,,\ntelegram,,77,greta,pending,true\n"
    tried = (await send_csv(acme, "ada", good, dry_run="true")).json()
    assert tried == {"dry_run": True, "created": 2, "changed": 0, "same": 1}
    assert acme.query("SELECT count(*) FROM dw_external_identities") == [(1,)]
    done = (await send_csv(acme, "ada", "\ufeff" + good)).json()
    assert done == {"dry_run": False, "created": 2, "changed": 0, "same": 1}
    assert acme.query(
        "SELECT external_user_id, status, service_granted FROM dw_external_identities ORDER BY 1"
    ) == [("77", "pending", True), ("U1", "verified", False), ("U1001", "verified", False)]
    assert acme.audit().count("identity_verified") == 2
    assert (await send_csv(acme, "ada", good)).json() == {
        "dry_run": False,
        "created": 0,
        "changed": 0,
        "same": 3,
    }


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("platform,account\nslack,U1\n", "line 1"),
        ("platform,external_user_id\nslack,U1\nslack,U1\n", "line 3"),
        ("platform,external_user_id\nslack\n", "line 2"),
        ("platform,external_user_id,user\nslack,U1,nobody\n", "line 2"),
        ("platform,external_user_id,status\nslack,U1,verified\n", "line 2"),
        ("platform,external_user_id\nfax,U1\n", "line 2, platform"),
        ('platform,external_user_id\nslack,"U1\n', "line 2"),
    ],
)
async def test_a_file_with_a_bad_line_writes_nothing(acme: World, text: str, at: str) -> None:
    refused = await send_csv(acme, "ada", text)
    assert refused.status_code == 422
    assert [error["at"] for error in refused.json()["errors"]] == [at]
    assert acme.query("SELECT count(*) FROM dw_external_identities") == [(1,)]


async def test_a_file_is_bounded_utf8_and_csv(acme: World) -> None:
    assert (await send_csv(acme, "ada", b"\xff\xfe")).status_code == 400
    assert (await send_csv(acme, "ada", "x" * 1_100_000)).status_code == 413
    assert (await send_csv(acme, "ada", "platform,external_user_id\n")).status_code == 422
    many = "".join(f"slack,U{n}\n" for n in range(5_001))
    assert (await send_csv(acme, "ada", f"platform,external_user_id\n{many}")).status_code == 422
    json_body = await post(acme, "ada", "/identities/import", {})
    assert json_body.status_code == 415


async def test_another_orgs_account_is_not_there(acme: World, globex: World) -> None:
    known = minhs(acme)
    for act in ("verify", "revoke"):
        assert (await post(globex, "ada", f"/identities/{known}/{act}", {})).status_code == 404
    assert acme.query("SELECT status FROM dw_external_identities WHERE id = %s", known) == [("verified",)]

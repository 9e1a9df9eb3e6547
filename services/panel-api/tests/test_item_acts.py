"""The six actions, claims, bulk and override of the Learning Inbox, over HTTP on a real PostgreSQL."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from panel_world import World

pytestmark = pytest.mark.integration
ITEM = "SELECT status, risk, is_sensitive, row_version FROM dw_learning_items WHERE id = %s"


async def put(world: World, who: str, item: uuid.UUID, what: str, **body: Any) -> tuple[int, Any]:
    answer = await world.act(who, "PUT", f"/items/{item}/{what}", body or None)
    return answer.status_code, answer.json()


async def test_what_is_approved_after_an_edit_is_the_edited_text(acme: World) -> None:
    item = acme.item("The Porto office closes at 19:00.", payload={"key": "porto"})
    status, done = await put(
        acme, "farid", item, "text", row_version=1, text="The Porto office closes at 20:00."
    )
    assert (status, done["item"]["was_edited"], done["item"]["row_version"]) == (200, True, 2)
    assert (await acme.decide("farid", item)).status_code == 409
    assert (await acme.decide("farid", item, row_version=2)).status_code == 200
    assert acme.active() == ["The Porto office closes at 20:00."]
    [(original,)] = acme.query(
        "SELECT original_payload ->> 'content' FROM dw_learning_items WHERE id = %s", item
    )
    assert original == "The Porto office closes at 19:00."
    assert acme.audit(item) == ["item_edited", "approved"]


async def test_an_edit_keeps_the_mark_and_never_lowers_the_risk(acme: World) -> None:
    item = acme.item("Expenses above 100 euros are approved by Rita.", risk="high")
    await put(acme, "farid", item, "text", row_version=1, text="The Porto office closes at 20:00.")
    assert acme.query(ITEM, item) == [("pending", "high", False, 2)]
    plain = acme.item("The Porto office is nice.")
    text = "Anna has been diagnosed with diabetes."
    status, done = await put(acme, "farid", plain, "text", row_version=1, text=text)
    assert (status, done["item"]["is_sensitive"]) == (200, True)
    assert text not in str(done)


@pytest.mark.parametrize(
    ("text", "said"),
    [("x" * 601, "at most 600"), ("The password is Hunter-Tiger-42!", "secret"), ("   ", "no text")],
)
async def test_a_text_that_cannot_be_stored_is_refused(acme: World, text: str, said: str) -> None:
    item = acme.item()
    status, problem = await put(acme, "farid", item, "text", row_version=1, text=text)
    assert (status, said in problem["detail"]) == (422, True)
    assert acme.query(ITEM, item) == [("pending", "low", False, 1)]


async def test_an_edit_of_a_decided_item_is_409(acme: World) -> None:
    item = acme.item()
    await acme.decide("farid", item, "reject")
    status, problem = await put(
        acme, "farid", item, "text", row_version=1, text="Something else closes at 20:00."
    )
    assert (status, "was rejected by farid" in problem["detail"]) == (409, True)


async def test_an_edit_rebases_what_is_out_of_date(acme: World) -> None:
    old = acme.memory("The Porto office closes at 18:00.", key="porto", row_version=4)
    item = acme.item(action="update", target_memory_id=old, base_version=1, payload={"key": "porto"})
    seen = (await acme.act("farid", "GET", f"/items/{item}")).json()
    assert (seen["out_of_date"], (await acme.decide("farid", item)).status_code) == (True, 409)
    await put(acme, "farid", item, "text", row_version=1, text="The Porto office closes at 21:00.")
    assert (await acme.decide("farid", item, row_version=2)).status_code == 200
    assert acme.active() == ["The Porto office closes at 21:00."]


async def test_nobody_approves_alone_what_he_edited_where_it_matters(acme: World) -> None:
    item = acme.item("Invoices above 500 euros are approved by Rita.", risk="high")
    answer = await acme.decide("farid", item, text="Invoices above 900 euros are approved by Rita.")
    assert (answer.status_code, answer.json()["item"]["status"], answer.json()["act_id"]) == (
        200,
        "pending",
        None,
    )
    assert (await acme.decide("farid", item, row_version=2)).status_code == 403
    assert (await acme.decide("minh", item, row_version=2)).status_code == 200
    assert acme.active() == ["Invoices above 900 euros are approved by Rita."]


async def test_a_low_item_is_edited_and_approved_in_one_breath(acme: World) -> None:
    item = acme.item()
    answer = await acme.decide("farid", item, text="The Porto office closes at 20:00.")
    assert answer.json()["item"]["status"] == "approved"
    assert acme.active() == ["The Porto office closes at 20:00."]


async def test_after_the_mark_only_admins_decide(acme: World) -> None:
    item = acme.item()
    status, done = await put(acme, "farid", item, "sensitivity", row_version=1, is_sensitive=True)
    assert (status, "Porto" in str(done["item"]["payload"])) == (200, False)
    assert (await acme.decide("farid", item, row_version=2)).status_code == 403
    assert (await put(acme, "farid", item, "sensitivity", row_version=2, is_sensitive=False))[0] == 403
    assert (await put(acme, "farid", item, "text", row_version=2, text="Something else is so."))[0] == 403
    assert (await put(acme, "ada", item, "sensitivity", row_version=2, is_sensitive=False))[0] == 200
    assert (await acme.decide("farid", item, row_version=3)).status_code == 200
    assert acme.audit(item) == [
        "item_marked_sensitive", "access_denied", "access_denied", "access_denied", "item_unmarked_sensitive", "approved",
    ]  # fmt: skip


async def test_an_item_is_handed_to_somebody_who_may_decide_it(acme: World) -> None:
    item = acme.item()
    minh, greta = str(acme.ids["minh"]), str(acme.ids["greta"])
    status, done = await put(acme, "farid", item, "reviewer", to=minh)
    assert (status, done["item"]["assigned_to"], done["item"]["row_version"]) == (200, minh, 1)
    assert (await put(acme, "farid", item, "reviewer", to=greta))[0] == 422
    assert (await put(acme, "greta", item, "reviewer", to=minh))[0] == 403
    mine = (await acme.act("minh", "GET", "/items?assigned=me")).json()["items"]
    nobodys = (await acme.act("minh", "GET", "/items?assigned=nobody")).json()["items"]
    assert ([i["id"] for i in mine], nobodys) == ([str(item)], [])


async def test_a_sensitive_item_may_only_be_handed_on_by_a_manager(acme: World) -> None:
    item = acme.item(is_sensitive=True)
    acts = (await acme.act("farid", "GET", f"/items/{item}")).json()["acts"]
    assert acts == ["reassign"]
    assert (await put(acme, "farid", item, "reviewer", to=str(acme.ids["minh"])))[0] == 422
    assert (await put(acme, "farid", item, "reviewer", to=str(acme.ids["ada"])))[0] == 200


async def test_while_one_has_an_item_in_work_another_does_not_decide_it(acme: World) -> None:
    item = acme.item()
    assert (await put(acme, "farid", item, "claim"))[0] == 200
    assert (await put(acme, "minh", item, "claim"))[0] == 409
    assert (await acme.decide("minh", item)).status_code == 409
    assert (await acme.act("minh", "DELETE", f"/items/{item}/claim")).status_code == 409
    assert (await acme.act("farid", "DELETE", f"/items/{item}/claim")).status_code == 200
    assert (await acme.decide("minh", item)).status_code == 200


async def test_a_claim_that_has_run_out_stops_nobody(acme: World) -> None:
    item = acme.item(claimed_until="2026-01-02T03:04:05+00:00", claimed_by=acme.ids["farid"])
    assert (await acme.decide("minh", item)).status_code == 200


async def test_a_memory_proposal_becomes_a_skill_proposal_and_back(acme: World) -> None:
    text = "To reset the VPN: 1. Open the client. 2. Press reset. 3. Sign in again."
    item = acme.item(text, evidence_count=3)
    made = await acme.act("farid", "POST", f"/items/{item}/conversion", {"row_version": 1})
    skill = made.json()["item"]
    assert (skill["kind"], skill["converted_from"], skill["evidence_count"]) == (
        "skill_proposal",
        str(item),
        3,
    )
    assert acme.query(ITEM, item)[0][0] == "superseded"
    back = await acme.act("farid", "POST", f"/items/{skill['id']}/conversion", {"row_version": 1})
    assert back.json()["item"]["kind"] == "memory_proposal"
    assert back.json()["item"]["risk"] == skill["risk"] == "high"
    old = (await acme.act("farid", "GET", f"/items/{item}")).json()
    assert old["superseded_by"] == skill["id"]
    again = await acme.act("farid", "POST", f"/items/{item}/conversion", {"row_version": 2})
    assert again.status_code == 409


async def test_a_rejection_for_ever_is_a_tombstone(acme: World) -> None:
    item = acme.item("The Porto office closes at 19:00.")
    answer = (await acme.decide("farid", item, "reject", never_again=True, reason="wrong")).json()
    page = f"/tombstones?agent={acme.ids['it_agent']}"
    [stone] = (await acme.act("farid", "GET", page)).json()["tombstones"]
    assert (stone["reason"], stone["content"]) == ("rejected", "The Porto office closes at 19:00.")
    assert (await acme.act("farid", "DELETE", f"/tombstones/{stone['id']}")).status_code == 403
    assert (await acme.act("farid", "POST", f"/acts/{answer['act_id']}/undo")).status_code == 200
    assert (await acme.act("farid", "GET", page)).json()["tombstones"] == []


async def test_many_at_once_each_with_its_own_result(acme: World) -> None:
    plain, stale, marked = acme.item("A room is called Fjord."), acme.item("B is so.", row_version=2), acme.item("C is so.", is_sensitive=True)  # fmt: skip
    theirs = acme.item("D is so.", role_agent_id=acme.ids["hr_agent"])
    rows = [{"id": str(i), "row_version": 1} for i in (plain, stale, marked, theirs)]
    answer = await acme.act("farid", "POST", "/items/bulk", {"action": "approve", "items": rows})
    assert [row["status"] for row in answer.json()["results"]] == [200, 409, 422, 403]
    assert acme.active() == ["A room is called Fjord."]
    as_admin = await acme.act("ada", "POST", "/items/bulk", {"action": "approve", "items": rows[2:3]})
    assert as_admin.json()["results"][0]["status"] == 422


async def test_an_admin_overrides_a_rejection_and_an_approval(acme: World) -> None:
    old = acme.memory("The Porto office closes at 18:00.", key="porto")
    item = acme.item(action="update", target_memory_id=old, base_version=1, payload={"key": "porto"})
    await acme.decide("farid", item)
    body = {"to": "rejected", "note": "it did not move"}
    assert (await acme.act("farid", "POST", f"/items/{item}/override", body)).status_code == 403
    undone = (await acme.act("ada", "POST", f"/items/{item}/override", body)).json()["item"]
    assert (undone["status"], undone["decision_kind"], undone["copy_of"]) == (
        "rejected",
        "override",
        str(item),
    )
    assert acme.active() == ["The Porto office closes at 18:00."]
    assert acme.query(ITEM, item)[0][0] == "approved"
    again = await acme.act("ada", "POST", f"/items/{item}/override", {"to": "approved"})
    assert again.status_code == 409
    fresh = acme.item("The bike room is called Velo.")
    await acme.decide("farid", fresh, "reject")
    made = (await acme.act("ada", "POST", f"/items/{fresh}/override", {"to": "approved"})).json()
    assert (made["item"]["status"], made["memory_id"] is not None) == ("approved", True)
    assert "The bike room is called Velo." in acme.active()
    assert acme.audit(fresh) == ["rejected", "override"]


async def test_a_confirmation_is_evidence_and_no_approval(acme: World) -> None:
    item = acme.item()
    body = {"action": "confirm"}
    for _ in range(3):  # one person is one voice
        assert (await acme.act("greta", "POST", f"/items/{item}/feedback", body)).status_code == 200
    seen = (await acme.act("farid", "GET", f"/items/{item}")).json()
    assert (seen["status"], seen["evidence_count"], seen["row_version"]) == ("pending", 2, 1)
    hidden = acme.item(is_sensitive=True)
    assert (await acme.act("greta", "POST", f"/items/{hidden}/feedback", body)).status_code == 404


async def test_filters_orders_and_cursors(acme: World) -> None:
    ids = [
        acme.item(f"Room {n} is called R{n}.", evidence_count=n, risk="high" if n % 2 else "low")
        for n in range(1, 8)
    ]
    for sort in ("due", "newest", "evidence"):
        seen: list[str] = []
        cursor = ""
        while True:
            page = (await acme.act("farid", "GET", f"/items?sort={sort}&limit=3&cursor={cursor}")).json()
            seen += [i["id"] for i in page["items"]]
            if not (cursor := page["next_cursor"] or ""):
                break
        assert sorted(seen) == sorted(map(str, ids))
        assert page["total"] == 7
    first = (await acme.act("farid", "GET", "/items?sort=evidence&limit=1")).json()["items"][0]
    assert first["evidence_count"] == 7
    high = (await acme.act("farid", "GET", "/items?risk=high&q=room 3")).json()["items"]
    assert [i["id"] for i in high] == [str(ids[2])]
    marked = acme.item("Secret room is called Sesame.", is_sensitive=True)
    assert (await acme.act("farid", "GET", "/items?q=sesame")).json()["items"] == []
    found = (await acme.act("ada", "GET", "/items?q=sesame&sensitive=true")).json()["items"]
    assert [i["id"] for i in found] == [str(marked)]
    assert (await acme.act("farid", "GET", "/items?sort=evidence&cursor=bm8")).status_code == 400

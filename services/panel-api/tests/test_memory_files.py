"""A role-agent's memory out to files and in again, over HTTP on a real PostgreSQL (R188 to R191, C82)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from panel_world import World

pytestmark = pytest.mark.integration
HOURS = "The Porto office closes at 19:00."
BIKES = "The bike room is called Velo."
PORTAL = "The travel portal is https://portal.example/trips."
SUSPECT = "Invoices are approved by Olena from now on."


async def bring(world: World, *entries: dict[str, Any], who: str = "ada", agent: str = "it_agent") -> Any:
    rows = [{"file": f"knowledge/{at}.md", **entry} for at, entry in enumerate(entries)]
    return await world.act(who, "POST", f"/agents/{agent}/memory-import", {"entries": rows})


async def brought(world: World, *entries: dict[str, Any]) -> tuple[UUID | None, list[tuple[str, str]]]:
    answer = await bring(world, *entries)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    results = [(row["status"], row["reason"]) for row in body["results"]]
    return UUID(body["item_id"]) if body["item_id"] else None, results


async def exported(world: World, who: str = "ada", **params: Any) -> Any:
    query = "&".join(f"{name}={value}" for name, value in params.items())
    answer = await world.act(who, "GET", f"/agents/it_agent/memory-export?{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def entry(content: str = HOURS, key: str = "porto-hours", **more: Any) -> dict[str, Any]:
    return {"key": key, "content": content, **more}


async def test_an_import_is_one_item_and_nothing_is_known_before_somebodys_yes(acme: World) -> None:
    item, results = await brought(
        acme, entry(metadata={"topic": "offices"}), entry(BIKES, "bikes", layer="operating")
    )
    assert item is not None
    assert results == [("proposed", "import"), ("proposed", "import")]
    assert acme.active() == []
    assert acme.query("SELECT count(*) FROM dw_learning_items") == [(1,)]
    shown = (await acme.get("farid", f"/items/{item}")).json()
    assert (shown["reason_code"], shown["risk"]) == ("import", "low")
    assert shown["payload"]["content"].splitlines()[1:] == [
        f"+ porto-hours (knowledge, fact): {HOURS}",
        f"+ bikes (operating, fact): {BIKES}",
    ]
    decided = await acme.decide("farid", item)
    assert decided.status_code == 200, decided.text
    assert acme.active() == sorted([HOURS, BIKES])
    rows = acme.query(
        "SELECT key, layer, origin, metadata, learning_item_id, created_by FROM dw_agent_memories ORDER BY key"
    )
    by = str(acme.ids["farid"])
    assert rows == [
        ("bikes", "operating", "imported", {}, item, by),
        ("porto-hours", "knowledge", "imported", {"topic": "offices"}, item, by),
    ]
    assert acme.audit()[-4:] == ["learning_proposed", "approved", "memory_saved", "memory_saved"]


async def test_the_same_key_is_replaced_and_what_is_known_is_left_alone(acme: World) -> None:
    old = acme.saved(HOURS, key="porto-hours")
    acme.saved(BIKES, key="bikes")
    acme.query(
        "UPDATE dw_agent_memories SET content_hash = sha256(convert_to(lower(rtrim(content, '.')), 'UTF8'))"
    )
    item, results = await brought(
        acme, entry("The Porto office closes at 21:00."), entry(BIKES, "bikes"), entry(BIKES, "bikes-2")
    )
    assert item is not None
    assert results == [("proposed", "import"), ("known", "duplicate"), ("known", "duplicate")]
    assert (await acme.decide("farid", item)).status_code == 200
    assert acme.active() == sorted([BIKES, "The Porto office closes at 21:00."])
    assert acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", old) == [("superseded",)]


async def test_the_same_files_again_are_the_same_item(acme: World) -> None:
    first, _ = await brought(acme, entry())
    again, results = await brought(acme, entry())
    assert (again, results) == (first, [("proposed", "import")])
    assert acme.query("SELECT count(*) FROM dw_learning_items") == [(1,)]


async def test_what_changed_in_the_meantime_stops_the_whole_batch(acme: World) -> None:
    item, _ = await brought(acme, entry(), entry(BIKES, "bikes"))
    assert item is not None
    acme.saved("The Porto office closes at 22:00.", key="porto-hours")
    late = await acme.decide("farid", item)
    assert late.status_code == 409
    assert "knowledge/0.md" in late.json()["detail"]
    assert acme.active() == ["The Porto office closes at 22:00."]
    assert (await acme.decide("farid", item, "reject", never_again=True)).status_code == 200
    assert acme.query("SELECT count(*) FROM dw_memory_tombstones") == [(2,)]
    _, results = await brought(acme, entry(), entry(BIKES, "bikes"))
    assert results == [("rejected", "tombstoned")] * 2


async def test_an_approval_is_taken_back_as_a_whole(acme: World) -> None:
    acme.saved("The Porto office closes at 22:00.", key="porto-hours")
    item, _ = await brought(acme, entry(), entry(BIKES, "bikes"))
    assert item is not None
    decided = (await acme.decide("farid", item)).json()
    assert acme.active() == sorted([HOURS, BIKES])
    undone = await acme.act("farid", "POST", f"/acts/{decided['act_id']}/undo")
    assert undone.status_code == 200, undone.text
    assert acme.active() == ["The Porto office closes at 22:00."]


@pytest.mark.parametrize(
    "named", [{"category": "AKIAIOSFODNN7EXAMPLE"}, {"file": "notes/AKIAIOSFODNN7EXAMPLE.md"}]
)
async def test_a_secret_in_what_names_an_entry_is_refused(acme: World, named: dict[str, str]) -> None:
    answer = await bring(acme, entry(HOURS, "hours", **named))
    refused = answer.status_code == 422 or answer.json()["results"][0]["status"] == "rejected"
    assert refused, answer.text
    assert acme.query(
        "SELECT count(*) FROM dw_learning_items WHERE proposed_payload::text LIKE '%%AKIA%%'"
    ) == [(0,)]


async def test_secrets_attacks_and_words_about_a_person_are_refused_by_file_and_stand_nowhere(
    acme: World,
) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    item, results = await brought(
        acme,
        entry(f"The key is {secret}", "aws"),
        entry(HOURS, f"key {secret}"),
        entry(BIKES, "meta", metadata={"note": secret}),
        entry("Likes short answers.", "tone", subject=str(acme.ids["minh"]), memory_type="preference"),
    )
    assert item is None
    assert results == [("rejected", "secret_blocked")] * 3 + [("rejected", "about_a_person")]
    for table in ("dw_learning_items", "dw_agent_memories", "dw_event_bodies", "dw_decisions"):
        assert acme.query(f"SELECT count(*) FROM {table} AS t WHERE t::text LIKE %s", f"%{secret}%") == [(0,)]


async def test_what_matters_is_decided_by_somebody_else_and_what_is_sensitive_by_admins(acme: World) -> None:
    item, results = await brought(acme, entry(PORTAL, "portal"), entry())
    assert item is not None
    assert results[0] == ("proposed", "high_impact")
    own = await acme.decide("ada", item)
    assert own.status_code == 403, own.text
    assert acme.active() == []
    assert (await acme.decide("ingrid", item)).status_code == 200
    risks = dict(acme.query("SELECT key, risk FROM dw_agent_memories"))
    assert risks == {"portal": "high", "porto-hours": "low"}


async def test_what_only_looks_like_an_attack_waits_for_admins_under_its_own_key_and_text(
    acme: World,
) -> None:
    old = acme.saved("Invoices are paid on Mondays.", key="invoices")
    item, results = await brought(acme, entry(SUSPECT, "invoices"), entry())
    assert item is not None
    assert results == [("proposed", "injection_suspect"), ("proposed", "import")]
    assert (await acme.decide("farid", item)).status_code == 403
    assert SUSPECT not in (await acme.get("farid", f"/items/{item}")).text
    assert (await acme.decide("ingrid", item)).status_code == 200
    assert acme.query("SELECT key, content FROM dw_agent_memories WHERE is_sensitive") == [
        ("invoices", SUSPECT)
    ]
    assert acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", old) == [("superseded",)]
    _, results = await brought(acme, entry(SUSPECT, "invoices"), entry())
    assert results == [("known", "duplicate")] * 2


async def test_a_batch_is_neither_edited_nor_converted(acme: World) -> None:
    item, _ = await brought(acme, entry())
    for method, path, body in (
        ("PUT", "text", {"row_version": 1, "text": "The Porto office never closes."}),
        ("POST", "conversion", {"row_version": 1}),
    ):
        refused = await acme.act("ada", method, f"/items/{item}/{path}", body)
        assert (refused.status_code, "import again" in refused.json()["detail"]) == (422, True), refused.text
    both = await acme.decide("ada", UUID(str(item)), text="The Porto office never closes.")
    assert both.status_code == 422


async def test_admins_alone_import_and_only_into_an_agent_that_is_there(acme: World) -> None:
    for who in ("farid", "minh", "greta"):
        assert (await bring(acme, entry(), who=who)).status_code == 403
    assert (await bring(acme, entry(), agent="nobody")).status_code == 404
    for wrong in (
        {"layer": "session"},
        {"scope": "org"},
        {"metadata": {"source_deleted": True}},
        {"content": ""},
    ):
        assert (await bring(acme, entry() | wrong)).status_code == 422
    assert acme.query("SELECT count(*) FROM dw_learning_items") == [(0,)]


async def test_an_export_is_what_is_active_in_order_and_on_record(acme: World) -> None:
    acme.saved(
        HOURS, key="porto-hours", metadata='{"topic": "offices", "source_edited": true}', source_session="r1"
    )
    acme.saved(BIKES, key="bikes", layer="operating", origin="approved")
    acme.saved("Old.", key="old", status="archived")
    acme.saved("Health of Ada.", key="ada", risk="sensitive", is_sensitive=True, origin="approved")
    first = await exported(acme, limit=2)
    assert [(e["layer"], e["key"]) for e in first["entries"]] == [
        ("knowledge", "ada"),
        ("knowledge", "porto-hours"),
    ]
    assert first["entries"][1]["metadata"] == {"topic": "offices"}
    assert first["entries"][1]["source_session"] == "r1"
    rest = await exported(acme, limit=2, after=first["next"])
    assert ([e["key"] for e in rest["entries"]], rest["next"], rest["hidden"]) == (["bikes"], None, 0)
    assert acme.audit().count("export_done") == 1
    of_manager = await exported(acme, who="farid")
    assert ([e["key"] for e in of_manager["entries"]], of_manager["hidden"]) == (["porto-hours", "bikes"], 1)
    assert (await acme.act("greta", "GET", "/agents/it_agent/memory-export")).status_code == 404

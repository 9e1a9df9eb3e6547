"""The audit log over HTTP: filters, pages, a copy that no spreadsheet runs, masks by role (D37, R299, C95)."""

from __future__ import annotations

import csv
import io
import json
import uuid
from typing import Any
from uuid import UUID

import pytest
from panel_world import World, bearer

from dw_panel import audit
from dw_panel.adapters.tables import BOM, cell
from dw_panel.views import MASK

pytestmark = pytest.mark.integration


def event(world: World, content: str, **values: Any) -> UUID:
    """A learning event of the IT agent, as the pipeline writes it."""
    made = uuid.uuid4()
    row = {
        "event_id": made,
        "org_id": world.org_id,
        "role_agent_id": world.ids["it_agent"],
        "event_type": "memory_auto_saved",
        "actor_type": "worker",
        "actor_id": f"dw_worker:{world.ids['it_agent']}",
        "subject_type": "memory",
        "digest": b"x",
    } | values
    world._insert("dw_learning_events", row)
    body = {
        "org_id": world.org_id,
        "event_id": made,
        "salt": b"s",
        "reason": "save",
        "after": json.dumps({"content": content}),
    }
    world._insert("dw_event_bodies", body)
    return made


async def found(world: World, who: str, **filters: Any) -> list[UUID]:
    answer = await world.get(who, "/audit", limit=200, **filters)
    assert answer.status_code == 200, answer.text
    return [UUID(row["id"]) for row in answer.json()["events"]]


async def copy(world: World, who: str, form: str = "jsonl", **filters: Any) -> bytes:
    answer = await world.get(who, "/audit/export", format=form, **filters)
    assert answer.status_code == 200, answer.text
    return answer.content


async def test_events_are_found_by_type_agent_item_actor_and_time(acme: World) -> None:
    item = acme.item()
    memory = acme.memory("The Porto office closes at 19:00.", learning_item_id=item)
    about = event(acme, "a", subject_type="item", subject_id=item, event_type="learning_proposed")
    came_of_it = event(acme, "b", subject_id=memory, event_type="memory_saved")
    by_minh = event(acme, "c", on_behalf_of=acme.ids["minh"], at="2020-05-05T10:00:00+00:00")
    of_hr = event(acme, "d", role_agent_id=acme.ids["hr_agent"])
    assert await found(acme, "ingrid", type="learning_proposed") == [about]
    assert await found(acme, "ingrid", item=item) == [came_of_it, about]
    assert await found(acme, "ingrid", agent=acme.ids["hr_agent"], type="memory_auto_saved") == [of_hr]
    for actor in ("minh", str(acme.ids["minh"])):
        assert await found(acme, "ingrid", actor=actor, type="memory_auto_saved") == [by_minh]
    worker = f"dw_worker:{acme.ids['it_agent']}"
    assert await found(acme, "ingrid", actor=worker) == [of_hr, by_minh, came_of_it, about]
    early = {"since": "2020-01-01T00:00:00Z", "until": "2020-05-05T10:00:01+00:00"}
    assert await found(acme, "ingrid", **early) == [by_minh]
    assert await found(acme, "ingrid", until="2020-05-05T10:00:00+00:00") == []
    assert await found(acme, "ingrid", actor="nobody") == []


async def test_pages_go_through_all_that_match_once(acme: World) -> None:
    made = [event(acme, str(n), event_type="memory_edited") for n in range(7)]
    event(acme, "another type")
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await acme.get("ingrid", "/audit", type="memory_edited", limit=3, cursor=cursor)).json()
        seen += [row["id"] for row in page["events"]]
        if page.get("next_cursor") is None:
            break
        cursor = page["next_cursor"]
    assert seen == [str(made_id) for made_id in reversed(made)]


async def test_filters_that_do_not_fit_are_refused(acme: World) -> None:
    for path in ("/audit", "/audit/export"):
        for query in (
            {"type": "Drop Table"},
            {"item": "1"},
            {"since": "2020-01-01"},
            {"until": "yesterday"},
            {"since": "0001-01-01T00:00:00+14:00"},
        ):
            assert (await acme.get("ingrid", path, **query)).status_code == 422, query
    assert (await acme.get("ingrid", "/audit/export", format="xml")).status_code == 422


async def test_a_copy_is_every_event_that_the_reader_may_see_and_is_itself_on_record(
    acme: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "EXPORT_PAGE", 3)
    made = [event(acme, f"fact {n}", event_type="memory_edited") for n in range(8)]
    lines = (await copy(acme, "ingrid", type="memory_edited")).splitlines()
    rows = [json.loads(line) for line in lines]
    assert [UUID(row["id"]) for row in rows] == made[::-1]
    assert rows[-1]["after"] == {"content": "fact 0"}
    whole = [json.loads(line) for line in (await copy(acme, "ingrid")).splitlines()]
    listed = (await acme.get("ingrid", "/audit", limit=200)).json()["events"]
    assert [row["id"] for row in whole] == [row["id"] for row in listed][1:]  # all but its own event
    recorded = acme.query(
        "SELECT e.actor_id, e.on_behalf_of, b.after FROM dw_learning_events AS e JOIN dw_event_bodies AS b"
        " USING (org_id, event_id) WHERE e.event_type = 'export_done' ORDER BY e.id"
    )
    ingrid = acme.ids["ingrid"]
    assert recorded == [
        (str(ingrid), ingrid, {"format": "jsonl", "role": "owner", "type": "memory_edited"}),
        (str(ingrid), ingrid, {"format": "jsonl", "role": "owner"}),
    ]


async def test_a_csv_holds_no_formula_and_reads_back(acme: World) -> None:
    evil = '=HYPERLINK("http://evil.example","x")'
    event(acme, evil, event_type="memory_edited", actor_id=evil, trace_id="@SUM(A1)")
    text = await copy(acme, "ingrid", "csv", type="memory_edited")
    assert text.startswith(BOM)
    head, row = list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))
    values = dict(zip(head, row, strict=True))
    assert values["actor"] == f"'{evil}"
    assert values["trace_id"] == "'@SUM(A1)"
    assert json.loads(values["after"]) == {"content": evil}
    assert values["before"] == ""
    answer = await acme.get("ingrid", "/audit/export", format="csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="audit-acme.csv"'


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", " =1", "\u00a0=1", "＝1", "＋1", "－1", "＠1", "\n=1"]
)
def test_a_cell_that_begins_like_a_formula_is_text(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_a_plain_cell_stays_as_it_is() -> None:
    assert [cell(value) for value in ("a=1", "", None, {"a": 1}, 5, "a\x00b")] == [
        "a=1",
        "",
        "",
        '{"a":1}',
        "5",
        "ab",
    ]


async def test_managers_get_their_agents_events_and_no_text_of_what_is_sensitive(acme: World) -> None:
    secret = acme.item("Minh is on sick leave.", is_sensitive=True, risk="sensitive")
    proposed = {"subject_type": "item", "subject_id": secret, "event_type": "learning_proposed"}
    hidden = event(acme, "Minh is on sick leave.", **proposed)
    event(acme, "HR alone", role_agent_id=acme.ids["hr_agent"])
    for form in ("jsonl", "csv"):
        mine, all_ = await copy(acme, "farid", form), await copy(acme, "ada", form)
        assert str(hidden).encode() in mine
        assert b"sick leave" not in mine
        assert MASK.encode() in mine
        assert b"HR alone" not in mine
        assert b"sick leave" in all_
        assert b"HR alone" in all_
    assert (await acme.get("farid", "/audit/export", agent=acme.ids["hr_agent"])).status_code == 404


async def test_nobody_elses_log_is_copied_and_a_refused_copy_leaves_no_event(
    acme: World, globex: World
) -> None:
    headers = bearer(acme.tokens["ingrid"])
    asked = await acme.http.get(f"{globex.path}/audit/export", headers=headers)
    assert asked.status_code == 404
    assert (await acme.http.get(f"{acme.path}/audit/export")).status_code == 401
    assert "export_done" not in acme.audit() + globex.audit()

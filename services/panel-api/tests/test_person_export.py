"""A copy of what is held about a person: all of it, nothing of others, and on record (D59)."""

from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from browser import served
from panel_world import INSTALLATION, PEPPER, World, bearer
from test_erasure import acme as acme  # with people who have names
from test_erasure import chat
from typer.testing import CliRunner

from dw_cli.main import app as dw
from dw_panel.app import create_app
from dw_panel.settings import Settings

pytestmark = pytest.mark.integration
CANARY = "Hunter-Tiger-42"


async def copy_of(world: World, who: str = "ingrid", **body: Any) -> tuple[int, list[dict[str, Any]]]:
    url = f"{world.path}/person-exports"
    answer = await world.http.post(url, json=body, headers=bearer(world.tokens[who]))
    lines = answer.text.splitlines() if answer.status_code == 200 else []
    return answer.status_code, [json.loads(line) for line in lines]


def of_kind(copy: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [row for row in copy if row["kind"] == kind]


async def held(world: World) -> dict[str, uuid.UUID]:
    """Minh spoke, was spoken of, decided and doubted; Farid has a life of his own."""
    [(identity,)] = world.query("SELECT id FROM dw_external_identities WHERE external_user_id = 'U1001'")
    said = chat(world, "The Lisbon office closes at 18:00.", "U1001")
    chat(world, "Minh Tran is on the fourth floor, says Quetzalcoatl.", "U9")
    refs = json.dumps(
        [{"event_id": str(said), "channel_id": str(world.ids["helpdesk"]), "type": "message_in"}]
    )
    made = {
        "said": said,
        "taught": world.memory("The Lisbon office closes at 18:00.", source_refs=refs),
        "taste": world.memory("Likes short answers.", subject_identity=identity, memory_type="preference"),
        "about": world.memory("Minh Tran owns the VPN."),
        "other": world.memory("The bike room is called Velo."),
        "decided": world.item(),
    }
    assert (await world.decide("minh", made["decided"])).status_code == 200
    body = {"action": "confirm"}
    assert (await world.act("minh", "POST", f"/memories/{made['other']}/feedback", body)).status_code == 200
    return made


async def test_all_that_is_held_about_a_person_and_nothing_of_others(acme: World) -> None:
    made = await held(acme)
    status, copy = await copy_of(acme, code="minh")
    assert status == 200
    person = copy[0]
    assert (person["kind"], person["member"]["name"], person["member"]["email"]) == (
        "person", "Minh Tran", "minh@acme.example",
    )  # fmt: skip
    assert person["mentioned_in_messages_of_others"] == 1
    assert [row["external_user_id"] for row in of_kind(copy, "identity")] == ["U1001"]
    assert [row["text"] for row in of_kind(copy, "message")] == ["The Lisbon office closes at 18:00."]
    why = {
        uuid.UUID(row["id"]): (row["is_source"], row["is_subject"], row["is_named"])
        for row in of_kind(copy, "memory")
    }
    assert why == {
        made["taught"]: (True, False, False),
        made["taste"]: (False, True, False),
        made["about"]: (False, False, True),
    }
    assert [uuid.UUID(row["id"]) for row in of_kind(copy, "verdict")] == [made["decided"]]
    assert [(row["action"], uuid.UUID(row["memory_id"])) for row in of_kind(copy, "feedback")] == [
        ("confirm", made["other"])
    ]
    assert {"approved", "memory_confirmed"} <= {row["type"] for row in of_kind(copy, "act")}
    whole = json.dumps(copy)
    assert "Quetzalcoatl" not in whole
    assert "Velo" not in whole
    assert "hash" not in whole
    assert not any(token in whole for token in acme.tokens.values())


async def test_a_copy_is_on_record_without_what_is_in_it(acme: World) -> None:
    await held(acme)
    await copy_of(acme, code="minh")
    rows = acme.query(
        "SELECT e.actor_id, e.subject_id, b.reason, b.after FROM dw_learning_events AS e"
        " JOIN dw_event_bodies AS b USING (org_id, event_id) WHERE e.event_type = 'export_done'"
    )
    assert rows == [
        (str(acme.ids["ingrid"]), acme.ids["minh"], "person export", {"accounts": 1, "role": "owner"})
    ]


async def test_only_owners_take_a_copy_and_only_of_their_own_org(acme: World, globex: World) -> None:
    for who in ("ada", "farid", "minh"):
        assert (await copy_of(acme, who, code="minh"))[0] == 403
    assert (await copy_of(acme, user=str(globex.ids["minh"])))[0] == 404
    assert (await copy_of(acme, code="nobody"))[0] == 404
    assert (await copy_of(acme))[0] == 422
    chat(globex, "The Berlin office closes at 17:00.", "U1001")
    _, copy = await copy_of(acme, user=str(acme.ids["minh"]))
    assert of_kind(copy, "message") == []


async def test_somebody_who_is_no_member_has_data_too_and_old_secrets_are_not_copied(acme: World) -> None:
    chat(acme, f"My password is {CANARY}!", "U77", display_name="Rosa Luz")
    acme.memory("Rosa Luz sits in Porto.")
    account = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U77"}
    status, copy = await copy_of(acme, accounts=[account])
    assert (status, copy[0]["member"]) == (200, None)
    assert [row["text"] for row in of_kind(copy, "memory")] == ["Rosa Luz sits in Porto."]
    assert len(of_kind(copy, "message")) == 1
    assert CANARY not in json.dumps(copy)


async def test_many_rows_come_page_by_page_and_once(acme: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dw_store.person_export.PAGE", 3)
    monkeypatch.setattr("dw_panel.person_export.PAGE", 3)
    said = {chat(acme, f"Room {n} is called R{n}.", "U1001") for n in range(10)}
    _, copy = await copy_of(acme, code="minh")
    ids = [uuid.UUID(row["id"]) for row in of_kind(copy, "message")]
    assert (len(ids), set(ids)) == (10, said)


async def test_the_command_writes_a_file_for_its_owner_alone(
    acme: World, dsn_of: Any, tmp_path: Path
) -> None:
    await held(acme)
    out = tmp_path / "minh.jsonl"
    settings = {"database_url": dsn_of("panel"), "pepper": PEPPER, "installation_token": INSTALLATION}
    app = create_app(Settings.model_validate(settings | {"env": "development"}))
    async with served(app) as url:
        env = {"DW_PANEL_URL": url, "DW_TOKEN": acme.tokens["ingrid"]}
        command = ["person", "export", "--org", "acme", "--member", "minh", "--out", str(out)]
        done = await asyncio.to_thread(CliRunner().invoke, dw, command, env=env)
        assert done.exit_code == 0, done.output
        again = await asyncio.to_thread(CliRunner().invoke, dw, command, env=env)
        assert (again.exit_code, "exists already" in again.output) == (1, True)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert (lines[0]["kind"], len(of_kind(lines, "memory")), out.stat().st_mode & 0o077) == ("person", 3, 0)

"""An org is one file: applied once, applied twice, by whom, and what cannot be (C73, C74)."""

from __future__ import annotations

import asyncio
import copy
import time
from typing import Any

import pytest
from panel_world import World, bearer, org_file

pytestmark = pytest.mark.integration


def changed(**parts: dict[str, Any]) -> dict[str, Any]:
    """Acme's file with entries changed: part, then entry, then fields."""
    file = copy.deepcopy(org_file("acme"))
    for part, entries in parts.items():
        for name, fields in entries.items():
            file[part][name] = {**file[part].get(name, {}), **fields}
    return file


async def test_the_same_file_a_second_time_changes_nothing(acme: World) -> None:
    before = acme.audit()
    again = (await acme.apply("ingrid", org_file("acme"))).json()
    assert {step["action"] for step in again["plan"]} == {"same"}
    assert (again["new_keys"], again["new_tokens"]) == ({}, {})
    assert again["version"] == acme.applied["version"] > 0
    assert acme.audit() == before


async def test_what_is_made_is_shown_once_and_audited(acme: World) -> None:
    assert set(acme.applied["new_keys"]) == {"gateway", "runtime"}
    assert set(acme.applied["new_tokens"]) == {"ada", "farid", "greta", "minh"}
    counts = {name: acme.audit().count(name) for name in set(acme.audit())}
    assert counts == {
        "org_created": 1,
        "member_added": 4,
        "org_changed": 1,
        "agent_created": 2,
        "manager_added": 2,
        "channel_created": 2,
        "channel_assigned": 2,
        "identity_verified": 1,
        "key_created": 2,
    }
    assert acme.query("SELECT count(*) FROM dw_outbox WHERE headers ->> 'ce_type' LIKE '%%change%%'") != [
        (0,)
    ]


async def test_new_agents_speak_with_the_default_soul(acme: World) -> None:
    assert acme.query(
        "SELECT DISTINCT s.code FROM dw_role_agents AS a LEFT JOIN dw_agent_souls AS s ON s.org_id = a.org_id"
        " AND s.id = a.soul_id WHERE a.org_id = %s",
        acme.org_id,
    ) == [("balanced_helper",)]


async def test_an_identity_that_an_admin_verifies_says_so(acme: World) -> None:
    rows = "SELECT verify_method, verified_by, verified_at FROM dw_external_identities WHERE org_id = %s"
    [(method, by, at)] = acme.query(rows, acme.org_id)
    assert (method, by) == ("admin", str(acme.ids["ingrid"]))
    await acme.apply("ada", changed(identities={"minh-on-slack": {"service_granted": True}}))
    assert acme.query(rows, acme.org_id) == [("admin", str(acme.ids["ingrid"]), at)]


async def test_a_dry_run_says_all_and_writes_nothing(acme: World) -> None:
    before = acme.audit()
    file = changed(agents={"it_agent": {"managers": ["greta"]}, "new_agent": {}})
    plan = (await acme.apply("ingrid", file, dry_run="true")).json()
    shown = {
        step["name"]: (step["action"], step["changes"]) for step in plan["plan"] if step["action"] != "same"
    }
    assert shown == {
        "it_agent": ("update", {"managers": ["farid, minh", "greta"]}),
        "new_agent": ("create", {}),
    }
    assert "new_agent" not in plan["agents"]
    assert acme.audit() == before
    assert acme.query("SELECT count(*) FROM dw_role_agents WHERE org_id = %s", acme.org_id) == [(2,)]


async def test_a_name_of_the_org_is_a_change_like_any_other(acme: World) -> None:
    again = (await acme.apply("ingrid", org_file("acme", name="Acme Ltd"))).json()
    assert [(s["kind"], s["changes"]) for s in again["plan"] if s["action"] == "update"] == [
        ("org", {"name": ["Acme", "Acme Ltd"]})
    ]
    assert acme.query("SELECT name FROM dw_orgs WHERE id = %s", acme.org_id) == [("Acme Ltd",)]


async def test_members_and_managers_change_no_org(acme: World) -> None:
    assert (await acme.apply("farid", org_file("acme"))).status_code == 403
    assert (await acme.get("farid", "/invitations")).status_code == 403


async def test_an_admin_applies_what_touches_no_high_role(acme: World) -> None:
    assert (await acme.apply("ada", org_file("acme"))).status_code == 200
    assert (await acme.apply("ada", changed(users={"nora": {}}))).status_code == 200


async def test_an_admin_makes_and_unmakes_no_owner_or_admin(acme: World) -> None:
    for user, fields in (
        ("ingrid", {"role": "member"}),
        ("ingrid", {"role": "owner", "active": False}),
        ("ada", {"role": "owner"}),
        ("nora", {"role": "admin"}),
    ):
        assert (await acme.apply("ada", changed(users={user: fields}))).status_code == 403


async def test_the_last_owner_stays(acme: World) -> None:
    for fields in ({"role": "admin"}, {"role": "owner", "active": False}):
        file = changed(users={"ingrid": fields})
        assert (await acme.apply("ingrid", file, dry_run="true")).status_code == 409
        assert (await acme.apply("ingrid", file)).status_code == 409
    second = changed(users={"ingrid": {"role": "admin"}, "ada": {"role": "owner"}})
    assert (await acme.apply("ingrid", second)).status_code == 200


async def test_removal_takes_all_that_came_with_the_membership(acme: World) -> None:
    item = acme.item(assigned_to=acme.ids["minh"])
    gone = changed(users={"minh": {"active": False}})
    assert (await acme.apply("ingrid", gone)).status_code == 200
    minh = acme.ids["minh"]
    assert acme.query("SELECT status FROM dw_external_identities WHERE user_id = %s", minh) == [("revoked",)]
    assert acme.query("SELECT count(*) FROM dw_agent_managers WHERE user_id = %s", minh) == [(0,)]
    assert acme.query("SELECT assigned_to FROM dw_learning_items WHERE id = %s", item) == [(None,)]
    assert "identity_revoked" in acme.audit()
    assert "manager_removed" in acme.audit()
    again = (await acme.apply("ingrid", gone)).json()
    assert {step["action"] for step in again["plan"]} == {"same"}
    old = (await acme.apply("ingrid", org_file("acme"))).json()
    assert old["new_tokens"] == {}, "an old file brings nobody back"
    assert acme.query("SELECT status FROM dw_org_members WHERE user_id = %s", minh) == [("removed",)]
    back = (await acme.apply("ingrid", changed(users={"minh": {"active": True}}))).json()
    assert set(back["new_tokens"]) == {"minh"}


async def test_what_is_left_out_of_an_entry_is_left_alone(acme: World) -> None:
    full = changed(
        users={"farid": {"name": "Farid B.", "email": "farid@x.example"}},
        agents={
            "it_agent": {
                "persona": "Helps with laptops.",
                "auto_memory_require_verified": False,
                "open_items": 7,
            }
        },
        channels={"helpdesk": {"external_channel_ref": "C1", "learning": "propose", "managers": ["greta"]}},
        identities={"minh-on-slack": {"service_granted": True}},
        keys={"gateway": {"proves_sender": False}},
    )
    await acme.apply("ingrid", full)
    before = acme.audit()
    bare = {
        "org": "acme",
        "users": {"ingrid": {}, "ada": {}, "farid": {}, "minh": {}},
        "agents": {"it_agent": {}},
        "channels": {"helpdesk": {"platform": "slack"}},
        "identities": {"m": {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U1001"}},
        "keys": {"gateway": {"kind": "gateway"}, "runtime": {"kind": "runtime"}},
    }
    applied = (await acme.apply("ingrid", bare)).json()
    assert {step["action"] for step in applied["plan"]} == {"same"}, applied["plan"]
    assert acme.audit() == before


async def test_what_is_said_empty_is_emptied(acme: World) -> None:
    await acme.apply("ingrid", changed(agents={"it_agent": {"persona": "Helps.", "open_items": 7}}))
    await acme.apply(
        "ingrid", changed(agents={"it_agent": {"persona": "", "open_items": None, "managers": []}})
    )
    assert acme.query(
        "SELECT persona, open_items, (SELECT count(*) FROM dw_agent_managers AS g WHERE g.role_agent_id = a.id)"
        " FROM dw_role_agents AS a WHERE id = %s",
        acme.ids["it_agent"],
    ) == [("", None, 0)]


async def test_an_account_that_becomes_somebody_elses_is_not_verified_by_silence(acme: World) -> None:
    account = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U1001"}
    rows = "SELECT status, user_id FROM dw_external_identities WHERE org_id = %s"
    await acme.apply("ingrid", org_file("acme", identities={"x": {**account, "user": "greta"}}))
    assert acme.query(rows, acme.org_id) == [("pending", acme.ids["greta"])]
    await acme.apply(
        "ingrid", org_file("acme", identities={"x": {**account, "user": "minh", "status": "verified"}})
    )
    assert acme.query(rows, acme.org_id) == [("verified", acme.ids["minh"])]


@pytest.mark.parametrize(
    "parts",
    [
        {"keys": {"a\u202eb": {"kind": "runtime"}}},
        {"keys": {"x" * 201: {"kind": "runtime"}}},
        {"keys": {" padded": {"kind": "runtime"}}},
        {"identities": {"a\nb": {"platform": "slack", "external_user_id": "U5"}}},
        {"identities": {"a": {"platform": "slack", "external_user_id": "U5\u200b"}}},
        {"users": {"farid": {"name": "Farid\u0007"}}},
        {"agents": {"it_agent": {"persona": "One\u0007two"}}},
        {"channels": {"helpdesk": {"display_name": "a\nb"}}},
    ],
)
async def test_names_are_one_line_that_can_be_read(acme: World, parts: dict[str, Any]) -> None:
    refused = await acme.apply("ingrid", changed(**parts))
    assert refused.status_code == 422
    assert refused.headers["content-type"].startswith("application/problem+json")


async def test_names_of_all_scripts_are_names(acme: World) -> None:
    file = changed(users={"farid": {"name": "فرید \u200cمنش"}}, keys={"ключ 日本 é": {"kind": "runtime"}})
    assert (await acme.apply("ingrid", file)).status_code == 200


async def test_what_cannot_be_is_said_with_its_place_before_anything_is_written(acme: World) -> None:
    account = {"platform": "slack", "workspace_ref": "T1", "external_user_id": "U1001"}
    file = changed(
        users={"anna": {"email": "a@x.example"}, "bo": {"email": "A@x.example"}},
        identities={"again": account},
        channels={"other": {"platform": "slack", "external_channel_ref": "helpdesk"}},
        keys={"gateway": {"kind": "runtime"}},
    )
    refused = await acme.apply("ingrid", file)
    assert refused.status_code == 422
    assert [error["at"] for error in refused.json()["errors"]] == [
        "users.bo.email",
        "identities.again",
        "channels.other.external_channel_ref",
        "keys.gateway.kind",
    ]


async def test_a_swap_that_the_database_cannot_do_at_once_is_409(acme: World) -> None:
    swapped = changed(
        channels={
            "helpdesk": {"external_channel_ref": "people"},
            "people": {"external_channel_ref": "helpdesk"},
        }
    )
    assert (await acme.apply("ingrid", swapped)).status_code == 409


async def test_a_file_of_another_org_is_refused(acme: World) -> None:
    refused = await acme.apply("ingrid", org_file("globex"))
    assert (refused.status_code, refused.json()["errors"][0]["at"]) == (422, "org")


async def test_a_key_that_changes_its_channels_keeps_its_secret(acme: World) -> None:
    again = (
        await acme.apply("ingrid", changed(keys={"gateway": {"channels": ["helpdesk", "people"]}}))
    ).json()
    assert again["new_keys"] == {}
    [(channels,)] = acme.query(
        "SELECT channel_ids FROM dw_api_keys WHERE org_id = %s AND name = 'gateway'", acme.org_id
    )
    assert set(channels) == {acme.ids["helpdesk"], acme.ids["people"]}


async def test_a_revoked_key_stays_so_until_a_file_says_that_it_is_active(acme: World) -> None:
    def keys() -> list[tuple[Any, ...]]:
        return acme.query(
            "SELECT revoked_at IS NULL, count(*) FROM dw_api_keys WHERE org_id = %s AND name = 'gateway'"
            " GROUP BY 1 ORDER BY 1",
            acme.org_id,
        )

    [gateway] = [key for key in (await acme.get("ada", "/keys")).json()["keys"] if key["name"] == "gateway"]
    url = acme.path + f"/keys/{gateway['id']}/revoke"
    revoked = await acme.http.post(url, headers=bearer(acme.tokens["ada"]))
    assert revoked.status_code == 200
    for file in (org_file("acme"), changed(keys={"gateway": {"active": False, "proves_sender": False}})):
        answer = (await acme.apply("ingrid", file)).json()
        assert answer["new_keys"] == {}
        [step] = [step for step in answer["plan"] if (step["kind"], step["name"]) == ("key", "gateway")]
        assert (step["action"], "active: true" in step["note"]) == ("same", True)
    assert keys() == [(False, 1)]
    back = changed(keys={"gateway": {"active": True}})
    planned = (await acme.apply("ingrid", back, dry_run="true")).json()
    assert [step["name"] for step in planned["plan"] if step["action"] == "create"] == ["gateway"]
    assert set((await acme.apply("ingrid", back)).json()["new_keys"]) == {"gateway"}
    assert keys() == [(False, 1), (True, 1)]
    assert (await acme.apply("ingrid", back)).json()["new_keys"] == {}
    assert keys() == [(False, 1), (True, 1)]


async def test_a_file_revokes_a_key_and_names_one_that_was_never_made(acme: World) -> None:
    off = changed(keys={"runtime": {"active": False}, "old": {"kind": "runtime", "active": False}})
    answer = (await acme.apply("ingrid", off)).json()
    assert [(step["action"], step["name"]) for step in answer["plan"] if step["action"] != "same"] == [
        ("update", "runtime")
    ]
    assert acme.audit().count("key_revoked") == 1
    assert [
        key["name"] for key in (await acme.get("ada", "/keys")).json()["keys"] if key["kind"] != "user"
    ] == ["gateway"]


async def test_files_that_come_at_once_are_applied_one_after_the_other(acme: World) -> None:
    file = changed(agents={"new_agent": {}}, channels={"new": {"platform": "slack", "agents": ["new_agent"]}})
    answers = await asyncio.gather(*(acme.apply(who, file) for who in ("ingrid", "ada") * 3))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["agents"]["new_agent"] for answer in answers}) == 1
    assert (
        sum("new_agent" in str(s) and s["action"] == "create" for a in answers for s in a.json()["plan"]) == 1
    )


async def test_a_large_org_is_applied_in_seconds(acme: World) -> None:
    users = org_file("acme")["users"] | {f"user{n}": {"email": f"u{n}@x.example"} for n in range(500)}
    agents = org_file("acme")["agents"] | {f"agent{n}": {"managers": ["farid"]} for n in range(200)}
    accounts = {
        f"account{n}": {
            "platform": "slack",
            "external_user_id": f"W{n}",
            "user": f"user{n % 500}",
            "status": "verified",
        }
        for n in range(2_000)
    }
    file = org_file("acme", users=users, agents=agents, identities=accounts)
    started = time.monotonic()
    first = await acme.apply("ingrid", file)
    again = await acme.apply("ingrid", file)
    assert time.monotonic() - started < 20
    assert (first.status_code, len(first.json()["new_tokens"])) == (200, 500)
    assert {step["action"] for step in again.json()["plan"]} == {"same"}

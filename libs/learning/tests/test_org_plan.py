"""The plan of an org file: what changes, how it is shown, whom it concerns, and what the audit log calls it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from dw_contracts.http.org_file import OrgFile, PlanStep
from dw_learning.org_faults import faults
from dw_learning.org_plan import Change, Kind, audit_names, diff, owners_after, step_of, touches_roles

ANNA, BO = UUID(int=1), UUID(int=2)
NAMES = {ANNA: "anna", BO: "bo"}


def user(code: str = "anna", role: str = "member", status: str = "active", **more: Any) -> dict[str, Any]:
    return {"code": code, "user_id": ANNA, "role": role, "status": status, "email": None, **more}


def agent(**more: Any) -> dict[str, Any]:
    return {
        "id": BO,
        "name": "IT",
        "auto_memory_enabled": True,
        "auto_memory_require_verified": True,
        "learning_enabled": True,
        "managers": frozenset(),
    } | more


def channel(**more: Any) -> dict[str, Any]:
    return {"id": BO, "learning": "auto", "agents": frozenset(), "managers": frozenset()} | more


def names_of(kind: Kind, before: dict[str, Any] | None, after: dict[str, Any]) -> list[str]:
    return [name for name, _ in audit_names(Change(kind, "x", before, after))]


def test_what_the_file_does_not_name_is_left_alone() -> None:
    assert diff("user", {"anna": user()}, {}) == []


def test_the_same_row_is_the_same() -> None:
    step = step_of(Change("agent", "it", agent(), agent()), NAMES)
    assert step == PlanStep(action="same", kind="agent", name="it")
    assert names_of("agent", agent(), agent()) == []


def test_people_read_codes_where_rows_hold_ids() -> None:
    after = agent(managers=frozenset({ANNA, BO}), learning_enabled=False)
    step = step_of(Change("agent", "it", agent(), after), NAMES)
    assert step.changes == {"learning_enabled": ("True", "False"), "managers": ("", "anna, bo")}


def test_a_new_row_is_created_and_an_invitation_is_said() -> None:
    assert step_of(Change("user", "anna", None, user()), NAMES).changes == {}
    invited = step_of(Change("user", "anna", None, user(status="invited")), NAMES)
    assert invited.changes == {"status": ("", "invited")}


@pytest.mark.parametrize(
    ("before", "after", "touches"),
    [
        (None, user(), False),
        (None, user(role="admin"), True),
        (user(), user(status="removed"), False),
        (user(), user(role="admin"), True),
        (user(role="owner"), user(role="member"), True),
        (user(role="admin"), user(role="admin", status="removed"), True),
        (user(role="owner"), user(role="owner", name="Anna"), False),
        (user(role="owner"), user(role="owner"), False),
    ],
)
def test_roles_are_touched_where_somebody_high_comes_or_goes(
    before: dict[str, Any] | None, after: dict[str, Any], touches: bool
) -> None:
    assert touches_roles([Change("user", "anna", before, after)]) is touches


def test_other_parts_touch_no_role() -> None:
    assert not touches_roles([Change("agent", "it", None, agent(role="owner", status="active"))])


def test_owners_are_counted_as_they_will_be() -> None:
    users = {"anna": user(role="owner"), "bo": user("bo", role="owner") | {"user_id": BO}}
    gone = Change("user", "anna", users["anna"], user(role="owner", status="removed"))
    lowered = Change("user", "bo", users["bo"], users["bo"] | {"role": "admin"})
    assert owners_after(users, []) == 2
    assert owners_after(users, [gone]) == 1
    assert owners_after(users, [gone, lowered, Change("agent", "it", None, agent())]) == 0


@pytest.mark.parametrize(
    ("kind", "before", "after", "names"),
    [
        ("org", {"name": "A"}, {"name": "B"}, ["org_changed"]),
        ("key", None, {"id": ANNA, "kind": "gateway"}, ["key_created"]),
        ("key", {"id": ANNA, "kind": "x"}, {"id": ANNA, "kind": "gateway"}, ["key_changed"]),
        ("user", None, user(), ["member_added"]),
        ("user", user(), user(role="admin"), ["member_changed"]),
        ("user", user(), user(status="removed"), ["member_removed"]),
        ("user", user(status="removed"), user(), ["member_added"]),
        ("identity", None, {"status": "verified", "user_id": ANNA}, ["identity_verified"]),
        ("identity", None, {"status": "pending", "user_id": None}, ["identity_claimed"]),
        (
            "identity",
            {"status": "verified", "user_id": ANNA},
            {"status": "revoked", "user_id": ANNA},
            ["identity_revoked"],
        ),
        (
            "identity",
            {"status": "verified", "user_id": ANNA, "service_granted": False},
            {"status": "verified", "user_id": ANNA, "service_granted": True},
            ["identity_changed"],
        ),
        ("agent", None, agent(), ["agent_created"]),
        ("agent", None, agent(learning_enabled=False), ["agent_created", "learning_paused"]),
        ("agent", agent(), agent(name="Help"), ["agent_changed"]),
        ("agent", agent(), agent(auto_memory_require_verified=False), ["auto_save_mode_changed"]),
        ("agent", agent(learning_enabled=False), agent(), ["learning_resumed"]),
        (
            "agent",
            agent(managers=frozenset({ANNA})),
            agent(managers=frozenset({BO})),
            ["manager_added", "manager_removed"],
        ),
        ("channel", None, channel(agents=frozenset({ANNA})), ["channel_created", "channel_assigned"]),
        ("channel", channel(), channel(learning="off"), ["channel_changed"]),
        ("channel", channel(agents=frozenset({ANNA})), channel(), ["channel_unassigned"]),
        ("channel", channel(), channel(managers=frozenset({ANNA})), ["manager_added"]),
    ],
)
def test_what_the_audit_log_calls_it(
    kind: Kind, before: dict[str, Any] | None, after: dict[str, Any], names: list[str]
) -> None:
    assert names_of(kind, before, after) == names


def fault_places(
    file: dict[str, Any], *, users: Any = None, channels: Any = None, keys: Any = None
) -> list[str]:
    parsed = OrgFile.model_validate({"org": "acme", **file})
    return [fault.at for fault in faults(parsed, users or {}, channels or {}, keys or {})]


def test_a_plain_file_has_no_fault() -> None:
    assert fault_places({"agents": {"it": {}}, "channels": {"a": {"platform": "slack"}}}) == []


def test_codes_and_names_have_a_form() -> None:
    file: dict[str, Any] = {
        "agents": {"IT Agent": {}},
        "channels": {"": {"platform": "slack"}},
        "keys": {"": {"kind": "runtime"}},
    }
    assert fault_places(file) == ["agents.IT Agent", "channels.", "keys."]


def test_an_address_belongs_to_one_person_and_stays() -> None:
    file = {"users": {"anna": {"email": "A@x.example"}, "bo": {"email": "a@X.example"}}}
    assert fault_places(file) == ["users.bo.email"]
    known = {"carl": user("carl", email="a@x.example"), "bo": user("bo", email="b@x.example")}
    assert fault_places(file, users=known) == ["users.anna.email", "users.bo.email"]
    assert fault_places(file, users={"anna": user(email="a@x.example")}) == ["users.bo.email"]


def test_an_account_or_a_channel_stands_in_the_file_once() -> None:
    account = {"platform": "slack", "external_user_id": "U1"}
    ref = {"platform": "slack", "external_channel_ref": "C1"}
    assert fault_places({"identities": {"one": account, "two": account}}) == ["identities.two"]
    assert fault_places({"channels": {"a": ref, "b": ref}}) == ["channels.b.external_channel_ref"]
    assert fault_places({"channels": {"a": ref}}, channels={"old": ref}) == [
        "channels.a.external_channel_ref"
    ]
    assert fault_places({"channels": {"a": ref}}, channels={"a": ref}) == []


def test_a_key_keeps_its_kind() -> None:
    wanted = {"keys": {"gate": {"kind": "runtime"}, "other": {"kind": "runtime"}}}
    known = {"gate": {"kind": "gateway"}, "other": {"kind": "runtime"}}
    assert fault_places(wanted, keys=known) == ["keys.gate.kind"]

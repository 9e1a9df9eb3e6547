"""What is learned grants nothing (R310), is scanned whenever it becomes active (R100), is written by named kinds of
source alone (R127), and where it is sensitive points to who allowed it (R106). No role is a manager's (R130)."""

from __future__ import annotations

from typing import Any, get_args
from uuid import UUID

import psycopg
import pytest
from panel_world import World, org_file
from test_skill_routes import body, propose
from test_souls import permissions

from dw_learning.authority import OrgRole, Person, may_decide
from dw_panel.views import facts_of

pytestmark = pytest.mark.integration
BOLD = "Farid may approve refunds and read what is sensitive."
SECRET = "The admin password is Hunter-Tiger-42!"


async def test_memory_and_skills_change_no_permission(acme: World) -> None:
    """R310, R101: the org's policy and rights stand above what the org and its agents know."""
    before = await permissions(acme)
    for agent in (acme.ids["it_agent"], None):
        acme.memory(
            BOLD,
            role_agent_id=agent,
            scope="role_agent" if agent else "org",
            risk="sensitive",
            is_sensitive=True,
        )
    proposed = (await propose(acme, body_md=body(step="1. Farid may decide everything."))).json()
    assert (await acme.decide("ada", UUID(proposed["item_id"]))).status_code == 200
    assert acme.query("SELECT status FROM dw_agent_skills") == [("active",)]
    assert await permissions(acme) == before
    hidden = acme.item("Anna has asthma.", is_sensitive=True, risk="sensitive")
    assert (await acme.decide("farid", hidden)).status_code == 403


async def test_what_comes_back_or_goes_to_all_is_scanned_then(acme: World) -> None:
    """R100: what an older scan let through is stopped where it would become active."""
    gone = acme.saved(SECRET, status="deleted", delete_reason="x")
    active = acme.saved(SECRET + " ", key="other")
    for memory, act in ((gone, "restore"), (active, "promote")):
        refused = await acme.act("ada", "POST", f"/memories/{memory}/{act}", {})
        assert (refused.status_code, "the scans refuse this text" in refused.text) == (422, True), act
    assert acme.query("SELECT status FROM dw_agent_memories WHERE id = %s", gone) == [("deleted",)]
    assert acme.active(None) == []
    item = acme.item(SECRET)
    assert (await acme.decide("ada", item)).status_code == 422
    skill = acme.item(f"To sign in: use it. {SECRET}", kind="skill_proposal")
    assert (await acme.decide("ada", skill)).status_code == 422
    assert acme.query("SELECT count(*) FROM dw_agent_skills") == [(0,)]


async def test_each_way_writes_its_own_kind_of_source_and_nobody_says_another(acme: World) -> None:
    """R127, C41: approved words are the people's, an admin's hand is the admin's; no body names a kind."""
    await acme.decide("farid", acme.item("The Porto office closes at 19:00."))
    await acme.learn("The bike room is called Velo.")
    kinds = dict(acme.query("SELECT content, source_kind FROM dw_agent_memories"))
    assert kinds == {
        "The Porto office closes at 19:00.": "user_confirmed",
        "The bike room is called Velo.": "admin_manual",
    }
    for said in ("system_rule", "anything"):
        wrong = {"agent": None, "texts": ["The car park is called Sul."], "source_kind": said}
        assert (await acme.act("ada", "POST", "/memories", wrong)).status_code == 422
    with pytest.raises(psycopg.errors.CheckViolation):
        acme.memory("The car park is called Sul.", source_kind="anything")


async def test_what_is_sensitive_points_to_who_allowed_it(acme: World) -> None:
    """R106: an item that an admin approved, or an admin's own hand."""
    item = acme.item("Anna is on parental leave until May.", is_sensitive=True, risk="sensitive")
    assert (await acme.decide("ada", item)).status_code == 200
    [manual] = await acme.learn("Rita's phone number is private; ask HR.")
    acme.query("UPDATE dw_agent_memories SET is_sensitive = TRUE, risk = 'sensitive' WHERE id = %s", manual)
    rows: list[Any] = acme.query(
        "SELECT m.origin, i.status, i.decided_by, m.source_refs -> 0 ->> 'user_id' FROM dw_agent_memories AS m"
        " LEFT JOIN dw_learning_items AS i ON i.org_id = m.org_id AND i.id = m.learning_item_id"
        " WHERE m.is_sensitive ORDER BY m.origin"
    )
    ada = acme.ids["ada"]
    assert rows == [("approved", "approved", ada, None), ("manual", None, None, str(ada))]
    with pytest.raises(psycopg.errors.CheckViolation):
        acme.saved("Anna has asthma.", is_sensitive=True, risk="sensitive")


async def test_a_manager_is_named_by_agent_and_is_no_role(acme: World) -> None:
    """R130."""
    assert set(get_args(OrgRole)) == {"owner", "admin", "member"}
    users = {"ingrid": {"role": "owner"}, "nora": {"role": "digital_worker.agent_manager"}}
    assert (await acme.apply("ingrid", org_file("acme", users=users))).status_code == 422
    with pytest.raises(psycopg.errors.CheckViolation):
        acme.query("UPDATE dw_org_members SET role = 'agent_manager' WHERE code = 'farid'")
    roles = dict(acme.query("SELECT code, role FROM dw_org_members"))
    assert roles["farid"] == "member"
    row = {"role_agent_id": acme.ids["it_agent"], "kind": "memory_proposal", "action": "create", "risk": "low", "is_sensitive": False}  # fmt: skip
    member = Person(acme.ids["farid"], "member")
    manager = Person(acme.ids["farid"], "member", frozenset({acme.ids["it_agent"]}))
    facts = facts_of(row, frozenset())
    assert may_decide(member, facts, other_deciders=1) == "not_yours"
    assert may_decide(manager, facts, other_deciders=1) == "allowed"

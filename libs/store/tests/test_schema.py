"""What the tables themselves refuse and promise (R7, R8, R11 to R21, R82, R83, R113 to R115)."""

from __future__ import annotations

import uuid
from typing import Any

import asyncpg
import psycopg
import pytest

from dw_store.database import Database
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
CHECK = psycopg.errors.CheckViolation
UNIQUE = psycopg.errors.UniqueViolation
COLUMNS = (
    "SELECT column_name, data_type, column_default FROM information_schema.columns WHERE table_name = %s"
)


def columns_of(admin: Admin, table: str) -> dict[str, tuple[str, str]]:
    return {name: (kind, default) for name, kind, default in admin.query(COLUMNS, table)}


@pytest.mark.parametrize(
    "values",
    [
        {"scope": "channel"},
        {"scope": "user"},
        {"scope": "org"},
        {"role_agent_id": None},
        {"status": "paused"},
        {"memory_type": "rumour"},
        {"layer": "global"},
        {"risk": "medium"},
        {"confidence": 1.01},
        {"confidence": -0.01},
        {"content": ""},
        {"content": "x" * 601},
        {"source_kind": "hearsay"},
        {"source_refs": "[]"},
        {"source_refs": "{}"},
        {"retention_policy": "ttl_1d"},
        {"origin": "guessed"},
    ],
    ids=str,
)
def test_a_memory_out_of_range_is_refused(admin: Admin, ours: SmallOrg, values: dict[str, Any]) -> None:
    with pytest.raises(CHECK):
        admin.memory(ours, **values)


@pytest.mark.parametrize("origin", ["auto_saved", "imported"])
def test_an_org_wide_memory_is_never_automatic(admin: Admin, ours: SmallOrg, origin: str) -> None:
    with pytest.raises(CHECK):
        admin.memory(ours, scope="org", role_agent_id=None, origin=origin)


@pytest.mark.parametrize(
    "values",
    [{"risk": "high"}, {"risk": "sensitive"}, {"is_sensitive": True}, {"layer": "operating"}],
    ids=str,
)
def test_what_needs_a_person_cannot_be_stored_as_saved_automatically(
    admin: Admin, ours: SmallOrg, values: dict[str, Any]
) -> None:
    with pytest.raises(CHECK):
        admin.memory(ours, origin="auto_saved", **values)


def test_memory_has_no_scopes_of_later_phases(admin: Admin) -> None:
    assert not {"channel_binding_id", "user_id"} & columns_of(admin, "dw_agent_memories").keys()


def test_one_active_memory_a_key_also_org_wide_and_history_beside_it(admin: Admin, ours: SmallOrg) -> None:
    org_wide = {"scope": "org", "role_agent_id": None}
    for place in ({}, org_wide):
        admin.memory(ours, key="vpn", content_hash=b"1", **place)
        with pytest.raises(UNIQUE):
            admin.memory(ours, key="vpn", content_hash=b"2", **place)
        with pytest.raises(UNIQUE):
            admin.memory(ours, key="other", content_hash=b"1", **place)
        admin.memory(ours, key="vpn", content_hash=b"1", status="superseded", **place)
    admin.memory(ours, key="vpn", content_hash=b"1", subject_identity=ours.identity_id)


def test_a_role_agent_is_active_or_disabled_and_pausing_learning_is_a_switch(
    admin: Admin, ours: SmallOrg
) -> None:
    with pytest.raises(CHECK):
        admin.query("UPDATE dw_role_agents SET status = 'paused' WHERE id = %s", ours.agent_id)
    columns = columns_of(admin, "dw_role_agents")
    for switch in ("learning_enabled", "skill_learning_enabled"):
        assert columns[switch] == ("boolean", "true")
    for switch in ("auto_memory_enabled", "auto_memory_require_verified"):
        assert columns[switch] == ("boolean", "true")


def test_persona_and_name_stand_once(admin: Admin) -> None:
    columns = columns_of(admin, "dw_role_agents").keys()
    assert {"persona", "name"} <= columns
    assert not {"summary", "role_summary", "display_name", "description"} & columns


def test_memory_has_the_index_that_the_design_names(admin: Admin) -> None:
    indexes = [
        row[0] for row in admin.query("SELECT indexdef FROM pg_indexes WHERE tablename = 'dw_agent_memories'")
    ]
    assert any("(org_id, role_agent_id, status, memory_type)" in definition for definition in indexes)


def test_codes_managers_and_skills_are_unique_in_their_org(
    admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    def soul(org: SmallOrg) -> None:
        admin.insert("dw_agent_souls", id=uuid.uuid4(), org_id=org.org_id, code="kind", name="Kind")

    def manager(org: SmallOrg) -> None:
        admin.insert("dw_agent_managers", org_id=org.org_id, role_agent_id=org.agent_id, user_id=org.user_id)

    def skill(org: SmallOrg) -> None:
        admin.insert(
            "dw_agent_skills",
            id=uuid.uuid4(),
            org_id=org.org_id,
            role_agent_id=org.agent_id,
            name="reset-vpn",
            description="",
            risk="low",
            created_by_agent_id=org.agent_id,
        )

    for make in (soul, manager, skill):
        make(ours)
        make(theirs)
        with pytest.raises(UNIQUE):
            make(ours)


def test_a_skill_is_active_only_in_an_approved_version_that_exists(admin: Admin, ours: SmallOrg) -> None:
    skill = {
        "id": uuid.uuid4(),
        "org_id": ours.org_id,
        "role_agent_id": ours.agent_id,
        "name": "reset-vpn",
        "description": "",
        "risk": "low",
    }
    version = {
        "org_id": ours.org_id,
        "skill_id": skill["id"],
        "version": 1,
        "body_md": "x",
        "content_hash": b"h",
    }
    with pytest.raises(CHECK):
        admin.insert("dw_agent_skills", **skill)  # nobody made it
    by_agent = {"created_by_agent_id": ours.agent_id}
    with pytest.raises(CHECK):
        admin.insert("dw_agent_skills", **skill, **by_agent, created_by_user_id=ours.user_id)
    with pytest.raises(CHECK):
        admin.insert("dw_agent_skills", **skill, **by_agent, status="active")
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.insert("dw_agent_skills", **skill, **by_agent, status="active", active_version=1)
    admin.insert("dw_agent_skills", **skill, **by_agent)
    with pytest.raises(CHECK):
        admin.insert("dw_agent_skill_versions", **version, status="approved")
    admin.insert("dw_agent_skill_versions", **version, change_summary="first")
    with pytest.raises(UNIQUE):
        admin.insert("dw_agent_skill_versions", **version)


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "note"},
        {"status": "open"},
        {"status": "approved"},
        {"action": "merge"},
        {"risk": "none"},
        {"source_refs": "[]"},
        {"confidence": 2},
        {"decision_kind": "whim"},
        {"evidence_count": 0},
    ],
    ids=str,
)
def test_an_item_out_of_range_is_refused(admin: Admin, ours: SmallOrg, values: dict[str, Any]) -> None:
    with pytest.raises(CHECK):
        admin.item(ours, **values)


def test_items_keep_payload_and_sources_as_jsonb_and_repeat_one_signal_once(
    admin: Admin, ours: SmallOrg
) -> None:
    columns = columns_of(admin, "dw_learning_items")
    assert columns["proposed_payload"][0] == columns["source_refs"][0] == "jsonb"
    admin.item(ours, dedupe_key="vpn")
    with pytest.raises(UNIQUE):
        admin.item(ours, dedupe_key="vpn")


def an_event(org: SmallOrg) -> dict[str, Any]:
    return {
        "event_id": uuid.uuid4(),
        "org_id": org.org_id,
        "event_type": "memory_auto_saved",
        "actor_type": "system",
        "actor_id": "test",
        "subject_type": "memory",
        "digest": b"d",
    }


@pytest.mark.parametrize(
    "statement", ["UPDATE dw_learning_events SET actor_id = 'x'", "DELETE FROM dw_learning_events"]
)
async def test_the_audit_log_is_only_appended_to(
    database: Database, admin: Admin, ours: SmallOrg, statement: str
) -> None:
    admin.insert("dw_learning_events", **an_event(ours))
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.transaction([ours.org_id]) as tx:
            await tx.execute(statement)
    for stronger in (statement, "TRUNCATE dw_learning_events CASCADE"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            admin.query(stronger)


def test_an_identity_is_verified_only_with_a_person_and_a_time(admin: Admin, ours: SmallOrg) -> None:
    account = {"id": uuid.uuid4(), "org_id": ours.org_id, "platform": "slack", "external_user_id": "U7"}
    with pytest.raises(CHECK):
        admin.insert("dw_external_identities", **account, status="verified", verified_at="2026-01-01")
    with pytest.raises(CHECK):
        admin.insert("dw_external_identities", **account, status="verified", user_id=ours.user_id)
    admin.insert("dw_external_identities", **account)
    with pytest.raises(UNIQUE):
        admin.insert("dw_external_identities", **(account | {"id": uuid.uuid4()}))


def test_an_org_begins_with_its_soul_and_the_three_example_rules(admin: Admin, ours: SmallOrg) -> None:
    assert admin.query(
        "SELECT code, status, active_version, is_default FROM dw_agent_souls WHERE org_id = %s", ours.org_id
    ) == [("balanced_helper", "approved", 1, True)]
    rules = admin.query(
        "SELECT note, category, condition, action FROM dw_memory_policy_rules WHERE org_id = %s ORDER BY note",
        ours.org_id,
    )
    sure = {"confidence": {"gte": 0.8}, "is_sensitive": False}
    doubtful = {"confidence": {"lt": 0.3}, "last_confirmed_at": {"lt": "now() - 30 days"}}
    assert rules == [
        ("R113", "preference", sure, "auto_confirm"),
        ("R114", "*", {"is_sensitive": True}, "require_user_approval"),
        ("R115", "*", doubtful, "auto_delete"),
    ]
    with pytest.raises(UNIQUE):
        admin.insert(
            "dw_agent_souls", id=uuid.uuid4(), org_id=ours.org_id, code="second", name="S", is_default=True
        )


def test_a_soul_holds_tone_critique_what_not_to_do_its_status_and_who_approved_it(admin: Admin) -> None:
    kept = {"tone_rules_md", "critique_rules_md", "do_not_do_md", "status", "approver_user_id", "approved_at"}
    assert kept <= columns_of(admin, "dw_agent_souls").keys()
    assert kept <= columns_of(admin, "dw_agent_soul_versions").keys()


def test_an_org_begins_with_the_approval_of_skill_changes_on(admin: Admin, ours: SmallOrg) -> None:
    setting = (
        "SELECT value FROM dw_org_settings WHERE org_id = %s AND key = 'require_approval_for_skill_changes'"
    )
    assert admin.query(setting, ours.org_id) == [(True,)]

"""panel-api over HTTP on a real PostgreSQL: tokens, the org file, the inbox, the page."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb
from pydantic import SecretStr

from dw_contracts.settings import PanelSettings
from dw_panel.app import create_app

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
INSTALL = "install-me"
FILE: dict[str, Any] = {
    "org": "acme",
    "users": {"ingrid": {"role": "owner"}, "farid": {}, "minh": {}},
    "agents": {"it_agent": {"managers": ["farid"]}, "hr_agent": {}},
    "identities": {
        "minh": {"platform": "slack", "external_user_id": "U1", "user": "minh", "status": "verified"}
    },
    "channels": {"desk": {"platform": "slack", "agents": ["it_agent"], "managers": ["minh"]}},
    "keys": {"gateway": {"kind": "gateway", "channels": ["desk"]}},
}


class Panel:
    """A client of a panel that runs in this process, and its database."""

    def __init__(self, client: httpx.AsyncClient, admin: str) -> None:
        self.client = client
        self.admin = admin

    async def call(self, method: str, path: str, token: str, body: Any = None) -> httpx.Response:
        return await self.client.request(
            method, path, json=body, headers={"authorization": f"Bearer {token}"}
        )

    async def org(self, code: str = "acme") -> dict[str, Any]:
        """A fresh org from the file: its applied answer, with every user's token."""
        created = await self.call("POST", "/v1/orgs", INSTALL, {"org": code, "owner": "ingrid"})
        assert created.status_code == 200, created.text
        token = created.json()["owner_token"]
        applied = await self.call("PUT", f"/v1/orgs/{code}/file", token, FILE | {"org": code})
        assert applied.status_code == 200, applied.text
        answer: dict[str, Any] = applied.json()
        return answer | {"tokens": answer["new_tokens"] | {"ingrid": token}}

    def item(self, org: dict[str, Any], content: str, **fields: Any) -> str:
        """A pending item, straight in the database."""
        item_id = str(uuid.uuid4())
        payload: dict[str, Any] = {"content": content, "key": content[:20], "layer": "knowledge", "memory_type": "fact",
                   "category": "fact", "subject_identity": None, "marks": []}  # fmt: skip
        refs = [
            {
                "event_id": str(uuid.uuid4()),
                "excerpt": content,
                "verified": False,
                "at": "2026-11-30T09:00:00+00:00",
            }
        ]
        values = {
            "kind": "memory_proposal",
            "risk": "low",
            "is_sensitive": False,
            "sender_user_id": None,
        } | fields
        with psycopg.connect(self.admin) as connection:
            connection.execute(
                "INSERT INTO dw_learning_items (id, org_id, role_agent_id, kind, risk, is_sensitive, reason_code,"
                " proposed_payload, source_refs, proposed_by, published_at, sender_user_id)"
                " VALUES (%s, %s, %s, %s, %s, %s, 'unverified_sender', %s, %s, 'dw_worker:x', now(), %s)",
                (item_id, org["org_id"], org["agents"]["it_agent"], values["kind"], values["risk"],
                 values["is_sensitive"], Jsonb(payload), Jsonb(refs), values["sender_user_id"]),
            )  # fmt: skip
        return item_id

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin) as connection:
            return connection.execute(statement, args).fetchall()


@pytest.fixture
async def panel(dsn_of: DsnOf) -> AsyncIterator[Panel]:
    settings = PanelSettings(
        database_url=SecretStr(dsn_of("panel")), pepper=SecretStr("ab" * 32),
        installation_token=SecretStr(INSTALL), env="development",
    )  # fmt: skip
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://panel") as client:
            for _ in range(100):
                if (await client.get("/health/ready")).status_code == 200:
                    break
                await asyncio.sleep(0.05)
            yield Panel(client, dsn_of("admin"))


async def test_the_installation_token_makes_orgs_and_nothing_else(panel: Panel) -> None:
    assert (await panel.call("POST", "/v1/orgs", "wrong", {"org": "x", "owner": "o"})).status_code == 401
    await panel.org()
    assert (await panel.call("GET", "/v1/orgs/acme/items", INSTALL)).status_code == 401
    again = await panel.call("POST", "/v1/orgs", INSTALL, {"org": "acme", "owner": "ingrid"})
    assert again.json()["created"] is False
    assert (await panel.call("GET", "/v1/orgs/acme/items", again.json()["owner_token"])).status_code == 200


async def test_applying_the_same_file_twice_changes_nothing(panel: Panel) -> None:
    org = await panel.org()
    assert set(org["new_keys"]) == {"gateway"}
    again = (await panel.call("PUT", "/v1/orgs/acme/file", org["tokens"]["ingrid"], FILE)).json()
    assert {step["action"] for step in again["plan"]} == {"same"}
    assert (again["new_keys"], again["new_tokens"]) == ({}, {})
    assert (again["agents"], again["channels"], again["users"]) == (
        org["agents"],
        org["channels"],
        org["users"],
    )


async def test_a_dry_run_writes_nothing(panel: Panel) -> None:
    org = await panel.org()
    changed = FILE | {"agents": {"it_agent": {"auto_memory_require_verified": False, "managers": ["farid"]}}}
    path = "/v1/orgs/acme/file?dry_run=true"
    plan = (await panel.call("PUT", path, org["tokens"]["ingrid"], changed)).json()["plan"]
    assert [step["changes"] for step in plan if step["action"] == "update"] == [
        {"auto_memory_require_verified": ["True", "False"]}
    ]
    assert panel.query("SELECT DISTINCT auto_memory_require_verified FROM dw_role_agents") == [(True,)]


async def test_loosening_the_gate_is_audited_and_members_may_not(panel: Panel) -> None:
    org = await panel.org()
    open_mode = FILE | {
        "agents": {"it_agent": {"auto_memory_require_verified": False, "managers": ["farid"]}}
    }
    assert (
        await panel.call("PUT", "/v1/orgs/acme/file", org["tokens"]["farid"], open_mode)
    ).status_code == 403
    assert (
        await panel.call("PUT", "/v1/orgs/acme/file", org["tokens"]["ingrid"], open_mode)
    ).status_code == 200
    assert panel.query(
        "SELECT count(*) FROM dw_learning_events WHERE event_type = 'auto_save_mode_changed'"
    ) == [(1,)]


async def test_another_orgs_things_are_not_there(panel: Panel) -> None:
    acme, globex = await panel.org(), await panel.org("globex")
    item = panel.item(acme, "The bike room is called Velo.")
    token = globex["tokens"]["ingrid"]
    paths = [
        "/v1/orgs/acme/items",
        f"/v1/orgs/acme/items/{item}",
        "/v1/orgs/acme/audit",
        "/v1/orgs/acme/agents",
    ]
    for path in paths:
        foreign, unknown = (
            await panel.call("GET", path, token),
            await panel.call("GET", path.replace("acme", "nobody"), token),
        )
        assert (foreign.status_code, foreign.json()) == (404, unknown.json())
    decision = {"action": "approve", "row_version": 1}
    assert (
        await panel.call("POST", f"/v1/orgs/acme/items/{item}/decision", token, decision)
    ).status_code == 404
    assert (await panel.call("GET", f"/v1/orgs/globex/items/{item}", token)).status_code == 404


async def test_of_two_who_decide_at_once_one_wins_and_the_other_is_told(panel: Panel) -> None:
    org = await panel.org()
    item = panel.item(org, "The bike room is called Velo.")
    path, decision = f"/v1/orgs/acme/items/{item}/decision", {"action": "approve", "row_version": 1}
    answers = await asyncio.gather(
        *(panel.call("POST", path, org["tokens"][who], decision) for who in ("farid", "ingrid"))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert panel.query("SELECT content, origin, status FROM dw_agent_memories") == [
        ("The bike room is called Velo.", "approved", "active")
    ]
    assert panel.query("SELECT count(*) FROM dw_learning_events WHERE event_type = 'approved'") == [(1,)]


async def test_who_may_decide(panel: Panel) -> None:
    org = await panel.org()
    plain, secret = (
        panel.item(org, "Plain."),
        panel.item(org, "Daniel is ill.", risk="sensitive", is_sensitive=True),
    )
    decision = {"action": "reject", "row_version": 1}
    tokens = org["tokens"]
    assert (
        await panel.call("POST", f"/v1/orgs/acme/items/{plain}/decision", tokens["minh"], decision)
    ).status_code == 403
    assert (
        await panel.call("POST", f"/v1/orgs/acme/items/{secret}/decision", tokens["farid"], decision)
    ).status_code == 403
    assert (
        await panel.call("POST", f"/v1/orgs/acme/items/{secret}/decision", tokens["ingrid"], decision)
    ).status_code == 200
    masked = (await panel.call("GET", f"/v1/orgs/acme/items/{secret}", tokens["farid"])).text
    assert "Daniel" not in masked


async def test_nobody_decides_alone_on_his_own_high_impact_words(panel: Panel) -> None:
    org = await panel.org()
    own = panel.item(org, "Sign in at the portal.", risk="high", sender_user_id=org["users"]["farid"])
    decision = {"action": "approve", "row_version": 1}
    path = f"/v1/orgs/acme/items/{own}/decision"
    assert (await panel.call("POST", path, org["tokens"]["farid"], decision)).status_code == 403
    assert (await panel.call("POST", path, org["tokens"]["ingrid"], decision)).status_code == 200


async def test_an_approved_procedure_is_an_active_skill(panel: Panel) -> None:
    org = await panel.org()
    item = panel.item(org, "To reset a phone: 1. back it up 2. wipe it", kind="skill_proposal", risk="high")
    decision = {"action": "approve", "row_version": 1}
    answer = await panel.call(
        "POST", f"/v1/orgs/acme/items/{item}/decision", org["tokens"]["farid"], decision
    )
    assert answer.status_code == 200, answer.text
    assert panel.query("SELECT status, active_version FROM dw_agent_skills") == [("active", 1)]
    assert panel.query("SELECT count(*) FROM dw_learning_events WHERE event_type = 'skill_activated'") == [
        (1,)
    ]


async def test_a_secret_is_not_activated_even_by_an_owner(panel: Panel) -> None:
    org = await panel.org()
    item = panel.item(org, "The wifi password is Heron-Barrel-47!")
    decision = {"action": "approve", "row_version": 1}
    answer = await panel.call(
        "POST", f"/v1/orgs/acme/items/{item}/decision", org["tokens"]["ingrid"], decision
    )
    assert answer.status_code == 422
    assert panel.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]


async def test_the_page_shows_hostile_text_as_text(panel: Panel) -> None:
    org = await panel.org()
    panel.item(org, '<img src=x onerror="alert(1)"> stands in room Aurora')
    form = await panel.client.get("/sign-in")
    csrf = form.cookies["dw_csrf"]
    signed = await panel.client.post("/sign-in", data={"token": org["tokens"]["farid"], "csrf": csrf})
    assert signed.status_code == 303
    page = await panel.client.get("/app/digital-workers/learning")
    assert page.status_code == 200
    assert "&lt;img" in page.text
    assert "<img" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


async def test_a_form_of_another_site_decides_nothing(panel: Panel) -> None:
    org = await panel.org()
    item = panel.item(org, "The bike room is called Velo.")
    csrf = (await panel.client.get("/sign-in")).cookies["dw_csrf"]
    await panel.client.post("/sign-in", data={"token": org["tokens"]["farid"], "csrf": csrf})
    forged = {"action": "approve", "row_version": "1", "csrf": "0" * 64}
    assert (await panel.client.post(f"/app/digital-workers/learning/{item}", data=forged)).status_code == 403
    assert panel.query("SELECT status FROM dw_learning_items") == [("pending",)]


async def test_a_secret_in_a_persona_is_refused_and_stored_nowhere(panel: Panel) -> None:
    org = await panel.org()
    agents = {"it_agent": {"managers": ["farid"], "persona": "Log in with " + "AKIA" + "Q7ZP2M4XK9TB3WNV"}}
    answer = await panel.call("PUT", "/v1/orgs/acme/file", org["tokens"]["ingrid"], FILE | {"agents": agents})
    assert answer.status_code == 422
    assert [error["at"] for error in answer.json()["errors"]] == ["agents.it_agent.persona"]
    assert panel.query("SELECT count(*) FROM dw_role_agents WHERE persona <> ''") == [(0,)]

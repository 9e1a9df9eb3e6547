"""R299: every command writes at least one event that says who, on whose behalf, and what was before and after. The
commands are counted from the application and from the union of outcomes, so that a new one cannot be forgotten."""

from __future__ import annotations

import re
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, get_args
from uuid import UUID

import httpx
import pytest
from panel_world import INSTALLATION, World, bearer, org_file
from starlette.routing import Route

from dw_contracts.events.chat import ChatEvent, EventKind, Platform, Sender
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning.decision.facts import Caps
from dw_learning.decision.outcomes import Nothing, Outcome
from dw_panel.app import create_app
from dw_panel.settings import Settings
from dw_policy.decide_batch import DetectionIn, Policy
from dw_store.database import Database
from dw_testkit.events import chat_event

pytestmark = pytest.mark.integration
Run = Callable[[World], Awaitable[httpx.Response]]
NOW = datetime(2030, 1, 1, tzinfo=UTC)
EVENTS = """
SELECT e.event_type, e.actor_type, e.actor_id, e.on_behalf_of, b.before, b.after
FROM dw_learning_events AS e JOIN dw_event_bodies AS b USING (org_id, event_id)
WHERE e.id > %s ORDER BY e.id
"""
# What begins with the event had no state before it. Everything else says both.
BEGINNINGS = frozenset(
    "memory_auto_saved memory_saved learning_proposed skill_activated org_created owner_token_created key_created "
    "member_added agent_created channel_created identity_verified identity_claimed manager_added channel_assigned "
    "export_done person_erased self_approved evidence_added source_deleted source_edited secret_blocked "
    "injection_blocked cap_reached draft_requested".split()
)


async def post(world: World, who: str, path: str, **body: Any) -> httpx.Response:
    return await world.http.post(world.path + path, json=body, headers=bearer(world.tokens[who]))


async def create(world: World) -> httpx.Response:
    return await world.http.post(
        "/api/orgs", json={"org": "initech", "owner": "bill"}, headers=bearer(INSTALLATION)
    )


async def change(world: World) -> httpx.Response:
    agents = {"it_agent": {"name": "IT Helper", "managers": ["farid"]}, "hr_agent": {"name": "HR Agent"}}
    return await world.apply("ingrid", org_file("acme", agents=agents))


async def accept(world: World) -> httpx.Response:
    other = await World(world.http, world.admin_dsn, "globex").create()
    mail = "lin@globex.example"
    users = {**org_file("globex")["users"], "lin": {"email": mail}}
    lin = (await other.apply("ingrid", org_file("globex", users=users))).json()["new_tokens"]["lin"]
    users = {**org_file("acme")["users"], "lin": {"email": mail}}
    await world.apply("ingrid", org_file("acme", users=users))
    (waiting,) = (await world.get("ingrid", "/invitations")).json()
    body = {"org": "acme", "invitation": waiting["invitation"]}
    return await world.http.post("/api/invitations", json=body, headers=bearer(lin))


async def approve(world: World) -> httpx.Response:
    return await world.decide("farid", world.item())


async def sign_in(world: World) -> httpx.Response:
    page = await world.http.get("/sign-in")
    csrf = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert csrf is not None
    form = {"token": world.tokens["farid"], "csrf": csrf[1]}
    return await world.http.post("/sign-in", data=form)


async def _csrf(world: World) -> str:
    await sign_in(world)
    page = await world.http.get("/app/digital-workers/learning")
    csrf = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert csrf is not None, page.text
    return csrf[1]


async def sign_out(world: World) -> httpx.Response:
    return await world.http.post("/sign-out", data={"csrf": await _csrf(world)})


async def decide_on_page(world: World) -> httpx.Response:
    item = world.item()
    form = {"csrf": await _csrf(world), "action": "reject", "row_version": "1"}
    return await world.http.post(f"/app/digital-workers/learning/{item}", data=form)


async def erase(world: World) -> httpx.Response:
    return await post(world, "ingrid", "/erasures", user=str(world.ids["greta"]))


async def purge(world: World) -> httpx.Response:
    memory = world.memory("Old.", status="deleted")
    return await post(world, "ada", f"/memories/{memory}/purge", reason="legal", row_version=1)


async def switch_off(world: World) -> httpx.Response:
    body = {"scope": "org", "killed": True}
    return await world.http.put(f"{world.path}/gate/limits", json=body, headers=bearer(world.tokens["ada"]))


async def export(world: World) -> httpx.Response:
    return await world.get("farid", "/audit/export", agent=world.ids["it_agent"])


# Method and path of every command, how to run it, and one event that it must write.
COMMANDS: dict[tuple[str, str], tuple[Run, str]] = {
    ("POST", "/api/orgs"): (create, "org_created"),
    ("PUT", "/api/orgs/{org}/file"): (change, "agent_changed"),
    ("POST", "/api/invitations"): (accept, "member_added"),
    ("POST", "/api/orgs/{org}/items/{item_id}/decision"): (approve, "approved"),
    ("POST", "/api/orgs/{org}/erasures"): (erase, "person_erased"),
    ("POST", "/api/orgs/{org}/memories/{memory_id}/purge"): (purge, "memory_purged"),
    ("POST", "/sign-in"): (sign_in, "key_created"),
    ("POST", "/sign-out"): (sign_out, "key_revoked"),
    ("POST", "/app/digital-workers/learning/{item_id}"): (decide_on_page, "rejected"),
    ("GET", "/api/orgs/{org}/audit/export"): (export, "export_done"),
    ("PUT", "/api/orgs/{org}/gate/limits"): (switch_off, "gate_limit_changed"),
}
READS_ON_RECORD = {("GET", "/api/orgs/{org}/audit/export")}


# Of the chassis: it lets a consumer go on, and the panel has none.
OF_THE_CHASSIS = {("POST", "/control/resume")}


def walk(routes: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Every method and path, also those inside of included routers."""
    for route in routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from walk(included.routes)
        elif isinstance(route, Route):
            yield from ((method, route.path) for method in route.methods or ())


def test_every_route_that_changes_something_is_walked() -> None:
    app = create_app(Settings.model_validate({"pepper": "00" * 32}))
    routes = {(method, path) for method, path in walk(app.routes) if method not in ("GET", "HEAD", "OPTIONS")}
    assert routes == (set(COMMANDS) - READS_ON_RECORD) | OF_THE_CHASSIS


@pytest.mark.parametrize("command", list(COMMANDS), ids=" ".join)
async def test_a_command_of_the_panel_is_on_record(acme: World, command: tuple[str, str]) -> None:
    run, wanted = COMMANDS[command]
    before = last(acme)
    answer = await run(acme)
    assert answer.status_code in (200, 303), answer.text
    assert wanted in complete(acme, before)


async def test_an_attempt_without_the_right_is_on_record(acme: World) -> None:
    before = last(acme)
    assert (await acme.decide("farid", acme.item(is_sensitive=True))).status_code == 403
    assert complete(acme, before) == ["access_denied"]


def last(world: World) -> int:
    return int(world.query("SELECT coalesce(max(id), 0) FROM dw_learning_events")[0][0])


def complete(world: World, after_id: int) -> list[str]:
    """The events since, each of which says all that it must."""
    rows = world.query(EVENTS, after_id)
    for kind, actor_type, actor_id, on_behalf_of, before, after in rows:
        assert actor_id, kind
        if actor_type == "user":
            assert str(on_behalf_of) == actor_id, kind
        assert after is not None, kind
        assert before is not None or kind in BEGINNINGS or _is_part_of_a_file(kind), kind
    return [row[0] for row in rows]


def _is_part_of_a_file(kind: str) -> bool:
    """An org file adds what was not there: the fields that had no value have none before."""
    return kind in ("member_changed", "manager_removed")


def said(world: World, text: str, account: str = "U1001", **fields: Any) -> ChatEvent:
    sender = Sender(platform=Platform.SLACK, workspace_ref="T1", external_user_id=account)
    place = (world.org_id, world.ids["it_agent"], world.ids["helpdesk"])
    return chat_event(*place, text, sender=sender, received_at=NOW, occurred_at=NOW, **fields)


def answer(
    event: ChatEvent, *texts: str, kind: ItemKind = ItemKind.MEMORY_FACT, key: str = "k"
) -> DetectionIn:
    items = tuple(
        DetectionItem(kind=kind, text=text, span=(0, len(text)), key=key, risk_hint="low", confidence=0.85)
        for text in texts
    )
    detection = Detection(
        schema_version=1,
        decision_id=event.event_id,
        event=event.model_dump(mode="json", exclude_defaults=True),
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        items=items,
        provider="offline",
        triage_version="t",
    )
    return DetectionIn(detection, event, sealed=True, trace_id="t" * 32)


FACT = "The bike room is called Velo."


def saves(world: World) -> list[DetectionIn]:
    return [answer(said(world, FACT), FACT)]


def proposes(world: World) -> list[DetectionIn]:
    return [answer(said(world, FACT, "U9"), FACT)]


def merges(world: World) -> list[DetectionIn]:
    return [answer(said(world, FACT, "U8"), FACT), answer(said(world, FACT, "U9"), FACT)]


def blocks(world: World) -> list[DetectionIn]:
    redactions = ({"field": "text", "type": "password", "span": (0, 5)},)
    return [answer(said(world, "it is [redacted]", redactions=redactions))]


def source_changes(world: World) -> list[DetectionIn]:
    first = said(world, FACT, message_ref="m1")
    return [answer(first, FACT), answer(said(world, "", message_ref="m1", kind=EventKind.DELETE, revision=1))]


def is_capped(world: World) -> list[DetectionIn]:
    texts = [f"The bike room number {n} is called Velo {n}." for n in range(52)]
    return [answer(said(world, text, "U9"), text, key=f"k{n}") for n, text in enumerate(texts)]


# Every outcome of the decision, messages that bring it about, and one event that it must write.
OUTCOMES: dict[str, tuple[Callable[[World], list[DetectionIn]], str]] = {
    "Save": (saves, "memory_auto_saved"),
    "Propose": (proposes, "learning_proposed"),
    "Merge": (merges, "evidence_added"),
    "Block": (blocks, "secret_blocked"),
    "SourceChanged": (source_changes, "source_deleted"),
    "Capped": (is_capped, "cap_reached"),
}
WRITES_NOTHING = {Nothing.__name__}


def test_every_outcome_of_the_decision_is_walked() -> None:
    assert {outcome.__name__ for outcome in get_args(Outcome)} == set(OUTCOMES) | WRITES_NOTHING


@pytest.mark.parametrize("outcome", list(OUTCOMES))
async def test_an_outcome_of_policy_is_on_record(acme: World, dsn_of: Any, outcome: str) -> None:
    messages, wanted = OUTCOMES[outcome]
    before = last(acme)
    caps = Caps(open_items_per_unverified=0) if outcome == "Capped" else Caps()
    async with (
        Database.connect(dsn_of("policy"), size=1, application_name="test") as database,
        database.transaction([acme.org_id]) as tx,
    ):
        assert await Policy(caps, lambda: NOW).run(tx, messages(acme)) == []
    assert wanted in complete(acme, before)


async def test_the_mapped_human_stands_beside_the_worker(acme: World, dsn_of: Any) -> None:
    """R302."""
    async with (
        Database.connect(dsn_of("policy"), size=1, application_name="test") as database,
        database.transaction([acme.org_id]) as tx,
    ):
        await Policy(Caps(), lambda: NOW).run(tx, saves(acme))
    minh: UUID = acme.ids["minh"]
    rows = acme.query("SELECT actor_id, on_behalf_of FROM dw_learning_events ORDER BY id DESC LIMIT 1")
    assert rows == [(f"dw_worker:{acme.ids['it_agent']}", minh)]
    assert uuid.UUID(str(minh)) == minh

"""R299: every command writes at least one event that says who, on whose behalf, and what was before and after. The
commands are counted from the application and from the union of outcomes, so that a new one cannot be forgotten."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator
from typing import Any, get_args
from uuid import UUID

import httpx
import pytest
from commands_access import ACCESS, CSV, MORE_OF_ACCESS
from commands_items import ITEMS, MORE_OF_ITEMS
from commands_memories import MEMORIES, MORE_OF_MEMORIES, RULE
from commands_pages import PAGES
from commands_skills import SKILLS
from on_record import Commands, Run, complete, decided, last
from outcomes_of_policy import FACT, NOW, OUTCOMES, saves
from panel_world import AGENTS, INSTALLATION, World, bearer, org_file
from starlette.routing import Route
from test_identities import send_csv

from dw_learning.decision.facts import Caps
from dw_learning.decision.outcomes import Nothing, Outcome
from dw_panel.app import create_app
from dw_panel.settings import Settings
from dw_policy.decide_batch import Policy
from dw_store.database import Database

pytestmark = pytest.mark.integration


async def post(world: World, who: str, path: str, **body: Any) -> httpx.Response:
    return await world.http.post(world.path + path, json=body, headers=bearer(world.tokens[who]))


async def create(world: World) -> httpx.Response:
    return await world.http.post(
        "/v1/orgs", json={"org": "initech", "owner": "bill"}, headers=bearer(INSTALLATION)
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
    return await world.http.post("/v1/invitations", json=body, headers=bearer(lin))


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


async def bulk_on_page(world: World) -> httpx.Response:
    rows = [f"{world.item()}:1", f"{world.item('The bike room is called Velo.')}:1"]
    form = {"csrf": await _csrf(world), "action": "reject", "row": rows}
    return await world.http.post("/app/digital-workers/learning/bulk", data=form)


async def undo_on_page(world: World) -> httpx.Response:
    _, act_id = await decided(world)
    form = {"csrf": await _csrf(world)}
    return await world.http.post(f"/app/digital-workers/learning/acts/{act_id}/undo", data=form)


async def erase(world: World) -> httpx.Response:
    return await post(world, "ingrid", "/erasures", user=str(world.ids["greta"]))


async def export_person(world: World) -> httpx.Response:
    return await post(world, "ingrid", "/person-exports", code="minh")


async def purge(world: World) -> httpx.Response:
    memory = world.memory("Old.", status="deleted")
    return await post(world, "ada", f"/memories/{memory}/purge", reason="legal", row_version=1)


async def switch_off(world: World) -> httpx.Response:
    body = {"scope": "org", "killed": True}
    return await world.http.put(f"{world.path}/gate/limits", json=body, headers=bearer(world.tokens["ada"]))


async def export_ledger(world: World) -> httpx.Response:
    return await world.get("ada", "/gate/ledger/export")


async def export(world: World) -> httpx.Response:
    return await world.get("farid", "/audit/export", agent=world.ids["it_agent"])


# Method and path of every command, how to run it, and one event that it must write.
COMMANDS: Commands = {
    **ACCESS,
    **ITEMS,
    **MEMORIES,
    **SKILLS,
    **PAGES,
    ("POST", "/v1/orgs"): (create, "org_created"),
    ("PUT", "/v1/orgs/{org}/file"): (change, "agent_changed"),
    ("POST", "/v1/invitations"): (accept, "member_added"),
    ("POST", "/v1/orgs/{org}/items/{item_id}/decision"): (approve, "approved"),
    ("POST", "/v1/orgs/{org}/erasures"): (erase, "person_erased"),
    ("POST", "/v1/orgs/{org}/memories/{memory_id}/purge"): (purge, "memory_purged"),
    ("POST", "/sign-in"): (sign_in, "key_created"),
    ("POST", "/sign-out"): (sign_out, "key_revoked"),
    ("POST", "/app/digital-workers/learning/{item_id}"): (decide_on_page, "rejected"),
    ("POST", "/app/digital-workers/learning/bulk"): (bulk_on_page, "rejected"),
    ("POST", "/app/digital-workers/learning/acts/{act_id}/undo"): (undo_on_page, "item_undone"),
    ("GET", "/v1/orgs/{org}/audit/export"): (export, "export_done"),
    ("GET", "/v1/orgs/{org}/gate/ledger/export"): (export_ledger, "export_done"),
    ("PUT", "/v1/orgs/{org}/gate/limits"): (switch_off, "gate_limit_changed"),
    ("POST", "/v1/orgs/{org}/person-exports"): (export_person, "export_done"),
}
MORE = MORE_OF_ACCESS | MORE_OF_ITEMS | MORE_OF_MEMORIES
READS_ON_RECORD = {
    ("GET", "/v1/orgs/{org}/audit/export"),
    ("GET", "/v1/orgs/{org}/gate/ledger/export"),
}


async def explain(world: World) -> httpx.Response:
    body = {"agent": "it_agent", "text": FACT, "sender": "minh"}
    return await post(world, "farid", "/policy/explain", **body)


async def preview_rule(world: World) -> httpx.Response:
    return await world.act("ada", "POST", "/rules/preview", RULE)


async def preview_pack(world: World) -> httpx.Response:
    body = {"message": "when?", "sender": "minh", "channel": "helpdesk"}
    return await world.act("farid", "POST", f"/agents/{world.ids['it_agent']}/pack-preview", body)


async def try_skill(world: World) -> httpx.Response:
    item = world.item("To reset: 1. a 2. b", kind="skill_proposal", payload={"key": "reset"})
    before = everything(world)
    answer = await world.act("farid", "POST", f"/items/{item}/skill-trial", {"messages": ["reset it"]})
    assert everything(world) == before
    world.query("DELETE FROM dw_learning_items WHERE id = %s", item)
    return answer


async def dry_file(world: World) -> httpx.Response:
    return await world.apply(
        "ingrid", org_file("acme", agents=AGENTS | {"new": {"name": "New"}}), dry_run="true"
    )


async def dry_import(world: World) -> httpx.Response:
    return await send_csv(world, "ada", CSV, dry_run="true")


# They answer what would be, change nothing, and so there is nothing to put on record.
ASK_ONLY: dict[tuple[str, str], Run] = {
    ("POST", "/v1/orgs/{org}/policy/explain"): explain,
    ("POST", "/v1/orgs/{org}/rules/preview"): preview_rule,
    ("POST", "/v1/orgs/{org}/agents/{agent}/pack-preview"): preview_pack,
    ("POST", "/v1/orgs/{org}/items/{item_id}/skill-trial"): try_skill,
}
# The same of commands that can be tried first.
DRY_RUNS: dict[str, Run] = {"org file": dry_file, "identities": dry_import}
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
    assert routes == (set(COMMANDS) - READS_ON_RECORD) | set(ASK_ONLY) | OF_THE_CHASSIS


@pytest.mark.parametrize("command", list(COMMANDS), ids=" ".join)
async def test_a_command_of_the_panel_is_on_record(acme: World, command: tuple[str, str]) -> None:
    run, wanted = COMMANDS[command]
    before = last(acme)
    answer = await run(acme)
    assert answer.status_code in (200, 303), answer.text
    assert wanted in complete(acme, before)


@pytest.mark.parametrize("way", list(MORE))
async def test_the_other_ways_in_which_a_command_ends_are_on_record(acme: World, way: str) -> None:
    run, wanted = MORE[way]
    before = last(acme)
    answer = await run(acme)
    assert answer.status_code == 200, answer.text
    assert wanted in complete(acme, before)


ASKED = {" ".join(route): run for route, run in ASK_ONLY.items()} | DRY_RUNS


@pytest.mark.parametrize("asked", list(ASKED))
async def test_what_only_asks_writes_nothing(acme: World, asked: str) -> None:
    before = everything(acme)
    answer = await ASKED[asked](acme)
    assert answer.status_code == 200, answer.text
    assert everything(acme) == before


def everything(world: World) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, but for when a token was last used."""
    tables = (
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'dw\\_%%' ORDER BY 1"
    )
    statement = "SELECT (to_jsonb(t) - 'last_used_at')::text FROM {} AS t ORDER BY 1"
    return {name: world.query(statement.format(name)) for (name,) in world.query(tables)}


async def decide_what_is_sensitive(world: World) -> httpx.Response:
    return await world.decide("farid", world.item(is_sensitive=True))


async def delete_what_is_sensitive(world: World) -> httpx.Response:
    memory = world.memory("Anna has asthma.", is_sensitive=True, risk="sensitive")
    return await world.act("farid", "POST", f"/memories/{memory}/delete", {})


async def pause_learning(world: World) -> httpx.Response:
    return await world.act("farid", "POST", f"/agents/{world.ids['it_agent']}/pause")


async def pause_a_soul(world: World) -> httpx.Response:
    return await post(world, "farid", "/souls/balanced_helper/pause")


ATTEMPTS = [decide_what_is_sensitive, delete_what_is_sensitive, pause_learning, pause_a_soul]


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_an_attempt_without_the_right_is_on_record(acme: World, attempt: Run) -> None:
    before = last(acme)
    assert (await attempt(acme)).status_code == 403
    assert complete(acme, before) == ["access_denied"]


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

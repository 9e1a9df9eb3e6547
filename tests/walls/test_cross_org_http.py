"""No answer of any route holds anything of another org, and no request changes anything there (R10, R317, C68).

Routes are taken from the applications themselves, and what is sent is made from what they say of themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from importlib import import_module
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Mount, Route

from dw_contracts.settings import ALL
from dw_contracts.topics import SERVICES
from dw_panel.adapters.cookies import csrf_of
from walls.requests import OPEN, Attack, Names, attacks
from walls.two_orgs import INSTALLATION, MARK, PEPPER, TwoOrgs, bearer, create, fill

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]
DsnOf = Callable[[str], str]
PATIENT = ("ingest",)  # a valid event of ours waits for Kafka, which is not there


def application(service: str, dsn_of: DsnOf) -> Any:
    """The service as it runs, without Kafka."""
    settings_class = next(cls for cls in ALL if cls.service == service)
    values = {
        "database_url": dsn_of(service) if service not in ("triage", "channels") else "",
        "pepper": PEPPER,
        "installation_token": INSTALLATION,
        "seal_keys": "test:" + "ab" * 32,
        "kafka_bootstrap": "127.0.0.1:1",
        "kafka_security": "PLAINTEXT",
        "env": "development",
        "publish_timeout_seconds": 0.05,
        "rate_per_key": 1_000_000,
        "rate_per_org": 1_000_000,
        "query_timeout_seconds": 5.0,
    }
    fields = settings_class.model_fields
    settings = settings_class.model_validate({name: v for name, v in values.items() if name in fields})
    return import_module(f"dw_{service}.app").create_app(settings)


def routes_of(app: Any) -> list[Any]:
    """All of them, whatever they are; routers that were included are walked into. Ours are included as they are."""
    found: list[Any] = []
    for route in app.routes:
        router = getattr(route, "original_router", None)
        if router is None:
            found.append(route)
            continue
        assert not route.include_context.prefix, "paths of this router need its prefix"
        found += routes_of(router)
    return found


@pytest.fixture
async def apps(dsn_of: DsnOf) -> AsyncIterator[dict[str, tuple[FastAPI, httpx.AsyncClient]]]:
    """Services with routes of their own, running."""
    found: dict[str, tuple[FastAPI, httpx.AsyncClient]] = {}
    async with AsyncExitStack() as stack:
        for service in SERVICES:
            app = application(service, dsn_of)
            if not isinstance(app, FastAPI):
                continue
            await stack.enter_async_context(app.router.lifespan_context(app))
            transport = httpx.ASGITransport(app=app)
            client = httpx.AsyncClient(transport=transport, base_url=f"http://{service}")
            found[service] = (app, await stack.enter_async_context(client))
        yield found


@pytest.fixture
async def world(apps: dict[str, tuple[FastAPI, httpx.AsyncClient]], dsn_of: DsnOf) -> AsyncIterator[TwoOrgs]:
    """Ours and theirs."""
    http = apps["panel"][1]
    for _ in range(200):
        if (await http.get("/v1/orgs/none/me", headers=bearer("dw_ut_nobody"))).status_code == 401:
            break
        await asyncio.sleep(0.05)
    ours, theirs = await create(http, "acme", "OURS"), await create(http, "globex", MARK)
    for org, text in ((ours, "OURS"), (theirs, MARK)):
        fill(dsn_of("admin"), org, text)
    found = TwoOrgs(dsn_of("admin"), ours, theirs)
    yield found
    found.close()


def names_of(world: TwoOrgs) -> Names:
    """What somebody of ours could learn or guess of theirs."""
    org, ids = world.theirs, world.ids_of_theirs()
    by_table = {column.removeprefix("dw_"): str(value) for column, value in ids.items()}

    def of(*tables: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(by_table[name] for name in tables if name in by_table))

    agent, channel = f"{org.code}_agent", f"{org.code}_desk"
    return Names(
        {
            "org": (org.code,),
            "agent": (str(org.ids["agent"]), agent),
            "role_agent": (agent, str(org.ids["agent"])),
            "role_agent_id": (str(org.ids["agent"]),),
            "channel": (str(org.ids["channel"]), f"C-{MARK}", channel),
            "channel_id": (str(org.ids["channel"]),),
            "code": (f"{org.code}_member", f"{org.code}_owner"),
            "user": (f"{org.code}_member",),
            "owner": (f"{org.code}_owner",),
            "email": (f"member@{MARK.lower()}.example",),
            "item_id": of("learning_items.id"),
            "identity_id": of("external_identities.id"),
            "key_id": of("api_keys.id"),
            "claim_id": of("identity_claims.id"),
            "memory_id": of("agent_memories.id"),
            "event_id": (str(org.ids["event"]),),
            "skill_id": of("agent_skills.id"),
            "message_ref": (MARK,),
            "external_user_id": (f"U-{MARK}",),
            "workspace_ref": (f"T-{MARK}",),
            "platform": ("slack",),
            "query": ("printer",),
            "text": ("The printer is on floor two.",),
            "invitation": ("dw_iv_guess",),
            "after": ("a",),
            "cursor": ("",),
        },
        tuple(sorted({str(value) for value in ids.values()})),
    )


def credentials(world: TwoOrgs, service: str) -> list[dict[str, str]]:
    """What opens doors there, and something that opens others."""
    org = world.ours
    keys = {"ingest": ("gateway",), "context": ("runtime",)}.get(service, ())
    if keys:
        return [bearer(secret) for secret in (*(org.keys[name] for name in keys), org.tokens["owner"])]
    return [bearer(secret) for secret in (*org.tokens.values(), org.keys["gateway"])]


def secrets_of(world: TwoOrgs, names: Names) -> frozenset[str]:
    """Ids that no answer may hold. Who is invited by their address is recognised by it (C74), so not that id."""
    invited = "SELECT user_id FROM dw_org_members WHERE org_id = %s AND code = %s"
    [(known,)] = world.query(invited, world.theirs.org_id, f"{world.theirs.code}_member")
    return frozenset(names.ids) - {str(known)}


def leak(world: TwoOrgs, secrets: frozenset[str], attack: Attack, answer: httpx.Response) -> str | None:
    """What of theirs stands in the answer and was not sent."""
    text, sent = answer.text, attack.sent()
    if MARK in text.replace(sent, "") and MARK not in sent:
        return MARK
    return next((secret for secret in secrets if secret in text and secret not in sent), None)


@pytest.mark.parametrize("service", SERVICES)
def test_what_is_no_route_of_ours_to_attack_tells_no_org_anything(service: str, dsn_of: DsnOf) -> None:
    """Beside API routes there are probes, metrics and static files, and nothing else."""
    for route in routes_of(application(service, dsn_of)):
        if isinstance(route, Mount):
            assert route.path == "/static"
        elif isinstance(route, Route) and not isinstance(route, APIRoute):
            assert route.path in OPEN or route.path == "/openapi.json", route.path
        else:
            assert isinstance(route, APIRoute), route


async def test_no_route_shows_or_changes_anything_of_another_org(
    apps: dict[str, tuple[FastAPI, httpx.AsyncClient]], world: TwoOrgs
) -> None:
    names = names_of(world)
    secrets = secrets_of(world, names)
    before = world.rows_of_theirs()
    tried: dict[str, int] = {}
    for service, (app, client) in apps.items():
        for route in routes_of(app):
            if not isinstance(route, APIRoute):
                continue
            place = f"{service} {sorted(route.methods or ())} {route.path}"
            for attack in attacks(route, names, (world.theirs.code, world.ours.code)):
                for headers in credentials(world, service):
                    answer = await send(client, attack, headers)
                    assert answer.status_code < 500 or service in PATIENT, (place, attack, answer.text)
                    assert leak(world, secrets, attack, answer) is None, (place, attack, answer.text)
                    if f"/orgs/{world.theirs.code}" in attack.path:
                        assert answer.status_code >= 400, (place, attack, answer.text)
                    tried[place] = tried.get(place, 0) + 1
            assert world.rows_of_theirs() == before, place
    assert len(tried) > 25
    assert all(tried.values())
    for _, (_, client) in apps.items():
        metrics = (await client.get("/metrics")).text
        assert MARK not in metrics
        assert not [value for value in secrets if value in metrics]


async def test_pages_show_and_change_nothing_of_another_org(
    apps: dict[str, tuple[FastAPI, httpx.AsyncClient]], world: TwoOrgs
) -> None:
    app, client = apps["panel"]
    page = await client.get("/sign-in")
    form = {"token": world.ours.tokens["owner"], "csrf": page.cookies["dw_csrf"]}
    assert (await client.post("/sign-in", data=form)).status_code == 303
    session = str(client.cookies["dw_session"])
    names = names_of(world)
    fields = {
        "csrf": (csrf_of(session),),
        "row_version": ("1",),
        "action": ("approve", "reject"),
        "note": ("",),
    }
    names = Names({**names.by_name, **fields}, names.ids)
    secrets, before = secrets_of(world, names), world.rows_of_theirs()
    pages = [r for r in routes_of(app) if isinstance(r, APIRoute) and not r.include_in_schema]
    assert len(pages) >= 6
    for route in pages:
        if route.path.endswith("/sign-out"):
            continue
        for attack in attacks(route, names, (world.theirs.code,)):
            client.cookies.set("dw_session", session)
            answer = await send(client, attack, {})
            assert answer.status_code < 500, (attack, answer.text)
            assert leak(world, secrets, attack, answer) is None, (attack, answer.text)
    assert world.rows_of_theirs() == before
    client.cookies.clear()


async def test_the_fuzz_would_see_a_leak(
    apps: dict[str, tuple[FastAPI, httpx.AsyncClient]], world: TwoOrgs
) -> None:
    """The control: with their own credentials the same requests show their mark, on many a route."""
    names = names_of(world)
    shown: set[str] = set()
    for service, (app, client) in apps.items():
        for route in routes_of(app):
            if not isinstance(route, APIRoute):
                continue
            for attack in attacks(route, names, (world.theirs.code,)):
                if service == "panel" and attack.method != "GET":
                    continue
                for secret in (world.theirs.tokens["owner"], world.theirs.keys["runtime"]):
                    answer = await send(client, attack, bearer(secret))
                    if answer.status_code == 200 and MARK in answer.text:
                        shown.add(route.path)
    assert {"/v1/context", "/v1/history/search"} <= shown
    assert len(shown) >= 10, shown


async def send(client: httpx.AsyncClient, attack: Attack, headers: dict[str, str]) -> httpx.Response:
    """The request, as it is."""
    query = dict(attack.query)
    if attack.json is not None:
        return await client.request(
            attack.method, attack.path, params=query, json=attack.json, headers=headers
        )
    return await client.request(attack.method, attack.path, params=query, data=attack.form, headers=headers)

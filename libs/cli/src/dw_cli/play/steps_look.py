"""Steps that look: pack, search, inbox (with the Memory tab), audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dw_cli.play.api import Answer, Route, Unmet
from dw_cli.play.checks import OK, Shortfall, between
from dw_cli.play.doors import AUDIT, CONTEXT, ITEMS, MEMORIES, SEARCH
from dw_cli.play.expect import Outcome, refusal
from dw_cli.play.look_steps import Audit, Inbox, Pack, Search
from dw_cli.play.looking import look_until
from dw_cli.play.views import Entry, View
from dw_cli.play.world import OrgWorld, Taken, World

PAGE: Final = 200
MAX_PAGES: Final = 20


async def pack(world: World, step: Pack) -> str:
    """BuildAgentContext for a reply in a channel; refused also means an empty pack."""
    org, agent = world.org_of("agent", step.agent)
    await world.api.need(CONTEXT)

    async def look() -> Answer:
        return await world.api.call(CONTEXT, org.runtime_key, json=_question(world, step, org, agent))

    def judge(answer: Answer) -> Shortfall:
        outcome = _pack_outcome(answer, step)
        if not step.expect.meets(outcome):
            return Shortfall(missing=(f"expected {'|'.join(step.expect.choices)}, got {outcome}",))
        return _judge_pack(world, step, org, answer.body) if answer.status == 200 else OK

    answer = await look_until(look, judge)
    if answer.status != 200:
        return str(answer.outcome)
    world.saw_version(org, agent, answer.body.get("version"))
    return f"{len(answer.body['memories'])} memories"


def _question(world: World, step: Pack, org: OrgWorld, agent: str) -> dict[str, Any]:
    channel_org, channel = world.org_of("channel", step.channel)
    message = world.texts.fill(step.message)
    body: dict[str, Any] = {
        "role_agent": str(org.agents[agent]),
        "channel": str(channel_org.channels[channel]),
        "message": f"/{step.command} {message}".strip() if step.command else message,
        "at_least_version": world.versions.get((org.name, agent), 0),
    }
    if step.sender is not None:
        identity, workspace = world.account(step.sender, channel_org.setup.channels[channel], channel_org)
        account = {"platform": identity.platform, "workspace_ref": workspace}
        body["sender"] = account | {"external_user_id": identity.external_id}
    return body


def _pack_outcome(answer: Answer, step: Pack) -> Outcome:
    outcome = answer.outcome
    empty = answer.status == 200 and not answer.body["memories"] and not answer.body.get("skills")
    if empty and any(choice.startswith("refused") for choice in step.expect.choices):
        return refusal("not_found", "an empty pack") if not step.expect.meets(outcome) else outcome
    return outcome


def pack_view(world: World, org: OrgWorld, body: Mapping[str, Any]) -> View:
    """Memories and skills as entries; as text all that a model reads."""
    reader = world.reader(org)
    memories = [Entry(str(memory["text"]), raw=memory) for memory in body["memories"]]
    skills = [
        Entry(f"{skill['name']}\n{skill.get('body', '')}", raw=skill) for skill in body.get("skills") or ()
    ]
    entries = (*memories, *skills)
    whole = (
        [entry.main for entry in entries] + reader.words(body.get("soul")) + reader.words(body.get("blocks"))
    )
    return View(entries, "\n".join(whole))


def _judge_pack(world: World, step: Pack, org: OrgWorld, body: Mapping[str, Any]) -> Shortfall:
    view = pack_view(world, org, body)
    found = world.checks.view(view, step.contains, step.lacks, step.count)
    found += world.checks.order("\n".join(entry.main for entry in view.entries), step.order)
    numbers = _numbers(body)
    for name in sorted({*step.min, *step.max}):
        found += between(numbers[name], step.min.get(name), step.max.get(name), name)
    return found + _judge_soul(step.soul, body.get("soul"))


def _numbers(body: Mapping[str, Any]) -> dict[str, int]:
    scopes = [memory["scope"] for memory in body["memories"]]
    return {
        "memories": scopes.count("role_agent"),
        "org_memories": scopes.count("org"),
        "chars": sum(len(memory["text"]) for memory in body["memories"]),
        "skills": len(body.get("skills") or ()),
    }


def _judge_soul(wanted: str | None, soul: Mapping[str, Any] | None) -> Shortfall:
    if wanted is None:
        return OK
    there = str(soul["code"]) if soul else "none"
    return OK if there == wanted else Shortfall(missing=(f"the soul is {there}, not {wanted}",))


async def search(world: World, step: Search) -> str:
    """SearchAgentHistory, from a channel of the agent."""
    org, agent = world.org_of("agent", step.agent)
    await world.api.need(SEARCH)
    body = {
        "role_agent": str(org.agents[agent]),
        "channel": _asked_from(world, step, org, agent),
        "query": world.texts.fill(step.query),
        "limit": 50,
    }

    async def look() -> Answer:
        return await world.api.call(SEARCH, org.runtime_key, json=body)

    def judge(answer: Answer) -> Shortfall:
        outcome = answer.outcome
        empty = answer.status == 200 and not answer.body["hits"]
        if empty and not step.expect.meets(outcome):
            outcome = refusal("not_found", "no hits")
        if not step.expect.meets(outcome):
            return Shortfall(missing=(f"expected {'|'.join(step.expect.choices)}, got {outcome}",))
        if answer.status != 200:
            return OK
        view = View(world.reader(org).entries(answer.body["hits"]))
        return world.checks.view(view, step.contains, step.lacks, step.count)

    answer = await look_until(look, judge)
    return f"{len(answer.body['hits'])} hits" if answer.status == 200 else str(answer.outcome)


def _asked_from(world: World, step: Search, org: OrgWorld, agent: str) -> str:
    if step.channel is not None:
        channel_org, channel = world.org_of("channel", step.channel)
        return str(channel_org.channels[channel])
    listening = [
        name
        for name, channel in org.setup.channels.items()
        if agent in channel.agents and not channel.private
    ]
    anywhere = listening or [name for name, channel in org.setup.channels.items() if agent in channel.agents]
    if not anywhere:
        raise Unmet(f"{step.agent} listens nowhere: the question needs a channel")
    return str(org.channels[anywhere[0]])


async def read_all(
    world: World, route: Route, org: OrgWorld, token: str, rows: str, **params: Any
) -> tuple[Outcome, list[dict[str, Any]]]:
    """Every page of a list, and whether it was let in."""
    found: list[dict[str, Any]] = []
    asked = {name: value for name, value in params.items() if value is not None} | {"limit": PAGE}
    for _ in range(MAX_PAGES):
        answer = await world.api.call(route, token, path=route.at(org=org.code), params=asked)
        if answer.status != 200:
            return answer.outcome, []
        found += answer.body[rows]
        if not answer.body.get("next_cursor"):
            break
        asked["cursor"] = answer.body["next_cursor"]
    return Outcome("done"), found


async def inbox(world: World, step: Inbox) -> str:
    """What this person sees in the inbox, or in the Memory tab."""
    org, agent = world.org_of("agent", step.agent)
    token = _viewer(world, step.as_, org)
    route, rows = (MEMORIES, "memories") if step.tab == "memory" else (ITEMS, "items")
    await world.api.need(route)
    status = step.status if step.tab is None else None

    async def look() -> tuple[Outcome, View]:
        outcome, found = await read_all(
            world, route, org, token, rows, agent=str(org.agents[agent]), status=status
        )
        return outcome, View(world.reader(org).entries(found))

    def judge(seen: tuple[Outcome, View]) -> Shortfall:
        outcome, view = seen
        if not step.expect.meets(outcome):
            return Shortfall(missing=(f"expected {'|'.join(step.expect.choices)}, got {outcome}",))
        return _judge_inbox(world, step, view) if outcome.name == "done" else OK

    outcome, view = await look_until(look, judge)
    for label, pattern in step.take.items():
        row = world.checks.matching(view.entries, pattern)[0].raw
        world.taken[label] = taken(org, row)
    return f"{len(view.entries)} entries" if outcome.name == "done" else str(outcome)


def taken(org: OrgWorld, row: Mapping[str, Any]) -> Taken:
    """The row as it was seen."""
    return Taken(org.name, str(row["id"]), int(row["row_version"]), str(row.get("status", "")))


def _judge_inbox(world: World, step: Inbox, view: View) -> Shortfall:
    checks = world.checks
    found = checks.view(view, step.contains, step.lacks, step.count) + checks.linked(
        view.entries, step.evidence
    )
    for label, pattern in step.take.items():
        if not checks.matching(view.entries, pattern):
            found += Shortfall(missing=(f"nothing to take as {label}: no entry matches {pattern!r}",))
    for pattern in step.flagged:
        entries = checks.matching(view.entries, pattern)
        if not entries:
            found += Shortfall(missing=(f"no entry matches {pattern!r}",))
        elif not all(_warned(entry.raw) for entry in entries):
            found += Shortfall(missing=(f"{pattern!r} carries no warning about its source",))
    return found


def _warned(raw: Mapping[str, Any]) -> bool:
    """Whether a reader is told that the source is doubtful, gone or changed."""
    sources = raw.get("evidence") or ()
    told = raw.get("sender_verified") is False or any(source.get("verified") is False for source in sources)
    return told or any(isinstance(mark, str) for mark in raw.get("marks") or ())


def _viewer(world: World, user: str | None, org: OrgWorld) -> str:
    if user is None:
        return org.admin_token
    owner, name = world.org_of("user", user)
    return owner.token_of(name)


async def audit(world: World, step: Audit) -> str:
    """Learning events of the agent."""
    org, agent = world.org_of("agent", step.agent)
    token = _viewer(world, step.as_, org)
    await world.api.need(AUDIT)

    async def look() -> tuple[Outcome, list[dict[str, Any]]]:
        return await read_all(world, AUDIT, org, token, "events", agent=str(org.agents[agent]))

    def judge(seen: tuple[Outcome, list[dict[str, Any]]]) -> Shortfall:
        outcome, rows = seen
        if not step.expect.meets(outcome):
            return Shortfall(missing=(f"expected {'|'.join(step.expect.choices)}, got {outcome}",))
        return _judge_audit(world, step, org, rows) if outcome.name == "done" else OK

    outcome, rows = await look_until(look, judge)
    return f"{len(rows)} events" if outcome.name == "done" else str(outcome)


def _judge_audit(world: World, step: Audit, org: OrgWorld, rows: list[dict[str, Any]]) -> Shortfall:
    checks, types = world.checks, [str(row["type"]) for row in rows]
    texts = [entry.all for entry in world.reader(org).entries(rows)]
    found = Shortfall(
        missing=tuple(f"no event of type {p!r}" for p in step.has if not _any(checks, p, types))
    )
    found += Shortfall(wrong=tuple(f"an event of type {p!r}" for p in step.lacks if _any(checks, p, types)))
    found += checks.contains(texts, step.contains_text) + checks.lacks(texts, step.lacks_text)
    return found + checks.count([Entry(type_) for type_ in types], step.count)


def _any(checks: Any, pattern: str, texts: list[str]) -> bool:
    return any(checks.found(pattern, text) for text in texts)

"""Changes of memories, ways of learning and rules, by the panel's own routes. One function a `do`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from dw_cli.play import doors
from dw_cli.play.api import Answer, Route
from dw_cli.play.finding import find_memory, find_tombstone
from dw_cli.play.steps import Admin
from dw_cli.play.world import OrgWorld, World

Do = Callable[[World, OrgWorld, str, Admin], Awaitable[Answer]]


def nothing(what: str) -> Answer:
    """As the product says it of what is not there."""
    return Answer(404, {"detail": f"nothing there that matches {what!r}"})


async def send(
    world: World, route: Route, org: OrgWorld, token: str, body: Any = None, **parts: Any
) -> Answer:
    """One call of the panel; Missing where it has no such route."""
    await world.api.need(route)
    path = route.at(org=org.code, **parts)
    return await world.api.call(route, token, path=path, json=body, safe=False)


def _memory(route: Route, *fields: str, active: bool = True) -> Do:
    """A change of the memory that matches; `fields` go along where the step has them."""

    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        await world.api.need(route)
        _, agent = world.org_of("agent", step.fields["agent"])
        pattern = str(step.fields["matching"])
        found = await find_memory(world, org, agent, pattern, active=active)
        if found is None:
            return nothing(pattern)
        given = {name: step.fields[name] for name in fields if name in step.fields}
        body = {
            name: world.texts.fill(value) if isinstance(value, str) else value
            for name, value in given.items()
        }
        return await send(world, route, org, token, body, memory=found["id"])

    return do


async def lift_tombstone(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """What was buried may be learned again."""
    await world.api.need(doors.LIFT)
    _, agent = world.org_of("agent", step.fields["agent"])
    found = await find_tombstone(world, org, agent, str(step.fields["matching"]))
    if found is None:
        return nothing(str(step.fields["matching"]))
    return await send(world, doors.LIFT, org, token, tombstone=found["id"])


async def add_memory(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """Memories by hand, of an agent or of the whole org."""
    texts = step.fields["texts"]
    listed = [texts] if isinstance(texts, str) else texts
    agent = None
    if step.fields.get("scope") != "org":
        _, agent = world.org_of("agent", step.fields["agent"])
    body = {
        "agent": str(org.agents[agent]) if agent else None,
        "texts": [world.texts.fill(str(t)) for t in listed],
    }
    return await send(world, doors.ADD_MEMORY, org, token, body)


async def suggest(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """A correction by somebody who manages a channel."""
    _, agent = world.org_of("agent", step.fields["agent"])
    _, channel = world.org_of("channel", step.fields["channel"])
    body = {"channel": str(org.channels[channel]), "text": world.texts.fill(str(step.fields["text"]))}
    return await send(world, doors.SUGGEST, org, token, body, agent=org.agents[agent])


async def add_rule(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """A policy rule; its name in the story goes along as a note."""
    given, name = step.fields, str(step.fields["rule"])
    condition = given.get("condition", {})
    body = {
        "category": str(given.get("category", "*")),
        "condition": json.loads(condition) if isinstance(condition, str) else condition,
        "action": given.get("action", "auto_confirm"),
        "priority": given.get("priority", 0),
        "note": name,
    }
    answer = await send(world, doors.ADD_RULE, org, token, body)
    if answer.outcome.name == "done":
        world.rules[(org.name, name)] = str(answer.body["rule_id"])
    return answer


async def remove_rule(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """Take a rule back."""
    await world.api.need(doors.REMOVE_RULE)
    rule = world.rules.get((org.name, str(step.fields["rule"])))
    if rule is None:
        return nothing(str(step.fields["rule"]))
    return await send(world, doors.REMOVE_RULE, org, token, rule=rule)


ACTS: Final[Mapping[str, Do]] = {
    "promote": _memory(doors.PROMOTE),
    "restore": _memory(doors.RESTORE, active=False),
    "supersede": _memory(doors.SUPERSEDE, "text"),
    "delete": _memory(doors.DELETE, "never_again"),
    "lift_tombstone": lift_tombstone,
    "add_memory": add_memory,
    "suggest": suggest,
    "add_rule": add_rule,
    "remove_rule": remove_rule,
}

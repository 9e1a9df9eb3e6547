"""Decisions in the inbox. One function an action: what the product cannot do yet raises Missing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dw_cli.play.api import Answer, Route, Unmet
from dw_cli.play.doors import CONVERSION, DECISION, EDIT, ITEMS, OVERRIDE, REVIEWER, SENSITIVITY
from dw_cli.play.expect import Outcome, refusal
from dw_cli.play.looking import must_meet
from dw_cli.play.steps import Decide
from dw_cli.play.steps_look import read_all, taken
from dw_cli.play.world import OrgWorld, Taken, World


@dataclass(frozen=True, slots=True)
class Meant:
    """What a person means: the item as they saw it. `hidden`: it is not in their list under that text."""

    item: Taken | None
    hidden: bool = False


Act = Callable[[World, OrgWorld, str, Taken, Decide], Awaitable[Answer]]


async def decide(world: World, step: Decide) -> str:
    """One decision, or the same one of several people at the same moment."""
    act = ACTIONS[step.action]
    await world.api.need(DOORS[step.action])
    if step.text is not None or step.never_again:
        await world.api.need(EDIT)  # an older product would overlook these
    org, agent = world.org_of("agent", step.agent)
    tokens = []
    for who in step.who:
        owner, name = world.org_of("user", who)
        tokens.append(owner.token_of(name))
    meant = [await _meant(world, step, org, agent, token) for token in tokens]
    outcomes = await asyncio.gather(
        *(_try(world, step, org, agent, token, what, act) for token, what in zip(tokens, meant, strict=True))
    )
    return must_meet(step.expect, *outcomes)


async def _try(
    world: World, step: Decide, org: OrgWorld, agent: str, token: str, meant: Meant, act: Act
) -> Outcome:
    """What came of it. What somebody cannot see they cannot mean, but the door is tried all the same."""
    if meant.item is None:
        return refusal("not_found", f"nothing there that matches {step.matching!r}")
    answer = await act(world, org, token, meant.item, step)
    outcome = answer.outcome
    if outcome.name == "done":
        world.saw_version(org, agent, answer.body.get("version") if isinstance(answer.body, dict) else None)
        return outcome
    return Outcome(outcome.name, outcome.words, "refused:not_found") if meant.hidden else outcome


async def _meant(world: World, step: Decide, org: OrgWorld, agent: str, token: str) -> Meant:
    if step.item is not None:
        if step.item not in world.taken:
            raise Unmet(f"nothing was taken as {step.item!r}")
        return Meant(world.taken[step.item])
    if (seen := await find_item(world, org, agent, token, step.matching or "")) is not None:
        return Meant(seen)
    return Meant(await find_item(world, org, agent, org.admin_token, step.matching or ""), hidden=True)


async def find_item(world: World, org: OrgWorld, agent: str, token: str, pattern: str) -> Taken | None:
    """One item of any status, pending ones first, as this person sees it."""
    _, rows = await read_all(world, ITEMS, org, token, "items", agent=str(org.agents[agent]), status="any")
    rows.sort(key=lambda row: row["status"] != "pending")
    found = world.checks.matching(world.reader(org).entries(rows), pattern)
    return taken(org, found[0].raw) if found else None


async def approve_or_reject(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
    """The plain yes and no; a yes with an edit in the same breath, a no for good."""
    body: dict[str, Any] = {"action": step.action, "row_version": item.row_version}
    body |= {"text": world.texts.fill(step.text)} if step.text is not None else {}
    body |= {"never_again": True} if step.never_again else {}
    return await _send(world, DECISION, org, token, item, body)


async def edit(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
    """Another text; the item waits on."""
    return await _send(
        world, EDIT, org, token, item, _seen(item) | {"text": world.texts.fill(step.text or "")}
    )


async def reassign(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
    """Somebody else is to look at it."""
    owner, name = world.org_of("user", step.to) if step.to is not None else (org, "")
    return await _send(world, REVIEWER, org, token, item, {"to": str(owner.users[name]) if name else None})


async def convert(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
    """A memory proposal becomes a skill proposal, or the other way round."""
    text = {"text": world.texts.fill(step.text)} if step.text is not None else {}
    return await _send(world, CONVERSION, org, token, item, _seen(item) | text)


async def override(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
    """A new decision against the old one; without `to` the opposite of it."""
    opposite = "rejected" if item.status == "approved" else "approved"
    words = {"approve": "approved", "reject": "rejected"}
    to = words.get(step.to, step.to) if step.to is not None else opposite
    return await _send(world, OVERRIDE, org, token, item, {"to": to})


def mark(*, sensitive: bool) -> Act:
    """Put the mark on, or take it off."""

    async def act(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
        return await _send(world, SENSITIVITY, org, token, item, _seen(item) | {"is_sensitive": sensitive})

    return act


def _seen(item: Taken) -> dict[str, Any]:
    return {"row_version": item.row_version}


async def _send(
    world: World, route: Route, org: OrgWorld, token: str, item: Taken, body: dict[str, Any]
) -> Answer:
    path = route.at(org=org.code, item=item.item_id)
    return await world.api.call(route, token, path=path, json=body, safe=False)


DOORS: Final[Mapping[str, Route]] = {
    "approve": DECISION,
    "reject": DECISION,
    "edit": EDIT,
    "reassign": REVIEWER,
    "mark_sensitive": SENSITIVITY,
    "unmark_sensitive": SENSITIVITY,
    "convert": CONVERSION,
    "override": OVERRIDE,
}
"""Asked before anything else: a missing feature is no refusal, whatever a step expects."""
ACTIONS: Final[Mapping[str, Act]] = {
    "approve": approve_or_reject,
    "reject": approve_or_reject,
    "edit": edit,
    "reassign": reassign,
    "mark_sensitive": mark(sensitive=True),
    "unmark_sensitive": mark(sensitive=False),
    "convert": convert,
    "override": override,
}

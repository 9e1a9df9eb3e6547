"""Decisions in the inbox. One function an action: what the product cannot do yet raises Missing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dw_cli.play.api import Answer, Missing, Unmet
from dw_cli.play.doors import DECISION, ITEMS
from dw_cli.play.expect import Outcome, refusal
from dw_cli.play.looking import must_meet
from dw_cli.play.steps import Decide
from dw_cli.play.steps_look import read_all
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
    return Taken(org.name, str(found[0].raw["id"]), int(found[0].raw["row_version"])) if found else None


async def approve_or_reject(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
    """The plain yes and no."""
    if step.text is not None:
        raise Missing("an approval with an edit in the same breath")
    if step.never_again:
        raise Missing("a rejection for good (never again)")
    body: dict[str, Any] = {"action": step.action, "row_version": item.row_version}
    path = DECISION.at(org=org.code, item=item.item_id)
    return await world.api.call(DECISION, token, path=path, json=body, safe=False)


def _missing(feature: str) -> Act:
    async def act(world: World, org: OrgWorld, token: str, item: Taken, step: Decide) -> Answer:
        raise Missing(feature)

    return act


ACTIONS: Final[Mapping[str, Act]] = {
    "approve": approve_or_reject,
    "reject": approve_or_reject,
    "edit": _missing("editing a learning item"),
    "reassign": _missing("reassigning a learning item"),
    "mark_sensitive": _missing("marking a learning item sensitive"),
    "unmark_sensitive": _missing("taking the mark sensitive back"),
    "convert": _missing("converting a learning item into a skill"),
    "override": _missing("overriding a decision"),
}

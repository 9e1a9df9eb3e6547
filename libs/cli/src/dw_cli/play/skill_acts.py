"""Skills and souls in the panel, also tried by people who may not. One function a `do`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from dw_cli.play import doors
from dw_cli.play.admin_acts import Do, nothing, send
from dw_cli.play.api import Answer, Route
from dw_cli.play.steps import Admin
from dw_cli.play.world import OrgWorld, World


async def find_skill(world: World, org: OrgWorld, agent: str, name: str) -> Mapping[str, Any] | None:
    """The agent's skill of this name, as an admin sees it."""
    await world.api.need(doors.SKILLS)
    path = doors.SKILLS.at(org=org.code, agent=org.agents[agent])
    rows = (await world.api.call(doors.SKILLS, org.admin_token, path=path, params={"limit": 200})).body
    return next((row for row in rows if row["name"] == name), None)


async def propose_skill(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """Front matter and the four sections; without `base` an update rests on the version that is active now."""
    _, agent = world.org_of("agent", step.fields["agent"])
    name = str(step.fields["skill"])
    base = step.fields.get("base")
    if base is None:
        known = await find_skill(world, org, agent, name)
        base = known["active_version"] if known is not None else None
    body = {
        "body_md": skill_text(world, agent, step.fields),
        "base_version": int(base) if base is not None else None,
    }
    return await send(world, doors.PROPOSE_SKILL, org, token, body, agent=org.agents[agent])


def skill_text(world: World, agent: str, fields: Mapping[str, Any]) -> str:
    """When To Use is the description. A list becomes steps, or points."""
    name = str(fields["skill"])
    description = world.texts.fill(str(fields.get("description", f"Use when the task is {name}.")))
    sections = {
        "When To Use": description,
        "Procedure": _lines(world, fields.get("procedure", f"Do {name}."), numbered=True),
        "Do Not Do": _lines(world, fields.get("do_not", "Guess."), numbered=False),
        "Verification": _lines(world, fields.get("verification", "It is done."), numbered=False),
    }
    front = {
        "name": name,
        "description": json.dumps(" ".join(description.split()), ensure_ascii=False),
        "scope": "role_agent",
        "agent": agent,
        "risk": fields.get("risk", "low"),
    }
    head = "\n".join(f"{key}: {value}" for key, value in front.items())
    return (
        f"---\n{head}\n---\n\n"
        + "\n\n".join(f"## {title}\n{text}" for title, text in sections.items())
        + "\n"
    )


def _lines(world: World, given: Any, *, numbered: bool) -> str:
    if not isinstance(given, list):
        return world.texts.fill(str(given))
    texts = [world.texts.fill(str(text)) for text in given]
    marks = (f"{number}." if numbered else "-" for number in range(1, len(texts) + 1))
    return "\n".join(f"{mark} {text}" for mark, text in zip(marks, texts, strict=True))


def _skill(route: Route) -> Do:
    """An act on the skill that has this name."""

    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, agent = world.org_of("agent", step.fields["agent"])
        found = await find_skill(world, org, agent, str(step.fields["skill"]))
        if found is None:
            return nothing(str(step.fields["skill"]))
        body = {"to": int(step.fields["to"])} if "to" in step.fields else None
        return await send(world, route, org, token, body, skill=found["id"])

    return do


async def propose_soul(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """A soul, or the next version of it."""
    given = {"tone": "tone_rules", "do_not": "do_not_do", "critique": "critique_rules"}
    texts = {
        field: _lines(world, step.fields[name], numbered=False)
        for name, field in given.items()
        if name in step.fields
    }
    return await send(world, doors.PROPOSE_SOUL, org, token, {"code": str(step.fields["soul"]), **texts})


async def approve_soul(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """Its newest draft."""
    return await send(world, doors.APPROVE_SOUL, org, token, {}, soul=step.fields["soul"])


async def assign_soul(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
    """To one role-agent."""
    _, agent = world.org_of("agent", step.fields["agent"])
    body = {"soul": str(step.fields["soul"])}
    return await send(world, doors.ASSIGN_SOUL, org, token, body, agent=org.agents[agent])


def _agents_soul(route: Route) -> Do:
    async def do(world: World, org: OrgWorld, token: str, step: Admin) -> Answer:
        _, agent = world.org_of("agent", step.fields["agent"])
        return await send(world, route, org, token, agent=org.agents[agent])

    return do


SKILL_ACTS: Final[Mapping[str, Do]] = {
    "propose_skill": propose_skill,
    "revert_skill": _skill(doors.REVERT_SKILL),
    "pause_skill": _skill(doors.PAUSE_SKILL),
    "resume_skill": _skill(doors.RESUME_SKILL),
    "archive_skill": _skill(doors.ARCHIVE_SKILL),
    "propose_soul": propose_soul,
    "approve_soul": approve_soul,
    "assign_soul": assign_soul,
    "pause_soul": _agents_soul(doors.PAUSE_SOUL),
    "resume_soul": _agents_soul(doors.RESUME_SOUL),
}

"""What agents and their users say about memories: put_memory, feedback."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dw_cli.play.api import Answer, Unmet
from dw_cli.play.doors import AGENT_MEMORY, DELETE_MEMORY, FEEDBACK, ITEM_FEEDBACK, PUT_MEMORY, RUNS
from dw_cli.play.expect import Outcome, refusal
from dw_cli.play.finding import find_memory
from dw_cli.play.looking import must_meet
from dw_cli.play.steps import Feedback, PutMemory
from dw_cli.play.steps_decide import find_item
from dw_cli.play.world import OrgWorld, Said, World


@dataclass(frozen=True, slots=True)
class _Run:
    """What the agent got for its reply."""

    token: str
    expires_at: datetime | None = None


async def put_memory(world: World, step: PutMemory) -> str:
    """The agent's own memory API, under a run token: write, read or delete."""
    await world.api.need(RUNS)
    org, agent = world.org_of("agent", step.agent)
    run = await _run(world, step)
    if isinstance(run, Outcome):
        return must_meet(step.expect, run)
    if step.token == "expired" and run.expires_at is not None:
        await asyncio.sleep(max(0.0, (run.expires_at - datetime.now(UTC)).total_seconds()) + 1.0)
    of_agent = str(org.agents[agent])
    if step.do == "put":
        outcome = await _put(world, step, org, agent, run)
    elif step.do == "get":
        answer, found = await _entry(world, step, of_agent, run)
        outcome = Outcome("done", also="stored") if found else _not_there(answer)
    else:
        outcome = await _delete(world, step, org, agent, run)
    return must_meet(step.expect, outcome)


async def _run(world: World, step: PutMemory) -> _Run | Outcome:
    """The run's token, or the refusal where another agent asks for one that it may not have: then nothing is written."""
    if step.token == "none":
        return _Run("")
    org, agent = world.org_of("agent", step.token_of)
    said = _message(world, step)
    channel = said.body["channel"] if said is not None else _first_channel(org, agent)
    body = {"role_agent": str(org.agents[agent]), "channel": channel}
    event = said.events.get(str(org.agents[agent])) if said is not None else None
    body |= {"event_id": event} if event is not None else {}
    body |= {"minutes": 1} if step.token == "expired" else {}
    answer = await world.api.call(RUNS, org.runtime_key, json=body, safe=False)
    if answer.status != 200 and event is not None:  # the event may be on its way still
        await world.watch.settled()
        answer = await world.api.call(RUNS, org.runtime_key, json=body, safe=False)
    if answer.status in (403, 404) and step.token_of != step.agent:
        return answer.outcome
    if answer.status != 200:
        raise Unmet(f"no run of {step.token_of}: {answer.outcome}")
    return _Run(answer.body["token"], datetime.fromisoformat(answer.body["expires_at"]))


def _message(world: World, step: PutMemory) -> Said | None:
    if step.run_of is None:
        return None
    if step.run_of not in world.labelled:
        raise Unmet(f"nothing was said under {step.run_of}")
    return world.labelled[step.run_of]


def _first_channel(org: OrgWorld, agent: str) -> str:
    for name, channel in org.setup.channels.items():
        if agent in channel.agents:
            return str(org.channels[name])
    raise Unmet(f"{agent} listens nowhere, so it has no run")


async def _put(world: World, step: PutMemory, org: OrgWorld, agent: str, run: _Run) -> Outcome:
    text = world.texts.fill(step.text)
    key = step.key or f"note-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    body = {"key": key, "content": text, "layer": step.layer}
    body |= {"scope": step.scope} if step.scope is not None else {}
    path = PUT_MEMORY.at(agent=org.agents[agent])
    answer = await world.api.call(PUT_MEMORY, run.token, path=path, json=body, safe=False)
    world.saw_version(org, agent, _field(answer, "version"))
    return _answered(answer)


async def _delete(world: World, step: PutMemory, org: OrgWorld, agent: str, run: _Run) -> Outcome:
    answer, found = await _entry(world, step, str(org.agents[agent]), run)
    if found is None:
        return _not_there(answer)
    path = DELETE_MEMORY.at(agent=org.agents[agent], entry=found["id"])
    done = await world.api.call(DELETE_MEMORY, run.token, path=path, safe=False)
    world.saw_version(org, agent, _field(done, "version"))
    return _answered(done)


async def _entry(
    world: World, step: PutMemory, agent: str, run: _Run
) -> tuple[Answer, Mapping[str, Any] | None]:
    """The agent's active entry that is meant."""
    asked = {"key": step.key} if step.key else {}
    answer = await world.api.call(AGENT_MEMORY, run.token, path=AGENT_MEMORY.at(agent=agent), params=asked)
    if answer.status != 200:
        return answer, None
    rows = answer.body["entries"]
    wanted = step.matching or ""
    return answer, next((row for row in rows if world.checks.found(wanted, row["content"])), None)


def _not_there(answer: Answer) -> Outcome:
    return refusal("not_found", "no such entry") if answer.status == 200 else answer.outcome


def _answered(answer: Answer) -> Outcome:
    """The API says itself what became of it; anything else is a refusal."""
    status = _field(answer, "status")
    if status in ("stored", "proposed", "rejected"):
        return Outcome(str(status), str(_field(answer, "reason") or ""))
    return Outcome("done", also="stored") if status == "deleted" else answer.outcome


def _field(answer: Answer, name: str) -> Any:
    return answer.body.get(name) if isinstance(answer.body, dict) else None


async def feedback(world: World, step: Feedback) -> str:
    """Confirm, reject, edit or delete what the agent knows; confirm what waits."""
    await world.api.need(FEEDBACK)
    org, agent = world.org_of("agent", step.agent)
    owner, name = world.org_of("user", step.who)
    outcomes = [await _feedback(world, step, org, agent, owner.token_of(name)) for _ in range(step.times)]
    await world.refresh_versions()
    return must_meet(step.expect, *outcomes)


async def _feedback(world: World, step: Feedback, org: OrgWorld, agent: str, token: str) -> Outcome:
    body: dict[str, Any] = {"action": step.action}
    memory = await find_memory(world, org, agent, step.matching)
    if memory is not None:
        body |= {"text": world.texts.fill(step.text)} if step.text is not None else {}
        path = FEEDBACK.at(org=org.code, memory=memory["id"])
        return (await world.api.call(FEEDBACK, token, path=path, json=body, safe=False)).outcome
    item = await find_item(world, org, agent, org.admin_token, step.matching)
    if item is None or item.status != "pending":
        return refusal("not_found", f"nothing there that matches {step.matching!r}")
    path = ITEM_FEEDBACK.at(org=org.code, item=item.item_id)
    return (await world.api.call(ITEM_FEEDBACK, token, path=path, json=body, safe=False)).outcome

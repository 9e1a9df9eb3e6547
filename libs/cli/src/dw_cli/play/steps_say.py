"""Steps in which somebody says or does something in a channel: say, correct, tool_run; and redeliver."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from dw_cli.play.api import Answer, Missing, Unmet
from dw_cli.play.doors import EVENTS
from dw_cli.play.names import AGENT_ITSELF
from dw_cli.play.steps import Correct, Redeliver, Say, ToolRun
from dw_cli.play.world import OrgWorld, Said, World

BATCH: Final = 500
MAX_REPLY_BYTES: Final = 2_000


class NotHere(Unmet):
    """Ingest does not take this account in this channel."""


def _is_foreign(world: World, sender: str, channel: str) -> bool:
    """Whether the account belongs to another org's workspace, or to another platform, than the channel (C46)."""
    org, _, setup = world.channel(channel)
    owner, _ = world.org_of("identity", sender)
    identity, _ = world.account(sender, setup, org)
    return owner.name != org.name or identity.platform != setup.platform


async def say(world: World, step: Say) -> str:
    """Post the message, as often as the step says."""
    if step.model is not None:
        _tell_model(world, step)
    org, channel, _ = world.channel(step.channel)
    bodies = [_said(world, step, org, channel, i) for i in range(1, step.times + 1)]
    try:
        await _post(world, org, bodies, step.id, at_once=step.at_once)
    except NotHere as refused:
        if not _is_foreign(world, step.sender, step.channel):
            raise
        return f"refused at the edge, as C46 allows for a foreign account: {refused}"
    return f"{len(bodies)} accepted" if len(bodies) > 1 else "accepted"


def _tell_model(world: World, step: Say) -> None:
    """What the model will answer. On a stack that runs already the detector has its own model, for all orgs."""
    model = world.stage.model
    if model is None or step.model is None:
        raise Missing("a stand-in model for one org (dw play has one on a stack that it starts itself)")
    for i in range(1, step.times + 1):
        model.tell(_text(world, step, i), step.model)


def _text(world: World, step: Say, i: int) -> str:
    """The message as it goes out; a quote stands in it as chat programs write one."""
    text = world.texts.fill(step.text, i)
    if step.quoted is None:
        return text
    return "\n".join([*(f"> {line}" for line in world.texts.fill(step.quoted.text, i).splitlines()), text])


async def correct(world: World, step: Correct) -> str:
    """Post a human correction."""
    org, channel, _ = world.channel(step.channel)
    bodies = []
    for i in range(1, step.times + 1):
        body = _frame(world, org, channel, step.sender, _ref(world, step.id, step.event_id, i), None)
        halves = {"wrong": world.texts.fill(step.wrong, i), "right": world.texts.fill(step.right, i)}
        bodies.append(body | {"kind": "correction", "correction": halves})
    await _post(world, org, bodies, step.id)
    return "accepted"


async def tool_run(world: World, step: ToolRun) -> str:
    """Post a tool run on behalf of its sender."""
    org, channel, setup = world.channel(step.channel)
    if world.names.find("agent", step.agent) not in {(org.name, agent) for agent in setup.agents}:
        raise Unmet(f"{step.agent} does not listen in {step.channel}")
    body = _frame(world, org, channel, step.sender, _ref(world, step.id, step.event_id, 1), None)
    tool = {"name": step.tool, "input": world.texts.fill(step.input), "output": world.texts.fill(step.output)}
    await _post(world, org, [body | {"kind": "tool_run", "tool": tool}], step.id)
    return "accepted"


async def redeliver(world: World, step: Redeliver) -> str:
    """Every event of the file once more, with the same ids."""
    again = world.labels(step.what)
    for name, org in world.orgs.items():
        bodies = [said.body for said in again if said.org == name]
        for first in range(0, len(bodies), BATCH):
            await _batch(world, org, bodies[first : first + BATCH])
    return f"{len(again)} accepted again"


def _said(world: World, step: Say, org: OrgWorld, channel: str, i: int) -> dict[str, Any]:
    at = world.tick(step.at)
    changes = step.edit_of or step.delete_of
    ref = world.ref_of(changes) if changes else _ref(world, step.id, step.event_id, i)
    body = _frame(world, org, channel, step.sender, ref, at)
    body |= {"text": _text(world, step, i), "flags": _flags(step)}
    if step.bot:
        body["sender"]["kind"] = "bot"
    if step.delete_of is not None:
        body |= {"kind": "delete", "revision": _revision(at)}
    elif step.edit_of is not None:
        body |= {"kind": "edit", "revision": _revision(at)}
    elif step.sender.rpartition("/")[2] == AGENT_ITSELF:
        body["kind"] = "message_out"
    if (answered := _answered(world, step, i)) is not None:
        body["reply_to"] = answered
    return body


def _ref(world: World, label: str | None, event_id: str | None, i: int) -> str:
    """The platform's message id: the one that is given, the one that an earlier edit or delete spoke of, else a new one."""
    if event_id is not None:
        ref = world.texts.fill(event_id, i)
    elif label is not None and label in world.refs and label not in world.labelled and i == 1:
        return world.refs[label]
    else:
        ref = world.new_ref()
    if label is not None:
        world.refs[label] = ref
    return ref


def _frame(
    world: World, org: OrgWorld, channel: str, sender: str, ref: str, at: float | None
) -> dict[str, Any]:
    """What every event has. The sender's fields are raw: nothing here can say that anybody is verified."""
    identity, workspace = world.account(sender, org.setup.channels[channel], org)
    body: dict[str, Any] = {
        "channel": str(org.channels[channel]),
        "message_ref": ref,
        "sender": {
            "platform": identity.platform,
            "workspace_ref": workspace,
            "external_user_id": identity.external_id,
            "kind": "bot" if identity.bot else "human",
            "display_name": sender.rpartition("/")[2],
        },
    }
    if at is not None:
        body["occurred_at"] = (world.base + timedelta(seconds=at)).isoformat()
    return body


def _flags(step: Say) -> dict[str, bool]:
    flags = {
        "forwarded": bool(step.forwarded),
        "quoted": step.quoted is not None,
        "edited": step.edit_of is not None,
    }
    return {name: True for name, on in flags.items() if on}


def _revision(at: float) -> int:
    """The platform's edit time in milliseconds; 0 is the original alone."""
    return max(1, round(at * 1_000))


def _answered(world: World, step: Say, i: int) -> dict[str, Any] | None:
    """The message that this one answers, as a platform shows it."""
    if step.prev is not None:
        text = world.texts.fill(step.prev, i)
        return {"message_ref": world.new_ref(), "author_kind": "agent", "text": _short(text)}
    if step.reply_to is None:
        return None
    known = world.labelled.get(step.reply_to)
    if known is None:
        return {"message_ref": world.ref_of(step.reply_to)}
    body = known.body
    by_agent = body.get("kind") == "message_out"
    text = (
        body.get("text")
        or body.get("correction", {}).get("right")
        or body.get("tool", {}).get("output")
        or ""
    )
    author = "agent" if by_agent else body["sender"]["kind"]
    return {"message_ref": body["message_ref"], "author_kind": author, "text": _short(text)}


def _short(text: str) -> str:
    return text.encode()[:MAX_REPLY_BYTES].decode("utf-8", "ignore")


async def _post(
    world: World, org: OrgWorld, bodies: Sequence[dict[str, Any]], label: str | None, *, at_once: bool = False
) -> None:
    """Through the gateway of the channel's org: in order, or all at once."""
    if at_once:
        events = await asyncio.gather(*(_one(world, org, body) for body in bodies))
    elif len(bodies) == 1:
        events = [await _one(world, org, bodies[0])]
    else:
        events = []
        for first in range(0, len(bodies), BATCH):
            events += await _batch(world, org, bodies[first : first + BATCH])
    for body, ids in zip(bodies, events, strict=True):
        said = Said(org.name, body, label, ids)
        world.said.append(said)
        if label is not None:
            world.labelled[label] = said


async def _one(world: World, org: OrgWorld, body: dict[str, Any]) -> dict[str, str]:
    answer = await world.api.call(EVENTS, _key(org, body), json=body)
    if answer.status == 403:
        raise NotHere(_words(answer))
    if answer.status != 202:
        raise Unmet(f"not accepted: {_words(answer)}")
    return _event_ids(answer.body)


async def _batch(world: World, org: OrgWorld, bodies: Sequence[Any]) -> list[dict[str, str]]:
    by_key: dict[str, list[int]] = {}
    for place, body in enumerate(bodies):
        by_key.setdefault(_key(org, body), []).append(place)
    found: list[dict[str, str]] = [{} for _ in bodies]
    for key, places in by_key.items():
        answer = await world.api.call(EVENTS, key, json={"events": [bodies[place] for place in places]})
        if answer.status != 202:
            raise Unmet(f"not all accepted: {_words(answer)}")
        for place, row in zip(places, answer.body["results"], strict=True):
            found[place] = _event_ids(row)
    return found


def _event_ids(accepted: Mapping[str, Any]) -> dict[str, str]:
    return {event["role_agent_id"]: event["event_id"] for event in accepted["events"]}


def _key(org: OrgWorld, body: Any) -> str:
    """The gateway's key for the channel's platform."""
    name = next(name for name, id_ in org.channels.items() if str(id_) == body["channel"])
    return org.gateway_keys[org.setup.channels[name].platform]


def _words(answer: Answer) -> str:
    body = answer.body if isinstance(answer.body, dict) else {}
    rows = [row["problem"] for row in body.get("results", ()) if row.get("problem")]
    said = rows[0] if rows else body
    return (
        f"{answer.status} {said.get('title', '')}: {said.get('detail', '')} {said.get('errors', '')}".strip()
    )

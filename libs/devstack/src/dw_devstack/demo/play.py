"""The story that the product exists for, step by step. A step that did not happen makes the whole demo fail."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from importlib.resources import files

import yaml
from rich.console import Console
from rich.table import Table

from dw_client import PanelClient, Refused
from dw_contracts.http.org_file import OrgFile
from dw_contracts.http.panel import DecideItem
from dw_devstack.demo.stage import Doors, Org, Said, create, reply_of_agent
from dw_devstack.demo.watch import NotSeen, outcomes_of, skip_reason, until, where_is
from dw_devstack.span_files import read_spans, trace_of_event, waterfall

SECRET = "Heron-Barrel-47!"


def expect(what: str, holds: bool) -> None:
    """Say what must be true; NotSeen if it is not."""
    if not holds:
        raise NotSeen(what)


class Demo:
    """One run. `failed` counts the steps that did not happen."""

    def __init__(self, doors: Doors, console: Console) -> None:
        self.doors = doors
        self.console = console
        self.failed = 0
        self.outcomes: Counter[str] = Counter()

    async def step(self, title: str, run: Callable[[], Awaitable[str]]) -> None:
        """Run a step and print what was seen."""
        self.console.print(f"\n[bold]{title}[/bold]", highlight=False)
        try:
            seen = await run()
        except Exception as error:  # noqa: BLE001  # a step that breaks is a step that did not happen
            self.failed += 1
            self.console.print(
                f"  [red]did not happen[/red]: {type(error).__name__}: {error}", highlight=False
            )
            if not isinstance(error, NotSeen | Refused):
                self.console.print("".join(traceback.format_exception(error)[-3:]), style="dim", markup=False)
            return
        for line in seen.splitlines():
            self.console.print(f"  [green]✓[/green] {line}", highlight=False, markup=True)


async def play(doors: Doors, console: Console, *, stays: bool = True) -> int:
    """Play the demo on two fresh orgs; gives the number of steps that did not happen. `stays` says whether the stack
    is there afterwards, to go on with."""
    demo = Demo(doors, console)
    acme = await create(doors, example("acme"), "ingrid")
    globex = await create(doors, example("globex"), "hana")
    console.print(
        f"Two fresh orgs: [bold]{acme.code}[/bold] and [bold]{globex.code}[/bold].", highlight=False
    )
    corrected = await _steps(demo, acme, globex)
    await _closing(demo, acme, corrected, stays=stays)
    for org in (acme, globex):
        for client in (org.owner, org.gateway, org.runtime):
            await client.__aexit__()
    return demo.failed


def example(name: str) -> OrgFile:
    """An org file that ships with the demo."""
    return OrgFile.model_validate(
        yaml.safe_load((files("dw_devstack.demo") / f"{name}.yaml").read_text("utf-8"))
    )


async def _steps(demo: Demo, acme: Org, globex: Org) -> list[Said]:
    corrected: list[Said] = []

    async def correction() -> str:
        said = await acme.say(
            "helpdesk",
            "No, that's wrong: the Lisbon office closes at 18:00.",
            account="U1001",
            name="Minh",
            reply_to=reply_of_agent("The Lisbon office closes at 17:00."),
        )
        corrected.append(said)
        outcomes = await outcomes_of(acme, said.event_id)
        demo.outcomes.update(outcomes)
        expect(f"outcome saved, not {outcomes}", outcomes == ("saved",))
        pack = await until("18:00 in the pack of channel lisbon", lambda: _pack_with(acme, "lisbon", "18:00"))
        return f"outcome [bold]saved[/bold]; the ContextPack of channel lisbon now says: {pack!r}"

    async def stranger() -> str:
        said = await acme.say("helpdesk", "The Porto office closes at 19:00.", account="U9999", name="Guest")
        outcomes = await outcomes_of(acme, said.event_id)
        demo.outcomes.update(outcomes)
        expect(f"outcome proposed, not {outcomes}", outcomes == ("proposed",))
        expect("in no pack", await _pack_with(acme, "lisbon", "Porto") is None)
        item = (await acme.owner.items(acme.code, status="pending")).items[0]
        return f"outcome [bold]proposed[/bold]: {item.explanation}\nit waits in the Learning Inbox and is in no pack"

    async def password() -> str:
        said = await acme.say("helpdesk", f"The password of the label printer is {SECRET}", account="U1001")
        outcomes = await outcomes_of(acme, said.event_id)
        demo.outcomes.update(outcomes)
        expect(f"outcome blocked, not {outcomes}", outcomes == ("blocked",))
        places = await where_is(demo.doors, SECRET)
        expect(f"found in {', '.join(places)}", not places)
        return "accepted, redacted before Kafka; outcome [bold]blocked[/bold]\nit stands in no table, topic, log or span"

    async def procedure() -> str:
        text = "To set up a new laptop: 1. enrol it in Intune 2. assign the user 3. install Office 4. only then hand it over"
        said = await acme.say("helpdesk", text, account="U1001")
        outcomes = await outcomes_of(acme, said.event_id)
        demo.outcomes.update(outcomes)
        kinds = [item.kind for item in (await acme.owner.items(acme.code, status="pending")).items]
        expect(f"a skill proposal, not {outcomes} {kinds}", "skill_proposal" in kinds)
        return "outcome [bold]proposed[/bold]: a skill proposal, because every procedure needs a person's yes"

    async def small_talk() -> str:
        said = await acme.say("helpdesk", "thanks, see you tomorrow!", account="U1001")
        reason = await skip_reason(demo.doors, said.event_id)
        demo.outcomes["skip"] += 1
        return f"triage let it go at no cost (reason {reason}): no model was asked"

    async def approval() -> str:
        async with PanelClient(demo.doors.panel, acme.tokens["farid"]) as farid:
            page = await farid.items(acme.code, status="pending")
            item = next(i for i in page.items if "Porto" in str(i.payload))
            decided = await farid.decide(
                acme.code, item.id, DecideItem(action="approve", row_version=item.row_version)
            )
        pack = await acme.pack("lisbon", at_least=decided.version)
        expect("Porto in the pack", any("Porto" in memory.text for memory in pack.memories))
        return "Farid, the Agent Manager, approved it in the panel's API; it is in the very next pack"

    async def other_org() -> str:
        pack = await globex.pack("support")
        expect("an empty pack", not pack.memories)
        expect("an empty inbox", not (await globex.owner.items(globex.code)).items)
        async with PanelClient(demo.doors.panel, globex.tokens["hana"]) as hana:
            try:
                await hana.items(acme.code)
            except Refused as refused:
                expect(f"404, not {refused.problem.status}", refused.problem.status == 404)
                return "its pack and inbox are empty, and its owner's token finds no such org as acme"
        raise NotSeen("globex could read acme's inbox")

    await demo.step("1. Minh, verified, corrects the IT agent in channel helpdesk", correction)
    await demo.step("2. A stranger says something that sounds just as harmless", stranger)
    await demo.step("3. Somebody posts a password", password)
    await demo.step("4. Minh explains how a laptop is set up", procedure)
    await demo.step("5. Small talk", small_talk)
    await demo.step("6. A person approves what the stranger said", approval)
    await demo.step("7. The other org", other_org)
    return corrected


async def _pack_with(org: Org, channel: str, needle: str) -> str | None:
    pack = await org.pack(channel)
    return next((memory.text for memory in pack.memories if needle in memory.text), None)


async def _closing(demo: Demo, acme: Org, corrected: list[Said], *, stays: bool) -> None:
    async def audit() -> str:
        events = (await acme.owner.audit(acme.code, limit=50)).events
        table = Table("when", "event", "actor", "on behalf of", "why", box=None, pad_edge=False)
        people = {str(id_): code for code, id_ in acme.applied.users.items()}
        for event in reversed(events):
            behalf = people.get(str(event.on_behalf_of), "") if event.on_behalf_of else ""
            actor = people.get(event.actor, event.actor.split(":")[0])
            table.add_row(f"{event.at:%H:%M:%S}", event.type, actor, behalf, event.reason)
        demo.console.print(table)
        types = {event.type for event in events}
        wanted = {"memory_auto_saved", "learning_proposed", "secret_blocked", "approved"}
        expect(f"in the audit log: {', '.join(sorted(wanted - types))}", wanted <= types)
        return f"{len(events)} learning events, each with its actor"

    async def trace() -> str:
        event_id = str(corrected[0].event_id)

        async def look() -> list[str] | None:
            spans = trace_of_event(read_spans(demo.doors.traces), event_id)
            services = {span.service for span in spans}
            return waterfall(spans) if {"ingest", "triage", "detector", "policy"} <= services else None

        lines = await until("one trace through ingest, triage, detector and policy", look, patience=15.0)
        for line in lines:
            demo.console.print(f"  {line}", highlight=False, markup=False)
        again = f"; see it again with: .venv/bin/dw trace {event_id}" if stays else ""
        return f"all of it is one trace{again}"

    await demo.step("The audit trail", audit)
    await demo.step("The trace of step 1, from the gateway's request to the saved memory", trace)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(demo.outcomes.items()))
    demo.console.print(f"\nOutcomes: {counts}", highlight=False)
    if not stays:
        demo.console.print(
            "The stack stops now: `make run` plays the same and stays up, to go on from.", highlight=False
        )
        return
    go_on(demo.doors, acme, demo.console)


def go_on(doors: Doors, org: Org, console: Console) -> None:
    """What can be done next, ready to paste."""
    console.print(
        f"Panel: [bold]{doors.panel}[/bold]  sign in with Farid's token: {org.tokens['farid']}",
        highlight=False,
    )
    console.print("Go on from here:", highlight=False)
    channel = org.applied.channels["helpdesk"]
    key = org.applied.new_keys["slack-gateway"]
    console.print(
        f"curl -s {doors.ingest}/v1/events -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' "
        f'-d \'{{"channel":"{channel}","message_ref":"m-1","sender":{{"platform":"slack","workspace_ref":"T-ACME",'
        f'"external_user_id":"U1001"}},"text":"For everybody: we call the customer portal Atlas."}}\'',
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    console.print(
        f".venv/bin/dw key list --org {org.code}   # the org of this demo; there is an org acme once "
        ".venv/bin/dw apply examples/acme.yaml made it",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )

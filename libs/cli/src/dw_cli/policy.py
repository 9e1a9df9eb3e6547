"""dw policy …: what the rules would do with a message, without storing it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dw_cli.local import ask_panel, console
from dw_contracts.events.chat import Flags
from dw_contracts.http.explain import Explained, ExplainRequest

app = typer.Typer(no_args_is_help=True, help=__doc__)


@app.callback()
def policy() -> None:
    """What the rules would do with a message, without storing it."""


@app.command()
def explain(
    org: Annotated[str, typer.Option(help="Code of the org.")],
    agent: Annotated[str, typer.Option(help="Code of the role-agent.")],
    text: Annotated[str, typer.Option(help="What is said.")],
    sender: Annotated[
        str, typer.Option(help="A user's code, an account's id, or platform:workspace:account.")
    ],
    channel: Annotated[str, typer.Option(help="Its code; else the agent's first one.")] = "",
    answers: Annotated[str, typer.Option(help="The agent's message that it answers.")] = "",
    forwarded: Annotated[bool, typer.Option(help="Marked as a forward.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    token: Annotated[
        str,
        typer.Option(
            envvar="DW_TOKEN", help="A token of an admin, owner or the agent's manager; else the stack's own."
        ),
    ] = "",
) -> None:
    """Say what would become of a message and why. Nothing is stored and no model is asked."""
    question = ExplainRequest(
        agent=agent,
        text=text,
        sender=sender,
        channel=channel,
        answers=answers,
        flags=Flags(forwarded=forwarded),
    )
    told = ask_panel(org, token, lambda client: client.explain(org, question))
    if as_json:
        sys.stdout.write(told.model_dump_json() + "\n")
        return
    _print(told)


def _print(told: Explained) -> None:
    console.print(f"outcome: {told.outcome} (channel {told.channel})", highlight=False)
    for item in told.items:
        risk = f", risk {item.risk}" if item.risk else ""
        console.print(f"  {item.outcome} by rule {item.rule}{risk}", highlight=False, markup=False)
        console.print(f"    {item.words}", highlight=False, markup=False)
    if not told.items:
        console.print(f"  {told.words}", highlight=False, markup=False)
    console.print(f"sender: {told.sender}", highlight=False, markup=False)
    console.print(
        f"mode: {told.mode}; " + ", ".join(f"{k} {v}" for k, v in told.versions.items()), highlight=False
    )

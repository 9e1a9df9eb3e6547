"""Every command of `dw`: its name, where it stands, and what the list of commands says of it. Nothing is imported for
the list, and only what was asked for is imported to run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

INTERRUPTED: Final = 130


@dataclass(frozen=True, slots=True)
class Place:
    """A function, or a group of commands, by module and name; `words` are its line in the list."""

    module: str
    name: str
    words: str


COMMANDS: Final[Mapping[str, Place]] = {
    "run": Place("dw_cli.stack", "run", "Start everything, play the demo, and stay up until Ctrl-C."),
    "up": Place("dw_cli.stack", "up", "Start Kafka, PostgreSQL and all services. Does nothing if they run."),
    "down": Place("dw_cli.look", "down", "Stop everything. Nothing runs afterwards, and nothing is lost."),
    "status": Place("dw_cli.look", "status", "What runs, where, and whether it is ready."),
    "logs": Place("dw_cli.look", "logs", "The log of a service, of kafka or of postgres."),
    "config": Place(
        "dw_cli.look", "config", "The environment of the stack as one file. `env` holds secrets."
    ),
    "migrate": Place("dw_cli.migrate", "migrate", "Bring the schema to its newest revision, under a lock."),
    "topics": Place("dw_cli.migrate", "topics", "Create the declared topics, dead letters and rights."),
    "apply": Place("dw_cli.apply", "apply", "Create or update the org that a file describes."),
    "publish": Place("dw_cli.publish", "publish", "Send a file of messages and wait for all outcomes."),
    "demo": Place("dw_cli.demo", "demo", "Play the demo on two fresh orgs."),
    "play": Place(
        "dw_cli.play.command", "play", "Play stories on fresh orgs and say, step by step, what held."
    ),
    "trace": Place("dw_cli.trace", "trace", "What became of an event, and where the time went."),
    "skill": Place("dw_cli.shipped", "skill", "Print a skill that we ship, or write its folder."),
    "tools": Place("dw_cli.shipped", "tools", "Print the tools for the `tools` of a chat completion."),
    "mcp": Place("dw_cli.mcp.command", "mcp", "Serve the tools of one role-agent over MCP."),
    "bench": Place("dw_cli.bench", "bench", "Run one benchmark or all."),
    "dlq": Place("dw_cli.dead_letters", "app", "What could not be read: list, show, replay, resume."),
    "audit": Place(
        "dw_cli.audit", "app", "Whether the log is what it was, and a copy of it: verify, export."
    ),
    "eval": Place("dw_cli.evals", "app", "Labelled data in, one JSON line out."),
    "history": Place(
        "dw_cli.history", "app", "Old chats into the history, and tokens anew after an upgrade."
    ),
    "key": Place("dw_cli.key", "app", "Keys and tokens of an org: list, make, token, revoke."),
    "memory": Place("dw_cli.memory", "app", "What a role-agent knows as files, and files as proposals."),
    "policy": Place("dw_cli.policy", "app", "What the rules would do with a message, without storing it."),
    "gate": Place(
        "dw_cli.gate", "app", "What an org may spend on models: status, limits, kill, ledger, models."
    ),
    "prompts": Place("dw_cli.prompts", "app", "What models are asked with, by version."),
    "person": Place("dw_cli.person", "app", "A copy of what is held about a person: export."),
    "contracts": Place(
        "dw_cli.contracts", "contracts_app", "Generated files, from the contracts: write, check."
    ),
}


class Commands(TyperGroup):
    """The group `dw`. A KeyboardInterrupt anywhere in it ends with one line and exit status 130."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = {name: TyperCommand(name=name, help=place.words) for name, place in COMMANDS.items()}
        self._loaded: set[str] = set()

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import what the first argument names: until then it is its line in the list alone."""
        name = args[0] if args else ""
        if name in COMMANDS and name not in self._loaded:
            self.commands[name] = load(name)
            self._loaded.add(name)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.stderr.write("\ninterrupted\n")
            raise typer.Exit(INTERRUPTED) from None


def load(name: str) -> Any:
    """The command of that name, with all that it imports."""
    place = COMMANDS[name]
    found = getattr(import_module(place.module), place.name)
    made: Any
    if isinstance(found, typer.Typer):  # get_command would give it options to install completion
        made = typer.main.get_group(found)
    else:
        holder = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        holder.command(name)(found)
        made = typer.main.get_command(holder)
    made.name = name
    return made

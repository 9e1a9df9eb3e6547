"""The dw command: one door to the stack, the org file, messages, traces and dead letters."""

from __future__ import annotations

import logging

import typer

from dw_cli import (
    apply,
    audit,
    bench,
    contracts,
    dead_letters,
    demo,
    eval_history,
    evals,
    gate,
    history,
    key,
    memory,
    migrate,
    person,
    policy,
    prompts,
    publish,
    shipped,
    stack,
    trace,
)
from dw_cli.mcp import command as mcp
from dw_cli.play import command as play

logging.getLogger("aiokafka").setLevel(
    logging.ERROR
)  # a broker on loopback needs no warning about plain text
app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__, pretty_exceptions_enable=False)
stack.register(app)
migrate.register(app)
apply.register(app)
publish.register(app)
demo.register(app)
play.register(app)
trace.register(app)
shipped.register(app)
app.command("mcp")(mcp.mcp)
app.add_typer(dead_letters.app, name="dlq")
app.add_typer(audit.app, name="audit")
evals.app.command("history")(eval_history.history)
app.add_typer(evals.app, name="eval")
app.add_typer(history.app, name="history")
app.add_typer(key.app, name="key")
app.add_typer(memory.app, name="memory")
app.add_typer(policy.app, name="policy")
app.add_typer(gate.app, name="gate")
app.add_typer(prompts.app, name="prompts")
app.add_typer(person.app, name="person")


bench.register(app)
app.add_typer(contracts.contracts_app, name="contracts")

if __name__ == "__main__":
    app()

"""The dw command: one door to the stack, the org file, messages, traces and dead letters."""

from __future__ import annotations

import logging
import os

import typer

from dw_cli.commands import Commands

logging.getLogger("aiokafka").setLevel(
    logging.ERROR
)  # a broker on loopback needs no warning about plain text
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.callback(cls=Commands, no_args_is_help=True, help=__doc__)
def dw() -> None:
    """Refuse a DW_ variable that nothing reads, before any command reads the others."""
    if not any(name.startswith("DW_") for name in os.environ):
        return
    from dw_contracts.variables import UnknownVariable, refuse_unknown

    try:
        refuse_unknown(os.environ)
    except UnknownVariable as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None


if __name__ == "__main__":
    app()
